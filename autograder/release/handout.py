"""The handout's source: its cells, with the numbers of the table filled into the prose."""

import re
from dataclasses import dataclass
from pathlib import Path

import jupytext
from jinja2 import Environment, StrictUndefined, TemplateError
from nbformat import NotebookNode

from autograder import tree
from autograder.config import Grading, Question
from autograder.errors import UserError
from autograder.release.stub import name_place
from autograder.text import read_text
from solutions.term import WORDS

PICTURE = re.compile(r"""!\[[^\]]*\]\(\s*<?([^)\s>]+)|<img\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
ELSEWHERE = re.compile(r"https?://|data:image/", re.IGNORECASE)
PLACE = re.compile(r"# (ANSWER|CHECK) (\w+)")


@dataclass(frozen=True)
class Entry:
    """What the prose may say of a question."""

    id: str
    title: str
    points: str
    public_points: str


def read_handout(grading: Grading) -> list[NotebookNode]:
    """Read `assignment/handout.py` and render its markdown cells.

    The prose is jinja2 with the delimiters `<< >>` and `<% %>` and the variables title, version, hours, total,
    public_total, questions (of `Entry`), rules, the text of `assignment/rules.md`, and the words of the term.

    Raises UserError for a text that cannot be read, a picture that would not ship, and a cell that does not render.
    """
    cells = jupytext.reads(read_text(tree.HANDOUT), fmt="py:percent").cells
    rules = read_text(tree.RULES).strip()
    for path, text in ((tree.RULES, rules), (tree.HANDOUT, "\n".join(_list_prose(cells)))):
        _refuse_pictures(path, text)
    environment = Environment(
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        undefined=StrictUndefined,
        autoescape=False,
    )
    variables = WORDS | {
        "title": grading.title,
        "version": grading.version,
        "hours": grading.hours,
        "total": f"{grading.total:g}",
        "public_total": f"{sum(map(_sum_public, grading.questions.values())):g}",
        "questions": _list_questions(grading),
        "rules": rules,
    }
    for number, cell in enumerate(cells, start=1):
        if cell.cell_type == "markdown":
            try:
                cell.source = environment.from_string(cell.source).render(variables)
            except TemplateError as error:
                first = cell.source.split("\n")[0]
                raise UserError(f"{name_place(tree.HANDOUT)}: cell {number} '{first}': {error}") from None
    return list(cells)


def _list_prose(cells: list[NotebookNode]) -> list[str]:
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


def _refuse_pictures(path: Path, text: str) -> None:
    """Refuse a picture that students would not see: a release ships no file beside the notebook but the given ones."""
    for match in PICTURE.finditer(text):
        place = next(filter(None, match.groups()))
        if not ELSEWHERE.match(place):
            line = f":{text.count(chr(10), 0, match.start()) + 1}" if path == tree.RULES else ""
            raise UserError(
                f"{name_place(path)}{line}: the picture {place} is not part of a release: "
                "link to its address (https://...), or put it in as data:image/png;base64,..."
            )


def find_places(cells: list[NotebookNode], grading: Grading) -> dict[int, tuple[str, str]]:
    """Where questions stand: the index of a cell, and ("ANSWER" or "CHECK", question).

    Raises UserError unless every question of the table has exactly one place.
    """
    places: dict[int, tuple[str, str]] = {}
    for index, cell in enumerate(cells):
        match = PLACE.fullmatch(cell.source.strip()) if cell.cell_type == "code" else None
        if match:
            places[index] = (match[1], match[2])
        elif re.search(r"^\s*# (ANSWER|CHECK)\b", cell.source, re.MULTILINE):
            raise UserError(
                f"{name_place(tree.HANDOUT)}: cell {index + 1}: a place for a question stands alone in its cell"
            )
    found = [question for _, question in places.values()]
    for question in [*found, *grading.questions]:
        if question not in grading.questions:
            raise UserError(f"{name_place(tree.HANDOUT)}: grading.yml lacks {question}, correct the id")
        if found.count(question) != 1:
            how = "has no place" if question not in found else "stands here twice"
            raise UserError(f"{name_place(tree.HANDOUT)}: {question} {how}, write '# ANSWER {question}' once")
    return places


def _sum_public(question: Question) -> float:
    return sum(case.points for case in question.cases.values() if not case.hidden)


def _list_questions(grading: Grading) -> list[Entry]:
    return [
        Entry(
            id=name,
            title=question.title,
            points=f"{question.points:g}",
            public_points=f"{_sum_public(question):g}",
        )
        for name, question in grading.questions.items()
    ]
