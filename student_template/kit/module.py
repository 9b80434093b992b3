"""A student's `nn.Module`: build it, give it weights, read its gradients."""

from __future__ import annotations

from typing import Any

import torch

from kit.expect import expect_that
from kit.failure import Failure
from kit.seeds import make_generator
from kit.student import attribute, call

State = dict[str, torch.Tensor]


def build(module_class: Any, *sizes: int, **named: Any) -> Any:
    """Construct a student's module.

    Raises:
        Failure: if the constructor raises or what it makes is no `nn.Module`
    """
    module = call(module_class, *sizes, **named)
    if not hasattr(module, "state_dict"):
        raise Failure("wrong", f"{getattr(module_class, '__name__', 'The class')} must be an nn.Module.")
    return module


def expect_keys(module: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    """Require exactly the parameters that the contract names, with their shapes.

    Args:
        module: the student's
        shapes: shape of each key of `state_dict()`
    """
    state = call(attribute(module, "state_dict"))
    missing, extra = sorted(shapes.keys() - state.keys()), sorted(state.keys() - shapes.keys())
    for keys, trouble in ((missing, "missing"), (extra, "too many")):
        count = "1 parameter is" if len(keys) == 1 else f"{len(keys)} parameters are"
        expect_that(not keys, f"{count} {trouble}, such as {''.join(keys[:1])}.")
    for key, shape in shapes.items():
        found = tuple(state[key].shape)
        expect_that(found == shape, f"{key} must have shape {shape}, but it has {found}.")


def load_random_weights(module: Any, seed: int) -> State:
    """Give every parameter of a student's module random values and return them in float64, as `draw_weights` does."""
    return draw_weights(module, make_generator("weights", seed))


def draw_weights(module: Any, generator: torch.Generator) -> State:
    """Give every parameter of a student's module random values, LayerNorms' too, and return them in float64.

    A fresh LayerNorm has weights 1 and biases 0, and a fresh class token is 0: both hide mistakes.
    """
    state = {}
    for key, value in sorted(call(attribute(module, "state_dict")).items()):
        numbers = torch.randn(value.shape, generator=generator, dtype=torch.float64)
        if value.ndim > 1:
            numbers /= value.shape[-1] ** 0.5  # by the fan-in, so that activations keep their size
        else:
            numbers = numbers / 2 + ("norm" in key and key.endswith("weight"))
        state[key] = numbers.float()
    exact = {key: value.double() for key, value in state.items()}
    call(attribute(module, "load_state_dict"), state)
    return exact


def parameter_gradients(module: Any, value: torch.Tensor, cotangent: torch.Tensor) -> State:
    """Return the gradient of `<cotangent, value>` with respect to each parameter of a student's module, by key.

    Raises:
        Failure: naming a parameter that no gradient reaches
    """
    named = dict(call(attribute(module, "named_parameters")))
    expect_that(value.requires_grad, "No gradient reaches any parameter: the way back is cut somewhere.")
    found = call(_gradients, value, list(named.values()), cotangent.to(value.dtype))
    for key, gradient in zip(named, found, strict=True):
        expect_that(gradient is not None, f"No gradient reaches {key}: it takes no part in the result.")
    return dict(zip(named, found, strict=True))


def _gradients(value: torch.Tensor, leaves: list[torch.Tensor], cotangent: torch.Tensor) -> Any:
    return torch.autograd.grad(value, leaves, cotangent, allow_unused=True, retain_graph=True)
