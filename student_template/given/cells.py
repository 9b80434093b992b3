"""Reads a cell as IPython would, without running it: its statements, its checks. The notebook and the grader use it.

All work is linear in the length of a cell, and no text makes it raise.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from given.statements import RUNS_PYTHON, split_statements, to_python

MAX_PARSED = 50_000  # characters of one statement; Python 3.10's parser crashes from about 400,000 of one expression
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


class Broken(NamedTuple):
    """Lines of a cell that are no Python: the first one's number, the text, and why, or None for what is too long."""

    line: int
    text: str
    error: Exception | None


class Reading(NamedTuple):
    """What a cell says: its text as Python, its top-level statements, numbered as its lines are, what is none."""

    text: str
    statements: list[ast.stmt]
    broken: list[Broken]


def read_cell(source: str) -> Reading:
    """Read the statements of a cell, magics as the calls that IPython makes of them.

    Where the cell as a whole is no Python, each top-level statement that is counts.
    """
    text = source
    for change in (str, to_python):  # most cells are plain Python as they stand
        text = change(source)
        tree = _parse(text) if len(text) <= MAX_PARSED else None
        if isinstance(tree, list):
            return Reading(text, list(_open_magics(tree)), [])
    reading = Reading(text, [], [])
    for line, chunk in split_statements(text):
        tree = _parse(chunk) if len(chunk) <= MAX_PARSED else None
        if isinstance(tree, list):
            for node in tree:
                ast.increment_lineno(node, line - 1)
            reading.statements.extend(_open_magics(tree))
        else:
            if isinstance(tree, SyntaxError) and tree.lineno:
                tree.lineno += line - 1
            reading.broken.append(Broken(line, chunk, tree))
    return reading


def _parse(text: str) -> list[ast.stmt] | Exception:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a text that is only read
            return ast.parse(text).body
    except UNREADABLE as error:
        return error


def _open_magics(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, and in the place of a cell magic that a converter has written as a call those of its cell."""
    for statement in statements:
        match statement:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(attr="run_cell_magic"),
                    args=[ast.Constant(value=str(name)), _, ast.Constant(value=str(cell))],
                )
            ) if name in RUNS_PYTHON:
                tree = _parse(cell) if len(cell) <= MAX_PARSED else []
                for inner in tree if isinstance(tree, list) else []:
                    for node in ast.walk(inner):
                        if isinstance(node, ast.stmt | ast.expr):
                            node.lineno = node.end_lineno = statement.lineno
                    yield inner
        yield statement


def find_checks(source: str) -> list[str]:
    """The ids that a cell's `grader.check("<id>")` calls name, in order; a comment or a text is not a call."""
    if "grader" not in source:
        return []
    nodes = (node for statement in read_cell(source).statements for node in ast.walk(statement))
    return list(dict.fromkeys(id for node in nodes if (id := _checked_id(node))))


def _checked_id(node: ast.AST) -> str | None:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="grader"), attr="check"), args=[ast.Constant(value=str(id)), *_]
        ):
            return id
    return None


def only_asks_grader(source: str) -> bool:
    """Whether a cell is `grader.check(...)`, `grader.export(...)` or the like, and nothing else."""
    if "grader" not in source:
        return False
    reading = read_cell(source)
    return bool(reading.statements) and not reading.broken and all(map(_asks_grader, reading.statements))


def _asks_grader(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="grader")))):
            return True
    return False


def makes_grader(source: str) -> bool:
    """Whether a cell gives `grader` its value at its top level."""
    if "grader" not in source:
        return False
    return any("grader" in list_defined(statement) for statement in read_cell(source).statements)


def list_defined(statement: ast.stmt) -> list[str]:
    """The names that a statement defines: of a function, a class, or assigned."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def name_cell(number: int, source: str) -> str:
    """How a person finds a cell: its number, from 0 here, and its first line of code."""
    lines = (line.strip() for line in source.split("\n"))
    first = next((line for line in lines if line and not line.startswith(("#", "%", "!"))), "")
    return f"code cell {number + 1} ({first[:60]})"  # enough of a line to find the cell
