"""Functions that an answer must not use: looked for in its syntax tree; its calls are watched in the sandbox.

Only what the answer itself reaches counts: its own definition, and what the notebook's cells have given to the names
that it asks for, whether they define a function or assign what a call has returned.
Never judged by numbers: a right answer written by hand looks exactly like PyTorch's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from autograder.config import Forbidden
from autograder.sandbox.uses import Use
from autograder.submission import MAGIC
from autograder.upload import parse
from kit.case import Outcome
from kit.failure import Failure

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Assignment = ast.Assign | ast.AnnAssign | ast.AugAssign
PACKAGE = "torch"


@dataclass
class Source:
    """The definitions, aliases and lines of all cells of a notebook.

    Attributes:
        defined: name -> the last statement that gives it a value, with the lines of its cell, behind those before it
            that the value is made of, as in `attention = wrap(attention)`
        aliases: name -> the dotted name that it was imported or assigned as
    """

    defined: dict[str, list[tuple[Definition | Assignment, list[str]]]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)


def read_source(cells: Sequence[str]) -> Source:
    """Read the cells in order, as Python would run them."""
    source = Source()
    for cell in cells:
        text = MAGIC.sub("", cell)
        for statement in parse(text):
            for node in ast.walk(statement):
                if isinstance(node, ast.Import | ast.ImportFrom | ast.Assign):
                    source.aliases |= dict(_read_aliases(node, source.aliases))
            if isinstance(statement, Definition):
                source.defined[statement.name] = [(statement, text.split("\n"))]
                source.aliases.pop(statement.name, None)
            elif isinstance(statement, Assignment):
                for name in _list_bound(statement):
                    before = source.defined.get(name, []) if _is_made_of(statement, name) else []
                    source.defined[name] = [*before, (statement, text.split("\n"))]
    return source


def find_uses(source: Source, answers: Sequence[str], forbidden: Forbidden) -> list[Use]:
    """Return where the definitions of these answers, or what they name in turn, use a forbidden name."""
    uses, seen, waiting = [], set(), list(answers)
    while waiting:
        name = waiting.pop()
        if name in seen or name not in source.defined:
            continue
        seen.add(name)
        for statement, lines in source.defined[name]:
            own = _list_bound(statement)  # a variable of its own is not what a cell has called by the same name
            for node in ast.walk(statement):
                if (used := _read_use(node, source.aliases)) in forbidden.short_names:
                    line = getattr(node, "lineno", statement.lineno)
                    uses.append(Use(used, line, lines[line - 1].strip()))
                elif isinstance(node, ast.Name) and node.id not in own:
                    waiting.append(node.id)
    return uses


def judge(outcome: Outcome, uses: Sequence[Use], forbidden: Forbidden | None) -> Outcome:
    """Return a case's outcome: `forbidden` where something forbidden was used and the policy takes the points."""
    if not uses or forbidden is None or forbidden.policy == "flag":
        return outcome
    return Outcome("forbidden", Failure("forbidden", describe_use(uses[0]), line=uses[0].line))


def describe_use(use: Use) -> str:
    """Say what was used, and where."""
    where = f"\n  your line {use.line}: {use.code}" if use.line else ""
    return f"{use.name} is ruled out in this question: write the computation yourself.{where}"


def _list_bound(statement: ast.stmt) -> set[str]:
    """The names that a statement, or what stands in it, gives a value to."""
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return names | {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}


def _is_made_of(statement: ast.stmt, name: str) -> bool:
    """Whether a statement that gives a name a value uses the one that it had."""
    nodes = (node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name)
    return isinstance(statement, ast.AugAssign) or any(isinstance(node.ctx, ast.Load) for node in nodes)


def _read_aliases(node: ast.stmt, aliases: dict[str, str]) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Import(names=names):
            for name in names:
                yield (name.asname, name.name) if name.asname else (name.name.split(".")[0],) * 2
        case ast.ImportFrom(module=str(module), names=names):
            for name in names:
                yield name.asname or name.name, f"{module}.{name.name}"
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if dotted := _read_dotted(value, aliases):
            yield target, dotted


def _read_use(node: ast.AST, aliases: dict[str, str]) -> str:
    """The last part of a name of PyTorch's that this expression stands for, or ""; a text counts as it stands."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    dotted = _read_dotted(node, aliases)
    return dotted.rpartition(".")[2] if dotted.split(".")[0] == PACKAGE else ""


def _read_dotted(node: ast.AST, aliases: dict[str, str]) -> str:
    """`torch.nn.functional.softmax` for `F.softmax`, or "" for what is no dotted name of something imported."""
    match node:
        case ast.Name(id=name):
            return aliases.get(name, "")
        case ast.Attribute(value=value, attr=name) if dotted := _read_dotted(value, aliases):
            return f"{dotted}.{name}"
    return ""
