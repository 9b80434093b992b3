# PyTorch leaves the types of some results open.
# mypy: disable-error-code="no-any-return"
"""q03: how strongly the softmax still reacts to its input."""

import torch
from torch import Tensor


def softmax_jacobian_norm(alpha: Tensor) -> Tensor:
    """Size of the derivative of the softmax, read off its output.

    With a for one row of weights, the derivative of the softmax with respect to its scores is

        J = diag(a) - a a^T,    ||J||_F = sqrt(sum_ij J_ij^2)

    Args:
        alpha: (..., N), weights that sum to 1 along the last axis; any leading shape, also none; it
            may be a strided view.

    Returns:
        (...), the Frobenius norm of J for each row, in the dtype of alpha. alpha is not changed.

    Source: derivative of the softmax; Bishop & Bishop, section 12.1.5, says why it matters.
    """
    # BEGIN SOLUTION
    outer = alpha.unsqueeze(-1) * alpha.unsqueeze(-2)  # ... x N x N
    J = torch.diag_embed(alpha) - outer
    return torch.linalg.matrix_norm(J)  # Frobenius is its default
    # END SOLUTION
