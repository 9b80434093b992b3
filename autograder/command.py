"""One submission from its file to `results.json` and a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from autograder import STARTED, tree
from autograder.config import load_grading
from autograder.errors import UserError
from autograder.grade import Grade, grade_submission
from autograder.questions import load_questions
from autograder.reading import read_within_limits
from autograder.results import describe_grade, describe_run, write_results
from autograder.sandbox import Sandbox
from autograder.submission import Submission
from autograder.table import print_grade

BEGUN = "Grading began and did not come to its end: hand in again, and tell the staff if this stays."
STOPPED = "Grading was stopped before its end; what had not run has no points."
BROKEN = "The autograder failed. This is not your fault; the staff see the reason. What had not run has no points."

Describe = Callable[[Grade, str], dict[str, Any]]


def grade_file(find: Callable[[], Path], results: Path, describe: Describe = describe_grade) -> None:
    """Grade a submission, print its table, and write `results.json` whatever happens.

    A first file, in which nothing has run, is written before anything of the submission is read; it stands if
    even this process dies.

    Args:
        find: returns the submission's file, or raises UserError where there is none
        results: where `results.json` goes
        describe: makes its content from what is known of the grade and a remark

    Raises UserError for what cannot be graded; then the file says so too, every case with 0 and `not_run`.
    """
    write_results(results, describe_run(BEGUN))
    try:
        grading = load_grading()
        grade = Grade(grading, load_questions(grading), started=STARTED)
    except Exception:
        write_results(results, describe_run(BROKEN))
        raise
    remark = STOPPED
    try:
        write_results(results, describe(grade, BEGUN))
        try:
            submission = read_within_limits(find(), grade.questions, grading.list_forbidden())
        except UserError as error:
            remark = f"This could not be graded: {error}"
            raise
        _grade(submission, grade)
        remark = ""
    except Exception:
        remark = BROKEN if remark == STOPPED else remark
        raise
    finally:
        write_results(results, describe(grade, remark))
    console = Console(highlight=False)
    print_grade(grade, console)
    console.print(Text(f"results: {results}"), soft_wrap=True)


def _grade(submission: Submission, grade: Grade) -> None:
    torch.set_num_threads(1)  # the tensors are small: a second thread doubles the time of the cases
    with (
        Progress(console=Console(stderr=True), transient=True) as progress,
        Sandbox(tree.GIVEN.parent, grade.grading.limits, grade.grading.required_layers) as sandbox,
    ):
        bar = progress.add_task("running the notebook", total=len(grade.cases))
        grade_submission(
            grade,
            submission,
            sandbox,
            lambda result: progress.update(bar, advance=1, description=result.question),
        )
