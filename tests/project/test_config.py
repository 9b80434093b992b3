"""grading.yml is read strictly: every slip is one line with its place."""

from pathlib import Path

import pytest
from project import course

from autograder.config import Grading, load_grading
from autograder.errors import UserError


def read(tmp_path: Path, old: str = "", new: str = "") -> Grading:
    """Read the toy's table after one replacement."""
    assert old in course.GRADING
    path = tmp_path / "grading.yml"
    path.write_text(course.GRADING.replace(old, new, 1), encoding="utf-8")
    return load_grading(path)


def test_the_assignment_has_fourteen_questions_and_100_points() -> None:
    grading = load_grading()
    assert len(grading.questions) == 14
    assert sum(question.points for question in grading.questions.values()) == grading.total == 100
    assert grading.questions["q13_vit_accuracy"].points <= 5


def test_the_run_ends_well_within_gradescopes_ten_minutes() -> None:
    limits = load_grading().limits
    assert limits.call < limits.question < limits.run < limits.wall < 600


def test_the_tolerances_are_those_of_the_design() -> None:
    tolerances = load_grading().tolerances
    assert tolerances["default"] == {"float32": [1e-4, 1e-5], "float64": [1e-5, 2e-6]}
    assert tolerances["peaked"]["float32"] == [1e-4, 1e-3]
    assert tolerances["tables"] == {"float64": [1e-9, 1e-10]}
    assert tolerances["rope"] == {"float32": [0, 1e-6], "float64": [0, 1e-6], "per_position": 5e-7}
    assert tolerances["exact"] == {"float32": [0, 0], "float64": [0, 0]}


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("total: 6", "total: 6\ntotle: 6", "grading.yml:6: totle: unknown key"),
        ("salt: pepper\n", "", "grading.yml:1: salt: missing"),
        ("salt: pepper", "sald: pepper", "sald: unknown key, did you mean 'salt'?"),
        ("greets: {points: 2}", "greets: {point: 2}", "greets.point: unknown key, did you mean 'points'?"),
        ("doubles: {points: 1}", "doubles: {points: 1, pt: 1}", "q01_double.cases.doubles.pt: unknown key"),
        ("greets: {points: 2}", "greets: {points: two}", "greets.points: Input should be a valid number"),
        ("greets: {points: 2}", "greets: {points: 2,5}", "cases.greets: a comma ends a value here: write 2.5"),
        ("total: 6", "total: 6,5", "total: Input should be a valid number, not '6,5': write 6.5"),
        ("1.0e-4, 1.0e-5", "1e-5, 1.0e-5", "not '1e-5': write 0.00001"),
        ("greets: {points: 2}", "greets: {points: -2}", "greets.points: Input should be greater than 0"),
        ("hidden: true", "hidden: 1", "doubles_negatives.hidden: Input should be a valid boolean"),
        ("{points: 3, hidden: true}", "{points: 2, hidden: true}", "the cases have 3 points, the question has 4"),
        ("total: 6", "total: 7", "questions: they have 6 points together, total is 7"),
        ("{points: 1}", "{points: 1, hidden: true}", "q01_double: every case is hidden"),
        ("1.0e-4, 1.0e-5", "1e-4, 1.0e-5", "default.float32.0: Input should be a valid number, not '1e-4'"),
        ("1.0e-4, 1.0e-5", "1.0e-4", "tolerances.default.float32: List should have at least 2 items"),
        ("cases:\n      greets: {points: 2}", "cases: {}", "q02_greet.cases: Dictionary should have at least 1 item"),
        ("feedback: hint", "feedback: all", "hidden.feedback: Input should be 'none', 'hint' or 'counterexample'"),
        ("version: 1.2.3", "version: 1.2", "version: Input should be a valid string, not 1.2"),
        ("run: 20,", "run: .inf,", "limits.run: Input should be a finite number"),
        ("q02_greet:", "Q2:", "questions.Q2"),
        ("q02_greet:", "q01_double:", "grading.yml:19: q01_double: stands here a second time"),
        ("title: Toy", "title: [Toy", "mend this line or the one before"),
        ('hours: "1"', 'hours: "1"\nterm: {patch_order: diagonal}', "term.patch_order: Input should be 'rows' or 'col"),
        ('hours: "1"', 'hours: "1"\nterm: {rope_base: 1.0}', "grading.yml:7: term.rope_base: Input should be greater"),
        ('hours: "1"', 'hours: "1"\nterm: {pre_norm: 1}', "term.pre_norm: Input should be a valid boolean, not 1"),
        ('hours: "1"', 'hours: "1"\nterm: {post_norm: true}', "term.post_norm: unknown key"),
        (course.GRADING, "- a\n", "must be a table of keys"),
        (course.GRADING, "", "must be a table of keys"),
    ],
)
def test_a_slip_is_one_line_with_its_place(tmp_path: Path, old: str, new: str, line: str) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, old, new)
    assert str(caught.value).count("\n") == 0
    assert line in str(caught.value)


def test_the_line_given_is_that_of_the_slip(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, "greets: {points: 2}", "greets: {points: two}")
    number = course.GRADING.splitlines().index("      greets: {points: 2}") + 1
    assert str(caught.value).startswith(f"grading.yml:{number}: ")


def test_every_slip_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, "salt: pepper\ntotal: 6", "salt: 1\ntotal: six")
    assert len(str(caught.value).splitlines()) == 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^grading\.yml: cannot be read"):
        load_grading(tmp_path / "grading.yml")


def test_a_byte_order_mark_and_lines_of_windows_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "grading.yml"
    path.write_bytes(b"\xef\xbb\xbf" + course.GRADING.replace("\n", "\r\n").encode())
    assert load_grading(path).assignment == "toy"


def test_a_table_that_is_not_utf8_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "grading.yml"
    path.write_bytes(course.GRADING.replace("Toy", "Toy \xe9", 1).encode("latin-1"))
    with pytest.raises(UserError, match=r"^grading.yml:\d+: is not UTF-8 text: save it as UTF-8$"):
        load_grading(path)
