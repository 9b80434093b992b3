"""results.json is what Gradescope reads, is whole, and keeps hidden cases hidden."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from project import course
from project.open_sandbox import Sandbox
from rich.console import Console

from autograder.config import Grading, Hidden
from autograder.errors import UserError
from autograder.grade import Grade, grade_submission
from autograder.questions import QuestionFile
from autograder.results import describe_grade, describe_run, write_results
from autograder.submission import read_submission
from autograder.table import print_grade
from kit.case import Outcome
from kit.failure import Failure

WRONG = "def double(x): return 3 * x"
LOUD = "def double(x): raise ValueError(f'secret [bold]{x}[/bold] \\x1b[31m\\u202e' + 'x' * 1000)"

GradeAnswer = Callable[..., Grade]


@pytest.fixture
def grade_answer(toy: Grading, toy_questions: list[QuestionFile], tmp_path: Path) -> GradeAnswer:
    """Grade a notebook with this answer to the first question, under a policy for hidden cases."""

    def grade(answer: str = course.DOUBLE, feedback: str = "hint", visibility: str = "visible") -> Grade:
        hidden = Hidden.model_validate({"feedback": feedback, "visibility": visibility})
        started = Grade(toy.model_copy(update={"hidden": hidden}), toy_questions)
        path = course.write_notebook(tmp_path / "a.ipynb", [answer, *course.RIGHT[1:]])
        grade_submission(started, read_submission(path, toy_questions), Sandbox(), lambda result: None)  # type: ignore[arg-type]
        return started

    return grade


def test_every_case_has_an_entry_with_all_of_gradescopes_fields(grade_answer: GradeAnswer) -> None:
    content = describe_grade(grade_answer(WRONG))
    assert content["score"] == 2
    assert content["stdout_visibility"] == "hidden"
    assert content["extra_data"].pop("cpu_seconds") >= 0
    assert content["extra_data"] == {
        "not_judged": 0,
        "assignment": "toy",
        "version": "1.2.3",
        "isolation": {"walls": False},
        "flags": [],
    }
    assert [test["number"] for test in content["tests"]] == ["1.1", "1.2", "2.1"]
    first = content["tests"][0]
    seconds = first["extra_data"].pop("seconds")
    assert seconds >= first["extra_data"].pop("cpu_seconds") >= 0
    assert first == {
        "number": "1.1",
        "name": "q01_double / doubles",
        "name_format": "text",
        "score": 0,
        "max_score": 1,
        "status": "failed",
        "visibility": "visible",
        "output": first["output"],
        "output_format": "text",
        "extra_data": {
            "question": "q01_double",
            "case": "doubles",
            "hidden": False,
            "mistake": None,
            "reason": "wrong",
            "broken": False,
        },
    }


def test_the_scores_of_the_entries_add_up_to_the_total(grade_answer: GradeAnswer) -> None:
    content = describe_grade(grade_answer("def double(x): return abs(2 * x)"))
    assert content["score"] == sum(test["score"] for test in content["tests"]) == 3
    assert sum(test["max_score"] for test in content["tests"]) == 6


def test_hidden_cases_have_the_visibility_of_the_table_and_public_ones_are_visible(
    grade_answer: GradeAnswer,
) -> None:
    tests = describe_grade(grade_answer(visibility="after_published"))["tests"]
    assert [test["visibility"] for test in tests] == ["visible", "after_published", "visible"]


def test_a_public_failure_says_claim_points_and_where_to_look(grade_answer: GradeAnswer) -> None:
    output = describe_grade(grade_answer(WRONG))["tests"][0]["output"]
    for part in ("q01_double / doubles", "0 of 1 point", "double(x) is twice x.", "double(4) is not 8", "eq. 1.1"):
        assert part in output


@pytest.mark.parametrize("feedback", ["none", "hint"])
@pytest.mark.parametrize("answer", [WRONG, LOUD], ids=["wrong", "error"])
def test_a_hidden_failure_never_says_the_input_or_the_expected_value(
    grade_answer: GradeAnswer, feedback: str, answer: str
) -> None:
    output = describe_grade(grade_answer(answer, feedback))["tests"][1]["output"]
    assert "double(x) is twice x for negative x." in output
    for secret in ("73", "146", "secret"):
        assert secret not in output


HIDING = "'q01_double: not written yet' if x > 0 else f'{x}: not written yet'"


@pytest.mark.parametrize(
    "answer",
    [
        f"def double(x): raise NotImplementedError({HIDING})",
        "def double(x): raise type(f'E{abs(x)}', (Exception,), {})(x)",
        "def double(x): exec(compile('\\n' * (abs(x) - 1) + '1 / 0', '<ipython-input-1>', 'exec'))",
    ],
    ids=["message", "type name", "line"],
)
def test_a_student_cannot_send_a_hidden_input_to_themselves(grade_answer: GradeAnswer, answer: str) -> None:
    assert "73" not in describe_grade(grade_answer(answer))["tests"][1]["output"]


def test_the_policy_may_show_the_counterexample(grade_answer: GradeAnswer) -> None:
    assert "-146" in describe_grade(grade_answer(WRONG, "counterexample"))["tests"][1]["output"]


def test_a_passed_case_says_its_claim(grade_answer: GradeAnswer) -> None:
    assert describe_grade(grade_answer())["tests"][0]["output"] == "double(x) is twice x."


def test_a_message_has_eight_bounded_lines_without_control_characters(grade_answer: GradeAnswer) -> None:
    output = describe_grade(grade_answer(LOUD))["tests"][0]["output"]
    assert "secret [bold]4[/bold]" in output
    assert len(output.splitlines()) <= 8
    assert all(line.isprintable() and len(line) <= 300 for line in output.splitlines())


def test_a_longer_message_is_cut(grade_answer: GradeAnswer) -> None:
    grade = grade_answer(WRONG)
    grade.cases[0].outcome = Outcome("wrong", Failure("wrong", "line\n" * 20))
    assert len(describe_grade(grade)["tests"][0]["output"].splitlines()) == 8


def test_before_anything_ran_the_file_has_every_case_with_nothing(
    toy: Grading, toy_questions: list[QuestionFile]
) -> None:
    content = describe_grade(Grade(toy, toy_questions), "not yet")
    assert [(test["score"], test["status"]) for test in content["tests"]] == [(0, "failed")] * 3
    assert {test["extra_data"]["reason"] for test in content["tests"]} == {"not_run"}
    assert content["score"] == 0
    assert "not yet" in content["output"]


def test_broken_cells_are_named_in_the_output(grade_answer: GradeAnswer) -> None:
    output = describe_grade(grade_answer("def double(x) return 1"))["output"]
    assert output.startswith("2 of 6 points.\ncode cell 1 (def double(x) return 1) failed: SyntaxError")


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "results.json"
    write_results(path, describe_run("first"))
    with pytest.raises(ValueError, match="JSON compliant"):
        write_results(path, describe_run("second", score=float("nan")))
    assert json.loads(path.read_text(encoding="utf-8"))["output"] == "first"
    assert [child.name for child in path.parent.iterdir()] == ["results.json"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be written"):
        write_results(tmp_path / "file" / "results.json", describe_run(""))


def print_table(grade: Grade) -> str:
    stream = io.StringIO()
    print_grade(grade, Console(file=stream, width=100, highlight=False))
    return stream.getvalue()


def test_the_table_has_a_row_per_question_and_the_total(grade_answer: GradeAnswer) -> None:
    table = print_table(grade_answer("def double(x): return abs(2 * x)"))
    rows = [[part.strip() for part in line.split("│")] for line in table.splitlines() if "│" in line]
    assert [row[1:5] for row in rows] == [
        ["q01_double", "1 / 4", "1 / 1", "0 / 3"],
        ["q02_greet", "2 / 2", "2 / 2", "-"],
    ]
    assert "3 of 6 points" in table


def test_the_table_shows_staff_what_failed_hidden_cases_too(grade_answer: GradeAnswer) -> None:
    table = print_table(grade_answer(WRONG))
    assert "double(4) is not 8" in table
    assert "double(-73) is not -146" in table


def test_the_table_marks_hidden_cases(grade_answer: GradeAnswer) -> None:
    lines = [line for line in print_table(grade_answer(WRONG)).splitlines() if line.startswith("q01_double /")]
    assert ["hidden" in line for line in lines] == [False, True]


def test_the_table_says_once_that_an_answer_is_missing(grade_answer: GradeAnswer) -> None:
    assert print_table(grade_answer("pass")).count("is not defined") == 1


def test_student_text_is_no_markup_in_the_table(grade_answer: GradeAnswer) -> None:
    table = print_table(grade_answer(LOUD))
    assert "secret [bold]4[/bold]" in table
    assert "\x1b" not in table
