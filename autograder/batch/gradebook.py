"""What came out: each submission with its results, each person with the submission that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cached_property
from math import fsum
from typing import Any

from autograder.batch.roster import Entry
from autograder.batch.submitter import Submitter

LONG_AGO = datetime.min.replace(tzinfo=timezone.utc)
UNUSUAL = {
    "timeout": "took too long",
    "died": "killed the process",
    "forbidden": "did what is forbidden",
    "not_run": "did not run",
    "not_judged": "not judged, the machine was too busy",
}
STARVED = 3  # times what was computed: whoever took longer by the clock waited for processors, or slept


@dataclass(frozen=True)
class Graded:
    """A submission and its `results.json`."""

    entry: Entry
    results: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of the submission."""
        return self.entry.name

    @property
    def cases(self) -> list[dict[str, Any]]:
        """The entries of `tests` that are cases of a question."""
        return [test for test in self.results["tests"] if test.get("extra_data", {}).get("question")]

    @property
    def total(self) -> float:
        """The points in all."""
        return float(self.results["score"])

    @property
    def problem(self) -> str:
        """Why it could not be graded; empty where it was."""
        return self.results["extra_data"].get("problem") or ""

    @property
    def is_open(self) -> bool:
        """Whether points are still to be found: nothing could be graded, or a check could not be judged."""
        return bool(self.problem) or any(map(_is_open, self.cases))

    @property
    def status(self) -> str:
        """A word on what the points are worth."""
        return "not graded" if self.problem else "not judged in full" if self.is_open else "graded"

    @cached_property
    def known_points(self) -> dict[str, float]:
        """The points of the questions that were judged in full."""
        left = {case["extra_data"]["question"] for case in self.cases if self.problem or _is_open(case)}
        return {question: points for question, points in self.points.items() if question not in left}

    @cached_property
    def points(self) -> dict[str, float]:
        """The points of each question."""
        found: dict[str, list[float]] = {}
        for case in self.cases:
            found.setdefault(case["extra_data"]["question"], []).append(case["score"])
        return {question: round(fsum(scores), 5) for question, scores in found.items()}

    @property
    def flags(self) -> list[str]:
        """What staff should look at."""
        if self.problem:
            return [*self.entry.flags, f"not graded: {self.problem}"]
        reasons = Counter(case["extra_data"]["reason"] for case in self.cases)
        broken = sum(bool(case["extra_data"].get("broken")) for case in self.cases)
        counts = [(reasons[reason], what) for reason, what in UNUSUAL.items()] + [(broken, "broke itself")]
        told = [*self.entry.flags, *(f"{n} check{'s' * (n > 1)}: {what}" for n, what in counts if n), *self._waits]
        if uses := self.results["extra_data"].get("flags"):  # each begins with its question; the rest quotes the answer
            told.append(f"uses what is ruled out: {', '.join(dict.fromkeys(use.partition(':')[0] for use in uses))}")
        return told

    @property
    def _waits(self) -> list[str]:
        wall, computed = self.results["execution_time"], self.results["extra_data"].get("cpu_seconds")
        if not computed or wall <= STARVED * computed:
            return []
        return [f"the machine was busy: {wall:.1f} s for {computed:.1f} s of computing"]


def _is_open(case: dict[str, Any]) -> bool:
    return bool(case["extra_data"]["reason"] == "not_judged")


@dataclass(frozen=True)
class Row:
    """A person, the submission that counts, and what is to be said of both."""

    submitter: Submitter
    graded: Graded
    flags: tuple[str, ...]


def list_rows(class_: Sequence[Graded]) -> tuple[list[Row], list[str]]:
    """One row a person, in the order of their names, and a line for each who handed in several times.

    The latest submission counts; of a group's, it is each member's latest.
    """
    found: dict[tuple[str, str], list[tuple[Submitter, Graded]]] = {}
    for graded in sorted(class_, key=_order):
        for submitter in graded.entry.submitters:
            found.setdefault(submitter.key, []).append((submitter, graded))
    same, rows, lines = _find_same(class_), [], []
    for several in found.values():
        submitter, graded = several[-1]
        flags = [*graded.flags, *([f"the same file as {', '.join(same[graded.name])}"] if same[graded.name] else [])]
        older = [one.name for _, one in several[:-1] if one is not graded]
        if older:
            flags.append(f"handed in {len(older) + 1} times, the latest counts")
            lines.append(f"{submitter.name}: {graded.name} counts, being later than {', '.join(older)}")
        rows.append(Row(submitter, graded, tuple(flag.replace(";", ",") for flag in flags)))  # "; " joins them
    return sorted(rows, key=lambda row: (row.submitter.name.casefold(), row.submitter.key)), lines


def list_counting(rows: Iterable[Row]) -> list[Graded]:
    """The submissions that count for somebody, each once."""
    return list({row.graded.name: row.graded for row in rows}.values())


def _order(graded: Graded) -> tuple[datetime, int, str]:
    """By time, then by number: Gradescope's ids grow."""
    digits = "".join(character for character in graded.name if character.isdecimal())
    time = graded.entry.handed_in or LONG_AGO
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc), int(digits or 0), graded.name


def _find_same(class_: Sequence[Graded]) -> dict[str, list[str]]:
    """For each submission the others, of other people, whose file has the same bytes."""
    by_hash: dict[str, list[Graded]] = {}
    for graded in class_:
        by_hash.setdefault(graded.results["extra_data"].get("submission") or graded.name, []).append(graded)
    return {
        graded.name: [other.name for other in group if not _keys(other) & _keys(graded)]
        for group in by_hash.values()
        for graded in group
    }


def _keys(graded: Graded) -> set[tuple[str, str]]:
    return {submitter.key for submitter in graded.entry.submitters}
