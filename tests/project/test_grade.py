"""Each case counts alone: what breaks, waits or lacks costs itself and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from project import course
from project.open_sandbox import Sandbox, wait

import kit
from autograder.config import Grading
from autograder.grade import CaseResult, Grade, grade_submission
from autograder.questions import QuestionFile
from autograder.results import describe_grade
from autograder.submission import read_submission

GradeCells = Callable[..., Grade]


@pytest.fixture
def grade_cells(toy: Grading, toy_questions: list[QuestionFile], tmp_path: Path) -> GradeCells:
    """Grade a notebook of the given cells, in this process."""

    def grade(
        sources: list[str],
        sandbox: Sandbox | None = None,
        tell: Callable[[CaseResult], object] = lambda result: None,
        **limits: float,
    ) -> Grade:
        path = course.write_notebook(tmp_path / "a.ipynb", sources)
        table = toy.model_copy(update={"limits": toy.limits.model_copy(update=limits)})
        started = Grade(table, toy_questions)
        grade_submission(started, read_submission(path, toy_questions), sandbox or Sandbox(), tell)  # type: ignore[arg-type]
        return started

    return grade


def list_reasons(grade: Grade) -> list[str]:
    return [result.outcome.reason for result in grade.cases]


def test_right_answers_get_every_point(grade_cells: GradeCells) -> None:
    grade = grade_cells(course.RIGHT)
    assert list_reasons(grade) == ["passed"] * 3
    assert grade.count_points().total == 6


def test_nothing_is_passed_before_it_has_run(toy: Grading, toy_questions: list[QuestionFile]) -> None:
    grade = Grade(toy, toy_questions)
    assert list_reasons(grade) == ["not_run"] * 3
    assert (grade.count_points().total, grade.count_points().possible) == (0, 6)


def test_a_wrong_answer_costs_the_cases_it_fails(grade_cells: GradeCells) -> None:
    grade = grade_cells(["def double(x): return abs(2 * x)", *course.RIGHT[1:]])
    assert list_reasons(grade) == ["passed", "wrong", "passed"]
    assert grade.count_points().total == 3


def test_a_missing_name_costs_its_question(grade_cells: GradeCells) -> None:
    assert list_reasons(grade_cells(course.RIGHT[2:])) == ["missing", "missing", "passed"]


def test_a_stub_is_missing(grade_cells: GradeCells) -> None:
    stub = "def double(x):\n    raise NotImplementedError('q01_double: not written yet')"
    assert list_reasons(grade_cells([stub, *course.RIGHT[1:]])) == ["missing", "missing", "passed"]


def test_an_error_costs_its_question(grade_cells: GradeCells) -> None:
    grade = grade_cells(["def double(x): return 1 / 0", *course.RIGHT[1:]])
    assert list_reasons(grade) == ["error", "error", "passed"]
    assert grade.cases[0].outcome.broken is None


def test_a_syntax_error_in_one_cell_leaves_the_others_their_points(grade_cells: GradeCells) -> None:
    grade = grade_cells(["def double(x) return 2 * x", *course.RIGHT[1:]])
    assert list_reasons(grade) == ["missing", "missing", "passed"]
    assert len(grade.remarks) == 1
    assert grade.remarks[0].startswith("code cell 1 (def double(x) return 2 * x) failed: SyntaxError")


def test_an_answer_may_ask_grader_before_its_end(grade_cells: GradeCells) -> None:
    grade = grade_cells(["grader.check('q01_double')\n" + course.DOUBLE, course.GREET])
    assert (list_reasons(grade), grade.remarks) == (["passed"] * 3, [])


def test_a_question_is_graded_on_the_state_after_its_check(grade_cells: GradeCells) -> None:
    assert list_reasons(grade_cells([*course.RIGHT, "double = None"])) == ["passed"] * 3


def test_a_question_without_its_check_is_graded_on_the_final_state(grade_cells: GradeCells) -> None:
    assert list_reasons(grade_cells([course.DOUBLE, course.GREET])) == ["passed"] * 3
    assert list_reasons(grade_cells([course.DOUBLE, course.GREET, "double = None"])) == ["missing"] * 2 + ["passed"]


def test_cases_beyond_a_questions_time_are_timeouts_and_the_next_question_has_its_own(
    grade_cells: GradeCells,
) -> None:
    grade = grade_cells([wait(0.3), *course.RIGHT[1:]], question=0.2)
    assert list_reasons(grade) == ["passed", "timeout", "passed"]
    assert "0.2 seconds for q01_double" in str(grade.cases[1].outcome.failure)


def test_cases_beyond_the_whole_time_did_not_run(grade_cells: GradeCells) -> None:
    grade = grade_cells([wait(0.3), *course.RIGHT[1:]], run=0.2)
    assert list_reasons(grade) == ["passed", "not_run", "not_run"]
    assert grade.count_points().total == 1


def test_a_case_is_granted_what_is_left_of_its_question(grade_cells: GradeCells) -> None:
    sandbox = Sandbox()
    grade_cells([wait(0.3), *course.RIGHT[1:]], sandbox, question=2, run=100)
    assert sandbox.last is not None
    first, other, second = sandbox.last.granted
    assert second < first - 0.25
    assert first == pytest.approx(other, abs=0.05) == pytest.approx(2, abs=0.05)


def test_a_diagnosis_is_granted_more_than_a_call_so_that_a_busy_machine_gives_the_same_hints(
    grade_cells: GradeCells,
) -> None:
    sandbox = Sandbox()
    grade_cells(["def double(x): return 3 * x", *course.RIGHT[1:]], sandbox, call=0.5, question=2, run=100)
    assert sandbox.last is not None
    assert len(sandbox.last.granted) == 4  # three cases, and the diagnosis
    assert sandbox.last.granted[-1] == 2


def test_every_public_case_runs_before_any_hidden_one(grade_cells: GradeCells) -> None:
    ran: list[CaseResult] = []
    grade_cells(course.RIGHT, tell=ran.append)
    assert [(result.question, bool(result.case.hidden)) for result in ran] == [
        ("q01_double", False),
        ("q02_greet", False),
        ("q01_double", True),
    ]


def test_what_breaks_on_our_side_is_an_error_of_one_case(grade_cells: GradeCells) -> None:
    grade = grade_cells(course.RIGHT, Sandbox(OSError("no more processes")))
    assert list_reasons(grade) == ["error", "passed", "passed"]
    assert isinstance(grade.cases[0].outcome.broken, OSError)


def test_whatever_stops_the_grading_the_cases_that_ran_keep_their_result(
    toy: Grading, toy_questions: list[QuestionFile], tmp_path: Path
) -> None:
    grade = Grade(toy, toy_questions)
    path = course.write_notebook(tmp_path / "a.ipynb", course.RIGHT)

    def stop(result: CaseResult) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade_submission(grade, read_submission(path, toy_questions), Sandbox(), stop)  # type: ignore[arg-type]
    assert list_reasons(grade) == ["passed", "not_run", "not_run"]


def test_only_hidden_cases_are_salted_and_only_public_ones_shrink(grade_cells: GradeCells) -> None:
    seen: list[tuple[str, bool]] = []
    grade_cells(course.RIGHT, tell=lambda result: seen.append((kit.settings.salt, kit.settings.shrink)))
    assert seen[:2] == [("", True), ("", True)]
    salt, shrink = seen[2]
    assert salt.startswith("pepper/") and not shrink


def test_another_submission_meets_other_hidden_inputs(grade_cells: GradeCells) -> None:
    salts = []
    for cells in (course.RIGHT, course.RIGHT, [*course.RIGHT, "x = 1"]):
        grade_cells(cells, tell=lambda result: salts.append(kit.settings.salt))
    assert salts[2] == salts[5] != salts[8]


def test_the_tolerances_of_the_table_reach_the_cases(grade_cells: GradeCells, toy: Grading) -> None:
    grade_cells(course.RIGHT)
    assert kit.settings.tolerances == toy.tolerances
    assert kit.settings.vit == toy.vit.model_dump()


def test_the_same_submission_gets_the_same_results_but_for_the_times(grade_cells: GradeCells) -> None:
    def strip(grade: Grade) -> str:
        content = describe_grade(grade)
        content["execution_time"] = 0
        for test in content["tests"]:
            test["extra_data"] |= {"seconds": 0, "cpu_seconds": 0}
        content["extra_data"]["cpu_seconds"] = 0
        return json.dumps(content)

    sources = ["def double(x): return 3 * x", *course.RIGHT[1:]]
    assert strip(grade_cells(sources)) == strip(grade_cells(sources))
