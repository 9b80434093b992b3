"""The statements of a cell, as IPython runs them: magics and shell lines are no Python, but hide none of the rest."""

from __future__ import annotations

import ast
import re
from typing import Any

from autograder.upload import MAX_PARSED

AROUND_PYTHON = re.compile(r"\s*%%(time|timeit|capture|prun)\b[^\n]*")  # magics whose cell is run as Python
LINE_END = re.compile(r"\r\n|\r|\n")  # as Python counts lines
LINES = re.compile(r"\A\s*%%")


def read_statements(source: str) -> tuple[list[ast.stmt], list[str]] | None:
    """Return a cell's statements and lines; none of what does not run as Python, and None where that is not known."""
    if LINES.match(source) and not AROUND_PYTHON.match(source):
        return [], []
    text = AROUND_PYTHON.sub("", source, count=1) if LINES.match(source) else source
    if len(text) > MAX_PARSED:
        return None
    try:
        body = _parse(text)
        if body is None:
            text = _transform(text)
            body = _parse(text) or []  # what is not Python now does not run there either
        return body, LINE_END.split(text)
    except (RecursionError, MemoryError):
        return None


def _parse(text: str) -> list[ast.stmt] | None:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError):
        return None


def _transform(text: str) -> str:
    """The cell with calls in place of its magics."""
    from IPython.core.inputtransformer2 import TransformerManager  # only where a cell has magics

    manager: Any = TransformerManager  # without types
    try:
        transformed: str = manager().transform_cell(text)
    except (SyntaxError, ValueError):
        return ""
    return transformed
