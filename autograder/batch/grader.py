"""Grades one submission after the other on a worker, with one preloaded sandbox."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path, PurePosixPath
from typing import Any

from hypothesis.errors import HypothesisDeprecationWarning

from autograder import tree
from autograder.config import load_grading
from autograder.errors import UserError, show_name
from autograder.grade import Grade, grade_submission
from autograder.questions import load_questions
from autograder.reading import read_within_limits
from autograder.results import describe_grade
from autograder.sandbox import Sandbox

OUR_NAME = "the-file-that-was-handed-in"  # nothing else in a line about a file is called so


class Grader:
    """The course as a worker holds it, and a sandbox whose imports every submission shares."""

    def __init__(self) -> None:
        self._grading = load_grading()
        self._questions = load_questions(self._grading)
        self._sandbox = self._open()
        self._closed = False

    def close(self) -> None:
        """End the sandbox, and with it whatever is being graded."""
        self._closed = True
        self._sandbox.__exit__()

    def grade(self, name: str, data: bytes) -> dict[str, Any]:
        """Return the content of `results.json`; its `extra_data.problem` says why nothing could be graded, or null.

        Args:
            name: of the file, as the student named it
            data: its content

        Raises whatever breaks outside the submission: then another worker may do better.
        """
        grade = Grade(self._grading, self._questions)
        with tempfile.TemporaryDirectory(prefix="submission-") as folder:
            path = Path(folder) / f"{OUR_NAME}{PurePosixPath(name).suffix.lower()}"  # theirs may be too long for a disk
            path.write_bytes(data)
            try:
                submission = read_within_limits(path, self._questions, self._grading.list_forbidden())
            except UserError as error:
                return describe(grade, str(error).replace(path.name, show_name(PurePosixPath(name))))
        try:
            with warnings.catch_warnings():  # it is Dask's own thread that draws random numbers
                warnings.filterwarnings("ignore", "Do not use the `random` module", HypothesisDeprecationWarning)
                grade_submission(grade, submission, self._sandbox, lambda _: None)
        except BaseException:
            if not self._closed:  # whatever broke may be part of the sandbox
                self._sandbox.__exit__()
                self._sandbox = self._open()
            raise
        return describe(grade)

    def _open(self) -> Sandbox:
        return Sandbox(tree.GIVEN.parent, self._grading.limits, self._grading.required_layers).open_preloaded()


def describe(grade: Grade, problem: str = "") -> dict[str, Any]:
    """The content of `results.json`; with a problem it says so first."""
    content = describe_grade(grade, f"This could not be graded: {problem}" if problem else "")
    content["extra_data"]["problem"] = problem or None
    return content
