"""q01: attention as weighted averaging."""

import torch
from torch import Tensor


def simple_attention(X: Tensor) -> tuple[Tensor, Tensor]:
    """Replace every token by a weighted average of all tokens, similar tokens weighing more.

        alpha[n, i] = exp(x_n . x_i) / sum_m exp(x_n . x_m),    y_n = sum_i alpha[n, i] x_i

    Args:
        X: N x D, one row per token; float32 or float64; it may be a strided view.

    Returns:
        The pair (Y, alpha). Y: N x D, row n is the new vector of token n. alpha: N x N, alpha[n, i] is the
        weight that token n gives to token i, so every row sums to 1. Both have the dtype of X, stay finite
        for scores of any size, and are differentiable in X. X itself is not changed.

    Source: Bishop & Bishop, eq. 12.5 and 12.6.
    """
    # BEGIN SOLUTION
    scores = X @ X.T  # N x N
    alpha = torch.softmax(scores, dim=1)
    return alpha @ X, alpha
    # END SOLUTION
