"""What the student's process tells of the functions that a call has used."""

from typing import Any

from autograder.cell import Use
from autograder.sandbox.student_error import clean_text


def read_uses(told: Any, names: tuple[str, ...]) -> list[Use]:
    """Check and clean what is told; what breaks the form is dropped, for all of it is a claim."""
    return [
        Use(row[0], row[1] if type(row[1]) is int and 0 < row[1] < 100_000 else None, clean_text(row[2], 200))
        for row in (told if type(told) is list else [])[:10]  # as many as `watch` notes
        if type(row) is list and len(row) == 3 and type(row[0]) is str and row[0] in names
    ]
