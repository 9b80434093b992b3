"""Code compared by its syntax tree: whoever lays it out anew or renames its variables does not change its shape."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import dedent

LARGE = 10  # nodes from which on a subtree says something: `scores = X @ X.T` has 6, a line of softmax about 20
WHOLE = 10  # nodes from which on the whole of a body does
BUILT_IN = frozenset(dir(builtins))
MAGIC = re.compile(r"^\s*[%!?].*$", re.MULTILINE)
FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
COMMENTS = re.compile(r"(?:^[ \t]*#.*\n?)+", re.MULTILINE)
COMMENT_MARK = re.compile(r"^[ \t]*# ?", re.MULTILINE)
Skipped = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.Load, ast.Store)


def parse_snippets(text: str) -> Iterator[list[ast.stmt]]:
    """All code that stands in a text: the text itself, else its blocks, paragraphs and lines; comments; strings."""
    seen: set[str] = set()
    for snippet in _list_snippets(text):
        if snippet in seen:
            continue
        seen.add(snippet)
        body = _parse(snippet)
        if any(not _is_word(statement) for statement in body):
            yield body
            for node in (node for statement in body for node in ast.walk(statement)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in seen:
                    yield from parse_snippets(node.value)


def list_shapes(body: Sequence[ast.stmt], windows: Iterable[int] = ()) -> Iterator[str]:
    """The shapes of all large subtrees, and of all runs of statements of the given lengths."""
    lengths = set(windows)
    for node in (node for statement in body for node in ast.walk(statement)):
        if isinstance(node, ast.stmt | ast.expr) and count_nodes([node]) >= LARGE:
            yield shape([node])
    for statements in _list_bodies(body):
        for length in lengths:
            for first in range(len(statements) - length + 1):
                yield shape(statements[first : first + length])


def shape(nodes: Sequence[ast.AST]) -> str:
    """The syntax of some nodes in a row, without annotations and docstrings, names but built-in ones numbered."""
    numbers: dict[str, int] = {}
    return ";".join(_write(node, numbers) for node in nodes)


def count_nodes(nodes: Sequence[ast.AST]) -> int:
    """How large some nodes are; operators and contexts do not count."""
    return sum(not isinstance(node, Skipped) for top in nodes for node in ast.walk(top))


def drop_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements after a docstring."""
    first = body[0] if body else None
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return body[1:] if text else body


def _write(node: ast.AST, numbers: dict[str, int]) -> str:
    match node:
        case ast.Name(id=name) if name in BUILT_IN:
            return name
        case ast.Name(id=name) | ast.arg(arg=name):
            return f"${numbers.setdefault(name, len(numbers))}"
        case ast.Constant(value=value):
            return repr(value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return f"Assign({_write(target, numbers)},{_write(value, numbers)})"
        case ast.Assign(targets=[target], value=value):
            return f"Assign({_write(target, numbers)},{_write(value, numbers)})"
    parts = [_write_field(node, name, value, numbers) for name, value in ast.iter_fields(node)]
    return f"{type(node).__name__}({','.join(part for part in parts if part)})"


def _write_field(node: ast.AST, name: str, value: object, numbers: dict[str, int]) -> str:
    if name in ("returns", "annotation", "ctx", "type_comment", "type_params", "type_ignores"):
        return ""
    if name == "name" and isinstance(value, str) and isinstance(node, ast.FunctionDef | ast.ClassDef):
        return f"${numbers.setdefault(value, len(numbers))}"
    if isinstance(value, list):
        items = drop_docstring(value) if name == "body" else value
        return f"[{','.join(_write(item, numbers) if isinstance(item, ast.AST) else repr(item) for item in items)}]"
    return _write(value, numbers) if isinstance(value, ast.AST) else repr(value)


def _list_bodies(body: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    yield body
    for node in (node for statement in body for node in ast.walk(statement)):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list) and statements:
                yield drop_docstring(statements)


def _list_snippets(text: str) -> Iterator[str]:
    code = MAGIC.sub("", text)
    yield code
    if not _parse(code):
        yield from FENCED.findall(text)
        yield from QUOTED.findall(text)
        yield from re.split(r"\n\s*\n", text)
        yield from (line.strip() for line in text.splitlines())
    for block in COMMENTS.findall(text):
        bare = COMMENT_MARK.sub("", block)
        yield bare
        yield from (line.strip() for line in bare.splitlines())


def _parse(text: str) -> list[ast.stmt]:
    """The statements of a text; none where it is not Python."""
    try:
        return ast.parse(dedent(text).strip("\n")).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _is_word(statement: ast.stmt) -> bool:
    """Whether a statement is a bare word, as prose has them."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Name | ast.Tuple)
