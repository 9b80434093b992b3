"""Probes of q12 to q14: the vision transformer and what it looks at."""

from __future__ import annotations

import torch

import kit
from autograder.diagnosis.observer import Observer

TINY = {"P": 1, "S": 3, "D": 6, "H": 3, "L": 1, "n_classes": 5}
SMALL = {"P": 2, "S": 6, "D": 12, "H": 4, "L": 2, "n_classes": 7}
DEEP = {"P": 3, "S": 6, "D": 10, "H": 2, "L": 3, "n_classes": 6}


def saved(sizes: dict[str, int]) -> int:
    """How many parameters a model has: eight of its own and a layer's twelve for each layer."""
    return 8 + 12 * sizes["L"]


def images_of(look: Observer, sizes: dict[str, int], B: int) -> torch.Tensor:
    return look.randn(B, sizes["S"], sizes["S"])


# ---------------------------------------------------------------------------------------------------------- q12 and q13


def parts_tokens_and_logits(look: Observer) -> None:
    models = look.build_twins("TinyViT", **TINY, saved=saved(TINY), seed=1)
    images = images_of(look, TINY, 5)
    look.call_alike(models, images)
    look.call(models[0].tokens, images)


def models_of_other_sizes(look: Observer) -> None:
    for sizes, B in ((SMALL, 2), (DEEP, 3)):
        model, images = look.build("TinyViT", **sizes, seed=2), images_of(look, sizes, B)
        look.call(model.tokens, images)
        look.call(model, images)


def first_values(look: Observer) -> None:
    model = look.run("TinyViT", **SMALL)
    state = model.state_dict()
    for key in ("class_token", "r"):
        value = state.get(key)
        if value is None:
            look.note(f"no {key}")
            continue
        rows, spread = value.reshape(-1, value.shape[-1]), float(value.std())
        look.note([key, "zeros" if not spread else "small" if 1e-3 < spread < 0.2 else "large"])
        look.note(len(rows) > 1 and bool((rows[1:] == rows[:-1]).all()))


def default_sizes(look: Observer) -> None:
    images = look.randn(2, 8, 8)
    look.call(look.build("TinyViT", seed=3), images)
    look.call(look.build("TinyViT", 2, 8, 32, 4, 2, 10, seed=3), images)


def evaluation(look: Observer) -> None:
    models = look.build_twins("TinyViT", **SMALL, saved=saved(SMALL), seed=4)
    look.call_alike([model.eval() for model in models], images_of(look, SMALL, 7))
    look.note({key: value.requires_grad for key, value in models[0].named_parameters()})


def gradients_of_every_parameter(look: Observer) -> None:
    model, images = look.build("TinyViT", **SMALL, seed=5), images_of(look, SMALL, 2)
    look.parameter_gradients(look.call(model, images), model)


def one_image_and_several(look: Observer) -> None:
    model, images = look.build("TinyViT", **SMALL, seed=6), images_of(look, SMALL, 3)
    for some in (images, images[1:2], images[:2], images):
        look.call(model, some)


# ------------------------------------------------------------------------------------------------------------------ q14


def looks_at_small_models(look: Observer) -> None:
    look.call("class_token_attention", look.build("TinyViT", **SMALL, seed=1), images_of(look, SMALL, 2))


def looks_at_models_of_any_depth(look: Observer) -> None:
    for sizes, B in ((TINY, 3), (DEEP, 2), (SMALL, 1)):
        look.call("class_token_attention", look.build("TinyViT", **sizes, seed=2), images_of(look, sizes, B))


def models_afterwards(look: Observer) -> None:
    for training in (True, False):
        model = look.build("TinyViT", **TINY, seed=3)
        look.run(model.train, training)
        look.run(model.get_submodule("layers.0").train, not training)
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, 0.5)
        look.call("class_token_attention", model, images_of(look, TINY, 2))
        look.note(kit.run_beside("given.parts:describe_parts", model))
        look.note({key: [value.requires_grad, value.grad] for key, value in model.named_parameters()})
        look.note(dict(model.state_dict()))


def models_one_after_another(look: Observer) -> None:
    models = [look.build("TinyViT", **SMALL, seed=seed) for seed in (4, 5)]
    for B in (2, 3, 2):
        images = images_of(look, SMALL, B)
        for model in models:
            look.call("class_token_attention", model, images)


VIT = [
    parts_tokens_and_logits,
    first_values,
    models_of_other_sizes,
    one_image_and_several,
    evaluation,
    default_sizes,
    gradients_of_every_parameter,
]
PROBES = {
    "q12_vit": VIT,
    "q13_vit_accuracy": VIT,
    "q14_class_token_attention": [
        looks_at_small_models,
        looks_at_models_of_any_depth,
        models_one_after_another,
        models_afterwards,
    ],
}
