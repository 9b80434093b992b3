"""What the questions' test cases are written in.

A case draws inputs (`strategies`), calls the student's code (`student`), compares (`expect`) and says what it saw
(`failure`, `symptom`). `case` runs one case and reports its outcome, in a notebook as in the grader. The float64
oracles (`oracle`) are for hidden cases only and never reach students.
"""

from kit.case import Outcome, run_case
from kit.examples import for_all, for_each
from kit.expect import expect, expect_gradients, expect_integer, expect_tensor, expect_that, expect_weights, pair
from kit.failure import Failure
from kit.message import write_message
from kit.module import build, draw_weights, expect_keys, load_random_weights, parameter_gradients
from kit.order import order_patches
from kit.seeds import make_generator
from kit.settings import Settings, settings
from kit.strategies import (
    images,
    layer_inputs,
    multi_head_inputs,
    permutations,
    queries_keys_values,
    randn,
    rotary_inputs,
    tokens,
    views,
    vit_inputs,
    weights,
    with_layout,
)
from kit.student import attribute, call, run_beside
from kit.vit import build_vit, vit_shapes

__all__ = [
    "Failure",
    "Outcome",
    "Settings",
    "attribute",
    "build",
    "build_vit",
    "call",
    "draw_weights",
    "expect",
    "expect_gradients",
    "expect_integer",
    "expect_keys",
    "expect_tensor",
    "expect_that",
    "expect_weights",
    "for_all",
    "for_each",
    "images",
    "layer_inputs",
    "load_random_weights",
    "make_generator",
    "multi_head_inputs",
    "order_patches",
    "pair",
    "parameter_gradients",
    "permutations",
    "queries_keys_values",
    "randn",
    "rotary_inputs",
    "run_beside",
    "run_case",
    "settings",
    "tokens",
    "views",
    "vit_inputs",
    "vit_shapes",
    "weights",
    "with_layout",
    "write_message",
]
