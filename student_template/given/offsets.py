"""Scores that depend on the offset m - n of two positions alone: how to see it in a matrix."""

import torch
from torch import Tensor


def offset_spread(scores: Tensor) -> float:
    """How much scores[n, m] of an N x N matrix still varies at one offset m - n, at most (max minus min)."""
    N = len(scores)
    diagonals = [scores.diagonal(offset) for offset in range(1 - N, N)]
    return max((values.max() - values.min()).item() for values in diagonals)


def pairs_by_offset(scores: Tensor, every: int = 1) -> tuple[Tensor, Tensor]:
    """The offsets m - n and the scores of all pairs n, m of an N x N matrix, or of every so-manieth pair."""
    n = torch.arange(len(scores))
    offsets = n - n.unsqueeze(1)  # N x N
    return offsets.flatten()[::every], scores.flatten()[::every]


def running_mean(values: Tensor, share: float = 0.1) -> Tensor:
    """Mean of values[d] over the offsets within share / 2 of d on either side, for d = 0, 1, ..."""
    sums = torch.cat([values.new_zeros(1), values.cumsum(0)])
    d = torch.arange(len(values))
    reach = (d * share / 2).long()
    first, last = d - reach, (d + reach).clamp(max=len(values) - 1)
    return (sums[last + 1] - sums[first]) / (last + 1 - first)
