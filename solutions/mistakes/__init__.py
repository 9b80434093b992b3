"""Known wrong answers: what was done, why it is wrong, the claim that must catch it, the hint a student reads.

A module per question. Each mistake is a function, named for what was done, that defines and returns the wrong answer:

    @mistake(Q, caught_by="equals_pytorch", cause="The scores are not divided by sqrt(D_k).", hint="...")
    def forgets_the_scale():
        def attention(Q, K, V):
            ...
        return attention
"""

import ast
import inspect
import pkgutil
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

_REGISTERED: list["Mistake"] = []


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer.

    Attributes:
        name: what was done
        question: the question's id
        caught_by: the case that must fail on it
        cause: one line, why it is wrong
        hint: what a student reads: points to the thought, never to the code
        source: a public thread where somebody made it, or None
        make: returns the wrong function or class, or a tuple of them
    """

    name: str
    question: str
    caught_by: str
    cause: str
    hint: str
    source: str | None
    make: Callable[[], Any]

    def answers(self) -> dict[str, Any]:
        """Return the wrong functions or classes by the names that the contract gives them."""
        made = self.make()
        return {answer.__name__: answer for answer in (made if isinstance(made, tuple) else (made,))}

    def source_code(self) -> str:
        """Return the wrong answer as a student would have written it in a cell."""
        return read_answer(self.make)


def read_answer(make: Callable[[], Any]) -> str:
    """Return the source of what a function defines before it returns it, as the text of a cell."""
    source = textwrap.dedent(inspect.getsource(make))
    function = next(node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    body = function.body[1:] if ast.get_docstring(function) else function.body
    last = body[-1]
    lines = source.splitlines()[_first_line(body[0]) - 1 : last.lineno - 1]
    return textwrap.dedent("\n".join(lines)).strip() + "\n"


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def mistake(
    question: str, *, caught_by: str, cause: str, hint: str, source: str | None = None
) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Enter the decorated function into the catalogue; the arguments are those of `Mistake`."""

    def register(make: Callable[[], Any]) -> Callable[[], Any]:
        _REGISTERED.append(Mistake(make.__name__, question, caught_by, cause, hint, source, make))
        return make

    return register


def load_mistakes() -> list[Mistake]:
    """Return the whole catalogue, in the order of the questions."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return sorted(_REGISTERED, key=lambda known: known.question)
