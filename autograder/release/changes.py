"""What changed from one release to the next, and whether scores that students have can move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from autograder.release.manifest import PINNED, Manifest

Kind = Literal["question", "points", "case", "setting", "package", "code", "text"]
# Files of the zip that say things and score nothing. Every other file is taken to grade: it is better to look once
# too often. Cases and the table are compared in their own way; Otter's copies repeat what stands elsewhere.
SAYS = ("solutions/", "student_template/", "autograder/diagnosis/", "autograder/messages.py", "autograder/table.py")
COMPARED = ("tests/q", "files/", "grading.yml", *PINNED)


@dataclass(frozen=True)
class Change:
    """One change: its kind, what it is, whether earlier scores can move, and the question it belongs to."""

    kind: Kind
    what: str
    moves: bool
    question: str = ""


def list_changes(old: Manifest, new: Manifest) -> list[Change]:
    """All changes between two manifests: questions, points, cases, settings, packages, code, text."""
    return [
        *_compare_questions(old["questions"], new["questions"]),
        *_compare_settings(old["settings"], new["settings"]),
        *_compare_packages(old["packages"], new["packages"]),
        *_compare_files(old["autograder"], new["autograder"]),
        *_compare_text(old, new),
    ]


def _compare_questions(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for id in dict.fromkeys([*old, *new]):
        if id not in old or id not in new:
            yield Change("question", f"{id}: {'new' if id in new else 'gone'}", True, id)
            continue
        if old[id]["title"] != new[id]["title"]:
            yield Change("text", f"{id}: now '{new[id]['title']}'", False, id)
        if old[id]["points"] != new[id]["points"]:
            yield Change("points", f"{id}: {old[id]['points']:g} -> {new[id]['points']:g}", True, id)
        yield from _compare_cases(id, old[id]["cases"], new[id]["cases"])


def _compare_cases(id: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for name in dict.fromkeys([*old, *new]):
        place = f"{id} / {name}"
        if name not in old or name not in new:
            yield Change("case", f"{place}: {'new' if name in new else 'gone'}", True, id)
            continue
        before, after = old[name], new[name]
        if before["points"] != after["points"]:
            yield Change("points", f"{place}: {before['points']:g} -> {after['points']:g}", True, id)
        if before["check"] != after["check"]:
            yield Change("case", f"{place}: checks something else", True, id)
        if before["hidden"] != after["hidden"]:
            yield Change("case", f"{place}: now {'hidden' if after['hidden'] else 'public'}", False, id)
        if before["claim"] != after["claim"]:
            yield Change("text", f"{place}: claims it in other words", False, id)


def _compare_settings(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            shown = "another" if name == "salt" else f"{old.get(name)} -> {new.get(name)}"
            yield Change("setting", f"{name}: {shown}", name not in ("hidden", "leaderboard"))


def _compare_packages(old: list[str], new: list[str]) -> Iterator[Change]:
    yield from (Change("package", f"no longer {line}", True) for line in old if line not in new)
    yield from (Change("package", f"now {line}", True) for line in new if line not in old)


def _compare_files(old: dict[str, str], new: dict[str, str]) -> Iterator[Change]:
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name) and not name.startswith((*SAYS, *COMPARED, "tests/questions/")):
            how = "new" if name not in old else "gone" if name not in new else "changed"
            yield Change("code", f"{name}: {how}", True)


def _compare_text(old: Manifest, new: Manifest) -> Iterator[Change]:
    gone, come = (
        [line for id, line in one["cells"].items() if id not in other["cells"]]
        for one, other in ((old, new), (new, old))
    )
    for line in dict.fromkeys([*gone, *come]):
        how = "changed below" if line in gone and line in come else "no longer" if line in gone else "now"
        yield Change("text", f"the notebook, {how}: {line[:60]}", False)
    notebooks = {name for name in new["students"] if name.endswith(".ipynb")}
    for name in dict.fromkeys([*old["students"], *new["students"]]):
        if old["students"].get(name) != new["students"].get(name) and name not in notebooks:
            yield Change("text", f"{name}: changed for students", False)
