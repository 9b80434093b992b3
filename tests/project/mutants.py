"""Automatic mutants of the answers: each changes one operator or number, and a case has to notice.

python tests/project/mutants.py        # every question, a table and the survivors
"""

from __future__ import annotations

import importlib
import pkgutil
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

import cosmic_ray.plugins
from cosmic_ray.mutating import mutate_code

import kit
import solutions
from autograder import tree
from autograder.config import Grading, load_grading
from autograder.questions import load_question
from solutions.term.text import fold

SECONDS = 20  # a mutant that loops for longer than a whole question takes has been noticed


@dataclass(frozen=True)
class Mutant:
    """One changed answer.

    Attributes:
        question: id
        operator: the tool's name of the change, and which occurrence of it
        change: the line as it was and as it is
        source: the whole changed module
    """

    question: str
    operator: str
    change: str
    source: str


def make_mutants(question: str) -> list[Mutant]:
    """Return every mutant of a question's answer that the tool knows, each text once."""
    original = fold((tree.SOLUTIONS / f"{question}.py").read_text(encoding="utf-8"))
    found: dict[str, Mutant] = {}
    for name in sorted(cosmic_ray.plugins.operator_names()):
        operator = cosmic_ray.plugins.get_operator(name)
        if operator.arguments():  # those replace names that somebody has to choose
            continue
        occurrence = 0
        while (source := mutate_code(original, operator(), occurrence)) is not None:
            label = f"{name.removeprefix('core/')} {occurrence}"
            if source != original:
                found.setdefault(source, Mutant(question, label, show_change(original, source), source))
            occurrence += 1
    return list(found.values())


def show_change(original: str, mutated: str) -> str:
    """Return the lines that differ as `old -> new`."""
    pairs = zip(original.splitlines(), mutated.splitlines(), strict=False)
    return "; ".join(f"{old.strip()} -> {new.strip()}" for old, new in pairs if old != new)


def find_end(mutant: Mutant, grading: Grading) -> str:
    """Return the case that notices a mutant; `undefined` if it does not even load, an empty text if it survives."""
    names = read_solutions()
    try:
        with warnings.catch_warnings(), limit_time():
            warnings.simplefilter("ignore")
            exec(compile(mutant.source, mutant.question, "exec", dont_inherit=True), names)
    except Exception:
        return "undefined"
    for case in load_question(grading, mutant.question).cases:
        salt = grading.salt if case.hidden else ""
        vit, term = grading.vit.model_dump(), grading.term.model_dump()
        kit.settings.configure(tolerances=grading.tolerances, vit=vit, term=term, salt=salt, shrink=False)
        try:
            with warnings.catch_warnings(), limit_time():
                warnings.simplefilter("ignore")
                if kit.run_case(case.body, names).reason != "passed":
                    return str(case.name)
        except TimeoutError:
            return str(case.name)
    return ""


def read_solutions() -> dict[str, Any]:
    """Return every name that the answers define."""
    names: dict[str, Any] = {"__name__": "mutant"}
    for module in pkgutil.iter_modules(solutions.__path__):
        if module.name.startswith("q"):
            names |= vars(importlib.import_module(f"solutions.{module.name}"))
    return names | {"__name__": "mutant"}


@contextmanager
def limit_time() -> Iterator[None]:
    """Raise TimeoutError where the body takes too long."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def try_mutants(question: str, grading: Grading) -> tuple[int, list[Mutant]]:
    """Return how many mutants of an answer load at all, and those that no case notices."""
    ends = [(mutant, find_end(mutant, grading)) for mutant in make_mutants(question)]
    return sum(end != "undefined" for _, end in ends), [mutant for mutant, end in ends if not end]


if __name__ == "__main__":
    grading = load_grading()
    for question in grading.questions:
        if (tree.SOLUTIONS / f"{question}.py").exists():
            tried, survivors = try_mutants(question, grading)
            print(f"{question:28s} {tried:4d} tried, {len(survivors):3d} survive", flush=True)
            for mutant in survivors:
                print(f"    {mutant.operator}: {mutant.change}", flush=True)
