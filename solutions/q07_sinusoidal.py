"""q07: sinusoidal positional encoding."""

import torch
from torch import Tensor


def sinusoidal_encoding(N: int, D: int, L: float) -> Tensor:
    """A vector for every position, made of sines and cosines of ever longer wavelengths.

        r[n, i] = sin(n / L^(i/D)) for even i,    cos(n / L^((i-1)/D)) for odd i

    Args:
        N: number of positions, counted from 0; may be 0.
        D: features per position, at least 1; may be odd, and then the last one is a sine.
        L: base of the wavelengths, larger than 1.

    Returns:
        r: N x D, float64, right to float64 accuracy. Sine and cosine of one wavelength stand side by side.

    Source: Bishop & Bishop, eq. 12.25.
    """
    # BEGIN SOLUTION
    n = torch.arange(N, dtype=torch.float64).unsqueeze(1)  # N x 1
    i = torch.arange(D)
    is_even = i % 2 == 0
    exponent = torch.where(is_even, i, i - 1).double() / D
    angles = n / L**exponent  # N x D
    return torch.where(is_even, angles.sin(), angles.cos())
    # END SOLUTION
