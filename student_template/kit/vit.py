"""A student's `TinyViT` with random weights, its own parts checked before a case computes with them."""

from __future__ import annotations

from typing import Any

from kit.expect import expect_that
from kit.module import State, build, load_random_weights


def vit_shapes(*, P: int, S: int, D: int, n_classes: int, **others: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of `TinyViT` outside its layers.

    Args:
        P, S, D, n_classes: as in `TinyViT`
        others: `H` and `L`, which do not matter
    """
    return {
        "patch_embed.weight": (D, P * P),
        "patch_embed.bias": (D,),
        "class_token": (1, 1, D),
        "r": (1, (S // P) ** 2 + 1, D),
        "final_norm.weight": (D,),
        "final_norm.bias": (D,),
        "head.weight": (n_classes, D),
        "head.bias": (n_classes,),
    }


def build_vit(module_class: Any, sizes: dict[str, int], seed: int) -> tuple[Any, State]:
    """Construct a student's `TinyViT` and give it random weights; returns the model and its weights in float64.

    Raises:
        Failure: if it cannot be built, or a parameter outside its layers is missing or has another shape
    """
    model = build(module_class, **sizes)
    state = load_random_weights(model, seed)
    for key, shape in vit_shapes(**sizes).items():
        expect_that(key in state, f"The model has no parameter {key}.")
        found = tuple(state[key].shape)
        expect_that(found == shape, f"{key} must have shape {shape}, but it has {found}.")
    return model, state
