"""The message that a failed case shows: at most eight lines, the same in a terminal, a notebook and on Gradescope."""

from __future__ import annotations

from kit.case import Outcome
from kit.failure import RUNGS, Failure

SHOWN = ("counterexample", "hint", "none")  # of a failure: all of it, or what the policy on hidden cases allows

OF_HIDDEN = {  # nothing here depends on the inputs that were drawn
    "timeout": "Your code took too long.",
    "died": "Your code ended the process that ran it.",
    "forbidden": "Your code uses what the question rules out.",
    "missing": "It is not written yet, or its name is not defined.",
}


def write_message(
    question: str,
    case: str,
    points: float,
    claim: str,
    look: str,
    outcome: Outcome,
    shown: str = "counterexample",
    hint: str = "",
) -> str:
    """Write what a student reads after a failed case.

    Args:
        question, case: their ids
        points: that the case is worth
        claim, look: the two parts of the case's docstring
        outcome: how the case ended; not `passed`
        shown: one of `SHOWN`; `hint` and `none` keep drawn inputs, values and the student's own words to themselves
        hint: the thought behind the known mistake that the answer behaves like; empty where there is none
    Returns:
        The lines: what failed and its points, the claim, what was seen, the hint, where to look.
    """
    lines = [f"{question} / {case}: 0 of {points:g} points", f"Claim: {claim}"]
    failure = outcome.failure
    if shown == "none" or failure is None:
        return "\n".join(lines)
    thought = f"It behaves like a known mistake: {hint}" if hint else ""
    if shown == "hint":
        lines += [_hide(failure), thought] if hint else [_hide(failure)]
    else:
        lines.append(failure.write(thought))
    if look and failure.reason in ("wrong", "error"):
        lines.append(look)
    return "\n".join(lines)


def _hide(failure: Failure) -> str:
    if failure.reason == "error" and failure.type_name:
        return f"Your code raised {failure.type_name}."  # which line did is the student's to choose, and so a message
    return RUNGS[failure.rung] if failure.reason == "wrong" else OF_HIDDEN.get(failure.reason, failure.what)
