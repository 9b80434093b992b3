"""Right answers to q03."""

import torch


def sums_powers():
    def softmax_jacobian_norm(alpha):
        s2, s3 = alpha.pow(2).sum(-1), alpha.pow(3).sum(-1)
        return (s2 - 2 * s3 + s2**2).clamp_min(0).sqrt()

    return softmax_jacobian_norm


def separates_diagonal_and_rest():
    def softmax_jacobian_norm(alpha):
        a2 = alpha**2
        beside = a2.sum(-1) ** 2 - (a2**2).sum(-1)
        return ((alpha * (1 - alpha)).square().sum(-1) + beside.clamp(min=0)).sqrt()

    return softmax_jacobian_norm


def multiplies_by_the_identity():
    def softmax_jacobian_norm(alpha):
        eye = torch.eye(alpha.shape[-1], dtype=alpha.dtype)
        J = alpha[..., None] * (eye - alpha[..., None, :])
        return J.flatten(-2).norm(dim=-1)

    return softmax_jacobian_norm


def loops_over_merged_rows():
    def softmax_jacobian_norm(alpha):
        rows = alpha.reshape(-1, alpha.shape[-1])
        norms = [torch.linalg.norm(torch.diag(a) - torch.outer(a, a)) for a in rows]
        return torch.stack(norms).reshape(alpha.shape[:-1])

    return softmax_jacobian_norm


def calls_itself_for_each_axis():
    def softmax_jacobian_norm(alpha):
        if alpha.ndim == 1:
            J = torch.diag(alpha) - torch.ger(alpha, alpha)
            return torch.sqrt((J * J).sum())
        return torch.stack([softmax_jacobian_norm(part) for part in alpha])

    return softmax_jacobian_norm


def sums_with_einsum():
    def softmax_jacobian_norm(alpha):
        J = torch.diag_embed(alpha) - torch.einsum("...i,...j->...ij", alpha, alpha)
        return torch.einsum("...ij,...ij->...", J, J).sqrt()

    return softmax_jacobian_norm


def computes_in_double():
    def softmax_jacobian_norm(alpha):
        a = alpha.double()
        J = torch.diag_embed(a) - a.unsqueeze(-1) @ a.unsqueeze(-2)
        return torch.linalg.matrix_norm(J, ord="fro").to(alpha.dtype)

    return softmax_jacobian_norm


def takes_the_trace():
    def softmax_jacobian_norm(alpha):
        J = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return (J @ J.mT).diagonal(dim1=-2, dim2=-1).sum(-1).sqrt()

    return softmax_jacobian_norm


def sums_singular_values():
    def softmax_jacobian_norm(alpha):
        J = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return torch.linalg.svdvals(J).square().sum(-1).sqrt()

    return softmax_jacobian_norm


def computes_in_numpy():
    import numpy as np

    def softmax_jacobian_norm(alpha):
        a = alpha.detach().numpy()
        J = a[..., None] * np.eye(a.shape[-1], dtype=a.dtype) - a[..., :, None] * a[..., None, :]
        return torch.as_tensor(np.sqrt((J**2).sum(axis=(-2, -1))))

    return softmax_jacobian_norm
