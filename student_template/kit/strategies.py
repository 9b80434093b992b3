"""Hypothesis strategies for a case's inputs, in the lecture's symbols.

Equal numbers hide mistakes, so sizes that mean different things are distinct and none is a perfect square, tensors come
in both precisions, and permutations are never their own inverse. Tensors are contiguous but for those of `views`.
Numbers are normal with one decimal, so that the smallest failing input can be typed in.
"""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from kit.seeds import make_generator

SIZES = (2, 3, 5, 6, 7)  # no perfect square among them: int(sqrt(D_k)) and D_k // 2 must show
DTYPES = (torch.float32, torch.float64)
VIEWS = ("transposed", "strided")  # layouts that `with_layout` knows beside the usual one

seeds = st.integers(0, 2**31 - 1)
dtypes = st.sampled_from(DTYPES)
views_of_one = st.sampled_from(VIEWS)


def randn(
    *shape: int, seed: int, dtype: torch.dtype = torch.float32, layout: str = "contiguous", scale: float = 1.0
) -> torch.Tensor:
    """Return normal numbers rounded to one decimal, times `scale`; another case or salt draws others."""
    numbers = torch.randn(shape, generator=make_generator("randn", seed), dtype=torch.float64).mul(10).round().div(10)
    return with_layout((numbers * scale).to(dtype), layout)


def with_layout(values: torch.Tensor, layout: str) -> torch.Tensor:
    """Return the same values in another memory layout: `contiguous`, `transposed` or `strided`."""
    if layout == "transposed" and values.ndim > 1:
        return values.mT.contiguous().mT
    if layout == "strided":
        between = float("nan") if values.is_floating_point() else 99  # what must not be read
        spaced = values.new_full((*values.shape[:-1], 2 * values.shape[-1]), between)
        spaced[..., ::2] = values
        return spaced[..., ::2]
    return values.contiguous()


@st.composite
def views(draw: DrawFn, inputs: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """Draw inputs whose tensors, also those in lists, are strided views; their values are those of `inputs`."""

    def lay_out(value: Any) -> Any:
        if isinstance(value, list):
            return [lay_out(item) for item in value]
        if not isinstance(value, torch.Tensor):
            return value
        return with_layout(value, draw(views_of_one) if value.ndim > 1 else "strided")

    return {name: lay_out(value) for name, value in draw(inputs).items()}


@st.composite
def distinct_sizes(draw: DrawFn, count: int) -> list[int]:
    """Draw `count` sizes that all differ."""
    return draw(st.permutations(SIZES))[:count]


@st.composite
def tokens(draw: DrawFn) -> dict[str, Any]:
    """Draw `X: N x D`."""
    N, D = draw(distinct_sizes(2))
    return {"X": randn(N, D, seed=draw(seeds), dtype=draw(dtypes))}


@st.composite
def queries_keys_values(draw: DrawFn) -> dict[str, Any]:
    """Draw `Q: N x D_k`, `K: M x D_k`, `V: M x D_v`."""
    D_k, N, M, D_v = draw(distinct_sizes(4))
    seed, dtype = draw(seeds), draw(dtypes)
    return {
        "Q": randn(N, D_k, seed=seed, dtype=dtype),
        "K": randn(M, D_k, seed=seed + 1, dtype=dtype),
        "V": randn(M, D_v, seed=seed + 2, dtype=dtype),
    }


@st.composite
def weights(draw: DrawFn) -> dict[str, Any]:
    """Draw `alpha: ... x N`, rows of at least 3 numbers that sum to 1, with up to two leading axes.

    With two numbers in a row, wrong formulas of its norm give multiples or roots of the right one, and mislead.
    """
    shape = draw(distinct_sizes(draw(st.integers(1, 3))).filter(lambda sizes: sizes[-1] > 2))
    return {"alpha": randn(*shape, seed=draw(seeds), dtype=draw(dtypes)).softmax(-1)}


@st.composite
def multi_head_inputs(draw: DrawFn, shared: bool = False, heads: tuple[int, ...] = (2, 3)) -> dict[str, Any]:
    """Draw `X: N x D`, lists of `H` matrices `W_q, W_k: D x D_k` and `W_v: D x D_v`, and `W_o: H*D_v x D`.

    With `shared` the heads share the `D` features as in `nn.MultiheadAttention`, `D_k = D_v = D / H`; otherwise
    these three differ, and `H` is one of `heads`.
    """
    if shared:
        H, D_k, N = draw(st.sampled_from(((2, 3, 5), (3, 2, 5), (2, 5, 3), (5, 2, 7), (3, 5, 2))))
        D_v, D = D_k, H * D_k
    else:
        H = draw(st.sampled_from(heads))
        D_k, N, D_v, D = draw(distinct_sizes(4).filter(lambda sizes: sizes[3] not in (H * sizes[0], H * sizes[2])))
    seed, dtype = draw(seeds), draw(dtypes)

    def matrices(first: int, rows: int, columns: int) -> list[torch.Tensor]:
        # scaled by the fan-in: scores of ordinary size, where float32 keeps five digits
        return [randn(rows, columns, seed=seed + first + h, dtype=dtype, scale=rows**-0.5) for h in range(H)]

    return {
        "X": randn(N, D, seed=seed, dtype=dtype),
        "W_q": matrices(1, D, D_k),
        "W_k": matrices(1 + H, D, D_k),
        "W_v": matrices(1 + 2 * H, D, D_v),
        "W_o": randn(H * D_v, D, seed=seed + 1 + 3 * H, dtype=dtype, scale=(H * D_v) ** -0.5),
    }


@st.composite
def permutations(draw: DrawFn, N: int) -> list[int]:
    """Draw an order of `N >= 3` tokens that is not its own inverse, or `P` and its transpose look alike."""
    return draw(st.permutations(range(N)).filter(lambda order: any(order[order[n]] != n for n in range(N))))


@st.composite
def layer_inputs(draw: DrawFn, pre_norm: bool | None = None) -> dict[str, Any]:
    """Draw `X: B x N x D`, a number of heads `H` that divides `D`, `pre_norm` unless it is given, and a seed.

    The seed is for the layer's weights.
    """
    H, D_k, B, N = draw(st.sampled_from(((2, 3, 3, 5), (3, 2, 2, 7), (2, 5, 5, 3), (1, 6, 2, 5), (3, 5, 7, 2))))
    seed = draw(seeds)
    X = randn(B, N, H * D_k, seed=seed)
    return {"X": X, "H": H, "pre_norm": draw(st.booleans()) if pre_norm is None else pre_norm, "seed": seed}


@st.composite
def rotary_inputs(draw: DrawFn) -> dict[str, Any]:
    """Draw `X: N x D_k`, `D_k` even, and `positions`: integers or floats in any order, repeats and negatives too."""
    D_k, N = draw(st.sampled_from((4, 6, 10))), draw(st.sampled_from((2, 3, 5, 7)))
    whole = draw(st.booleans())
    places = draw(st.lists(st.integers(-200, 200), min_size=N, max_size=N))
    positions = torch.tensor(places) if whole else torch.tensor(places, dtype=torch.float64) / 4
    return {
        "X": randn(N, D_k, seed=draw(seeds), dtype=draw(dtypes)),
        "positions": positions,
    }


@st.composite
def images(draw: DrawFn) -> dict[str, Any]:
    """Draw `images: B x S x S` with a different number in every pixel, and a patch size `P` that divides `S`."""
    P, per_side, B = draw(st.sampled_from(((2, 3, 4), (3, 2, 5), (2, 5, 3), (5, 2, 1), (1, 3, 2), (4, 1, 3))))
    S = P * per_side
    numbers = torch.arange(B * S * S, dtype=draw(dtypes)).reshape(B, S, S) + draw(st.integers(0, 9))
    return {"images": numbers, "P": P}


# P, S, D, H, L and n_classes of small vision transformers; N = (S/P)^2, D, D/H and n_classes all differ
VIT_SIZES = (
    {"P": 2, "S": 6, "D": 12, "H": 4, "L": 2, "n_classes": 7},
    {"P": 3, "S": 6, "D": 10, "H": 2, "L": 3, "n_classes": 6},
    {"P": 1, "S": 3, "D": 6, "H": 3, "L": 1, "n_classes": 5},
    {"P": 5, "S": 10, "D": 15, "H": 5, "L": 2, "n_classes": 10},
)


@st.composite
def vit_inputs(draw: DrawFn) -> dict[str, Any]:
    """Draw `sizes` of a `TinyViT`, `images: B x S x S`, contiguous so that a wrong patchify costs q11 alone, a seed."""
    sizes, B, seed = draw(st.sampled_from(VIT_SIZES)), draw(st.sampled_from((1, 2, 3))), draw(seeds)
    S = sizes["S"]
    return {"sizes": sizes, "images": randn(B, S, S, seed=seed), "seed": seed}
