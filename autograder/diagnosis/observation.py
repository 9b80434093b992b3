"""What was seen of a value, and whether two observations agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

RTOL, ATOL = 1e-4, 1e-5  # as the default tolerance of float32: the same mistake may be written in many ways
EXACT = 1e-9  # a table in float64 is right below it, and rounded to single precision above


@dataclass(frozen=True, eq=False)
class Numbers:
    """A tensor; `values` is None where they are drawn anew in every call."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    requires_grad: bool
    values: torch.Tensor | None


def observe(value: Any, with_values: bool = True) -> Any:
    """Return what can be seen of a value, the same for a real object and for a stand-in."""
    if isinstance(value, torch.Tensor) and value.layout == torch.strided:
        values = value.detach().clone() if with_values else None
        return Numbers(value.dtype, tuple(value.shape), value.requires_grad, values)
    if isinstance(value, (list, tuple)):
        return [observe(item, with_values) for item in value]
    if isinstance(value, dict):
        return {str(key): observe(item, with_values) for key, item in value.items()}
    if type(value) in (bool, int, float, str, type(None)):
        return value
    return f"an object of type {type(value).__name__}"


def agree(one: Any, other: Any) -> bool:
    """Tell whether two observations are alike up to rounding."""
    if isinstance(one, Numbers) and isinstance(other, Numbers):
        form = (one.dtype, one.shape, one.requires_grad, one.values is None)
        if form != (other.dtype, other.shape, other.requires_grad, other.values is None):
            return False
        return one.values is None or other.values is None or _are_close(one.values, other.values)
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, float):
        return _are_close(torch.tensor(one), torch.tensor(other))
    return bool(one == other)


def _are_close(one: torch.Tensor, other: torch.Tensor) -> bool:
    if not (one.dtype.is_floating_point or one.dtype.is_complex):
        return torch.equal(one, other)
    size = other[torch.isfinite(other)].abs().max().clamp(min=1).item() if other.isfinite().any() else 1.0
    return torch.allclose(one, other, rtol=RTOL, atol=ATOL * size, equal_nan=True)
