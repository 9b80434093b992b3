"""Who moves between two gradings: on which case, by how much, and why."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.batch.gradebook import Graded, Row
from autograder.batch.grades import plain
from autograder.batch.store import Store

HEADER = ["name", "sid", "email", "submission", "total_before", "total_after", "question", "case", "hidden"]


@dataclass(frozen=True)
class Move:
    """A case on which one submission has other points than before."""

    submission: str
    question: str
    case: str
    hidden: bool
    before: float
    after: float
    why: str


def find_moves(new: Graded, old: dict[str, Any]) -> list[Move]:
    """The cases of one submission whose points changed, those that came or went included."""
    before, after = (_by_case(tests) for tests in (old["tests"], new.results["tests"]))
    other = _is_other(new.results, old)
    moves = []
    for place in dict.fromkeys([*after, *before]):
        was, now = before.get(place), after.get(place)
        had, has = (float(test["score"]) if test else 0.0 for test in (was, now))
        if had != has:
            hidden = bool((now or was or {})["extra_data"]["hidden"])
            moves.append(Move(new.name, *place, hidden, had, has, f"{other}{_explain(was, now)}"))
    return moves


def write_moves(rows: Sequence[Row], old: Store) -> tuple[str, list[str]]:
    """`moved.csv`, those who move furthest first, and lines that say how many move on which case."""
    moved: list[tuple[Row, float, list[Move]]] = []
    missing = 0
    for row in rows:
        content = old.read(row.graded.name)
        missing += content is None
        if content is not None and (moves := find_moves(row.graded, content)):
            moved.append((row, float(content["score"]), moves))
    moved.sort(key=lambda found: -abs(found[0].graded.total - found[1]))
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow([*HEADER, "before", "after", "difference", "why"])
    for row, total, moves in moved:
        table.writerows(map(plain, _list_cells(row, total, moves)))
    return stream.getvalue(), list(_summarise(moved, len(rows), missing))


def _list_cells(row: Row, total: float, moves: Sequence[Move]) -> Iterator[list[Any]]:
    who = [row.submitter.name, row.submitter.sid, row.submitter.email, row.graded.name, total, row.graded.total]
    for move in moves:
        difference = round(move.after - move.before, 5)
        yield [*who, move.question, move.case, move.hidden, move.before, move.after, difference, move.why]


def _summarise(moved: Sequence[tuple[Row, float, list[Move]]], people: int, missing: int) -> Iterator[str]:
    up = sum(row.graded.total > total for row, total, _ in moved)
    down = sum(row.graded.total < total for row, total, _ in moved)
    yield f"{len(moved)} of {people} move: {up} up, {down} down, {len(moved) - up - down} with the same total"
    if missing:
        yield f"{missing} were not there before"
    cases: dict[tuple[str, str], list[float]] = {}
    for _, _, moves in moved:
        for move in moves:
            cases.setdefault((move.question, move.case), []).append(move.after - move.before)
    for (question, case), steps in sorted(cases.items(), key=lambda found: -len(found[1])):
        yield f"{question} / {case}: {len(steps)} move by {sum(steps) / len(steps):+.3g} points on average"


def _by_case(tests: Sequence[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(test["extra_data"]["question"], test["extra_data"]["case"]): test for test in tests if _is_case(test)}


def _is_case(test: dict[str, Any]) -> bool:
    return bool(test.get("extra_data", {}).get("question"))


def _is_other(new: dict[str, Any], old: dict[str, Any]) -> str:
    hashes = [content["extra_data"].get("submission") for content in (new, old)]
    return "" if hashes[0] == hashes[1] else "another file was handed in; "


def _explain(was: dict[str, Any] | None, now: dict[str, Any] | None) -> str:
    if was is None or now is None:
        return "the case is new" if was is None else "the case is gone"
    if was["score"] and now["score"]:
        return f"the case had {was['max_score']:g} points and has {now['max_score']:g}"
    if now["score"]:
        return f"passes now, before: {_tell(was)}"
    return f"passed before, now: {_tell(now)}"


def _tell(test: dict[str, Any]) -> str:
    """The reason, the mistake if one is known, and what was said after the line that names the case."""
    facts, said = test["extra_data"], test["output"].split("\n")[1:2]
    mistake = f" ({facts['mistake']})" if facts.get("mistake") else ""
    return f"{facts['reason']}{mistake}{': ' if said else ''}{' '.join(said)}"
