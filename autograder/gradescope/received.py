"""What a student has uploaded: any files under any names, of which exactly one is graded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from autograder.errors import UserError, show_name
from autograder.upload import MAX_MEMBERS, is_student_file

KINDS = (".ipynb", ".zip", ".py")  # a notebook goes before the zip it may lie beside, and before modules
WHAT = {".ipynb": "notebooks", ".zip": "zip files", ".py": "Python files"}


def find_notebook(folder: Path) -> Path:
    """Find the file to grade: the only notebook, else the only zip, else the only Python file.

    Raises UserError with one line where there is none, or several of a kind.
    """
    files = list(_list_files(folder))
    for kind in KINDS:
        found = [path for path in files if path.suffix.lower() == kind]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(show_name(path) for path in found[:3]) + (", ..." if len(found) > 3 else "")
            raise UserError(f"your upload: has {len(found)} {WHAT[kind]} ({names}): hand in the one to be graded")
    names = ", ".join(show_name(path) for path in files[:3]) or "nothing"
    raise UserError(f"your upload: has no notebook (found: {names}): hand in the .ipynb that you filled in")


def _list_files(folder: Path) -> Iterator[Path]:
    """The files of an upload in the order of their names; folders behind links are not entered."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            seen += 1
            if seen > MAX_MEMBERS:
                raise UserError(f"your upload: has more than {MAX_MEMBERS} files: hand in the notebook alone")
            path = Path(place) / name
            if is_student_file(path.relative_to(folder)):
                yield path
