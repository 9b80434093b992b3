"""Layers with a part taken out, made from a student's own class: hooks undo what the part does."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

Layer = Callable[..., nn.Module]


def without_root(layer_class: Layer) -> Layer:
    """Layers whose heads do not divide their scores by sqrt(D_k): their queries are that much longer."""

    def build(D: int, H: int, pre_norm: bool = True) -> nn.Module:
        layer = layer_class(D, H, pre_norm)
        layer.attn.register_forward_pre_hook(_lengthen((D / H) ** 0.5), with_kwargs=True)
        return layer

    return build


def without_residuals(layer_class: Layer) -> Layer:
    """Pre-norm layers that pass on what attention and MLP make of a token, without the token itself.

    Whatever the layer adds is taken off before: X from the attention's result, Z from the MLP's.
    """

    def build(D: int, H: int, pre_norm: bool = True) -> nn.Module:
        layer, entered = layer_class(D, H, True), {}

        def note(name: str) -> Callable[..., None]:
            return lambda module, inputs: entered.update({name: inputs[0]})

        layer.register_forward_pre_hook(note("X"))
        layer.norm2.register_forward_pre_hook(note("Z"))
        layer.attn.register_forward_hook(lambda module, inputs, output: (output[0] - entered["X"], *output[1:]))
        layer.mlp.register_forward_hook(lambda module, inputs, output: output - entered["Z"])
        return layer

    return build


def with_post_norm(layer_class: Layer) -> Layer:
    """Layers that normalise after the addition, whatever is asked for."""
    return lambda D, H, pre_norm=True: layer_class(D, H, False)


def forget_positions(model: nn.Module) -> nn.Module:
    """A vision transformer whose positions are zero and stay so."""
    model.r.requires_grad_(False).zero_()
    return model


def replace_layers(model: nn.Module, layer: Layer, D: int = 32, H: int = 4) -> nn.Module:
    """A vision transformer of the standard sizes with other layers."""
    model.layers = nn.ModuleList(layer(D, H) for _ in model.layers)
    return model


def measure_order(layer: nn.Module, X: Tensor, order: list[int], r: Tensor) -> tuple[float, float]:
    """max |layer(PX) - P layer(X)| without positions and with positions r, for one text X: N x D."""
    with torch.no_grad():
        rows = [
            (layer((X[order] + added).unsqueeze(0))[0] - layer((X + added).unsqueeze(0))[0][order])
            for added in (torch.zeros_like(r), r)
        ]
    return rows[0].abs().max().item(), rows[1].abs().max().item()


def _lengthen(factor: float) -> Callable[..., Any]:
    def hook(module: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        if inputs:
            return (factor * inputs[0], *inputs[1:]), named
        return inputs, {**named, "query": factor * named["query"]}

    return hook
