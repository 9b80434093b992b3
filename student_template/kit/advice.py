"""Which failed case of a question speaks: advice belongs to what failed first, and a symptom to every failure."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kit.case import Outcome, read_claim
from kit.failure import Failure

SEEN = ("wrong", "error")  # reasons of a failure that shows what an answer does


@dataclass(frozen=True)
class Told:
    """A case as others of its question see it.

    Attributes:
        name: of the case
        takes: the student's names that it takes
        look: where to look when it fails
        outcome: how it ended
    """

    name: str
    takes: tuple[str, ...]
    look: str
    outcome: Outcome


def tell(name: str, body: Any, outcome: Outcome) -> Told:
    """Return what others of its question see of a case: the function under `body`, and how it ended."""
    takes = tuple(inspect.signature(body.test_func).parameters)
    return Told(name, takes, read_claim(body)[1], outcome)


def choose_advice(case: Told, cases: Sequence[Told]) -> str:
    """Return the line on where to look; empty where what failed speaks for itself.

    A question's cases stand in the order in which an answer is to be mended: plain values first, then what may go
    wrong although they are right. So only the first failed case on the same names gives its own advice, and a case of
    gradients, which compares values before. The others name the first.

    Args:
        case: the failed one
        cases: all cases of the question that may be named, in their order
    """
    failure = case.outcome.failure
    if failure is None or failure.reason not in SEEN:
        return ""
    first = _find_first(case, cases)
    if first is not None and failure.rung != "gradient":
        differs = first.outcome.failure is not None and first.outcome.failure.rung in ("value", "finite")
        return f"{'The values differ' if differs else 'It goes wrong'} already in {first.name}: start there."
    return case.look if _fits(case, failure, cases) else ""


def keep_agreed_symptom(cases: Sequence[Told]) -> None:
    """Take the symptom from every failure of a question unless all that can show one show the same."""
    failures = [case.outcome.failure for case in cases if case.outcome.failure is not None]
    shown = {failure.symptom for failure in failures if failure.rung in ("value", "shape") or failure.symptom} - {""}
    for failure in failures if len(shown) > 1 else ():
        failure.symptom = None


def _find_first(case: Told, cases: Sequence[Told]) -> Told | None:
    for other in cases:
        if other.name == case.name:
            return None
        seen = other.outcome.reason in SEEN and not other.outcome.broken
        if seen and set(other.takes) & set(case.takes):
            return other
    return None


def _fits(case: Told, failure: Failure, cases: Sequence[Told]) -> bool:
    """Whether the advice is about the rung that broke."""
    if failure.reason == "error":  # where the first case passes, what this case adds made the difference
        return cases[0].outcome.reason == "passed"
    if failure.rung == "dtype":
        return "dtype" in case.look
    return failure.rung not in ("type", "argument") and not failure.early
