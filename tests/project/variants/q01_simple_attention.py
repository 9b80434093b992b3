"""Right answers to q01."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def sums_with_einsum():
    def simple_attention(X):
        alpha = torch.softmax(torch.einsum("nd,md->nm", X, X), dim=-1)
        return torch.einsum("nm,md->nd", alpha, X), alpha

    return simple_attention


def loops_over_pairs():
    def simple_attention(X):
        N, D = X.shape
        rows = []
        for n in range(N):
            scores = [sum(X[n, d] * X[i, d] for d in range(D)) for i in range(N)]
            largest = max(s.item() for s in scores)
            powers = [torch.exp(s - largest) for s in scores]
            rows.append(torch.stack([p / sum(powers) for p in powers]))
        alpha = torch.stack(rows)
        Y = torch.stack([sum(alpha[n, i] * X[i] for i in range(N)) for n in range(N)])
        return Y, alpha

    return simple_attention


def writes_the_softmax_out():
    def simple_attention(X):
        S = X.mm(X.t())
        E = (S - S.amax(1, keepdim=True)).exp()
        return E.mm(X) / E.sum(1, keepdim=True), E / E.sum(1, keepdim=True)

    return simple_attention


def returns_a_list():
    def simple_attention(X):
        alpha = F.log_softmax(X @ X.mT, -1).exp()
        return [alpha @ X, alpha]

    return simple_attention


def is_a_lambda():
    simple_attention = lambda X: ((a := (X @ X.T).softmax(1)) @ X, a)  # noqa: E731
    simple_attention.__name__ = "simple_attention"
    return simple_attention


def uses_base_two():
    def simple_attention(X: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        scores = X @ X.T * math.log2(math.e)
        powers = torch.exp2(scores - scores.max(dim=1, keepdim=True).values.detach())
        alpha = powers.div(powers.sum(dim=1, keepdim=True))
        return torch.matmul(alpha, X), alpha

    return simple_attention


def is_a_module():
    class SimpleAttention(nn.Module):
        def forward(self, X):
            alpha = nn.Softmax(dim=1)(X @ X.T)
            return alpha @ X, alpha

    simple_attention = SimpleAttention()
    simple_attention.__name__ = "simple_attention"
    return simple_attention


def computes_in_double():
    def simple_attention(X):
        Z = X.double()
        alpha = torch.softmax(Z @ Z.T, dim=1)
        return (alpha @ Z).type_as(X), alpha.type_as(X)

    return simple_attention


def broadcasts_and_sums():
    def simple_attention(X):
        alpha = (X[:, None, :] * X[None, :, :]).sum(-1).softmax(-1)
        return (alpha[:, :, None] * X[None, :, :]).sum(1), alpha

    return simple_attention
