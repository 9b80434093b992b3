"""What the audit grades: notebooks of the solved answers in which one answer is replaced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from autograder import tree
from autograder.audit.variants import load_variants
from autograder.release.stub import make_answer_cell, make_stub, read_solution, strip_marks
from solutions.mistakes import Mistake, load_mistakes

IMPORTS = "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import Tensor, nn"
BUILT_ON = {"q13_vit_accuracy": "q12_vit"}  # q13 has no answer of its own, it trains q12's


@dataclass(frozen=True)
class Subject:
    """One notebook, graded on one question.

    Attributes:
        kind: `mistake`, `variant`, `solved` or `blank`
        name: of the mistake or the variant
        question: whose cases run
        cells: the notebook's sources
    """

    kind: str
    name: str
    question: str
    cells: tuple[str, ...]


def list_subjects(questions: Iterable[str]) -> list[Subject]:
    """Return every known mistake and every valid variant, the solved and the blank notebook of these questions."""
    found = []
    for question in questions:
        found += [
            Subject("solved", "solved", question, tuple(read_answers().values())),
            Subject("blank", "blank", question, tuple(read_stubs().values())),
        ]
        found += [
            replace_answer("mistake", known.name, question, known.source_code()) for known in list_known(question)
        ]
        found += [
            replace_answer("variant", variant.name, question, variant.source_code())
            for variant in load_variants(BUILT_ON.get(question, question))
        ]
    return found


def list_known(question: str) -> list[Mistake]:
    """Return the catalogue's mistakes of a question."""
    return [known for known in load_mistakes() if known.question == question]


def replace_answer(kind: str, name: str, question: str, answer: str) -> Subject:
    """Return the solved notebook with another answer to a question."""
    cells = read_answers() | {BUILT_ON.get(question, question): answer}
    return Subject(kind, name, question, tuple(cells.values()))


@lru_cache
def read_answers() -> dict[str, str]:
    """Return the answer cells of the solved notebook by question, behind its imports."""
    paths = sorted(tree.SOLUTIONS.glob("q*.py"))
    answers = {path.stem: strip_marks(make_answer_cell(read_solution(path.stem, path))) for path in paths}
    return {"": IMPORTS, **answers}


@lru_cache
def read_stubs() -> dict[str, str]:
    """Return the cells of the blank notebook."""
    paths = sorted(tree.SOLUTIONS.glob("q*.py"))
    return {"": IMPORTS, **{path.stem: make_stub(read_solution(path.stem, path)) for path in paths}}
