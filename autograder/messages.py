"""What is said of a case: as far as the policy allows to the student, in full to the staff."""

from __future__ import annotations

from collections.abc import Sequence

import kit
from autograder.config import Grading
from autograder.grade import CaseResult
from autograder.printable import clean_line
from kit.advice import choose_advice, keep_agreed_symptom, tell
from kit.case import Outcome, read_claim
from kit.failure import Failure

LINES = 8  # what a student reads at most
LINE = 300  # characters


def write_message(result: CaseResult, grading: Grading, others: Sequence[CaseResult] = ()) -> str:
    """What the student reads of a case: eight lines at most, the claim alone where it passed.

    Args:
        result: of the case
        grading: whose policy holds
        others: the results of all cases of the question, in their order; what one says depends on the others
    """
    if result.passed:
        return read_claim(result.case.body)[0]
    policy = grading.hidden.feedback
    shown = policy if result.case.hidden else "counterexample"
    return _write_failure(result, shown, others, hinted=policy != "none")


def write_full_message(result: CaseResult, others: Sequence[CaseResult] = ()) -> str:
    """What the staff read of a failed case: the counterexample also of hidden ones, and what broke in our code."""
    first, *rest = _write_failure(result, "counterexample", others).split("\n")
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


def _write_failure(result: CaseResult, shown: str, others: Sequence[CaseResult], hinted: bool = True) -> str:
    claim, _ = read_claim(result.case.body)
    seen = [other for other in others or [result] if result.case.hidden or not other.case.hidden]
    told = [tell(other.case.name, other.case.body, other.outcome) for other in seen]
    keep_agreed_symptom(told)
    look, hint = choose_advice(told[seen.index(result)], told), ""
    if hinted and result.diagnosis:
        first = next(other for other in seen if other.diagnosis)
        hint = result.diagnosis.hint if first is result else f"the one that {first.case.name} names."
        if result.case.name not in result.diagnosis.caught_by or first is not result:
            look = ""  # the known mistake fails this case as well, but what the case warns of is another one
    outcome = _redact(result.outcome) if shown == "hint" else result.outcome
    text = kit.write_message(result.question, result.case.name, result.case.points, claim, look, outcome, shown, hint)
    return "\n".join(clean(text).split("\n")[:LINES])
