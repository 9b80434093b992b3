"""No automatic mutant of an answer passes every case, but for those that are the same answer."""

import pytest
from project.mutants import try_mutants

from autograder.config import load_grading

GRADING = load_grading()
SAME_ANSWER = {  # by a part of the changed line: why nobody could notice
    "zip(W_q, W_k, W_v, strict=False)": "the contract gives as many matrices in each list",
    "need_weights=True": "the weights are computed and thrown away",
    "i ^ 1": "i is odd here, and then i ^ 1 is i - 1",
    "i % 2 <= 0": "a remainder by 2 is never negative",
    "even | 1": "an even number has no last bit, so that | 1 adds 1",
    "even ^ 1": "an even number has no last bit, so that ^ 1 adds 1",
    "S: int = 9": "S only counts patches: 9 // 2 is 8 // 2",
    "expand(len(images), 1, -1)": "the axis that -1 keeps has size 1",
    "expand(len(images), +1, -1)": "the axis that -1 keeps has size 1",
}


SAMPLE = ("q02_attention", "q07_sinusoidal", "q10_rope_rotation")  # quick ones; the rest belongs to the proof
QUESTIONS = [name for name in GRADING.questions if name != "q13_vit_accuracy"]  # which has no answer of its own


@pytest.mark.parametrize(
    "question", [pytest.param(name, marks=[] if name in SAMPLE else pytest.mark.proof) for name in QUESTIONS]
)
def test_every_mutant_is_noticed_or_is_the_same_answer(question):
    tried, survivors = try_mutants(question, GRADING)
    assert tried
    assert [m.change for m in survivors if not any(part in m.change for part in SAME_ANSWER)] == []
