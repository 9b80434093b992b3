"""PyTorch's compiler, loaded only by a notebook that compiles: optimisers import it to ask that it keep off them."""

import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any

import torch

NAME = "torch._dynamo"


class PostponedCompiler(types.ModuleType):
    """What optimisers use of `torch._dynamo`, where nothing is compiled; any other name loads the real one.

    The real one takes 1 to 3 seconds, and 75 MB that every copy of a notebook's state would pay for.
    """

    def __init__(self) -> None:
        super().__init__(NAME)
        self.__spec__ = importlib.util.find_spec(NAME)
        self.__file__ = self.__spec__.origin if self.__spec__ else None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":  # a look at all modules loads nothing, a submodule does
            raise AttributeError(name)
        if sys.modules.get(NAME) is self:
            load_compiler()
        return getattr(importlib.import_module(NAME), name)

    @staticmethod
    def disable(function: Callable[..., Any] | None = None, *args: Any, **named: Any) -> Callable[..., Any]:
        """Return the function as it is, or what decorates one so: it is not compiled."""
        return function or (lambda decorated: decorated)

    @staticmethod
    def graph_break(*args: Any, **named: Any) -> None:
        """Do nothing: there is no graph."""


def postpone_compiler() -> None:
    """Put the stand-in where optimisers look for the compiler."""
    sys.modules[NAME] = torch._dynamo = PostponedCompiler()


def is_compiler_loaded() -> bool:
    """Tell whether the real one has taken the place of the stand-in."""
    return not isinstance(sys.modules.get(NAME), PostponedCompiler)


def load_compiler() -> None:
    """Load the real one."""
    if not is_compiler_loaded():
        del sys.modules[NAME]
        importlib.import_module(NAME)
