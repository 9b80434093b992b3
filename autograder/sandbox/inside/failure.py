"""What is told about an exception of student code: type name, message and the line of the student's own cell."""

import linecache
import types
from typing import Any

from given.shell import CELL, Failure

LONGEST = 2000  # characters of a message; the grader cuts again


def describe_failure(error: BaseException) -> dict[str, Any]:
    """Return type name, message, line and source line of an exception as plain data."""
    name, line = place_of(error)
    code = linecache.getline(name, line).strip() if name and line else ""
    try:
        message = str(error)
    except BaseException as second:
        message = f"(its message cannot be shown: {type(second).__name__})"
    return {"type": type(error).__name__, "message": message[:LONGEST], "line": line, "code": code[:200]}


def describe_left_out(failure: Failure) -> dict[str, Any]:
    """Return the same of a statement that was left out, with its own line in place of one that it called."""
    return describe_failure(failure.error) | {"line": failure.line, "code": failure.code[:200]}


def place_of(error: BaseException) -> tuple[str, int | None]:
    """Return file name and line of the innermost frame that stands in a student's cell."""
    if isinstance(error, SyntaxError) and str(error.filename).startswith(CELL):
        return str(error.filename), error.lineno
    name, line = "", None
    trace: types.TracebackType | None = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(CELL):
            name, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return name, line
