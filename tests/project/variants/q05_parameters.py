"""Right answers to q05."""

import math


def multiplies():
    def attention_parameters(D):
        return D * D * 3

    def multi_head_parameters(D):
        return D * D + attention_parameters(D)

    def dense_parameters(N, D):
        return (N * D) * (N * D)

    return attention_parameters, multi_head_parameters, dense_parameters


def sums_the_matrices():
    def attention_parameters(D: int) -> int:
        return sum(rows * columns for rows, columns in [(D, D)] * 3)

    def multi_head_parameters(D: int) -> int:
        matrices = {"W_q": (D, D), "W_k": (D, D), "W_v": (D, D), "W_o": (D, D)}
        return sum(math.prod(shape) for shape in matrices.values())

    def dense_parameters(N: int, D: int) -> int:
        inputs = outputs = N * D
        return inputs * outputs

    return attention_parameters, multi_head_parameters, dense_parameters


def are_lambdas():
    attention_parameters = lambda D: 3 * pow(D, 2)  # noqa: E731
    multi_head_parameters = lambda D: 4 * pow(D, 2)  # noqa: E731
    dense_parameters = lambda N, D: pow(N * D, 2)  # noqa: E731
    attention_parameters.__name__ = "attention_parameters"
    multi_head_parameters.__name__ = "multi_head_parameters"
    dense_parameters.__name__ = "dense_parameters"
    return attention_parameters, multi_head_parameters, dense_parameters


def share_a_helper():
    def matrix(rows, columns=None):
        return int(rows) * int(rows if columns is None else columns)

    def attention_parameters(D):
        return 3 * matrix(D)

    def multi_head_parameters(D):
        return attention_parameters(D) + matrix(D)

    def dense_parameters(N, D):
        return matrix(N * D, N * D)

    return attention_parameters, multi_head_parameters, dense_parameters


def remember_counts():
    from functools import lru_cache

    @lru_cache
    def attention_parameters(D):
        return 3 * D**2

    @lru_cache
    def multi_head_parameters(D):
        return 4 * D**2

    @lru_cache
    def dense_parameters(N, D):
        return N**2 * D**2

    return attention_parameters, multi_head_parameters, dense_parameters
