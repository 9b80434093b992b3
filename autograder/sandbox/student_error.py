"""What student code raised, or why its process no longer answers."""

import re
from typing import Any, Literal

Reason = Literal["error", "timeout", "died"]
LONGEST_MESSAGE = 500  # characters; a message of a case is cut again
NOT_A_NAME = re.compile(r"\W")


class StudentError(Exception):
    """An exception of student code, or the end of its process, told as data.

    Attributes:
        reason: `error` (it raised), `timeout` (it took too long) or `died` (its process is gone)
        type_name: name of the student's exception type, cleaned; empty unless it raised
        message: its text, cleaned
        line: line within the student's own cell, or None
        code: the source of that line, or ""
    """

    def __init__(
        self, reason: Reason, message: str, type_name: str = "", line: int | None = None, code: str = ""
    ) -> None:
        super().__init__(f"{type_name}: {message}" if type_name else message)
        self.reason, self.message, self.type_name = reason, message, type_name
        self.line, self.code = line, code

    def again(self) -> "StudentError":
        """Return the same error for a later call."""
        return StudentError(self.reason, self.message, self.type_name, self.line, self.code)


def read_failure(told: Any) -> StudentError:
    """Check and clean what the student's process tells about an exception."""
    told = told if type(told) is dict else {}
    line = told.get("line")
    return StudentError(
        "error",
        clean_text(told.get("message"), LONGEST_MESSAGE),
        clean_name(told.get("type")),
        line if type(line) is int and 0 < line < 100_000 else None,  # no cell is longer
        clean_text(told.get("code"), 200).replace("\n", " "),  # one line of a terminal and a half
    )


def clean_text(text: Any, longest: int) -> str:
    """Return a student's text without control characters, cut to a length."""
    if type(text) is not str:
        return ""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text[:longest])


def clean_name(text: Any) -> str:
    """Return a student's name for a type or function as a short ASCII identifier."""
    name = NOT_A_NAME.sub("_", text[:40]) if type(text) is str else ""
    name = name.encode("ascii", "replace").decode().replace("?", "_")
    return name if name.isidentifier() else "object"
