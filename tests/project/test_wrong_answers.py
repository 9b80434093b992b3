"""Wrong answers that the catalogue does not know: nothing that is said of them is about something they do right."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import kit
from autograder.config import load_grading
from autograder.diagnosis import diagnose
from autograder.diagnosis.match import load_solutions
from autograder.grade import CaseResult
from autograder.messages import write_message
from autograder.questions import load_question, read_parameters

WRONG = sorted((Path(__file__).parent / "specimens" / "wrong").glob("q*.py"))
GRADING = load_grading()


def read_answer(path: Path) -> tuple[str, dict[str, Any]]:
    """The question of a wrong answer, and all names with it in the solution's place."""
    (question,) = [question for question in GRADING.questions if question.startswith(path.stem[:3])]
    names = {"math": math, "torch": torch, "Tensor": Tensor, "nn": nn, **load_solutions()}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)  # our own test data
    return question, {name: names[name] for name in load_solutions()}


def grade(question: str, names: dict[str, Any]) -> list[CaseResult]:
    results = []
    for case in load_question(GRADING, question).cases:
        kit.settings.configure(
            tolerances=GRADING.tolerances,
            vit=GRADING.vit.model_dump(),
            term=GRADING.term.model_dump(),
            salt=GRADING.salt if case.hidden else "",
            shrink=not case.hidden,
        )
        taken = {name: names[name] for name in read_parameters(case)}
        results.append(CaseResult(question, case, kit.run_case(case.body, taken)))
    return results


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_one_case_says_where_to_look_and_the_others_where_to_start(path: Path) -> None:
    question, names = read_answer(path)
    results = grade(question, names)
    found = diagnose(question, names, GRADING.salt)
    for result in results:
        result.diagnosis = None if result.passed else found
    said = [write_message(result, GRADING, results).split("\n") for result in results if not result.passed]
    advice = [line for lines in said for line in lines if line.startswith("Look ")]
    symptoms = {line for lines in said for line in lines if line.startswith("It looks as if")}
    hints = [line for lines in said for line in lines if line.startswith("It behaves like a known mistake: ")]
    assert said
    assert len({line for line in advice if "leaves the graph" not in line}) <= 1, (
        "gradients are a property of their own"
    )
    assert len(symptoms) <= 1
    assert sum("names." not in hint for hint in hints) <= 1
    assert not any("lower precision" in line or "too peaked" in line or "too flat" in line for line in symptoms)
