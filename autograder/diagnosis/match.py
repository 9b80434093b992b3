"""Keep the known mistakes that agree with a student's answer on every probe."""

from __future__ import annotations

import contextlib
import importlib
import io
import pkgutil
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import solutions
from autograder.diagnosis.observation import agree
from autograder.diagnosis.observer import Observer, Probe
from autograder.diagnosis.probes import read_probes
from kit.case import keep_state
from solutions.mistakes import Mistake, load_mistakes


@dataclass(frozen=True)
class Diagnosis:
    """What a student's answer has in common with known mistakes.

    Attributes:
        mistakes: the names of those that agree with it everywhere
        hint: the thought that they share
        caught_by: the cases that are there to catch them
    """

    mistakes: tuple[str, ...]
    hint: str
    caught_by: tuple[str, ...] = ()

    @property
    def mistake(self) -> str | None:
        """The name, if it is one mistake."""
        return self.mistakes[0] if len(self.mistakes) == 1 else None


class Rival:
    """A known mistake, or the solution, with what its probes have shown so far; each probe runs once."""

    def __init__(self, known: Mistake | None, probes: list[Probe], salt: str) -> None:
        names = load_solutions() | (known.answers() if known else {})
        self.known, self._probes, self._observer = known, probes, Observer(names, salt)
        self._seen: list[list[Any]] = []

    def watch(self, number: int) -> list[Any]:
        """Return what the probe of that number shows, after all probes before it."""
        while len(self._seen) <= number:
            with keep_state(), contextlib.redirect_stdout(io.StringIO()):  # some mistakes print
                self._seen.append(self._observer.watch(self._probes[len(self._seen)]))
        return self._seen[number]


def diagnose(question: str, names: Mapping[str, Any], salt: str) -> Diagnosis | None:
    """Compare an answer with every known mistake of a question on fresh inputs.

    Args:
        question: its id
        names: what the student's notebook has defined, real objects or stand-ins
        salt: seeds the inputs
    Returns:
        None unless a known mistake, and not the solution, agrees with the answer on every probe, and those that
        do share one hint.
    """
    student, rivals = Observer(names, salt), list_rivals(question, salt)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, probe in enumerate(read_probes(question)):
            with keep_state():
                seen = student.watch(probe)
            rivals = [rival for rival in rivals if agree(rival.watch(number), seen)]
            if not rivals:
                return None
    known = [rival.known for rival in rivals if rival.known]
    hints = {mistake.hint for mistake in known}
    if len(known) < len(rivals) or len(hints) != 1:
        return None
    found, cases = zip(*((mistake.name, mistake.caught_by) for mistake in known), strict=True)
    return Diagnosis(found, hints.pop(), cases)


@lru_cache(maxsize=64)  # a batch of one salt asks for the same 14 questions again and again
def list_rivals(question: str, salt: str) -> list[Rival]:
    """Return the solution and every known mistake of a question."""
    probes = read_probes(question)
    known = [mistake for mistake in load_mistakes() if mistake.question == question]
    return [Rival(mistake, probes, salt) for mistake in (None, *known)]


@lru_cache
def load_solutions() -> dict[str, Any]:
    """Return the names that all solutions define; later answers are built on earlier ones."""
    modules = [importlib.import_module(f"solutions.{found.name}") for found in pkgutil.iter_modules(solutions.__path__)]
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
    }
