"""q04: multi-head attention."""

import torch
from torch import Tensor

from solutions.q02_attention import attention


def multi_head_attention(X: Tensor, W_q: list[Tensor], W_k: list[Tensor], W_v: list[Tensor], W_o: Tensor) -> Tensor:
    """Self-attention with H heads, each with its own queries, keys and values.

        head_h = attention(X W_q[h], X W_k[h], X W_v[h]),    Y = [head_1, ..., head_H] W_o

    Args:
        X: N x D, one row per token.
        W_q: list of H matrices, each D x D_k.
        W_k: list of H matrices, each D x D_k.
        W_v: list of H matrices, each D x D_v; D_v may differ from D_k, and H * D_v from D.
        W_o: H*D_v x D. Its first D_v rows belong to the first head, the next D_v to the second, and so on.
            X and the matrices may be strided views.

    Returns:
        Y: N x D, in the dtype of X, differentiable in X and in every weight. Neither tensors nor lists are
        changed.

    PyTorch's own attention may not be called here; the result equals that of
    ``nn.MultiheadAttention(D, H, bias=False)`` with its weights split up into heads.

    Source: Bishop & Bishop, Algorithm 12.2.
    """
    # BEGIN SOLUTION
    heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]  # each N x D_v
    return torch.cat(heads, dim=1) @ W_o  # N x D
    # END SOLUTION
