"""Writes the table of hostile submissions into docs/isolation.md, from what the last runs of test_hostile.py noted.

python tests/project/tabulate_hostile.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NOTES, PAGE = ROOT / "build" / "hostile", ROOT / "docs" / "isolation.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
OTTER = {"wins": "attack wins", "broken": "no grade, or points lost", "held": "held", "": "not measured"}
GROUPS = {
    "a": "Learning secrets",
    "b": "Changing the judge",
    "c": "Reaching the grader's process",
    "d": "Results, processes, resources, files",
    "e": "Not doing the work",
    "f": "Honest but broken",
}


def read_notes(who: str) -> dict[str, dict[str, Any]]:
    """Read the notes of one grader: by name of the submission."""
    notes = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((NOTES / who).glob("*.json"))]
    return {note["name"]: note for note in notes}


def describe(note: dict[str, Any] | None) -> str:
    """One cell: what was gained, lost, learnt or left, or that it held."""
    if note is None:
        return "not run"
    bad = [f"{len(note[what])} {what}" for what in ("gained", "lost", "learnt", "left") if note[what]]
    return ", ".join(bad) or f"held, {note['score']:g} of {note['possible']:g}"


def make_table() -> str:
    """The table, one row per submission, and its totals."""
    root, user = read_notes("root"), read_notes("user")
    lines, held = [], {"root": 0, "user": 0}
    for name in sorted(root | user):
        note = root.get(name) or user[name]
        if not lines or lines[-1][0] != name[0]:
            lines.append((name[0], f"| **{GROUPS[name[0]]}** | | | |"))
        cells = [describe(root.get(name)), describe(user.get(name))]
        for who, cell in zip(held, cells, strict=True):
            held[who] += cell.startswith("held")
        lines.append((name[0], f"| `{name}`: {note['attack']} | {OTTER[note['otter']]} | {cells[0]} | {cells[1]} |"))
    head = "| submission | plain Otter | ours, graded by root | ours, graded by a user |\n|---|---|---|---|"
    totals = f"Held as root: {held['root']} of {len(root)}; as an ordinary user: {held['user']} of {len(user)}."
    return "\n".join([totals, "", head, *(line for _, line in lines)])


def main() -> None:
    """Replace the table of the page."""
    text = PAGE.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        sys.exit(f"{PAGE}: has no place for the table ({BEGIN} ... {END})")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{make_table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
