"""The names of a notebook, by scope and in the order in which its cells give them: what a name stood for, and when.

Everything here walks with lists of its own instead of recursion, and in time that grows with the length of the source.
"""

from __future__ import annotations

import ast
import bisect
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Given = tuple[str, ast.AST | None, str, bool]  # name, value, what an import names, whether it surely happens
MAX_STEPS = 20  # names that are followed from one to the next, and values that a name may have: honest ones have 2 or 3


@dataclass(frozen=True, eq=False)
class Binding:
    """What one statement gives to a name.

    Attributes:
        value: the definition, or the expression (of `a += b` the statement); None for imports and for what is unknown
        dotted: what an import stands for, as `torch.nn.functional`
        certain: whether the statement runs whenever its cell or function does
        time: counts the bindings of a notebook; a local one has the time of its function's call
        lines: the cell
        scope: of the function that it stands in; None in a cell
    """

    value: ast.AST | None
    dotted: str
    certain: bool
    time: int
    lines: Sequence[str]
    scope: Scope | None = None


@dataclass(eq=False)
class Scope:
    """The names of a function, a class or a comprehension, within those around it."""

    parent: Scope | None
    names: dict[str, list[Binding]] = field(default_factory=dict)


class Names:
    """The names that the cells give, in order.

    Attributes:
        ends: for each cell, the time after it
        stars: modules of which everything was imported, with the time
    """

    def __init__(self) -> None:
        self.ends: list[int] = []
        self.stars: list[tuple[int, str]] = []
        self._names: dict[str, list[Binding]] = {}
        self._clock = itertools.count(1)

    def add_cell(self, body: Sequence[ast.stmt], lines: Sequence[str]) -> None:
        """Take over what the statements of the next cell give to names."""
        now = self.ends[-1] if self.ends else 0
        for name, value, dotted, certain in list_given(body):
            now = next(self._clock)
            if name == "*":
                self.stars.append((now, dotted))
            else:
                self._names.setdefault(name, []).append(Binding(value, dotted, certain, now, lines))
        self.ends.append(now)

    def find(self, name: str, scope: Scope | None, time: int) -> list[Binding]:
        """What a name stands for in a scope at a time: one binding, or several where it depends, or none."""
        while scope is not None:
            if name in scope.names:
                return scope.names[name][-MAX_STEPS:]
            scope = scope.parent
        known = self._names.get(name, [])
        found: list[Binding] = []
        number = bisect.bisect_left(known, time, key=lambda binding: binding.time)
        while number and len(found) < MAX_STEPS and not (found and found[-1].certain):
            number -= 1
            found.append(known[number])
        return found

    def find_dotted(self, node: ast.AST, scope: Scope | None, time: int) -> tuple[list[str], bool]:
        """The dotted names of imported things that `a.b.c` may stand for, and whether there is no other way."""
        base, parts = split_chain(node)
        if not isinstance(base, ast.Name):
            return [], False
        found, certain, waiting = [], True, [(base.id, parts, scope, time)]
        for _ in range(MAX_STEPS):
            if not waiting:
                break
            name, rest, scope, time = waiting.pop()
            bindings = self.find(name, scope, time)
            certain = certain and len(bindings) == 1
            for binding in bindings:
                if binding.dotted:
                    found.append(".".join([binding.dotted, *rest]))
                elif binding.value is not None:
                    base, more = split_chain(binding.value)
                    if isinstance(base, ast.Name):
                        waiting.append((base.id, more + rest, binding.scope, binding.time))
                    else:
                        certain = False
            if not bindings:
                found += [".".join([module, name, *rest]) for since, module in self.stars if since < time][-1:]
        return found, certain and len(found) == 1


def split_chain(node: ast.AST | None) -> tuple[ast.AST | None, list[str]]:
    """`a` and [`b`, `c`] for `a.b.c`, whatever `a` is."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return node, parts[::-1]


def open_scope(node: ast.AST, parent: Scope | None, time: int, lines: Sequence[str]) -> Scope:
    """The scope that a function, a class, a lambda or a comprehension opens."""
    scope = Scope(parent)

    def give(name: str, value: ast.AST | None = None, dotted: str = "", certain: bool = True) -> None:
        scope.names.setdefault(name, []).append(Binding(value, dotted, certain, time, lines, scope))

    arguments = getattr(node, "args", None)
    for argument in ast.walk(arguments) if isinstance(arguments, ast.arguments) else ():
        if isinstance(argument, ast.arg):
            give(argument.arg)
    for generator in getattr(node, "generators", ()):
        for target in ast.walk(generator.target):
            if isinstance(target, ast.Name):
                give(target.id)
    body = getattr(node, "body", None)
    for name, value, dotted, certain in list_given(body) if isinstance(body, list) else ():
        give(name, value, dotted, certain)
    outer = {name for name, bindings in scope.names.items() if any(isinstance(b.value, OUTER) for b in bindings)}
    scope.names = {name: bindings for name, bindings in scope.names.items() if name not in outer}
    return scope


OUTER = (ast.Global, ast.Nonlocal)


def list_given(body: Sequence[ast.stmt]) -> Iterator[Given]:
    """What statements give to names of the scope that they stand in, also inside of compound statements."""
    waiting: list[tuple[ast.AST, bool]] = [(statement, True) for statement in reversed(body)]
    while waiting:
        node, certain = waiting.pop()
        yield from ((*given[:3], given[3] and certain) for given in _list_given_by(node))
        if isinstance(node, Definition):
            continue
        inner = certain and isinstance(node, ast.With | ast.AsyncWith)
        children = list(ast.iter_child_nodes(node))
        waiting += [
            (n, inner) for n in reversed(children) if isinstance(n, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]
        for child in children:
            for part in ast.walk(child) if isinstance(child, ast.expr) else ():
                if isinstance(part, ast.NamedExpr):
                    yield part.target.id, part.value, "", False


def _list_given_by(node: ast.AST) -> Iterator[Given]:
    """What one statement gives to names, but for the statements that stand in it."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, node, "", True
        case ast.Import(names=imports):
            for each in imports:
                first = each.name.split(".")[0]
                yield each.asname or first, None, each.name if each.asname else first, True
        case ast.ImportFrom(module=module, names=imports):
            for each in imports:
                dotted = str(module) if each.name == "*" else f"{module}.{each.name}"
                yield each.asname or each.name, None, dotted, True
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pair(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield from _pair(target, value)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, node, "", True
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            yield from ((*given[:3], False) for given in _pair(target, value))
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                yield from _pair(item.optional_vars, item.context_expr)
        case ast.ExceptHandler(name=str(name)):
            yield name, None, "", False
        case ast.match_case(pattern=pattern):
            captured = (getattr(part, "name", getattr(part, "rest", None)) for part in ast.walk(pattern))
            yield from ((each, None, "", False) for each in captured if isinstance(each, str))
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from ((name, node, "", False) for name in names)


def _pair(target: ast.AST | None, value: ast.AST) -> Iterator[Given]:
    """The names of a target with their values; each of several names with the whole, where it is not written apart."""
    match target, value:
        case ast.Name(id=name), _:
            yield name, value, "", True
        case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values) if len(
            targets
        ) == len(values):
            for inner, part in zip(targets, values, strict=True):
                yield from _pair(inner, part)
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
            for inner in targets:
                yield from _pair(inner, value)
        case ast.Starred(value=inner), _:
            yield from _pair(inner, value)
