"""The command line: `python -m autograder COMMAND`.

Each command is a thin function that imports what it needs, so that `--help` is quick.
"""

from __future__ import annotations

import signal
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from autograder import tree
from autograder.errors import UserError
from autograder.printable import clean_line

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True, help=__doc__)

RESULTS_HELP = "Where Gradescope's results.json goes."


class Upload(str, Enum):
    """Forms of a table of grades."""

    canvas = "canvas"
    gradescope = "gradescope"


@app.callback()
def _commands() -> None:
    """Release the homework and grade submissions of it."""


@app.command()
def release(
    check: Annotated[bool, typer.Option("--check", help="Write nothing: is this release in the tree already?")] = False,
) -> None:
    """Make a release from the source: student_template/, what stands in build/, its manifest in releases/."""
    from rich.console import Console

    from autograder.release import steps

    (steps.check if check else steps.release)(Console())


@app.command()
def grade(
    file: Annotated[Path, typer.Argument(help="A notebook (.ipynb), a .py, or the .zip of grader.export.")],
    results: Annotated[Path, typer.Option(help=RESULTS_HELP)] = tree.RESULTS,
) -> None:
    """Grade one submission: print a table, write results.json."""
    from autograder.command import grade_file

    grade_file(lambda: file, results)


@app.command()
def audit(
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Train models for q13's minimum accuracy.")] = False,
) -> None:
    """Prove the tests: known mistakes and valid variants against every case; exit 1 where a gate falls short."""
    from rich.console import Console

    from autograder.audit import calibration, command

    holds = (calibration.calibrate if calibrate else command.audit)(Console())
    raise typer.Exit(0 if holds else 1)


@app.command()
def batch(
    path: Annotated[Path, typer.Argument(help="A folder of submissions, or Gradescope's export as downloaded.")],
    out: Annotated[Path, typer.Option(help="Where results/, grades.csv and report.html go.")],
    scheduler: Annotated[str | None, typer.Option(help="A Dask scheduler's address, such as tcp://host:8786.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many workers; by default one per core.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on in DIR; what has not changed is not graded again.")] = False,
    against: Annotated[Path | None, typer.Option(help="The DIR of an earlier batch: who moves, and why.")] = None,
    format: Annotated[Upload | None, typer.Option(help="Also write the grades in this form.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask where a folder may be several people's.")] = False,
) -> None:
    """Grade a class: results, grades and a report."""
    if scheduler is None:  # first, so that the workers' imports and our own take place side by side
        from autograder.batch.forge import start_forge

        start_forge()
    from autograder.batch.command import grade_class

    grade_class(path, out, scheduler, workers, resume, against, format.value if format else None, yes)


def main() -> None:
    """Run a command; what a person has to put right is one line each and exit code 2."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell's background job would ignore the first
        signal.signal(stop, signal.default_int_handler)  # results are written on the way out
    try:
        app()
    except UserError as error:
        for line in str(error).splitlines():
            print(clean_line(line), file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
