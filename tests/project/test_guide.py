"""The guide to a new question is right: its example works as it stands."""

from __future__ import annotations

import math
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest
import torch
import yaml
from otter.test_files.exception_test import ExceptionTestFile

import kit
from autograder import tree
from autograder.config import Question
from autograder.diagnosis.observer import Observer

GUIDE = (tree.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CASE, MISTAKE, PROBE = (dedent(block) for block in re.findall(r"^ +```python\n(.*?)^ +```", GUIDE, re.DOTALL | re.M))
TABLE = dedent(re.findall(r"^ +```yaml\n(.*?)^ +```", GUIDE, re.DOTALL | re.M)[0])


def right(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    scores = Q @ K.T / math.sqrt(K.shape[1])
    alpha = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=1)
    return alpha @ V, alpha


def wrong() -> Callable[..., Any]:
    """The example's mistake."""
    names: dict[str, Any] = {"torch": torch, "math": math, "mistake": lambda *told, **more: lambda make: make}
    exec(MISTAKE, names)
    made: Callable[..., Any] = names["fills_with_zeros"]()
    return made


@pytest.mark.parametrize(("make", "reason"), [(lambda: right, "passed"), (wrong, "wrong")])
def test_the_case_of_the_guide_passes_the_right_answer_and_catches_its_mistake(make: Any, reason: str) -> None:
    (case,) = ExceptionTestFile.from_string(CASE, path="q15_masked_attention.py").test_cases
    assert kit.run_case(case.body, {"masked_attention": make()}).reason == reason


def test_the_probe_of_the_guide_tells_them_apart() -> None:
    names: dict[str, Any] = {"torch": torch, "Observer": Observer}
    exec(PROBE, names)
    seen = []
    for answer in (right, wrong()):
        look = Observer({"masked_attention": answer}, "salt")
        seen.append(look.watch(names["queries_that_may_look_at_some_keys"]))
    assert seen[0]
    assert str(seen[0]) != str(seen[1])


def test_the_table_of_the_guide_is_a_questions() -> None:
    table = yaml.safe_load(TABLE.replace("*pytorchs_attention", "{names: [f], policy: flag}"))
    question = Question.model_validate(table["q15_masked_attention"])
    assert question.points == sum(case.points for case in question.cases.values())


@pytest.mark.slow
def test_the_tests_of_one_question_can_be_chosen() -> None:
    (command,) = re.findall(r"`\.venv/bin/python (-m pytest -k q15[^`]*)`", GUIDE)
    words = [*shlex.split(command.replace("q15", "q14")), "--collect-only", "-q"]
    done = subprocess.run([sys.executable, *words], cwd=tree.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "q14_class_token_attention" in done.stdout
