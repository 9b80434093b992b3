"""What is said of a case: as far as the policy allows to the student, in full to the staff."""

from __future__ import annotations

import kit
from autograder.config import Grading
from autograder.grade import CaseResult
from autograder.printable import clean_line
from kit.case import Outcome, read_claim
from kit.failure import Failure

LINES = 8  # what a student reads at most
LINE = 300  # characters


def write_message(result: CaseResult, grading: Grading) -> str:
    """What the student reads of a case: eight lines at most, the claim alone where it passed."""
    if result.passed:
        return read_claim(result.case.body)[0]
    policy = grading.hidden.feedback
    shown = policy if result.case.hidden else "counterexample"
    outcome = _redact(result.outcome) if shown == "hint" else result.outcome
    return _write_failure(result, outcome, shown, _read_hint(result) if policy != "none" else "")


def write_full_message(result: CaseResult) -> str:
    """What the staff read of a failed case: the counterexample also of hidden ones, and what broke in our code."""
    first, *rest = _write_failure(result, result.outcome, "counterexample", _read_hint(result)).split("\n")
    if result.case.hidden:
        first += " (hidden)"
    if result.diagnosis:
        first += f" [{', '.join(result.diagnosis.mistakes)}]"
    if broken := result.outcome.broken:
        rest.append(clean(f"{type(broken).__name__}: {broken}"))
    return "\n".join([first, *rest])


def clean(text: str) -> str:
    """A text without characters that cannot be seen but line ends, each line of a bounded length."""
    lines = (clean_line(line, " ") for line in text.splitlines())
    return "\n".join(line if len(line) <= LINE else line[: LINE - 3] + "..." for line in lines)


def _redact(outcome: Outcome) -> Outcome:
    """An outcome of a hidden case without what a student's code could send: its own text, a chosen line number."""
    failure = outcome.failure
    if failure is None or outcome.broken:
        return outcome
    what = "It is not written yet, or its name is not defined." if outcome.reason == "missing" else failure.what
    return Outcome(outcome.reason, Failure(outcome.reason, what, rung=failure.rung, type_name=failure.type_name))


def _read_hint(result: CaseResult) -> str:
    return result.diagnosis.hint if result.diagnosis else ""


def _write_failure(result: CaseResult, outcome: Outcome, shown: str, hint: str) -> str:
    claim, look = read_claim(result.case.body)
    if hint and result.diagnosis and result.case.name not in result.diagnosis.caught_by:
        look = ""  # the known mistake fails this case as well, but what the case warns of is another one
    text = kit.write_message(result.question, result.case.name, result.case.points, claim, look, outcome, shown, hint)
    return "\n".join(clean(text).split("\n")[:LINES])
