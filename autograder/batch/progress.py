"""A bar that says how many are graded, how fast, how long the rest will take, and how many failed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

MINUTE = 60.0
SPEED = 30 * MINUTE  # seconds that the estimate of the speed looks back


@dataclass
class Tally:
    """What has been done so far."""

    progress: Progress
    task: TaskID
    graded: int = 0
    failed: int = 0
    begun: float = field(default_factory=time.monotonic)

    def count(self, graded: bool) -> None:
        """Count one more submission that could be graded, or could not."""
        self.graded += graded
        self.failed += not graded
        rate = MINUTE * (self.graded + self.failed) / (time.monotonic() - self.begun)
        self.progress.update(self.task, advance=1, rate=f"{rate:.3g} a minute", failed=f"{self.failed} not graded")


@contextlib.contextmanager
def show_progress(total: int) -> Iterator[Tally]:
    """Show the bar on the terminal while the batch runs."""
    columns = [
        TextColumn("grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
    ]
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=SPEED) as progress:
        yield Tally(progress, progress.add_task("grading", total=total, rate="", failed="0 not graded"))
