"""q10: the rotation that RoPE applies, as a matrix."""

import torch
from torch import Tensor

from solutions.term import ROPE_BASE


def rope_rotation(n: int, D_k: int, L: float = ROPE_BASE) -> Tensor:
    """The matrix by which RoPE turns a query or key that stands at position n.

        block i of R_n = [[cos phi, -sin phi],
                          [sin phi,  cos phi]],    phi = n theta_i,    theta_i = L^(-2i/D_k)

    so that (R_n q)^T (R_m k) = q^T R_(m-n) k.

    Args:
        n: the position, or a difference of two, an int of either sign.
        D_k: features of a query or key, even.
        L: base of the wavelengths.

    Returns:
        R_n: D_k x D_k, float64, right to float64 accuracy. Block i = 0, ..., D_k/2 - 1 takes rows and columns
        2i and 2i + 1; everything else is 0. It multiplies a column vector from the left.

    Source: Su et al. 2021 (RoFormer), section 3.2.
    """
    # BEGIN SOLUTION
    even = torch.arange(0, D_k, 2)
    odd = even + 1
    angles = n * L ** (-even.double() / D_k)  # D_k/2
    R = torch.zeros(D_k, D_k, dtype=torch.float64)
    R[even, even] = angles.cos()
    R[even, odd] = -angles.sin()
    R[odd, even] = angles.sin()
    R[odd, odd] = angles.cos()
    return R
    # END SOLUTION
