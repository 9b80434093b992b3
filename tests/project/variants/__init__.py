"""Right answers written differently: a module per question, a function per answer, named for how it goes about it.

Each public function of a module defines an answer and returns it, several functions as a tuple.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from solutions.term.order import reorder_answers, reorder_text
from solutions.term.text import read_answer


@dataclass(frozen=True)
class Variant:
    """A right answer: `name` says how it goes about it, `make` returns the function or class, or a tuple of them."""

    name: str
    question: str
    make: Callable[[], Any]

    def answers(self) -> dict[str, Any]:
        """Return the functions or classes by the names that the contract gives them."""
        made = self.make()
        answers = {name_of(answer): answer for answer in (made if isinstance(made, tuple) else (made,))}
        return reorder_answers(self.question, answers)

    def source_code(self) -> str:
        """Return the answer as a student would have written it in a cell."""
        return reorder_text(self.question, read_answer(self.make))


def name_of(answer: Any) -> str:
    """The name of a function or class; of a callable object or a partial, its attribute `__name__`."""
    return str(answer.__name__)


def load_variants(question: str) -> list[Variant]:
    """Return the right answers to a question, in the order of its module."""
    module = import_module(f"{__name__}.{question}")
    return [
        Variant(name, question, make)
        for name, make in inspect.getmembers(module, inspect.isfunction)
        if make.__module__ == module.__name__ and not name.startswith("_")
    ]
