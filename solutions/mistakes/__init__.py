"""Known wrong answers: what was done, why it is wrong, the claim that must catch it, the hint a student reads.

A module per question. Each mistake is a function, named for what was done, that defines and returns the wrong answer:

    @mistake(Q, caught_by="equals_pytorch", cause="The scores are not divided by sqrt(D_k).", hint="...")
    def forgets_the_scale():
        def attention(Q, K, V):
            ...
        return attention
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from solutions.term.order import reorder_answers, reorder_text
from solutions.term.text import read_answer

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
        answers = {answer.__name__: answer for answer in (made if isinstance(made, tuple) else (made,))}
        return reorder_answers(self.question, answers)

    def source_code(self) -> str:
        """Return the wrong answer as a student would have written it in a cell."""
        return reorder_text(self.question, read_answer(self.make))


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
