"""Right answers to q04."""

import math

import torch
from torch import nn

from solutions.q02_attention import attention


def loops_by_index():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        out = []
        for h in range(len(W_q)):
            Y, _ = attention(X @ W_q[h], X @ W_k[h], X @ W_v[h])
            out += [Y]
        return torch.hstack(out) @ W_o

    return multi_head_attention


def adds_up_the_heads_shares():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        Y, row = 0, 0
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            D_v = v.shape[1]
            Y = Y + attention(X @ q, X @ k, X @ v)[0] @ W_o[row : row + D_v]
            row += D_v
        return Y

    return multi_head_attention


def fuses_the_projections():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        H, N = len(W_q), X.shape[0]
        q, k, v = ((X @ torch.cat(list(W), dim=1)).view(N, H, -1).transpose(0, 1) for W in (W_q, W_k, W_v))
        alpha = torch.softmax(q @ k.transpose(1, 2) / k.size(-1) ** 0.5, dim=-1)
        return (alpha @ v).transpose(0, 1).reshape(N, -1) @ W_o

    return multi_head_attention


def sums_with_einsum():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        q = torch.einsum("nd,hdk->hnk", X, torch.stack(W_q))
        k = torch.einsum("nd,hdk->hnk", X, torch.stack(W_k))
        v = torch.einsum("nd,hdv->hnv", X, torch.stack(W_v))
        alpha = (torch.einsum("hnk,hmk->hnm", q, k) / math.sqrt(k.shape[-1])).softmax(-1)
        out = W_o.reshape(len(W_v), v.shape[-1], -1)
        return torch.einsum("hnm,hmv,hvd->nd", alpha, v, out)

    return multi_head_attention


def multiplies_batches_of_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        H = len(W_q)
        tokens = X.expand(H, *X.shape)
        q, k, v = (torch.bmm(tokens, torch.stack(W)) for W in (W_q, W_k, W_v))
        scores = torch.bmm(q, k.mT) * k.shape[-1] ** -0.5
        heads = torch.bmm(scores.softmax(-1), v)
        return torch.cat(heads.unbind(0), dim=-1).matmul(W_o)

    return multi_head_attention


def fills_a_buffer():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = X.new_zeros(X.shape[0], W_o.shape[0])
        D_v = W_o.shape[0] // len(W_v)
        for h in range(len(W_v)):
            heads[:, h * D_v : (h + 1) * D_v] = attention(X @ W_q[h], X @ W_k[h], X @ W_v[h])[0]
        return heads @ W_o

    return multi_head_attention


def folds_the_query_and_key_matrices():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = []
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            scores = X @ (q @ k.T) @ X.T / math.sqrt(q.shape[1])
            heads.append(scores.softmax(1) @ X @ v)
        return torch.cat(heads, 1) @ W_o

    return multi_head_attention


def defines_a_head_inside():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        def head(W):
            q, k, v = (X @ w for w in W)
            S = q @ k.T / math.sqrt(q.shape[1])
            E = (S - S.max(1, keepdim=True).values).exp()
            return E / E.sum(1, keepdim=True) @ v

        return torch.cat(list(map(head, zip(W_q, W_k, W_v, strict=True))), dim=1) @ W_o

    return multi_head_attention


def maps_over_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = torch.vmap(lambda q, k, v: attention(X @ q, X @ k, X @ v)[0])(*map(torch.stack, (W_q, W_k, W_v)))
        return heads.permute(1, 0, 2).flatten(1) @ W_o

    return multi_head_attention


def goes_through_linear_layers():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        linear = nn.functional.linear
        heads = [
            attention(linear(X, q.T), linear(X, k.T), linear(X, v.T))[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)
        ]
        return linear(torch.concat(heads, dim=-1), W_o.T)

    return multi_head_attention
