"""`python -m autograder.dry_run SUBMISSION`, as `make gradescope` runs it; `--shell` looks into the root it left."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.errors import UserError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)


@app.command()
def run(
    submission: Annotated[Path | None, typer.Argument(help="What a student hands in.")] = None,
    shell: Annotated[bool, typer.Option("--shell", help="Open a shell in the root of the last run.")] = False,
) -> None:
    """Set up and grade as Gradescope does, in a bare Debian root; exit with 1 where this machine grades otherwise."""
    from autograder.dry_run.rehearsal import look_inside, print_rehearsal, rehearse

    if shell:
        look_inside()
    elif submission is None or not submission.is_file():
        raise UserError(f"{submission or 'SUBMISSION'}: not a file: name the notebook to be graded")
    else:
        rehearsal = rehearse(submission)
        print_rehearsal(Console(), rehearsal)
        sys.exit(bool(rehearsal.differences))


def main() -> None:
    """Run; what a person has to put right is one line and exit code 2."""
    try:
        app()
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
