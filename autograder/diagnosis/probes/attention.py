"""Probes of q01 to q05: weighted averages, heads, counts."""

from __future__ import annotations

import torch

from autograder.diagnosis.observer import Observer

F64 = torch.float64


# ------------------------------------------------------------------------------------------------------------------ q01


def tokens_in_any_layout(look: Observer) -> None:
    look.call_alike(["simple_attention"] * 2, look.randn(11, 7))
    look.call("simple_attention", look.randn(3, 5, layout="transposed"))
    look.call("simple_attention", look.randn(5, 3, dtype=F64, layout="strided"))


def as_many_tokens_as_features(look: Observer) -> None:
    look.call("simple_attention", look.randn(4, 4))


def lone_tokens_and_features(look: Observer) -> None:
    for N, D in ((1, 3), (3, 1), (1, 1)):
        look.call("simple_attention", look.randn(N, D))


def scores_of_thousands(look: Observer) -> None:
    # squared lengths from 10,000 down to 0
    look.call("simple_attention", torch.diag(torch.tensor([100.0, 40.0, 7.0, 0.0])) + 0.1 * look.randn(4, 4))
    look.call("simple_attention", 50 * look.randn(3, 5, dtype=F64))
    look.call("simple_attention", torch.tensor([[100.0, 1.0], [20.0, 0.0], [0.0, 30.0]]))  # the second token is short


def gradients_of_tokens(look: Observer) -> None:
    X = look.randn(3, 5).requires_grad_()
    look.gradients(look.call("simple_attention", X), [X])


def other_tokens_of_one_size(look: Observer) -> None:
    first, second = look.randn(3, 2), look.randn(3, 2)
    for X in (first, second, first):
        look.call("simple_attention", X)


# ------------------------------------------------------------------------------------------------------------------ q02


def queries_keys_values(look: Observer, N: int, M: int, D_k: int, D_v: int, dtype: torch.dtype = torch.float32) -> None:
    Q, K, V = look.randn(N, D_k, dtype=dtype), look.randn(M, D_k, dtype=dtype), look.randn(M, D_v, dtype=dtype)
    look.call("attention", Q, K, V)


def more_keys_than_queries(look: Observer) -> None:
    look.call_alike(["attention"] * 2, look.randn(5, 3), look.randn(23, 3), look.randn(23, 7))
    look.call_alike(
        ["attention"] * 2, torch.zeros(7, 3), look.randn(19, 3), look.randn(19, 5)
    )  # adding up adds nothing here


def fewer_keys_than_queries(look: Observer) -> None:
    queries_keys_values(look, 7, 5, 6, 3, F64)
    queries_keys_values(look, 6, 2, 7, 5)


def all_sizes_alike(look: Observer) -> None:
    queries_keys_values(look, 4, 4, 4, 4)
    queries_keys_values(look, 6, 6, 6, 6)


def queries_and_keys_in_any_layout(look: Observer) -> None:
    for q, k, v in (("transposed", "strided", "contiguous"), ("strided", "transposed", "strided")):
        look.call("attention", look.randn(2, 3, layout=q), look.randn(5, 3, layout=k), look.randn(5, 7, layout=v))


def lone_queries_keys_and_features(look: Observer) -> None:
    for sizes in ((1, 3, 2, 5), (3, 1, 2, 5), (2, 3, 1, 5), (3, 2, 5, 1), (1, 1, 1, 1)):
        queries_keys_values(look, *sizes)


def large_and_huge_scores(look: Observer) -> None:
    V = look.randn(3, 2)
    for size in (20.0, 80.0, 10_000.0):  # exp(89) does not fit float32
        Q = size * torch.tensor([[1.0, 0.1], [-0.2, -1.0], [0.01, 0.0]])
        look.call("attention", Q, look.randn(3, 2), V)
    look.call("attention", 300 * look.randn(2, 5, dtype=F64), 10 * look.randn(3, 5, dtype=F64), V.double())


def gradients_of_attention(look: Observer) -> None:
    leaves = [look.randn(*shape).requires_grad_() for shape in ((2, 3), (5, 3), (5, 7))]
    look.gradients(look.call("attention", *leaves), leaves)


def other_arguments_of_one_size(look: Observer) -> None:
    Q, K, V = look.randn(2, 3), look.randn(5, 3), look.randn(5, 6)
    for arguments in ((Q, K, V), (Q, K, -V), (Q, -K, V), (-Q, K, V), (Q, K, V)):
        look.call("attention", *arguments)


# ------------------------------------------------------------------------------------------------------------------ q03


def rows_in_any_layout(look: Observer) -> None:
    look.call("softmax_jacobian_norm", look.randn(3, 5).softmax(-1))
    look.call("softmax_jacobian_norm", look.randn(2, 3, dtype=F64).softmax(-1))
    for layout in ("transposed", "strided"):
        alpha = look.randn(5, 3).softmax(-1)
        spaced = torch.zeros(5, 6)[:, ::2] if layout == "strided" else torch.zeros(3, 5).T
        look.call("softmax_jacobian_norm", spaced.copy_(alpha))


def leading_axes(look: Observer) -> None:
    for shape in ((5,), (1, 5), (3, 1, 5), (2, 3, 5), (2, 1, 3, 7), (3, 1), (4, 4), (4, 4, 4)):
        look.call("softmax_jacobian_norm", look.randn(*shape).softmax(-1))


def peaked_and_flat_rows(look: Observer) -> None:
    rows = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3], [0.9999, 0.0001, 0.0]]
    for dtype in (torch.float32, F64):
        look.call("softmax_jacobian_norm", torch.tensor(rows, dtype=dtype))
    rest = torch.linspace(1e-6, 1e-3, 400, dtype=F64)  # of weights so uneven that differences of sums are rounding
    norms = look.run("softmax_jacobian_norm", torch.stack([1 - rest, rest, 0 * rest], dim=1).float())
    look.note(isinstance(norms, torch.Tensor) and bool(norms.isfinite().all()))


def other_rows_of_one_size(look: Observer) -> None:
    first, second = look.randn(3, 5).softmax(-1), look.randn(3, 5).softmax(-1)
    for alpha in (first, second, first):
        look.call("softmax_jacobian_norm", alpha)


# ------------------------------------------------------------------------------------------------------------------ q04


def draw_heads(
    look: Observer, N: int, D: int, H: int, D_k: int, D_v: int, dtype: torch.dtype = torch.float32, layout: str = ""
) -> tuple[torch.Tensor, list[torch.Tensor], list[torch.Tensor], list[torch.Tensor], torch.Tensor]:
    X = look.randn(N, D, dtype=dtype, layout=layout)
    W_q, W_k, W_v = ([look.randn(D, width, dtype=dtype) / D**0.5 for _ in range(H)] for width in (D_k, D_k, D_v))
    return X, W_q, W_k, W_v, look.randn(H * D_v, D, dtype=dtype, layout=layout)


def heads_of_differing_widths(look: Observer) -> None:
    look.call_alike(["multi_head_attention"] * 2, *draw_heads(look, 11, 5, 3, 2, 7))
    look.call("multi_head_attention", *draw_heads(look, 3, 7, 2, 5, 3, F64))


def heads_that_share_the_features(look: Observer) -> None:
    look.call("multi_head_attention", *draw_heads(look, 5, 6, 2, 3, 3))
    look.call("multi_head_attention", *draw_heads(look, 4, 4, 2, 2, 2))
    look.call("multi_head_attention", *draw_heads(look, 6, 6, 6, 1, 1))


def a_single_head(look: Observer) -> None:
    look.call("multi_head_attention", *draw_heads(look, 3, 5, 1, 2, 7))
    look.call("multi_head_attention", *draw_heads(look, 4, 4, 1, 4, 4))


def heads_in_any_layout(look: Observer) -> None:
    for layout in ("transposed", "strided"):
        look.call("multi_head_attention", *draw_heads(look, 3, 5, 2, 2, 7, layout=layout))


def lone_tokens_and_features_of_heads(look: Observer) -> None:
    for sizes in ((1, 5, 2, 3, 2), (3, 5, 2, 1, 1), (2, 1, 3, 2, 5), (1, 1, 1, 1, 1)):
        look.call("multi_head_attention", *draw_heads(look, *sizes))


def huge_scores_in_heads(look: Observer) -> None:
    X, *rest = draw_heads(look, 3, 5, 2, 2, 3)
    look.call("multi_head_attention", 30 * X, *rest)
    look.call("multi_head_attention", 300 * X, *rest)


def gradients_of_heads(look: Observer) -> None:
    X, W_q, W_k, W_v, W_o = draw_heads(look, 3, 5, 2, 2, 7)
    leaves = [leaf.requires_grad_() for leaf in (X, *W_q, *W_k, *W_v, W_o)]
    look.gradients(look.call("multi_head_attention", X, W_q, W_k, W_v, W_o), leaves)


def other_heads_of_one_size(look: Observer) -> None:
    X, W_q, W_k, W_v, W_o = draw_heads(look, 3, 5, 2, 2, 7)
    opposite = [[-w for w in W] for W in (W_q, W_k, W_v)]
    for arguments in (
        (X, W_q, W_k, W_v, W_o),
        (X, opposite[0], W_k, W_v, W_o),
        (X, W_q, opposite[1], W_v, W_o),
        (X, W_q, W_k, opposite[2], -W_o),
        (-X, W_q, W_k, W_v, W_o),
    ):
        look.call("multi_head_attention", *arguments)


# ------------------------------------------------------------------------------------------------------------------ q05


def counts(look: Observer) -> None:
    for D in (1, 2, 3, 8, 64, 768, look.draw(10, 99), 3**25 + 2):  # the last square does not fit 64 bits
        look.call("attention_parameters", D)
        look.call("multi_head_parameters", D)
    for N, D in ((1, 2), (3, 2), (2, 3), (1024, 768), (look.draw(2, 99), look.draw(2, 99)), (7**21 + 4, 3**25 + 2)):
        look.call("dense_parameters", N, D)


PROBES = {
    "q01_simple_attention": [
        tokens_in_any_layout,
        as_many_tokens_as_features,
        other_tokens_of_one_size,
        lone_tokens_and_features,
        scores_of_thousands,
        gradients_of_tokens,
    ],
    "q02_attention": [
        more_keys_than_queries,
        fewer_keys_than_queries,
        all_sizes_alike,
        other_arguments_of_one_size,
        queries_and_keys_in_any_layout,
        lone_queries_keys_and_features,
        large_and_huge_scores,
        gradients_of_attention,
    ],
    "q03_softmax_jacobian": [rows_in_any_layout, leading_axes, peaked_and_flat_rows, other_rows_of_one_size],
    "q04_multi_head": [
        heads_of_differing_widths,
        heads_that_share_the_features,
        a_single_head,
        other_heads_of_one_size,
        heads_in_any_layout,
        lone_tokens_and_features_of_heads,
        huge_scores_in_heads,
        gradients_of_heads,
    ],
    "q05_parameters": [counts],
}
