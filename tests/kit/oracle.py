"""Float64 oracles, index by index from the book's formulas. Never shipped: a loop over the formula is the answer.

Each is written from the formula alone, shares nothing with `solutions/`, and is itself compared with PyTorch where
PyTorch has the function.
"""

from __future__ import annotations

import math

import torch
from torch import nn

from kit.module import State
from kit.settings import settings

Tensor = torch.Tensor


def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    """Return `(Y, alpha)` of eq. 12.14 for `Q: N x D_k`, `K: M x D_k`, `V: M x D_v`; differentiable."""
    return _average(Q.double(), K.double(), V.double(), 1 / math.sqrt(Q.shape[1]))


def simple_attention(X: Tensor) -> tuple[Tensor, Tensor]:
    """Return `(Y, alpha)` of eq. 12.5 and 12.6 for `X: N x D`; differentiable."""
    return _average(X.double(), X.double(), X.double(), 1.0)


def _average(Q: Tensor, K: Tensor, V: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    rows = []
    for q in Q:
        scores = torch.stack([scale * sum(a * b for a, b in zip(q, k, strict=True)) for k in K])
        powers = [(score - scores.max().detach()).exp() for score in scores]
        rows.append(torch.stack([power / sum(powers) for power in powers]))
    Y = torch.stack([sum(a * v for a, v in zip(row, V, strict=True)) for row in rows])
    return Y, torch.stack(rows)


def multi_head(X: Tensor, W_q: list[Tensor], W_k: list[Tensor], W_v: list[Tensor], W_o: Tensor) -> Tensor:
    """Return Algorithm 12.2 for `X: N x D`, one head at a time; differentiable."""
    X = X.double()
    heads = [
        attention(X @ q.double(), X @ k.double(), X @ v.double())[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)
    ]
    return sum(  # type: ignore[return-value]
        head @ W_o.double()[h * head.shape[1] : (h + 1) * head.shape[1]] for h, head in enumerate(heads)
    )


def softmax_jacobian_norm(alpha: Tensor) -> Tensor:
    """Return the Frobenius norm of `diag(a) - a a^T`, entry by entry, for each row of `alpha: ... x N`."""
    rows = alpha.double().reshape(-1, alpha.shape[-1]).tolist()
    norms = [
        math.sqrt(sum((a * (i == j) - a * b) ** 2 for i, a in enumerate(row) for j, b in enumerate(row)))
        for row in rows
    ]
    return torch.tensor(norms, dtype=torch.float64).reshape(alpha.shape[:-1])


def sinusoidal(N: int, D: int, L: float) -> Tensor:
    """Return `r: N x D` of eq. 12.25, positions from 0."""
    r = torch.empty(N, D, dtype=torch.float64)
    for n in range(N):
        r[n] = sinusoidal_row(n, D, L)
    return r


def sinusoidal_row(n: int, D: int, L: float) -> Tensor:
    """Return `r[n]: D` of eq. 12.25."""
    row = [math.sin(n / L ** (i / D)) if i % 2 == 0 else math.cos(n / L ** ((i - 1) / D)) for i in range(D)]
    return torch.tensor(row, dtype=torch.float64)


def rotation(k: int, D: int, L: float) -> Tensor:
    """Return `R_k: D x D` with `r[n + k] = R_k r[n]`, blocks `[[c, s], [-s, c]]`."""
    R = torch.zeros(D, D, dtype=torch.float64)
    for j in range(D // 2):
        c, s = math.cos(k * L ** (-2 * j / D)), math.sin(k * L ** (-2 * j / D))
        for (a, b), value in {(0, 0): c, (0, 1): s, (1, 0): -s, (1, 1): c}.items():
            R[2 * j + a, 2 * j + b] = value
    return R


def rope(X: Tensor, positions: Tensor, L: float) -> Tensor:
    """Return `X: N x D_k` with pair `(2i, 2i+1)` of row `n` turned by `positions[n] L^(-2i/D_k)`; differentiable."""
    N, D_k = X.shape
    rows = []
    for n in range(N):
        row = []
        for i in range(D_k // 2):
            angle = float(positions[n]) * L ** (-2 * i / D_k)
            x, y = X[n, 2 * i].double(), X[n, 2 * i + 1].double()
            row += [x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)]
        rows.append(torch.stack(row))
    return torch.stack(rows)


def patches(images: Tensor, P: int) -> Tensor:
    """Return `B x (S/P)^2 x P^2`, pixel by pixel, in the orders of the term."""
    B, S, _ = images.shape
    side = S // P
    out = torch.empty(B, side * side, P * P, dtype=images.dtype)
    for b in range(B):
        for row in range(S):
            for column in range(S):
                patch = _count(row // P, column // P, side, settings.term["patch_order"])
                pixel = _count(row % P, column % P, P, settings.term["pixel_order"])
                out[b, patch, pixel] = images[b, row, column]
    return out


def _count(row: int, column: int, side: int, order: str) -> int:
    """Return the number of a place in a square, from 0."""
    return row * side + column if order == "rows" else column * side + row


def vit_tokens(state: State, patch_rows: Tensor) -> Tensor:
    """Return `B x (N+1) x D`: the class token first, then the embedded patches, plus `r`.

    Args:
        state: the model's state dict in float64
        patch_rows: `B x N x P^2` as the student's own `patchify` gives them
    """
    embedded = patch_rows.double() @ state["patch_embed.weight"].mT + state["patch_embed.bias"]  # B x N x D
    first = state["class_token"].expand(embedded.shape[0], -1, -1)  # B x 1 x D
    return torch.cat([first, embedded], dim=1) + state["r"]  # B x (N+1) x D


def vit_logits(state: State, X: Tensor) -> Tensor:
    """Return `B x n_classes`, read from the class token of the last layer's output `X: B x (N+1) x D`."""
    first = X.double()[:, 0]  # B x D
    norm = nn.functional.layer_norm(first, first.shape[-1:], state["final_norm.weight"], state["final_norm.bias"])
    return norm @ state["head.weight"].mT + state["head.bias"]
