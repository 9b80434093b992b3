"""All that a release is made from, read once."""

from dataclasses import dataclass

from nbformat import NotebookNode

from autograder import tree
from autograder.config import Grading, load_grading
from autograder.errors import UserError
from autograder.questions import QuestionFile, load_questions
from autograder.release.cases import CaseSource, read_cases
from autograder.release.handout import find_places, read_handout
from autograder.release.stub import Solution, name_place, read_solution


@dataclass(frozen=True)
class Source:
    """The table, the questions, the handout's cells, where questions stand in them, the answers and the cases."""

    grading: Grading
    questions: list[QuestionFile]
    cells: list[NotebookNode]
    places: dict[int, tuple[str, str]]
    solutions: dict[str, Solution]
    cases: dict[str, list[CaseSource]]


def read_source() -> Source:
    """Read `grading.yml`, `assignment/`, `solutions/` and `tests/questions/`.

    Raises UserError, naming the place, for whatever does not fit together.
    """
    grading = load_grading(tree.GRADING)
    questions = load_questions(grading, tree.QUESTIONS)
    cases = {question.id: read_cases(question) for question in questions}
    cells = read_handout(grading)
    places = find_places(cells, grading)
    answered = [question for kind, question in places.values() if kind == "ANSWER"]
    return Source(grading, questions, cells, places, _read_solutions(answered), cases)


def _read_solutions(answered: list[str]) -> dict[str, Solution]:
    paths = {path.stem: path for path in sorted(tree.SOLUTIONS.glob("q*.py"))}
    handout = name_place(tree.HANDOUT)
    for question in sorted({*answered, *paths}):
        if question not in paths:
            raise UserError(f"{handout}: solutions/{question}.py is missing, write it or use '# CHECK {question}'")
        if question not in answered:
            raise UserError(f"{handout}: solutions/{question}.py has no place, write '# ANSWER {question}'")
    return {question: read_solution(question, paths[question]) for question in answered}
