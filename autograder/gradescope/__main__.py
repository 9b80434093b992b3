"""`python -m autograder.gradescope FOLDER`: grade what Gradescope has put into its folder, as `run_autograder` does."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from autograder.errors import UserError
from autograder.gradescope.grading import grade_received


def main() -> None:
    """Grade; what cannot be graded is one line for the staff, and stands in `results.json` for the student."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # results.json is written on the way out
    try:
        grade_received(Path(sys.argv[1]).resolve())
    except UserError as error:
        print(error)


if __name__ == "__main__":
    main()
