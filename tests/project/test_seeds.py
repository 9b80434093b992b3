"""No input that a case may draw costs a right answer its points, and a strided view costs one case at most."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
import torch
from hypothesis.strategies import SearchStrategy
from project import variants
from project.test_questions import CASES, QUICK, SOLUTIONS, run

import kit
import kit.case
from kit.examples import EXAMPLES
from kit.seeds import make_seed
from kit.student import call

SEEDS, SAMPLE = 300, 2
OF_VIEWS = "strided view"  # in the claim of the one case of a question that sends them

Answers = dict[str, Any]
Check = Callable[..., None]


class Choir:
    """All right answers to a question, of which one at a time answers; what a case draws is drawn once for all.

    A case takes `names`, which pass every call on to the answer whose turn it is.
    """

    def __init__(self, question: str) -> None:
        self.answers: list[Answers] = [{}, *(variant.answers() for variant in variants.load_variants(question))]
        self.turn, self.drew = 0, False
        self.names = {name: self._make_name(name) for name in SOLUTIONS}

    def _make_name(self, name: str) -> Callable[..., Any]:
        def answer(*arguments: Any, **named: Any) -> Any:
            return self.answers[self.turn].get(name, SOLUTIONS[name])(*arguments, **named)

        answer.__name__ = name
        return answer

    def for_all(self, inputs: SearchStrategy[dict[str, Any]], examples: int = EXAMPLES) -> Callable[[Check], None]:
        """Stand in for `kit.for_all`: each input is drawn once and tried on every answer, in the first one's turn."""
        self.drew = True
        if self.turn:
            return lambda check: None
        return lambda check: kit.examples.for_all(inputs, examples)(self._in_turns(check))

    def _in_turns(self, check: Check) -> Check:
        @functools.wraps(check)  # its name is part of the seed
        def tried(**inputs: Any) -> None:
            try:
                for turn in range(len(self.answers)):
                    self.turn = turn
                    torch.default_generator.manual_seed(0)
                    check(**inputs)
            finally:
                self.turn = 0

        return tried


def try_seeds(monkeypatch: pytest.MonkeyPatch, question: str, case: str, seeds: range) -> int:
    """Hold every right answer against a case with these seeds; returns how many there are, 1 if it draws nothing."""
    choir = Choir(question)
    drawn = []

    def draw(*place: object) -> int:
        drawn.append(place)
        return make_seed(*place)

    monkeypatch.setattr(kit, "for_all", choir.for_all)
    monkeypatch.setattr(kit.seeds, "make_seed", draw)
    for seed in seeds:
        monkeypatch.setattr(kit.case, "SEED", seed)
        for turn in range(len(choir.answers)):
            choir.turn = turn
            outcome = run(question, case, choir.names, salt=f"seed {seed}")
            assert outcome.reason == "passed", (seed, turn, outcome)
        if not drawn and not choir.drew and question != "q12_vit":  # whose first weights are random
            return 1
    return len(seeds)


@pytest.mark.parametrize(("question", "case"), QUICK)
def test_a_few_seeds_cost_no_right_answer_a_point(monkeypatch: pytest.MonkeyPatch, question: str, case: str) -> None:
    try_seeds(monkeypatch, question, case, range(SAMPLE))


@pytest.mark.proof
@pytest.mark.parametrize(("question", "case"), QUICK)
def test_no_seed_costs_a_right_answer_a_point(monkeypatch: pytest.MonkeyPatch, question: str, case: str) -> None:
    try_seeds(monkeypatch, question, case, range(SEEDS))


def test_an_input_that_a_right_answer_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = SOLUTIONS["attention"]

    def attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> Any:
        return right(Q, K, V) if len(Q) != 7 else (Q, K)

    monkeypatch.setitem(SOLUTIONS, "attention", attention)
    with pytest.raises(AssertionError, match="alpha must have shape"):
        try_seeds(monkeypatch, "q02_attention", "equals_pytorch", range(SAMPLE))


# --------------------------------------------------------------------------------------------------- strided views


@pytest.mark.parametrize(("question", "case"), QUICK)
def test_only_a_case_that_says_so_sends_strided_views(
    monkeypatch: pytest.MonkeyPatch, question: str, case: str
) -> None:
    seen = []

    def watch(function: Any, *arguments: Any, **named: Any) -> Any:
        tensors = [item for value in arguments for item in (value if isinstance(value, list) else [value])]
        seen.extend(item for item in tensors if isinstance(item, torch.Tensor) and not item.is_contiguous())
        return call(function, *arguments, **named)

    monkeypatch.setattr(kit, "call", watch)
    assert run(question, case, {}).reason == "passed"
    assert bool(seen) == (OF_VIEWS in " ".join((CASES[question, case].body.test_func.__doc__ or "").split()))


def test_a_docstring_speaks_of_strided_views_where_one_case_sends_them() -> None:
    for question in {question for question, _ in QUICK}:
        claims = [kit.case.read_claim(CASES[key].body)[0] for key in QUICK if key[0] == question]
        text = " ".join(inspect.getsource(import_module(f"solutions.{question}")).split())
        assert sum(OF_VIEWS in claim for claim in claims) == (OF_VIEWS in text), question
