"""A submission: the cells to run, and which of them checks which question."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from autograder import tree
from autograder.cell import Cell
from autograder.errors import UserError, show_name
from autograder.upload import read_code
from given.cells import find_checks, list_defined, makes_grader, name_cell, only_asks_grader, read_cell

if TYPE_CHECKING:
    from autograder.search import Found

NOT_RUN = "otter_ignore"  # the tag of given cells that are only there to be looked at


class Question(Protocol):
    """What is to be known of a question to read its answers."""

    @property
    def id(self) -> str: ...

    @property
    def names(self) -> list[str]: ...


@dataclass(frozen=True)
class Submission:
    """What is graded of a file.

    Attributes:
        path: the file
        cells: its code cells in order, as the sandbox takes them; what need not run has an empty source
        places: for each cell, how a person finds it
        found: what its source shows; None where nobody has looked
    """

    path: Path
    cells: list[Cell]
    places: list[str]
    found: Found | None = None

    @property
    def digest(self) -> str:
        """A hash of everything that runs: whoever changes a line is another submission."""
        return hashlib.sha256("\0".join(cell.source for cell in self.cells).encode(errors="replace")).hexdigest()


def read_submission(path: Path, questions: Sequence[Question], release: Path = tree.NOTEBOOK) -> Submission:
    """Read a submission as data.

    A question's check cell is the last cell that calls `grader.check` with its id. Cells that only ask `grader`
    need not run, nor do unchanged cells of the release that make it or are tagged `otter_ignore`; all others run.

    Raises UserError with one line where the file cannot be graded: see `read_code`; also where it is of another
    assignment or has no answer cell left.
    """
    sources = read_code(path)
    known = {question.id for question in questions}
    checks = [[id for id in find_checks(source) if id in known] for source in sources]
    _refuse_foreign(path, sources, checks, questions)
    ignored = _read_ignored(release)
    last = {id: number for number, ids in enumerate(checks) for id in ids}
    cells, places = [], []
    for number, (source, ids) in enumerate(zip(sources, checks, strict=True)):
        idle = only_asks_grader(source) or _normalise(source) in ignored
        here = [id for id in ids if last[id] == number]
        cells.append(Cell("" if idle else source, here[0] if here else None))
        cells += [Cell("", id) for id in here[1:]]
        places += [name_cell(number, source)] * max(1, len(here))
    return Submission(path, cells, places)


def find_late_answers(submission: Submission, questions: Sequence[Question]) -> list[str]:
    """One line for each cell that defines an answer below its check, where it no longer counts."""
    checked = {cell.check: number for number, cell in enumerate(submission.cells) if cell.check}
    lines = []
    for number, (cell, place) in enumerate(zip(submission.cells, submission.places, strict=True)):
        defined = {name for statement in read_cell(cell.source).statements for name in list_defined(statement)}
        lines += [
            f"{place} defines {name} again below the check of {question.id}: what counts is what stands above it"
            for question in questions
            for name in question.names
            if name in defined and checked.get(question.id, number) < number
        ]
    return lines


def _refuse_foreign(path: Path, sources: list[str], checks: list[list[str]], questions: Sequence[Question]) -> None:
    names = "|".join(re.escape(name) for question in questions for name in question.names)
    answer = re.compile(rf"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+(?:{names})\b|^(?:{names})[ \t]*[=:]", re.MULTILINE)
    if any(answer.search(source) for source in sources):
        return
    if any(checks):
        raise UserError(
            f"{show_name(path)}: no answer cell is left: copy your answers into a fresh notebook of the release"
        )
    raise UserError(
        f"{show_name(path)}: is not of this assignment (no check cell, no answer): hand in the notebook you filled in"
    )


def _read_ignored(release: Path) -> set[str]:
    """The sources of the released cells that need not run."""
    if not release.exists():
        return set()
    cells = json.loads(release.read_text(encoding="utf-8"))["cells"]
    return {
        _normalise("".join(cell["source"]))
        for cell in cells
        if cell["cell_type"] == "code"
        and (NOT_RUN in cell["metadata"].get("tags", []) or makes_grader("".join(cell["source"])))
    }


def _normalise(source: str) -> str:
    """A source without what editors and nbconvert change: space at line ends, blank lines, trailing comments."""
    lines = [line.rstrip() for line in source.split("\n")]
    lines = [line for line in lines if line]
    while lines and lines[-1].startswith("#"):
        lines.pop()
    return "\n".join(lines)
