"""What the width of queries and keys does to attention, with and without the division by sqrt(D_k)."""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class Scaling(NamedTuple):
    """Means over many trials at one D_k."""

    D_k: int
    scaled: bool
    variance: float
    largest_weight: float
    jacobian_norm: float


def measure_scaling(
    attention: Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]],
    jacobian_norm: Callable[[Tensor], Tensor],
    sizes: list[int],
    N: int = 32,
    trials: int = 200,
) -> list[Scaling]:
    """Attend with N unit-variance queries and keys per trial, at every D_k of sizes, scaled and unscaled."""
    rows = []
    generator = torch.Generator().manual_seed(1)
    for D_k in sizes:
        Q = torch.randn(trials, N, D_k, generator=generator)
        K = torch.randn(trials, N, D_k, generator=generator)
        for scaled in (False, True):
            # attention divides by sqrt(D_k): queries that are sqrt(D_k) times larger undo that
            queries = Q if scaled else Q * math.sqrt(D_k)
            scores = queries @ K.mT / math.sqrt(D_k)  # trials x N x N
            alpha = torch.stack([attention(q, k, k)[1] for q, k in zip(queries, K, strict=True)])
            largest = alpha.max(dim=-1).values.mean().item()
            jacobian = jacobian_norm(alpha).mean().item()
            rows.append(Scaling(D_k, scaled, scores.var().item(), largest, jacobian))
    return rows
