"""A sandbox without walls: cells and cases run in this process, for tests of what stands around the real one."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Outcome:
    """How a cell ended."""

    index: int
    status: str
    error: str | None
    seconds: float = 0.0
    left_out: tuple[Any, ...] = ()


@dataclass
class Student:
    """The student's names."""

    names: dict[str, Any]
    cpu: float = 0.0
    used: list[Any] = field(default_factory=list)

    def stand_ins(self, names: list[str]) -> dict[str, Any]:
        return {name: self.names[name] for name in names if name in self.names}


@dataclass
class Run:
    """The names after each check cell; `broken` is raised by the first fork."""

    cells: list[Any]
    layers: dict[str, bool] = field(default_factory=lambda: {"walls": False})
    broken: list[Exception] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    states: dict[str | None, dict[str, Any]] = field(default_factory=dict)
    granted: list[float] = field(default_factory=list)
    until: float = math.inf
    charged: float = 0.0

    def __post_init__(self) -> None:
        names: dict[str, Any] = {}
        for index, cell in enumerate(self.cells):
            try:
                exec(cell.source, names)
                self.outcomes.append(Outcome(index, "ran", None))
            except Exception as error:
                self.outcomes.append(Outcome(index, "failed", f"{type(error).__name__}: {error}"))
            self.states[cell.check or ""] = dict(names)
        self.states[None] = names

    @contextmanager
    def fork(self, question: str, seconds: float, watch: Any = ()) -> Iterator[Student]:
        if self.broken:
            raise self.broken.pop()
        self.granted.append(seconds)
        started = time.monotonic()
        try:
            yield Student(self.states.get(question, self.states[None]))
        finally:
            self.charged += time.monotonic() - started

    def is_over(self) -> bool:
        return time.monotonic() > self.until


class Sandbox:
    """Runs cells without any protection."""

    def __init__(self, *broken: Exception) -> None:
        self.broken = list(broken)
        self.last: Run | None = None

    @contextmanager
    def run(self, cells: list[Any], until: float) -> Iterator[Run]:
        self.last = Run(cells, broken=self.broken, until=until)
        yield self.last


def wait(seconds: float) -> str:
    """Code of a function that takes its time."""
    return f"import time\ndef double(x):\n    time.sleep({seconds})\n    return 2 * x"
