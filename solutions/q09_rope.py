"""q09: rotary position embeddings."""

import torch
from torch import Tensor

from solutions.term import ROPE_BASE


def rope(X: Tensor, positions: Tensor | None = None, L: float = ROPE_BASE) -> Tensor:
    """Rotary position embedding: turn every pair of features by an angle that grows with the position.

        (x_2i, x_2i+1) of row n is turned by the angle n theta_i, counter-clockwise,    theta_i = L^(-2i/D_k)

    Args:
        X: N x D_k, one query or key per row, D_k even. Pairs are neighbours, features (0, 1), (2, 3), ...;
            many libraries pair the first half with the second half instead.
        positions: N positions n, a 1-D tensor of integers or floats, in any order, repeats and negative ones
            allowed; None means 0, 1, ..., N - 1. X and positions may be strided views.
        L: base of the wavelengths.

    Returns:
        The turned rows, N x D_k in the dtype of X, differentiable in X. X is not changed.

    Source: Su et al. 2021 (RoFormer), section 3.2.
    """
    # BEGIN SOLUTION
    N, D_k = X.shape
    if positions is None:
        positions = torch.arange(N)
    theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)  # D_k/2
    angles = positions.double().unsqueeze(1) * theta  # N x D_k/2; float64 for the sake of large positions
    cos, sin = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
    even, odd = X[:, 0::2], X[:, 1::2]
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=2)  # N x D_k/2 x 2
    return turned.reshape(N, D_k)
    # END SOLUTION
