"""Run a property on many drawn inputs, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import torch
from hypothesis import HealthCheck, Phase
from hypothesis.strategies import SearchStrategy

from kit.failure import Failure, write_inputs
from kit.seeds import make_seed
from kit.settings import settings

EXAMPLES = 20  # a wrong answer of the catalogue shows within the first three draws; the rest is margin


def for_all(inputs: SearchStrategy[dict[str, Any]], examples: int = EXAMPLES) -> Callable[[Callable[..., None]], None]:
    """Run the decorated check at once on `examples` drawn inputs; a `Failure` tells the smallest that fails.

    The seed is the check's own, so that the same code always meets the same inputs. Only public cases shrink: whoever
    can submit again must not bisect the hidden inputs, nor wait for it.

    Args:
        inputs: draws the check's arguments by name
        examples: how many inputs are drawn; fewer drawn than planned is an error of the case
    Raises:
        Failure: with the input as `inputs`
    """

    def run(check: Callable[..., None]) -> None:
        trials = _Trials(check)
        prepared = hypothesis.settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink] if settings.shrink else [Phase.generate],
        )(hypothesis.given(inputs)(trials.try_one))
        try:
            with trials.symptom_kept():
                hypothesis.seed(make_seed(check.__qualname__))(prepared)()
        except hypothesis.errors.Flaky as flaky:
            raise Failure("wrong", "The same input gave different results in two calls.") from flaky
        if trials.count < examples:
            raise RuntimeError(f"{check.__qualname__} ran {trials.count} of {examples} examples")

    return run


def for_each(*examples: dict[str, Any]) -> Callable[[Callable[..., None]], None]:
    """Run the decorated check at once on each of the given inputs, in order; a `Failure` tells which one failed.

    Args:
        examples: the check's arguments by name
    """

    def run(check: Callable[..., None]) -> None:
        for inputs in examples:
            with _tell_input(inputs):
                check(**inputs)

    return run


@contextmanager
def _tell_input(inputs: dict[str, Any]) -> Iterator[None]:
    """Note the input in a failure, as it was before the call; an answer that is not there fails on any input."""
    written = write_inputs(inputs)
    try:
        yield
    except Failure as failure:
        if failure.reason != "missing" and failure.inputs is None:
            failure.inputs = written
        raise


class _Trials:
    """The examples that a property has met; after a hang or a death no further one is tried, shrinking included."""

    def __init__(self, check: Callable[..., None]) -> None:
        self.check, self.count = check, 0
        self.fatal: Failure | None = None
        self.symptoms: set[str | None] = set()  # of all failing inputs; empty where one was too small to tell

    @contextmanager
    def symptom_kept(self) -> Iterator[None]:
        """Take the symptom from a failure unless every failing input that can show one shows the same."""
        try:
            yield
        except Failure as failure:
            told = self.symptoms - {""}
            failure.symptom = told.pop() if len(told) == 1 else None
            raise

    def try_one(self, inputs: dict[str, Any]) -> None:
        if self.fatal is not None:
            raise self.fatal
        self.count += 1
        torch.default_generator.manual_seed(0)  # a replay must meet the same random numbers
        try:
            with _tell_input(inputs):
                self.check(**inputs)
        except Failure as failure:
            if failure.reason in ("timeout", "died", "missing"):
                self.fatal = failure
            self.symptoms.add(failure.symptom)
            raise
