"""A code cell of a submission, and what is found in one: plain data that needs no import of PyTorch."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """Source of one code cell; `check` is the id of the question it checks, if it is a check cell."""

    source: str
    check: str | None = None


@dataclass(frozen=True)
class Use:
    """A name that was used: `line` counts within the student's cell, `code` is that line.

    `certain` is false where the name only stands where it may be used.
    """

    name: str
    line: int | None
    code: str
    certain: bool = True
