"""What the width of queries and keys does to attention, and what dividing the scores by a power of it does."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class Scaling(NamedTuple):
    """Means over many trials at one D_k, for scores divided by D_k**power."""

    D_k: int
    power: float
    variance: float
    largest_weight: float
    jacobian_norm: float


def measure_scaling(
    attention: Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]],
    jacobian_norm: Callable[[Tensor], Tensor],
    sizes: list[int],
    powers: tuple[float, ...] = (0.0, 0.5),
    N: int = 32,
    trials: int = 200,
) -> list[Scaling]:
    """Attend with N unit-variance queries and keys per trial, at every D_k of sizes and every power of it."""
    rows = []
    generator = torch.Generator().manual_seed(1)
    for D_k in sizes:
        Q = torch.randn(trials, N, D_k, generator=generator)
        K = torch.randn(trials, N, D_k, generator=generator)
        for power in powers:
            # attention divides by D_k**0.5 already: other queries turn that into another power
            queries = Q * D_k ** (0.5 - power)
            scores = queries @ K.mT / D_k**0.5  # trials x N x N
            alpha = torch.stack([attention(q, k, k)[1] for q, k in zip(queries, K, strict=True)])
            largest = alpha.max(dim=-1).values.mean().item()
            jacobian = jacobian_norm(alpha).mean().item()
            rows.append(Scaling(D_k, power, scores.var().item(), largest, jacobian))
    return rows
