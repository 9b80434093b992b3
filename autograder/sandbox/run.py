"""One notebook in the sandbox: its cells in order, the states its questions are graded on, and what it left out."""

import contextlib
import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from autograder.sandbox.isolation import FOLDER_SIZE, Isolation
from autograder.sandbox.process import FORKING, StudentProcess
from autograder.sandbox.session import kill_strays
from autograder.sandbox.student import Student
from autograder.sandbox.student_error import StudentError, clean_text, read_failure
from autograder.sandbox.zygote import Zygote

Status = Literal["ran", "failed", "timeout", "died"]
CELLS_SHARE, CELLS_END = 0.6, 0.8  # of the run's seconds: what cells share, and when no more are begun
SHORT = 1.0  # seconds for a cell once that share is used up; to define a function takes milliseconds
MAX_FILES = 4096  # in the student's folder; privileges.mount_folder says the same
MAX_REPLAYS = 10  # times that questions may kill what their notebook has left
MAX_OUTPUT = 20_000  # characters of one cell that are kept


class Limits(Protocol):
    """Seconds for one cell, one call of a student's function and the whole run."""

    @property
    def cell(self) -> float: ...

    @property
    def call(self) -> float: ...

    @property
    def run(self) -> float: ...


@dataclass(frozen=True)
class Cell:
    """Source of one code cell; `check` is the id of the question it checks, if it is a check cell."""

    source: str
    check: str | None = None


@dataclass(frozen=True)
class CellOutcome:
    """How one cell ended: ran, failed (it raised), timeout, or died with its process."""

    index: int
    status: Status
    error: str | None
    seconds: float
    output: str = ""


class Run:
    """A notebook that has been run; everything of it is gone after `close`."""

    def __init__(
        self, zygote: Zygote, cells: Sequence[Cell], limits: Limits, isolation: Isolation, folder: Path
    ) -> None:
        self._zygote, self._cells, self._limits = zygote, cells, limits
        self._isolation, self._folder = isolation, folder
        self._left_out: dict[int, CellOutcome] = {}
        self._snapshots: dict[int, StudentProcess] = {}  # by index of the check cell
        self._uncopied: set[int] = set()  # check cells where the state died of being copied
        self._attempts: list[StudentProcess] = []  # the last one holds the final state
        self._homes: list[Path] = []  # the private folder of each attempt
        self._position = {cell.check: i for i, cell in enumerate(cells) if cell.check}
        self.layers: dict[str, Any] = {}
        self.outcomes: list[CellOutcome] = []

    def __enter__(self) -> "Run":
        self._zygote.wait()  # its start is not on the notebook's account
        seconds, now = self._limits.run, time.monotonic()
        self._deadline = now + seconds
        self._cells_end, self._cells_share_end = now + CELLS_END * seconds, now + CELLS_SHARE * seconds
        try:
            self._run_notebook()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def fork(self, question: str, seconds: float, watch: Sequence[str] = ()) -> Student:
        """Return a fresh copy of the state right after a question's check cell, or of the final state.

        Args:
            question: id of the question
            seconds: what all calls to this copy may take together
            watch: names of PyTorch functions whose use is noted in the copy's `used`

        Raises:
            StudentError: if no copy can be made any more
        """
        deadline = min(time.monotonic() + seconds, self._deadline)
        try:
            copy = self._copy(self._state(question), deadline)
        except StudentError:  # a question has killed more than its own copy
            if len(self._attempts) > len(self._cells) + MAX_REPLAYS:
                raise
            self._run_notebook()
            copy = self._copy(self._state(question), deadline)
        return Student(copy, self._limits.call, deadline, lambda: self._sweep(killed=copy.pid), tuple(watch))

    def close(self) -> None:
        """Kill every process of this run."""
        for process in [*self._attempts, *self._snapshots.values()]:
            process.channel.close()
        for attempt in self._attempts:
            kill_strays(attempt.session, keep=set())
            self._zygote.end_student(attempt, self._isolation.uid)
        shutil.rmtree(self._folder, ignore_errors=True)

    # ------------------------------------------------------------------------------------------------------- cells

    def _run_notebook(self) -> None:
        """Run all cells, and again without the cell that took its process along, until the end is reached."""
        while not self._run_cells():
            pass
        self._sweep()

    def _run_cells(self) -> bool:
        base = self._start()
        self.outcomes = []
        for index, cell in enumerate(self._cells):
            outcome = self._left_out.get(index) or self._run_cell(index, cell)
            self.outcomes.append(outcome)
            if base.dead:
                self._left_out[index] = outcome
                return False
            if cell.check and self._position[cell.check] == index and index not in self._uncopied:
                self._take_snapshot(index)
                if base.dead:  # the cell that is to blame is unknown, and may be harmless otherwise
                    self._uncopied.add(index)
                    return False
        return True

    def _start(self) -> StudentProcess:
        if self._attempts:
            self._attempts[-1].end("died", "its notebook runs again")
            self._sweep()
        home = self._folder / f"home-{len(self._attempts) + 1}"  # a fresh one: what a cell made, it makes again
        home.mkdir(mode=0o700)
        if self._isolation.uid is not None:
            os.chown(home, self._isolation.uid, self._isolation.uid)
        base, layers = self._zygote.start_student(self._isolation.options(home))
        self._attempts.append(base)
        self._homes.append(home)
        self.layers = self._isolation.report(layers)
        return base

    def _run_cell(self, index: int, cell: Cell) -> CellOutcome:
        started = time.monotonic()
        if not cell.source.strip():
            return CellOutcome(index, "ran", None, 0.0)
        if started > self._cells_end:
            return CellOutcome(index, "timeout", "no time was left for this cell", 0.0)
        half = (self._cells_share_end - started) / 2  # of what is left, so that later cells have their turn
        limit = min(self._limits.cell, max(SHORT, half))
        try:
            reply, late = self._attempts[-1].run_cell(index, cell.source, limit)
        except StudentError as error:
            return CellOutcome(index, error.reason, error.message, time.monotonic() - started)  # type: ignore[arg-type]
        said = describe_error(reply.get("failure"))
        status: Status = "ran" if said is None else "timeout" if late else "failed"
        if status == "timeout":
            said = f"interrupted after {limit:.3g} s"
        output = clean_text(reply.get("output"), MAX_OUTPUT)
        if not self.layers.get("folder"):
            bound_folder(self._homes[-1], FOLDER_SIZE)
        return CellOutcome(index, status, said, time.monotonic() - started, output)

    def _take_snapshot(self, index: int) -> None:
        if index in self._snapshots:
            if self._snapshots[index].is_alive():
                return
            self._snapshots.pop(index).end("died", "another one takes its place")
        with contextlib.suppress(StudentError):  # then the final state serves this question
            deadline = min(time.monotonic() + FORKING, self._deadline)
            self._snapshots[index] = self._copy(self._attempts[-1], deadline)

    def _copy(self, process: StudentProcess, deadline: float) -> StudentProcess:
        try:
            return process.fork(deadline)
        except StudentError:  # student code may have used up the processes of its user
            self._sweep()
            return process.fork(deadline)

    def _state(self, question: str) -> StudentProcess:
        return self._snapshots.get(self._position.get(question, -1), self._attempts[-1])

    def _sweep(self, killed: int = 0) -> None:
        """Kill what student code has left running, and bound what it has left on the disk."""
        kept = {killed} | {
            process.pid for process in [self._attempts[-1], *self._snapshots.values()] if not process.dead
        }
        for attempt in self._attempts:
            kill_strays(attempt.session, kept)
        if not self.layers.get("folder"):
            for home in self._homes:
                bound_folder(home, FOLDER_SIZE)


def describe_error(told: Any) -> str | None:
    """Return one line about the exception that ended a cell."""
    if told is None:
        return None
    error = read_failure(told)
    text = " ".join(str(error).split())
    return f"{text} (line {error.line}: {error.code})" if error.line else text


def bound_folder(home: Path, size: int) -> None:
    """Empty a student's folder where it holds more than `size` bytes or thousands of files."""
    used = entries = 0
    for folder, folders, files in os.walk(home):
        entries += len(folders) + len(files)
        if entries > MAX_FILES or used > size:
            break
        used += sum((Path(folder) / name).lstat().st_size for name in files)
    if entries > MAX_FILES or used > size:
        for child in home.iterdir():  # the folder itself stays: Landlock knows it by its inode
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child, ignore_errors=True)
            else:
                child.unlink(missing_ok=True)
