"""What is said of a case: as far as the policy allows to the student, in full to the staff."""

from __future__ import annotations

import kit
from autograder.config import Grading
from autograder.grade import CaseResult
from kit.case import Outcome, read_claim
from kit.failure import Failure

LINES = 8  # what a student reads at most
LINE = 300  # characters


def write_message(result: CaseResult, grading: Grading) -> str:
    """What the student reads of a case: eight lines at most, the claim alone where it passed."""
    if result.passed:
        return read_claim(result.case.body)[0]
    shown = grading.hidden.feedback if result.case.hidden else "counterexample"
    return _write_failure(result, _redact(result.outcome) if shown == "hint" else result.outcome, shown)


def write_full_message(result: CaseResult) -> str:
    """What the staff read of a failed case: the counterexample also of hidden ones, and what broke in our code."""
    first, *rest = _write_failure(result, result.outcome, "counterexample").split("\n")
    if result.case.hidden:
        first += " (hidden)"
    if broken := result.outcome.broken:
        rest.append(clean(f"{type(broken).__name__}: {broken}"))
    return "\n".join([first, *rest])


def clean(text: str) -> str:
    """A text without control characters but line ends, each line of a bounded length."""
    lines = ("".join(c if c.isprintable() else " " for c in line) for line in text.splitlines())
    return "\n".join(line if len(line) <= LINE else line[: LINE - 3] + "..." for line in lines)


def _redact(outcome: Outcome) -> Outcome:
    """An outcome of a hidden case without what a student's code could send: its own text, a chosen line number."""
    failure = outcome.failure
    if failure is None or outcome.broken:
        return outcome
    what = "It is not written yet, or its name is not defined." if outcome.reason == "missing" else failure.what
    return Outcome(outcome.reason, Failure(outcome.reason, what, type_name=failure.type_name))


def _write_failure(result: CaseResult, outcome: Outcome, shown: str) -> str:
    claim, look = read_claim(result.case.body)
    text = kit.write_message(result.question, result.case.name, result.case.points, claim, look, outcome, shown)
    return "\n".join(clean(text).split("\n")[:LINES])
