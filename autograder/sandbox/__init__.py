"""Runs a student's notebook in a process of its own and lends its functions to the grader as stand-ins.

    with Sandbox(given=tree.GIVEN.parent, limits=grading.limits) as sandbox, sandbox.run(cells) as run:
        with run.fork("q02_attention", seconds=30) as student:
            env = student.stand_ins(["attention"])

`inside` is what the student's process runs; everything else is the grader's side.
"""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder.sandbox.process import Zygote
from autograder.sandbox.run import Cell, CellOutcome, Limits, Run, make_home
from autograder.sandbox.student import Student
from autograder.sandbox.student_error import StudentError

__all__ = ["Cell", "CellOutcome", "Run", "Sandbox", "Student", "StudentError"]


class Sandbox:
    """One preloaded process, ready for any number of notebooks.

    Args:
        given: the folder that holds the package `given`, which students' cells import
        limits: seconds per cell, call and run
    """

    def __init__(self, given: Path, limits: Limits) -> None:
        self._given, self._limits, self._runs = given, limits, 0

    def __enter__(self) -> "Sandbox":
        self._folder = Path(tempfile.mkdtemp(prefix="sandbox-"))
        ignored = shutil.ignore_patterns("__pycache__")
        if (self._given / "given").is_dir():
            shutil.copytree(self._given / "given", self._folder / "course" / "given", ignore=ignored)
        self._zygote = Zygote(self._folder)
        return self

    def __exit__(self, *exc: object) -> None:
        self._zygote.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, cells: Sequence[Cell]) -> Run:
        """Return a run of these cells, to be used in a `with` statement."""
        self._runs += 1
        home = make_home(self._folder / f"home-{self._runs}")
        options = {"home": str(home), "given": str(self._folder / "course")}
        return Run(self._zygote, list(cells), self._limits, options)
