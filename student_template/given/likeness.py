"""Makes a process like the grader's: what is installed here and not there is not found.

The grader's packages are those of `given.packages`, and what these need.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from given.absent import ANNOTATES, DRAWS, QuietFinder
from given.packages import THERE

OURS = ("given", "kit")


class AbsentFinder:
    """Says of a module that the grader has not got that it is not there.

    Args:
        folder: the notebook's, whose other files are not handed in
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._packages, self._there = dict(metadata.packages_distributions()), list_there()

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Leave a module that is there to others; raises ModuleNotFoundError for one that is not."""
        top = name.partition(".")[0]
        if top in OURS or top in sys.stdlib_module_names or not self._is_absent(top):
            return None
        if top in (*DRAWS, *ANNOTATES):
            return QuietFinder().find_spec(name)
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    def _is_absent(self, module: str) -> bool:
        spec = PathFinder.find_spec(module)
        if spec is None:
            return False  # whoever looks next says so
        if packages := self._packages.get(module):
            return not any(_normalise(package) in self._there for package in packages)
        return spec.origin is not None and Path(spec.origin).resolve().is_relative_to(self._folder)


def list_there() -> frozenset[str]:
    """The grader's packages, with what they need here."""
    from packaging.requirements import Requirement  # one of them

    found: set[str] = set()
    waiting = [*THERE, "ipython", "ipywidgets", "packaging"]
    while waiting:
        name = _normalise(waiting.pop())
        if name in found:
            continue
        found.add(name)
        try:
            needed = [Requirement(line) for line in metadata.requires(name) or ()]
        except metadata.PackageNotFoundError:
            continue
        waiting += [one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return frozenset(found)


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
