"""One notebook in the sandbox: its cells in order, the states its questions are graded on, and what it left out."""

import contextlib
import os
import re
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from autograder.cell import Cell
from autograder.sandbox.isolation import FOLDER_SIZE, Isolation
from autograder.sandbox.process import StudentProcess
from autograder.sandbox.session import kill_strays
from autograder.sandbox.student import Student
from autograder.sandbox.student_error import StudentError, clean_text, read_failure
from autograder.sandbox.zygote import Zygote

Status = Literal["ran", "failed", "timeout", "died"]
CELLS_SHARE, CELLS_END = 0.6, 0.8  # of the run's seconds: what cells share, and after how many no more are begun
SHORT = 1.0  # seconds for a cell once that share is used up; to define a function takes milliseconds
# what makes PyTorch load its compiler, for a second or more: better once before all cells than in every copy
COMPILES = re.compile(r"torch\.compile|torch\.func\b|functorch|_dynamo|\b(?:checkpoint|jacrev|jacfwd|hessian)\b")
MAX_FILES = 4096  # in the student's folder; privileges.mount_folder says the same
MAX_REPLAYS = 10  # times that questions may kill what their notebook has left
MAX_OUTPUT = 20_000  # characters of one cell that are kept
MAX_LEFT_OUT = 20  # statements of one cell that are told


class Limits(Protocol):
    """Seconds of their own for one cell, one call of a student's function and the whole run; on the clock for all."""

    @property
    def cell(self) -> float: ...

    @property
    def call(self) -> float: ...

    @property
    def run(self) -> float: ...

    @property
    def wall(self) -> float: ...


@dataclass(frozen=True)
class CellOutcome:
    """How one cell ended, with its own `seconds`: ran, failed (something raised), timeout, or died with its process.

    `left_out` has the error of each statement that raised; the other statements of the cell ran.
    """

    index: int
    status: Status
    error: str | None
    seconds: float
    output: str = ""
    left_out: tuple[StudentError, ...] = ()


class Run:
    """A notebook that has been run; everything of it is gone after `close`.

    Attributes:
        until: when it must end, in seconds of time.monotonic(), whatever its own time
        charged: seconds that its processes have used or slept (see `Meter`)
        layers: of isolation that are in force
        outcomes: how each cell ended
    """

    def __init__(
        self, zygote: Zygote, cells: Sequence[Cell], limits: Limits, isolation: Isolation, folder: Path, until: float
    ) -> None:
        self._zygote, self._cells, self._limits = zygote, cells, limits
        self._isolation, self._folder, self.until = isolation, folder, until
        self.charged = 0.0
        self._left_out: dict[int, CellOutcome] = {}
        self._snapshots: dict[int, StudentProcess] = {}  # by index of the check cell
        self._uncopied: set[int] = set()  # check cells where the state died of being copied
        self._attempts: list[StudentProcess] = []  # the last one holds the final state
        self._homes: list[Path] = []  # the private folder of each attempt
        self._compiles = any(COMPILES.search(cell.source) for cell in cells)
        self._position = {cell.check: i for i, cell in enumerate(cells) if cell.check}
        self.layers: dict[str, Any] = {}
        self.outcomes: list[CellOutcome] = []

    def __enter__(self) -> "Run":
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
            seconds: what all calls to this copy may be charged together
            watch: names of PyTorch functions whose use is noted in the copy's `used`

        Raises:
            StudentError: if no copy can be made any more
        """
        try:
            copy = self._copy(self._state(question))
        except StudentError:  # a question has killed more than its own copy
            if self.is_over() or len(self._attempts) > len(self._cells) + MAX_REPLAYS:
                raise
            self._run_notebook()
            copy = self._copy(self._state(question))
        left = min(seconds, self._limits.run - self.charged)
        return Student(copy, self._limits.call, left, self._settle, tuple(watch))

    def is_over(self) -> bool:
        """Tell whether the clock has run out, however little of its own time the notebook has used."""
        return time.monotonic() > self.until

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
        base, layers = self._zygote.start_student(self._isolation.options(home), self.until)
        self._attempts.append(base)
        self._homes.append(home)
        self.layers = self._isolation.report(layers)
        if self._compiles:
            with contextlib.suppress(StudentError):  # then the cells say what is wrong
                base.load_compiler()
        return base

    def _run_cell(self, index: int, cell: Cell) -> CellOutcome:
        if not cell.source.strip():
            return CellOutcome(index, "ran", None, 0.0)
        self._go_on()
        if self.charged > CELLS_END * self._limits.run:
            return CellOutcome(index, "timeout", "no time was left for this cell", 0.0)
        half = (CELLS_SHARE * self._limits.run - self.charged) / 2  # of what is left, so that later cells have a turn
        limit = min(self._limits.cell, max(SHORT, half))
        meter = self._attempts[-1].meter
        before = meter.charged
        try:
            reply, late = self._attempts[-1].run_cell(index, cell.source, limit)
        except StudentError as error:
            seconds = self._charge(meter.charged - before)
            self._go_on()
            return CellOutcome(index, error.reason, error.message, seconds)  # type: ignore[arg-type]
        seconds = self._charge(meter.charged - before)
        self._go_on()
        left_out = read_left_out(reply.get("failures"))
        said = describe_error(left_out[0]) if left_out else None
        status: Status = "ran" if said is None else "timeout" if late else "failed"
        if status == "timeout":
            said = f"interrupted after {limit:.3g} s"
        output = clean_text(reply.get("output"), MAX_OUTPUT)
        if not self.layers.get("folder"):
            bound_folder(self._homes[-1], FOLDER_SIZE)
        return CellOutcome(index, status, said, seconds, output, left_out)

    def _go_on(self) -> None:
        if self.is_over():
            raise TimeoutError("the clock has run out before the cells had run")

    def _charge(self, seconds: float) -> float:
        self.charged += seconds
        return seconds

    def _take_snapshot(self, index: int) -> None:
        if index in self._snapshots:
            if self._snapshots[index].is_alive():
                return
            self._snapshots.pop(index).end("died", "another one takes its place")
        with contextlib.suppress(StudentError):  # then the final state serves this question
            self._snapshots[index] = self._copy(self._attempts[-1])

    def _copy(self, process: StudentProcess) -> StudentProcess:
        try:
            if self._compiles:
                process.load_compiler()
            return process.fork()
        except StudentError:  # student code may have used up the processes of its user
            self._sweep()
            return process.fork()

    def _settle(self, student: Student) -> None:
        """Charge a copy that has ended, and end what it leaves behind."""
        self._compiles |= student.needs_compiler
        self._charge(student.charged)
        self._sweep(killed=student.pid)

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


def read_left_out(told: Any) -> tuple[StudentError, ...]:
    """Check and clean what is told of the statements of a cell that raised."""
    return tuple(read_failure(failure) for failure in told[:MAX_LEFT_OUT]) if type(told) is list else ()


def describe_error(error: StudentError) -> str:
    """Return one line about an exception in a cell."""
    text = " ".join(str(error).split())
    return f"{text} (line {error.line}: {error.code})" if error.line else text


def bound_folder(home: Path, size: int) -> None:
    """Empty a student's folder where it holds more than `size` bytes or thousands of files; these may come and go."""
    used = entries = 0
    for folder, folders, files in os.walk(home):
        entries += len(folders) + len(files)
        if entries > MAX_FILES or used > size:
            break
        used += sum(measure_file(Path(folder) / name) for name in files)
    if entries > MAX_FILES or used > size:
        with contextlib.suppress(OSError):  # the folder itself stays: Landlock knows it by its inode
            for child in home.iterdir():
                if child.is_dir() and not child.is_symlink():
                    shutil.rmtree(child, ignore_errors=True)
                else:
                    with contextlib.suppress(OSError):
                        child.unlink()


def measure_file(path: Path) -> int:
    """Return the size of a file, 0 for one that is gone."""
    try:
        return path.lstat().st_size
    except OSError:
        return 0
