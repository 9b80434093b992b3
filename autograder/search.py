"""What a submission's source shows before any of it runs: uses of what is ruled out, and answers that come too late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autograder.cell import Cell, Use
from autograder.reach import find_uses
from autograder.scopes import Names
from autograder.submission import Question, Submission, find_late_answers
from given.cells import read_cell


@dataclass(frozen=True)
class Found:
    """What the source shows.

    Attributes:
        uses: by question, where its answers use what is ruled out there
        unread: numbers of the cells that could not be searched
        late: lines about answers below their check, for the author
        problem: why nothing was found out, empty where the search came to its end
    """

    uses: dict[str, list[Use]] = field(default_factory=dict)
    unread: list[int] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    problem: str = ""


def search_submission(
    submission: Submission, questions: Sequence[Question], forbidden: Mapping[str, Sequence[str]]
) -> Found:
    """Search a submission's cells; a search that fails has found nothing, and says so.

    Args:
        submission: the cells
        questions: with the names of their answers
        forbidden: by question, the last parts of the names that it rules out
    """
    try:
        names, unread = read_names([cell.source for cell in submission.cells])
        uses = search_answers(
            names, submission.cells, {question.id: question.names for question in questions}, forbidden
        )
        return Found(uses, unread, find_late_answers(submission, questions))
    except Exception as error:
        return Found(problem=type(error).__name__)


def search_answers(
    names: Names, cells: Sequence[Cell], answers: Mapping[str, Sequence[str]], forbidden: Mapping[str, Sequence[str]]
) -> dict[str, list[Use]]:
    """Return by question where its answers use what is ruled out; what stands below its check does not count."""
    checks = {cell.check: number for number, cell in enumerate(cells, start=1) if cell.check}
    return {
        id: find_uses(names, answers[id], ruled, checks.get(id)) for id, ruled in forbidden.items() if id in answers
    }


def read_names(cells: Sequence[str]) -> tuple[Names, list[int]]:
    """Read what the cells give to names; return it, and the numbers of the cells that could not be read."""
    names, unread = Names(), []
    for number, cell in enumerate(cells):
        reading = read_cell(cell)
        if any(not isinstance(broken.error, SyntaxError | ValueError) for broken in reading.broken):
            unread.append(number)  # what is only no Python does not run there either
        names.add_cell(reading.statements, reading.text.split("\n"))
    return names, unread
