"""Runs a student's notebook in a process of its own and lends its functions to the grader as stand-ins.

    with Sandbox(given=tree.GIVEN.parent, limits=grading.limits) as sandbox, sandbox.run(cells) as run:
        with run.fork("q02_attention", seconds=30) as student:
            env = student.stand_ins(["attention"])

`inside` is what the student's process runs; everything else is the grader's side.
"""

import shutil
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from autograder.cell import Cell, Use
from autograder.sandbox.isolation import Isolation, choose_uid, is_interpreter_closed
from autograder.sandbox.run import CellOutcome, Limits, Run
from autograder.sandbox.student import Student
from autograder.sandbox.student_error import StudentError
from autograder.sandbox.zygote import Zygote

__all__ = ["Cell", "CellOutcome", "Run", "Sandbox", "Student", "StudentError", "Use"]


class Sandbox:
    """One preloaded process, ready for any number of notebooks.

    Args:
        given: the folder that holds the package `given`, which students' cells import
        limits: seconds of their own per cell, call and run, and on the clock
        required: names of the layers (see `isolation.MISSING`) without which nothing is run
    """

    def __init__(self, given: Path, limits: Limits, required: Iterable[str] = ()) -> None:
        self._given, self._limits, self._required, self._runs = given, limits, tuple(required), 0

    def __enter__(self) -> "Sandbox":
        self._folder = Path(tempfile.mkdtemp(prefix="sandbox-"))
        self._folder.chmod(0o711)  # students may pass, and see only what is theirs
        self._zygote = Zygote(self._folder)
        self._files = read_given(self._given)  # before any student code runs, which may be able to write there
        uid = choose_uid()
        self._closed = uid is not None and is_interpreter_closed(uid)
        return self

    def __exit__(self, *exc: object) -> None:
        self._zygote.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def open_preloaded(self) -> "Sandbox":
        """Start, and wait for all imports: worth it for many notebooks, each of which would else import the rest anew.

        Raises:
            UserError: if the process ends meanwhile; nothing of the sandbox is left then
        """
        self.__enter__()
        try:
            self._zygote.preload()
        except BaseException:
            self.__exit__()
            raise
        return self

    def run(self, cells: Sequence[Cell], until: float | None = None) -> Run:
        """Return a run of these cells, to be used in a `with` statement.

        Args:
            cells: what is run
            until: when the run must end, in seconds of time.monotonic(); None for `limits.wall` from now on
        """
        self._runs += 1
        folder = self._folder / f"run-{self._runs}"
        folder.mkdir()
        folder.chmod(0o711)  # whatever the umask
        course = write_given(self._files, folder / "course")  # each run its own: what one changes no other meets
        isolation = Isolation(choose_uid(), self._closed, course, self._limits.run, self._required)
        until = time.monotonic() + self._limits.wall if until is None else until
        return Run(self._zygote, list(cells), self._limits, isolation, folder, until)


def read_given(folder: Path) -> dict[str, bytes]:
    """The files of the package `given` in a folder, by their paths there; none where there is no such package."""
    files = [path for path in (folder / "given").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def write_given(files: Mapping[str, bytes], course: Path) -> Path:
    """Write the package to where every user can read it, and nobody is meant to write."""
    course.mkdir()
    for name, data in files.items():
        path = course / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o444)
    for folder in [course, *(path for path in course.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)  # whatever the umask
    return course
