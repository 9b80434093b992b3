"""Notebooks for the tests of the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from autograder.sandbox import Cell, Run, Sandbox, Student


@dataclass(frozen=True)
class Limits:
    """Seconds, short ones but for the clock: the machine may be busy."""

    cell: float = 2.0
    call: float = 1.0
    run: float = 60.0
    wall: float = 300.0


def make_given(folder: Path) -> Path:
    """Write a small package `given` and return the folder that holds it."""
    package = folder / "given"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "training.py").write_text(
        dedent("""
        import torch

        def fit(model, x, steps=3):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for _ in range(steps):
                optimizer.zero_grad()
                loss = (model(x) ** 2).mean()
                loss.backward()
                optimizer.step()
            return loss.item()
        """)
    )
    return folder


def cells(*sources: str) -> list[Cell]:
    """Return cells of these sources; a source that begins with `check:` is the check cell of a question."""
    return [
        Cell("", source.removeprefix("check:")) if source.startswith("check:") else Cell(dedent(source))
        for source in sources
    ]


@contextmanager
def student_of(sandbox: Sandbox, *sources: str, question: str = "") -> Iterator[Student]:
    """Run a notebook of these sources and fork the state of a question, by default the final one."""
    with sandbox.run(cells(*sources)) as run, run.fork(question, seconds=30) as student:
        yield student


def statuses(run: Run) -> list[str]:
    """Return how each cell ended."""
    return [outcome.status for outcome in run.outcomes]
