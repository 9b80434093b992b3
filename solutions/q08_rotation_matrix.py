"""q08: moving on by k positions is a rotation of the sinusoidal encoding."""

import math

import torch
from torch import Tensor


def rotation_matrix(k: int, D: int, L: float) -> Tensor:
    """The matrix that turns the encoding of any position n into the encoding of position n + k.

        r[n + k] = R_k r[n] for every n,    block j of R_k = [[ cos phi, sin phi],
                                                              [-sin phi, cos phi]],    phi = k L^(-2j/D)

    Args:
        k: the offset, an int of either sign.
        D: features per position, even.
        L: base of the wavelengths, as in sinusoidal_encoding.

    Returns:
        R_k: D x D, float64, right to float64 accuracy. Block j = 0, ..., D/2 - 1 takes rows and columns
        2j and 2j + 1; everything else is 0. It multiplies a column vector from the left.

    Source: follows from Bishop & Bishop, eq. 12.25, with the addition theorems.
    """
    # BEGIN SOLUTION
    R = torch.zeros(D, D, dtype=torch.float64)
    for j in range(D // 2):
        phi = k * L ** (-2 * j / D)
        c, s = math.cos(phi), math.sin(phi)
        pair = slice(2 * j, 2 * j + 2)
        R[pair, pair] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
    return R
    # END SOLUTION
