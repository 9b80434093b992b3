"""The weights of PyTorch's multi-head attention, one matrix per head."""

from torch import Tensor, nn


def split_heads(mha: nn.MultiheadAttention) -> tuple[list[Tensor], list[Tensor], list[Tensor], Tensor]:
    """W_q, W_k, W_v (lists of H matrices D x D_k) and W_o (D x D) of a module without biases.

    PyTorch keeps all heads of all three in one matrix 3D x D and multiplies from the right, by its transpose.
    """
    W_q, W_k, W_v = (list(W.T.chunk(mha.num_heads, dim=1)) for W in mha.in_proj_weight.detach().chunk(3))
    return W_q, W_k, W_v, mha.out_proj.weight.detach().T
