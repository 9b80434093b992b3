"""Right answers to q02."""

import math

import torch
import torch.nn.functional as F


def sums_with_einsum():
    def attention(Q, K, V):
        alpha = torch.einsum("nk,mk->nm", Q, K).div(Q.size(-1) ** 0.5).softmax(-1)
        return torch.einsum("nm,mv->nv", alpha, V), alpha

    return attention


def scales_the_queries_first():
    def attention(query, key, value):
        alpha = F.softmax((query * query.shape[-1] ** -0.5) @ key.transpose(-2, -1), dim=-1)
        return alpha @ value, alpha

    return attention


def scales_both_sides_by_the_fourth_root():
    def attention(Q, K, V):
        c = Q.shape[1] ** -0.25
        alpha = ((Q * c) @ (K * c).T).softmax(1)
        return alpha @ V, alpha

    return attention


def takes_the_root_of_a_tensor():
    def attention(Q, K, V):
        scores = torch.matmul(Q, K.t()) / torch.sqrt(torch.tensor(K.shape[-1]))
        alpha = torch.nn.Softmax(dim=-1)(scores)
        return torch.matmul(alpha, V), alpha

    return attention


def loops_over_queries_and_keys():
    def attention(Q, K, V):
        N, M, D_k = len(Q), len(K), Q.shape[1]
        alpha = torch.zeros(N, M, dtype=Q.dtype)
        for n in range(N):
            for m in range(M):
                alpha[n, m] = torch.dot(Q[n], K[m]) / math.sqrt(D_k)
        alpha = torch.softmax(alpha, dim=1)
        Y = torch.zeros(N, V.shape[1], dtype=V.dtype)
        for n in range(N):
            for m in range(M):
                Y[n] = Y[n] + alpha[n, m] * V[m]
        return Y, alpha

    return attention


def divides_after_the_average():
    def attention(Q, K, V):
        scores = Q @ K.T / K.shape[1] ** 0.5
        E = torch.exp(scores - scores.max(dim=1, keepdim=True)[0])
        total = E.sum(dim=1, keepdim=True)
        return (E @ V) / total, E / total

    return attention


def subtracts_the_logsumexp():
    def attention(Q, K, V):
        scores = Q @ K.T / math.sqrt(Q.shape[1])
        alpha = torch.exp(scores - torch.logsumexp(scores, dim=1, keepdim=True))
        return alpha @ V, alpha

    return attention


def uses_base_two():
    def attention(Q, K, V):
        scores = Q @ K.T * (math.log2(math.e) / math.sqrt(Q.shape[1]))
        E = torch.exp2(scores - scores.amax(-1, keepdim=True))
        alpha = E / E.sum(-1, keepdim=True)
        return alpha @ V, alpha

    return attention


def adds_a_batch_of_one():
    def attention(Q, K, V):
        alpha = torch.baddbmm(
            torch.zeros(1, 1, 1, dtype=Q.dtype), Q[None], K[None].transpose(1, 2), alpha=1 / math.sqrt(Q.shape[1])
        ).softmax(2)
        return torch.bmm(alpha, V[None])[0], alpha[0]

    return attention


def returns_transposed_views():
    def attention(Q, K, V):
        columns = torch.softmax(K @ Q.T / math.sqrt(K.shape[1]), dim=0)
        return (V.T @ columns).T, columns.T

    return attention


def shares_helper_functions():
    def rows_to_weights(scores):
        return torch.softmax(scores, dim=-1)

    def compare(Q, K):
        return Q @ K.T / math.sqrt(K.size(1))

    def attention(Q, K, V):
        alpha = rows_to_weights(compare(Q, K))
        return alpha @ V, alpha

    return attention


def is_decorated():
    import functools

    def keeps_dtype(function):
        @functools.wraps(function)
        def wrapped(*tensors):
            return tuple(value.to(tensors[0].dtype) for value in function(*(t.double() for t in tensors)))

        return wrapped

    @keeps_dtype
    def attention(Q, K, V):
        alpha = (Q @ K.T / math.sqrt(K.shape[1])).softmax(1)
        return alpha @ V, alpha

    return attention


def is_a_callable_object():
    class Attention:
        __name__ = "attention"

        def __call__(self, Q, K, V):
            alpha = ((Q @ K.T) * torch.rsqrt(torch.tensor(float(K.shape[1])))).softmax(1)
            return alpha @ V, alpha

    attention = Attention()
    return attention  # noqa: RET504 (the name belongs to the cell)


def names_its_pair():
    from collections import namedtuple

    Result = namedtuple("Result", "Y alpha")

    def attention(Q, K, V):
        alpha = (Q @ K.T / math.sqrt(K.shape[1])).softmax(1)
        return Result(alpha @ V, alpha)

    return attention


def vectorises_over_queries():
    def attention(Q, K, V):
        def one(q):
            a = torch.softmax(K @ q / math.sqrt(len(q)), dim=0)
            return a @ V, a

        return torch.vmap(one)(Q)

    return attention
