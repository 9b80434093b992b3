"""What a person sees while a release is built: one line a step, with its seconds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn


@contextmanager
def show_step(console: Console, title: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show a step while it runs; yields the function that counts one of `total` parts as done."""
    columns = [SpinnerColumn(finished_text="+"), TextColumn("{task.description:<48} {task.elapsed:5.1f} s")]
    bar = [BarColumn(bar_width=20), MofNCompleteColumn()] if total else []
    with Progress(*columns, *bar, console=console) as progress:
        task = progress.add_task(title, total=total)
        try:
            yield lambda: progress.advance(task)
        except BaseException:
            progress.update(task, visible=False)  # what went wrong is told in its own line
            raise
        progress.update(task, total=total or 1, completed=total or 1)
