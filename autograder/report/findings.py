"""What went wrong most often: known mistakes, errors and time-outs, and where the time went."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.batch.gradebook import Graded
from solutions.mistakes import load_mistakes

SHOWN = 15  # rows of a table of the most frequent things
USUAL = {"passed", "wrong"}
SHORTEST = 3  # letters of a name that is worth hiding; shorter ones are parts of words


@dataclass(frozen=True)
class Finding:
    """Something that happened to several submissions.

    Attributes:
        question: where
        name: a mistake of the catalogue, or the reason of a case that did not come to a verdict
        cause: why the mistake is wrong; empty for an error
        count: how many submissions
        message: what one of them was told, without anybody's name
    """

    question: str
    name: str
    cause: str
    count: int
    message: str


def find_mistakes(class_: Sequence[Graded]) -> list[Finding]:
    """The known mistakes, the most frequent first."""
    causes = {(known.question, known.name): known.cause for known in load_mistakes()}
    return _count(class_, lambda facts: facts["mistake"], lambda question, name: causes.get((question, name), ""))


def find_errors(class_: Sequence[Graded]) -> list[Finding]:
    """The cases without a verdict: errors, missing names, time-outs, dead processes; the most frequent first."""
    return _count(class_, lambda facts: None if facts["reason"] in USUAL else facts["reason"], lambda *_: "")


def _count(class_: Sequence[Graded], read_name: Any, read_cause: Any) -> list[Finding]:
    found: dict[tuple[str, str], dict[str, tuple[Graded, dict[str, Any]]]] = {}
    for graded in class_:
        for case in graded.cases:
            if name := read_name(case["extra_data"]):
                by_submission = found.setdefault((case["extra_data"]["question"], name), {})
                shown = by_submission.get(graded.name)
                if shown is None or shown[1]["extra_data"]["hidden"]:  # a public case says more
                    by_submission[graded.name] = graded, case
    findings = [
        Finding(question, name, read_cause(question, name), len(examples), _tell(next(iter(examples.values()))))
        for (question, name), examples in found.items()
    ]
    return sorted(findings, key=lambda finding: -finding.count)[:SHOWN]


def _tell(example: tuple[Graded, dict[str, Any]]) -> str:
    graded, case = example
    return hide_names(case["output"], [word for one in graded.entry.submitters for word in _words(one)])


def hide_names(text: str, words: Iterable[str]) -> str:
    """A message without the words that could name its author."""
    hidden = sorted({word for word in words if len(word) >= SHORTEST}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, hidden)), "[name]", text, flags=re.IGNORECASE) if hidden else text


def _words(submitter: Any) -> list[str]:
    login = submitter.email.partition("@")[0]
    return [submitter.email, submitter.sid, login, submitter.name, *submitter.name.split()]


@dataclass(frozen=True)
class Time:
    """Seconds that a question took, over the class."""

    question: str
    median: float
    longest: float


def find_times(class_: Sequence[Graded]) -> list[Time]:
    """The seconds of each question, the slowest first."""
    seconds: dict[str, list[float]] = {}
    for graded in class_:
        own: dict[str, float] = {}
        for case in graded.cases:
            facts = case["extra_data"]
            own[facts["question"]] = own.get(facts["question"], 0.0) + facts["seconds"]
        for question, taken in own.items():
            seconds.setdefault(question, []).append(taken)
    times = [Time(question, statistics.median(taken), max(taken)) for question, taken in seconds.items()]
    return sorted(times, key=lambda time: -time.median)
