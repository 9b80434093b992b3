"""The proof by grading: the solved notebook gets everything, the blank one nothing."""

from collections.abc import Callable
from pathlib import Path

from autograder.release.source import Source


def check_scores(source: Source, blank: Path, solved: Path, advance: Callable[[], None]) -> None:
    """Grade both notebooks; refuse unless every case of the solved one passes and none of the blank one does.

    Raises UserError naming the first case that is not as it should be.
    """
