"""What a student has uploaded: any files under any names, of which exactly one is graded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from autograder.choice import choose_file
from autograder.errors import UserError
from autograder.upload import MAX_MEMBERS


def find_notebook(folder: Path) -> Path:
    """Find the file to grade: the only notebook, else the only zip, else the only Python file.

    Raises UserError with one line where there is none, or several of a kind.
    """
    places = [path.relative_to(folder) for path in _list_files(folder)]
    try:
        return folder / choose_file(places)
    except UserError as error:
        raise UserError(f"your upload: {error}") from None


def _list_files(folder: Path) -> Iterator[Path]:
    """The files of an upload in the order of their names; folders behind links are not entered."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            seen += 1
            if seen > MAX_MEMBERS:
                raise UserError(f"your upload: has more than {MAX_MEMBERS} files: hand in the notebook alone")
            yield Path(place) / name
