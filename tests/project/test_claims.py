"""What a student's side says of itself earns nothing: models that lie about their weights, and what they are told."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import kit
from autograder.config import load_grading
from autograder.questions import load_question
from solutions.q06_transformer_layer import TransformerLayer
from solutions.q11_patchify import patchify
from solutions.q12_vit import TinyViT


@pytest.fixture(autouse=True)
def settings() -> Any:
    grading = load_grading()
    before = kit.settings.tolerances, kit.settings.shrink
    kit.settings.configure(tolerances=grading.tolerances, shrink=False)
    yield
    kit.settings.configure(tolerances=before[0], shrink=before[1])


class ForgetfulViT(TinyViT):
    """Zeroes whatever weights it is given, so that everything it computes is trivial."""

    def load_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        loaded = super().load_state_dict(*args, **kwargs)
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.zero_()
        return loaded


def list_passed(question: str, names: dict[str, Any]) -> set[str]:
    """The cases of a question that these names pass."""
    cases = load_question(load_grading(), question).cases
    return {case.name for case in cases if kit.run_case(case.body, names).reason == "passed"}


def test_a_model_that_forgets_the_graders_weights_gains_nothing_by_it() -> None:
    names = {"TinyViT": ForgetfulViT, "TransformerLayer": TransformerLayer, "patchify": patchify}
    assert list_passed("q12_vit", names) <= {
        "has_exactly_the_parameters_of_its_parts",
        "starts_with_a_class_token_of_zeros_and_small_random_positions",
        "an_image_does_not_see_its_batch",
        "nothing_is_left_to_chance",
    }
