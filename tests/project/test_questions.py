"""Every case fails the known wrong answers it must catch by a wide margin, and no right one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from project import variants

import kit
import solutions
from autograder.config import load_grading
from autograder.questions import load_question
from kit.case import Outcome
from solutions.mistakes import Mistake, load_mistakes

GRADING = load_grading()
TRAINING = "q13_vit_accuracy"  # seconds a case, so it is sampled
QUESTIONS = list(GRADING.questions)
CASES = {(id, case.name): case for id in QUESTIONS for case in load_question(GRADING, id).cases}
QUICK = [key for key in CASES if key[0] != TRAINING]
MISTAKES = load_mistakes()
VARIANTS = [variant for id in QUESTIONS if id != TRAINING for variant in variants.load_variants(id)]
SALTS = ("", "a salt", "another salt")

each_mistake = pytest.mark.parametrize("known", MISTAKES, ids=lambda known: f"{known.question}-{known.name}")
each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: f"{variant.question}-{variant.name}")
each_case = pytest.mark.parametrize(("question", "case"), CASES)


def load_solutions() -> dict[str, Any]:
    """The names that all solutions define, on which later questions build."""
    names = [module.name for module in pkgutil.iter_modules(solutions.__path__)]
    modules = [importlib.import_module(f"solutions.{name}") for name in names]
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
    }


SOLUTIONS = load_solutions()


def run(question: str, case: str, names: Mapping[str, Any], *, salt: str = "", factor: float = 1.0) -> Outcome:
    """Run one case on these names beside the solutions, with all tolerances times `factor`, without shrinking."""
    tolerances = {
        name: {
            key: [number * factor for number in value] if isinstance(value, list) else value * factor
            for key, value in entry.items()
        }
        for name, entry in GRADING.tolerances.items()
    }
    vit, term = GRADING.vit.model_dump(), GRADING.term.model_dump()
    kit.settings.configure(tolerances=tolerances, vit=vit, term=term, salt=salt, shrink=False)
    return kit.run_case(CASES[question, case].body, SOLUTIONS | dict(names))


def cases_of(question: str) -> list[str]:
    return [name for id, name in QUICK if id == question]


def pass_hidden_cases(variant: variants.Variant, salts: Iterable[str], factor: float) -> None:
    """Hold a right answer against the hidden cases of its question, drawn with each of the salts."""
    for case in cases_of(variant.question):
        if CASES[variant.question, case].hidden:
            for salt in salts:
                outcome = run(variant.question, case, variant.answers(), salt=salt, factor=factor)
                assert outcome.reason == "passed", (case, salt, outcome)


@each_mistake
def test_a_mistake_is_caught_a_decade_above_the_tolerance(known: Mistake) -> None:
    outcome = run(known.question, known.caught_by, known.answers(), factor=10)
    assert outcome.broken is None
    assert outcome.reason in ("wrong", "error"), outcome


@each_mistake
def test_no_case_breaks_on_a_mistake(known: Mistake) -> None:
    for case in cases_of(known.question):
        outcome = run(known.question, case, known.answers())
        assert outcome.broken is None and outcome.reason in ("passed", "wrong", "error"), (case, outcome)


@each_case
def test_every_case_is_the_one_that_must_catch_some_mistake(question: str, case: str) -> None:
    assert [known.name for known in MISTAKES if (known.question, known.caught_by) == (question, case)]


@pytest.mark.parametrize(("question", "case"), QUICK)
def test_the_solution_passes_a_decade_below_the_tolerance(question: str, case: str) -> None:
    for salt in SALTS:
        outcome = run(question, case, {}, salt=salt, factor=0.1)
        assert outcome.reason == "passed", outcome


@each_variant
def test_a_right_answer_written_differently_passes(variant: variants.Variant) -> None:
    for case in cases_of(variant.question):
        if not CASES[variant.question, case].hidden:
            outcome = run(variant.question, case, variant.answers(), factor=0.5)
            assert outcome.reason == "passed", (case, outcome)
    pass_hidden_cases(variant, SALTS, factor=0.5)


@pytest.mark.proof
@each_variant
def test_a_right_answer_passes_20_times_out_of_20(variant: variants.Variant) -> None:
    pass_hidden_cases(variant, (f"term {term}" for term in range(20)), factor=1)


def test_there_are_enough_mistakes_and_right_answers() -> None:
    assert len(MISTAKES) >= 150
    assert len(VARIANTS) >= 100


def test_the_solution_and_a_vit_written_differently_learn() -> None:
    differently = variants.load_variants("q12_vit")[0].answers()
    assert run(TRAINING, "a_brief_training_beats_chance", differently).reason == "passed"
    assert run(TRAINING, "recognises_digits_it_has_not_seen", {}, salt=SALTS[1]).reason == "passed"


@each_case
def test_a_stub_is_missing(question: str, case: str) -> None:
    def stub(*arguments: Any, **named: Any) -> Any:
        raise NotImplementedError(f"{question}: not written yet")

    names = inspect.signature(CASES[question, case].body.test_func).parameters
    assert run(question, case, dict.fromkeys(names, stub)).reason == "missing"
    assert run(question, case, dict.fromkeys(names)).reason == "missing"
