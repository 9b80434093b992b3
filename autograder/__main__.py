"""The command line: `python -m autograder COMMAND`.

Each command is a thin function that imports what it needs, so that `--help` is quick.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder import tree
from autograder.errors import UserError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True, help=__doc__)

RESULTS_HELP = "Where Gradescope's results.json goes."


@app.callback()
def _commands() -> None:
    """Release the homework and grade submissions of it."""


@app.command()
def release() -> None:
    """Make a release from the source: student_template/ and what stands in build/."""
    from rich.console import Console

    from autograder.release.steps import release

    release(Console())


@app.command()
def grade(
    file: Annotated[Path, typer.Argument(help="A notebook (.ipynb), a .py, or the .zip of grader.export.")],
    results: Annotated[Path, typer.Option(help=RESULTS_HELP)] = tree.RESULTS,
) -> None:
    """Grade one submission: print a table, write results.json."""
    from autograder.command import grade_file

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # results.json is written on the way out
    grade_file(lambda: file, results)


@app.command()
def audit(
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Train q13's models for its minimum accuracy.")] = False,
) -> None:
    """Prove the tests: known mistakes and valid variants against every case; exit 1 where a gate falls short."""
    from rich.console import Console

    from autograder.audit import calibration, command

    holds = (calibration.calibrate if calibrate else command.audit)(Console())
    raise typer.Exit(0 if holds else 1)


def main() -> None:
    """Run a command; what a person has to put right is one line each and exit code 2."""
    try:
        app()
    except UserError as error:
        for line in str(error).splitlines():
            print("".join(c if c.isprintable() else "?" for c in line), file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
