"""grading.yml and the test files agree, or one line says where they do not."""

from pathlib import Path

import pytest
from project import course

from autograder.config import Grading, load_grading
from autograder.errors import UserError
from autograder.questions import QuestionFile, load_questions
from kit.case import read_claim


def load(folder: Path, grading: Grading, id: str = "q01_double", old: str = "", new: str = "") -> list[QuestionFile]:
    """Load the toy's questions after one replacement in a test file."""
    assert old in course.QUESTIONS[id]
    for name, source in course.QUESTIONS.items():
        (folder / f"{name}.py").write_text(source.replace(old, new, 1) if name == id else source, encoding="utf-8")
    return load_questions(grading, folder)


def test_points_and_visibility_come_from_the_table(toy_questions: list[QuestionFile]) -> None:
    cases = [(case.name, case.points, case.hidden) for question in toy_questions for case in question.cases]
    assert cases == [("doubles", 1, False), ("doubles_negatives", 3, True), ("greets", 2, False)]


def test_otter_counts_the_points_of_the_table(toy_questions: list[QuestionFile]) -> None:
    assert [question.file.possible for question in toy_questions] == [4, 2]


def test_the_docstring_is_the_claim_and_where_to_look(toy_questions: list[QuestionFile]) -> None:
    claim, look = read_claim(toy_questions[0].cases[0].body)
    assert (claim, look) == ("double(x) is twice x.", "Look at the factor (eq. 1.1).")


def test_a_question_knows_the_names_it_asks_for(toy_questions: list[QuestionFile]) -> None:
    assert [question.names for question in toy_questions] == [["double"], ["greet"]]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("def doubles(", "def double(", "q01_double.py has no such case, did you mean 'double'?"),
        ("def doubles(", "def twofold(", "q01_double.py: twofold: grading.yml has no points for it"),
        ("def doubles(", "def twofold(", "cases.doubles: q01_double.py has no such case: write it, or take"),
        ("def doubles(", "def doubles_negatives(", "doubles_negatives is defined twice"),
        ('"""double(x) is twice x for negative x."""', "", "doubles_negatives: no docstring"),
        ('name = "q01_double"', 'name = "q1"', "q01_double.py: name is 'q1'"),
        ("@test_case()", "@test_case(", "q01_double.py:"),
        ("OK_FORMAT = False", "import nothing_of_this_name", "q01_double.py: cannot be loaded: ModuleNotFound"),
    ],
)
def test_a_difference_is_one_line_with_its_place(tmp_path: Path, toy: Grading, old: str, new: str, line: str) -> None:
    with pytest.raises(UserError) as caught:
        load(tmp_path, toy, "q01_double", old, new)
    assert line in str(caught.value)


def test_a_missing_test_file_is_named(tmp_path: Path, toy: Grading) -> None:
    with pytest.raises(UserError, match=r"^q01_double\.py: not there.*\nq02_greet\.py: not there"):
        load_questions(toy, tmp_path)


def test_a_test_file_that_the_table_lacks_is_named(tmp_path: Path, toy: Grading) -> None:
    (tmp_path / "q03_more.py").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match=r"^q03_more\.py: grading\.yml has no question q03_more"):
        load(tmp_path, toy)


def test_the_questions_of_the_assignment_agree_with_the_table() -> None:
    grading = load_grading()
    assert [question.id for question in load_questions(grading)] == list(grading.questions)
