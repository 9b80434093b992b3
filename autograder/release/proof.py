"""The proof by grading: the solved notebook gets every point, the blank one none."""

from collections.abc import Callable
from pathlib import Path

from autograder import tree
from autograder.errors import UserError
from autograder.grade import CaseResult, Grade, grade_submission
from autograder.release.source import Source
from autograder.sandbox import Sandbox
from autograder.submission import read_submission


def count_cases(source: Source) -> int:
    """How often `check_scores` runs a case: every one on both notebooks."""
    return 2 * sum(map(len, source.cases.values()))


def check_scores(source: Source, blank: Path, solved: Path, advance: Callable[[], None]) -> None:
    """Grade both notebooks; refuse unless every case of the solved one passes and none of the blank one does.

    Args:
        source: the questions
        blank: the students' notebook
        solved: the same with the answers in their places
        advance: called after each case

    Raises UserError with one line for each case that is not as it should be.
    """
    with Sandbox(tree.GIVEN.parent, source.grading.limits, source.grading.required_layers) as sandbox:
        problems = [
            f"{path.name}: {problem}"
            for path, judge in ((blank, _judge_blank), (solved, _judge_solved))
            for problem in map(judge, _grade(source, path, blank, sandbox, advance))
            if problem
        ]
    if problems:
        raise UserError("\n".join(problems))


def _grade(
    source: Source, notebook: Path, released: Path, sandbox: Sandbox, advance: Callable[[], None]
) -> list[CaseResult]:
    grade = Grade(source.grading, source.questions)
    submission = read_submission(notebook, source.questions, released)
    grade_submission(grade, submission, sandbox, lambda _: advance())
    return grade.cases


def _judge_blank(result: CaseResult) -> str:
    name = f"{result.question} / {result.case.name}"
    if result.passed:
        return f"{name}: passes with nothing written, make the case stricter"
    if result.outcome.broken:
        return f"{name}: breaks with nothing written: {result.outcome.broken!r}"
    return ""


def _judge_solved(result: CaseResult) -> str:
    if result.passed:
        return ""
    why = str(result.outcome.broken or result.outcome.failure).splitlines()[0]
    return f"{result.question} / {result.case.name}: the solution gets 0 of {result.case.points:g} points: {why}"
