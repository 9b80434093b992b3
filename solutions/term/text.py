"""A source as a student may see it: nothing shows that another term could do it another way."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from solutions.term import SWITCHES, WORDS

PLACEHOLDER = re.compile(r"<< (\w+) >>")


def fold(source: str) -> str:
    """A source with values in place of switches, words in place of `<< placeholders >>`, and branches decided.

    Decides statements `if` (not `elif`) that ask for switches alone. Layout and comments stay as they are.
    """
    source = PLACEHOLDER.sub(lambda match: WORDS[match[1]], source)
    if not any(name in source for name in SWITCHES):
        return source
    while branch := next(_list_branches(ast.parse(source)), None):
        source = _decide(source, branch)
    return _fill_in(source)


def read_answer(make: Callable[..., Any]) -> str:
    """The source of what a function defines before it returns it, as the text of a cell."""
    source = textwrap.dedent(inspect.getsource(make))
    function = next(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    body = function.body[1:] if ast.get_docstring(function) else function.body
    last = body[-1]
    lines = source.splitlines()[_first_line(body[0]) - 1 : last.lineno - 1]
    return fold(textwrap.dedent("\n".join(lines)).strip() + "\n")


def _list_branches(module: ast.Module) -> Iterator[ast.If]:
    return (node for node in ast.walk(module) if isinstance(node, ast.If) and _asks_for_switches_alone(node.test))


def _asks_for_switches_alone(expression: ast.expr) -> bool:
    names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
    return bool(names) and names <= SWITCHES.keys()


def _evaluate(expression: ast.expr) -> object:
    return eval(compile(ast.Expression(expression), "switch", "eval"), {}, dict(SWITCHES))


def _decide(source: str, branch: ast.If) -> str:
    """The source with the lines of the branch that is taken in place of the whole statement."""
    lines = source.splitlines()
    between = range(branch.body[-1].end_lineno or 0, branch.orelse[0].lineno) if branch.orelse else ()
    other = next((number for number in between if lines[number].strip() == "else:"), branch.end_lineno or 0)
    taken = lines[branch.test.end_lineno : other] if _evaluate(branch.test) else lines[other + 1 : branch.end_lineno]
    deeper = branch.body[0].col_offset - branch.col_offset
    taken = [line[deeper:] if line.strip() else line for line in taken]
    return "\n".join([*lines[: branch.lineno - 1], *taken, *lines[branch.end_lineno :]]) + "\n"


def _fill_in(source: str) -> str:
    """The source with its value in place of each expression of switches alone, the largest that is one."""
    lines = [line.encode() for line in source.splitlines()]  # the tree counts columns in bytes
    for node in sorted(_list_expressions(ast.parse(source)), key=lambda node: (node.lineno, node.col_offset))[::-1]:
        first, last = node.lineno - 1, (node.end_lineno or 0) - 1
        value = repr(_evaluate(node)).encode()
        lines[first : last + 1] = [lines[first][: node.col_offset] + value + lines[last][node.end_col_offset :]]
    return b"\n".join(lines).decode() + "\n"


def _list_expressions(node: ast.AST) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Tuple) and _asks_for_switches_alone(child):
            yield child
        else:
            yield from _list_expressions(child)


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno
