"""Functions that an answer must not use: looked for in its source by `reach`; its calls are watched in the sandbox.

What is only likely is for staff to look at and costs no point.
Never judged by numbers: a right answer written by hand looks exactly like PyTorch's.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.cell import Use
from autograder.config import Forbidden
from kit.case import Outcome
from kit.failure import Failure


def judge(outcome: Outcome, uses: Sequence[Use], forbidden: Forbidden | None) -> Outcome:
    """Return a case's outcome: `forbidden` where something forbidden was used and the policy takes the points."""
    certain = [use for use in uses if use.certain]
    if not certain or forbidden is None or forbidden.policy == "flag":
        return outcome
    return Outcome("forbidden", Failure("forbidden", describe_use(certain[0]), line=certain[0].line))


def describe_use(use: Use) -> str:
    """Say what was used, and where."""
    where = f"\n  your line {use.line}: {use.code}" if use.line else ""
    if not use.certain:
        return f"{use.name} is named where this answer may use it, which has cost no point: please look.{where}"
    return f"{use.name} is ruled out in this question: write the computation yourself.{where}"
