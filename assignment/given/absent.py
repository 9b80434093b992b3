"""What stands for packages that the grader has not got, so that a line about them takes nothing along.

Packages that draw, or belong to Colab, become objects on which everything does nothing; any other says that it is not
installed as soon as it is used.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator, Sequence
from dis import opmap
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any, NoReturn

DRAWS = ("matplotlib", "mpl_toolkits", "seaborn")
# types that are only read, decorators that only check
ANNOTATES = ("jaxtyping", "beartype", "typeguard", "torchtyping")
DOES_NOTHING = (*DRAWS, *ANNOTATES, "google", "tensorboard", "wandb")
UNPACKS = opmap["UNPACK_SEQUENCE"]


class Quiet:
    """Accepts any call, attribute and item, and does nothing. As a decorator it gives back what it decorates."""

    def __init__(self, name: str = "") -> None:
        self.__dict__["_name"] = name

    def __repr__(self) -> str:
        return f"({self._name or 'this'} does nothing in the autograder)"

    def __call__(self, *args: Any, **named: Any) -> Any:
        if len(args) == 1 and not named and isinstance(args[0], types.FunctionType | type):
            return args[0]
        return self

    def __getattr__(self, name: str) -> Quiet:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        """Keep nothing."""

    def __getitem__(self, key: Any) -> Quiet:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        """Keep nothing."""

    def __iter__(self) -> Iterator[Quiet]:
        """As many parts as an assignment such as `figure, axes = plt.subplots()` takes apart, none for a loop."""
        frame = sys._getframe(1)
        code, place = frame.f_code.co_code, frame.f_lasti
        return iter([self] * (code[place + 1] if code[place] == UNPACKS else 0))

    def __or__(self, other: Any) -> Quiet:
        return self

    __ror__ = __or__

    def __enter__(self) -> Quiet:
        return self

    def __exit__(self, *error: object) -> None:
        """Let what was raised pass."""


class Missing:
    """The name of a package that is not there: whoever uses it reads so."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __repr__(self) -> str:
        return say_missing(self._package)

    def _complain(self, *args: Any, **named: Any) -> NoReturn:
        raise ModuleNotFoundError(say_missing(self._package), name=self._package)

    __call__ = __getitem__ = __iter__ = __enter__ = _complain

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # a look at all names is no use
            raise AttributeError(name)
        self._complain()


def say_missing(package: str) -> str:
    """What whoever uses a package reads that the grader has not got."""
    return f"{package} is not installed in the autograder"


class QuietFinder:
    """Finds a module that does nothing for packages that draw or annotate, wherever they are imported."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """The module's specification, if it is of such a package."""
        if name.partition(".")[0] not in (*DRAWS, *ANNOTATES):
            return None
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        """A module that has every name."""
        return make_quiet_module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run nothing."""


def make_quiet_module(name: str) -> types.ModuleType:
    """A module whose every name accepts any call."""
    module, quiet = types.ModuleType(name, "This module accepts everything and does nothing."), Quiet(name)

    def find(attribute: str) -> Quiet:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return quiet

    module.__getattr__ = find  # type: ignore[method-assign]
    return module


def stand_in_for(statement: ast.stmt, error: BaseException) -> tuple[str, dict[str, Quiet | Missing]]:
    """The package for whose want an import failed, and what to put in the place of the names that it imports.

    Returns ("", {}) for other statements, other errors, and where the package itself is there.
    """
    if not isinstance(statement, ast.Import | ast.ImportFrom) or not isinstance(error, ModuleNotFoundError):
        return "", {}
    package = (error.name or "").partition(".")[0]
    if not package or (package != "google" and _is_there(package)):
        return "", {}
    value = Quiet(package) if package in DOES_NOTHING else Missing(package)
    bound = [alias.asname or alias.name.partition(".")[0] for alias in statement.names if alias.name != "*"]
    return package, dict.fromkeys(bound, value)


def _is_there(package: str) -> bool:
    try:
        return package in sys.modules or find_spec(package) is not None
    except (ImportError, ValueError):
        return False
