"""Functions that an answer must not use: looked for in its syntax tree; its calls are watched in the sandbox.

Only what the answer itself reaches counts: its own definition, and what the cells up to its check have given to the
names that it asks for. What is only likely is for staff to look at and costs no point: calls are watched as well.
Never judged by numbers: a right answer written by hand looks exactly like PyTorch's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.config import Forbidden
from autograder.reach import find_uses
from autograder.sandbox import Cell, Use
from autograder.scopes import Names
from given.cells import read_cell
from kit.case import Outcome
from kit.failure import Failure


def search_cells(
    cells: Sequence[Cell], answers: Mapping[str, Sequence[str]], rules: Mapping[str, Forbidden]
) -> tuple[dict[str, list[Use]], list[int]]:
    """Return by question where its answers use what is ruled out, and the numbers of the cells that were not read.

    Args:
        cells: of the submission; what stands below a question's check does not count for it
        answers: the names of each question's answers
        rules: what some questions rule out
    """
    names, unread = read_names([cell.source for cell in cells])
    checks = {cell.check: number for number, cell in enumerate(cells, start=1) if cell.check}
    uses = {
        id: find_uses(names, answers[id], rule.short_names, checks.get(id))
        for id, rule in rules.items()
        if id in answers
    }
    return uses, unread


def read_names(cells: Sequence[str]) -> tuple[Names, list[int]]:
    """Read what the cells give to names; return it, and the numbers of the cells that could not be read."""
    names, unread = Names(), []
    for number, cell in enumerate(cells):
        reading = read_cell(cell)
        if any(not isinstance(broken.error, SyntaxError | ValueError) for broken in reading.broken):
            unread.append(number)  # what is only no Python does not run there either
        names.add_cell(reading.statements, reading.text.split("\n"))
    return names, unread


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
