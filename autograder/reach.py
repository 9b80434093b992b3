"""What an answer reaches of a notebook's source, and which forbidden names stand there.

Reached are the answer's definition, the functions and classes that it names, of a class the methods that Python calls
itself and those whose names occur, and what a call has made that the answer calls in turn.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.cell import Use
from autograder.scopes import Binding, Definition, Names, Scope, open_scope, split_chain

PACKAGE = "torch"
RELATIVES = {  # operators and functions that are the same under another name
    "scaled_dot_product_attention": r"_scaled_dot_product_\w+|_(flash|efficient)_attention_forward|flex_attention",
    "multi_head_attention_forward": r"_native_multi_head_attention|_transformer_encoder_layer_fwd",
}
COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
CALLED_BY_PYTHON = re.compile(r"__\w+__|forward")  # forward: by nn.Module
LONGEST = 200  # characters of a line that are shown, as in failure
MAX_USES = 20  # of one question; a student reads the first


@dataclass(frozen=True)
class Step:
    """A node to look at: in which scope, when it runs, in which cell, and whether the answer surely gets there."""

    node: ast.AST
    scope: Scope | None
    time: int
    lines: Sequence[str]
    certain: bool


def find_uses(names: Names, answers: Sequence[str], forbidden: Sequence[str], cells: int | None = None) -> list[Use]:
    """Return where these answers, or what they reach, use a forbidden name; what is certain comes first.

    Args:
        names: what the notebook's cells give to names
        answers: the names of one question's answers
        forbidden: the last parts of the forbidden names
        cells: how many cells there are up to the question's check; None for all
    """
    time = (names.ends[:cells] or [0])[-1] + 1
    patterns = [*map(re.escape, forbidden), *(RELATIVES[name] for name in forbidden if name in RELATIVES)]
    reach = Reach(names, re.compile("|".join(patterns)), time)
    for answer in answers:
        bindings = names.find(answer, None, time)
        for binding in bindings:
            reach.enter(binding, len(bindings) == 1)
    reach.walk()
    return sorted(reach.uses.values(), key=lambda use: not use.certain)[:MAX_USES]


class Reach:
    """Walks from the answers to all that they reach."""

    def __init__(self, names: Names, pattern: re.Pattern[str], time: int) -> None:
        self.names, self.pattern, self.time = names, pattern, time
        self.uses: dict[tuple[str, int, int], Use] = {}
        self.waiting: list[Step] = []
        self.entered: set[tuple[Binding, bool]] = set()
        self.attributes: set[str] = set()
        self.methods: dict[str, list[Step]] = {}  # of classes that are reached, by names that are not

    def walk(self) -> None:
        """Look at every node that is reached."""
        while self.waiting:
            self._look(self.waiting.pop())

    def enter(self, binding: Binding, certain: bool) -> None:
        """Go on in what a name stands for."""
        if binding.value is None or {(binding, certain), (binding, True)} & self.entered:
            return
        self.entered.add((binding, certain))
        step = Step(binding.value, binding.scope, binding.time, binding.lines, certain)
        if isinstance(binding.value, ast.ClassDef):
            self._enter_class(binding.value, step)
        elif isinstance(binding.value, ast.FunctionDef | ast.AsyncFunctionDef):
            self._enter_function(binding.value, step)
        elif binding.scope is None:  # a local one stands in what is walked through anyhow
            self.waiting.append(step)

    def _enter_function(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, step: Step) -> None:
        self._add(list_outer(function), step)
        scope = open_scope(function, step.scope, self.time, step.lines)
        body = function.body if isinstance(function.body, list) else [function.body]
        self._add(body, Step(function, scope, self.time, step.lines, step.certain))

    def _enter_class(self, definition: ast.ClassDef, step: Step) -> None:
        self._add(list_outer(definition), step)
        inner = Step(
            definition, open_scope(definition, step.scope, step.time, step.lines), step.time, step.lines, step.certain
        )
        for statement in definition.body:
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                self._add([statement], inner)
            elif CALLED_BY_PYTHON.fullmatch(statement.name) or statement.name in self.attributes:
                self._enter_function(statement, step)
            else:
                self.methods.setdefault(statement.name, []).append(Step(statement, *step_place(step)))

    def _add(self, nodes: Sequence[ast.AST | None], step: Step) -> None:
        self.waiting += [Step(node, *step_place(step)) for node in reversed(nodes) if node is not None]

    def _look(self, step: Step) -> None:
        node = step.node
        match node:
            case ast.Constant(value=str(text)):
                self._note(text, step, certain=False)
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case ast.Name(ctx=ast.Load()):
                self._look_up(node, step, called=False)
            case ast.Attribute():
                self._look_along(node, step)
            case ast.Call():
                self._look_at_call(node, step)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                self._add([ast.copy_location(ast.Name(name, ast.Load()), node), value], step)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._add(list_outer(node), step)  # its body once it is named
            case ast.Lambda():
                self._enter_function(node, step)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                scope = open_scope(node, step.scope, step.time, step.lines)
                self._add(list(ast.iter_child_nodes(node)), Step(node, scope, step.time, step.lines, step.certain))
            case ast.arguments() | ast.Import() | ast.ImportFrom():
                pass
            case _:
                self._add(list(ast.iter_child_nodes(node)), step)

    def _look_up(self, node: ast.Name, step: Step, called: bool) -> None:
        if self._note_dotted(node, step):
            return
        bindings = self.names.find(node.id, step.scope, step.time)
        for binding in bindings:
            if isinstance(split_chain(binding.value)[0], ast.Name):
                continue  # an alias, and looked up
            certain = step.certain and len(bindings) == 1
            self.enter(binding, certain and (called or isinstance(binding.value, Definition)))

    def _look_along(self, node: ast.Attribute, step: Step) -> None:
        base, parts = split_chain(node)
        for part in parts:
            self.attributes.add(part)
            for method in self.methods.pop(part, ()):
                self._enter_function(method.node, method)  # type: ignore[arg-type]
        if self._note_dotted(node, step):
            return
        if not isinstance(base, ast.Name):
            for part in parts:  # of a module that a call has found, perhaps
                self._note(part, step, certain=False)
        self._add([base], step)

    def _look_at_call(self, node: ast.Call, step: Step) -> None:
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), *_]):
                owners, certain = self.names.find_dotted(owner, step.scope, step.time)
                if is_of_package(owners):
                    self._note(name, step, step.certain and certain)
        if isinstance(node.func, ast.Name):
            self._look_up(node.func, step, called=True)
        else:
            self._add([node.func], step)
        self._add([*node.args, *node.keywords], step)

    def _note_dotted(self, node: ast.Name | ast.Attribute, step: Step) -> bool:
        """Note a name of PyTorch's; whether it was one."""
        found, certain = self.names.find_dotted(node, step.scope, step.time)
        for dotted in found:
            if is_of_package([dotted]):
                for part in dotted.split("."):
                    self._note(part, step, step.certain and certain, node)
        return bool(found) and certain

    def _note(self, name: str, step: Step, certain: bool, node: ast.AST | None = None) -> None:
        if not self.pattern.fullmatch(name):
            return
        line = getattr(node or step.node, "lineno", 0)
        key = name, line, id(step.lines)
        if key not in self.uses or (certain and not self.uses[key].certain):
            code = step.lines[line - 1][:LONGEST].strip() if 0 < line <= len(step.lines) else ""
            self.uses[key] = Use(name, line or None, code, certain)


def step_place(step: Step) -> tuple[Scope | None, int, Sequence[str], bool]:
    """Where, when and how surely the nodes of a step run."""
    return step.scope, step.time, step.lines, step.certain


def list_outer(node: ast.AST) -> list[ast.AST | None]:
    """What of a definition runs where it stands: decorators, bases and the values of arguments that are not given."""
    arguments = getattr(node, "args", None)
    defaults = [*arguments.defaults, *arguments.kw_defaults] if isinstance(arguments, ast.arguments) else []
    return [
        *getattr(node, "decorator_list", []),
        *getattr(node, "bases", []),
        *getattr(node, "keywords", []),
        *defaults,
    ]


def is_of_package(dotted: Sequence[str]) -> bool:
    """Whether one of these dotted names begins with PyTorch's."""
    return any(name.split(".")[0] == PACKAGE for name in dotted)
