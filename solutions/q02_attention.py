"""q02: scaled dot-product attention."""

import math

import torch
from torch import Tensor


def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention: every query takes a weighted average of the values.

        alpha = softmax(Q K^T / sqrt(D_k)) row by row,    Y = alpha V

    Args:
        Q: N x D_k, one row per query.
        K: M x D_k, one row per key; M may differ from N.
        V: M x D_v, one row per value; D_v may differ from D_k. All three may be strided views.

    Returns:
        The pair (Y, alpha). Y: N x D_v. alpha: N x M, alpha[n, i] is the weight that query n gives to key i,
        so every row sums to 1. Both have the dtype of the arguments, stay finite for scores of any size, and
        are differentiable in Q, K and V. The arguments are not changed.

    PyTorch's own attention may not be called here; the result equals
    ``torch.nn.functional.scaled_dot_product_attention(Q, K, V)``.

    Source: Bishop & Bishop, eq. 12.14.
    """
    # BEGIN SOLUTION
    D_k = K.shape[1]
    scores = Q @ K.T / math.sqrt(D_k)  # N x M
    alpha = torch.softmax(scores, dim=1)
    return alpha @ V, alpha
    # END SOLUTION
