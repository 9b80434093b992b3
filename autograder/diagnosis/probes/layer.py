"""Probes of q06: the transformer layer."""

from __future__ import annotations

from autograder.diagnosis.observer import Observer

BOTH = (True, False)  # pre-norm, post-norm
SAVED = 12  # weights and biases of two projections, two norms and the two layers of the MLP


def parts_and_output(look: Observer) -> None:
    layers = look.build_twins("TransformerLayer", 6, 2, pre_norm=True, saved=SAVED, seed=1)
    look.call_alike(layers, look.randn(3, 11, 6))  # so many numbers that a dropout of a tenth shows


def post_norm(look: Observer) -> None:
    layers = look.build_twins("TransformerLayer", 6, 2, pre_norm=False, saved=SAVED, seed=1)
    look.call_alike(layers, look.randn(3, 11, 6))


def evaluation(look: Observer) -> None:
    layers = look.build_twins("TransformerLayer", 6, 2, saved=SAVED, seed=2)
    look.call_alike([layer.eval() for layer in layers], look.randn(5, 23, 6))
    look.note({key: value.requires_grad for key, value in layers[0].named_parameters()})


def sequences_and_heads_of_other_sizes(look: Observer) -> None:
    for pre_norm, B, N, D, H in ((True, 5, 3, 6, 3), (False, 2, 1, 10, 5), (True, 1, 4, 4, 1), (False, 3, 3, 6, 2)):
        layer = look.build("TransformerLayer", D, H, pre_norm=pre_norm, seed=3)
        look.call(layer, look.randn(B, N, D, layout="transposed"))


def the_default_arrangement(look: Observer) -> None:
    X = look.randn(2, 5, 6)
    for third in ((), (True,), (False,)):
        look.call(look.build("TransformerLayer", 6, 2, *third, seed=4), X)


def gradients_of_every_part(look: Observer) -> None:
    for pre_norm in BOTH:
        layer = look.build("TransformerLayer", 6, 2, pre_norm=pre_norm, seed=6)
        X = look.randn(2, 3, 6).requires_grad_()
        look.parameter_gradients(look.call(layer, X), layer, [X])


def tokens_of_small_variance(look: Observer) -> None:
    for pre_norm in BOTH:
        layer = look.build("TransformerLayer", 6, 2, pre_norm=pre_norm, seed=7)
        state = {key: value * (1e-3 if "out_proj" in key else 1) for key, value in layer.state_dict().items()}
        look.run(layer.load_state_dict, state)
        look.call(layer, 1e-3 * look.randn(2, 3, 6))


def large_numbers_before_the_relu(look: Observer) -> None:
    layer = look.build("TransformerLayer", 6, 2, pre_norm=True, seed=10)
    sizes = {"mlp.0.weight": 100, "mlp.2.weight": 0.01}
    look.run(layer.load_state_dict, {key: value * sizes.get(key, 1) for key, value in layer.state_dict().items()})
    look.call(layer, look.randn(2, 5, 6))


def several_layers(look: Observer) -> None:
    X, other_X = look.randn(2, 5, 6), look.randn(2, 5, 6)
    first = look.build("TransformerLayer", 6, 2, pre_norm=True, seed=8)
    look.call(first, X)
    look.call(first, other_X)
    second = look.build("TransformerLayer", 6, 2, pre_norm=False, seed=9)
    for layer in (second, first):
        look.call(layer, X)


PROBES = {
    "q06_transformer_layer": [
        parts_and_output,
        post_norm,
        evaluation,
        the_default_arrangement,
        several_layers,
        sequences_and_heads_of_other_sizes,
        tokens_of_small_variance,
        large_numbers_before_the_relu,
        gradients_of_every_part,
    ]
}
