"""Say what a wrong tensor looks like beside the right one, in words of the lecture; never what code made it."""

from __future__ import annotations

import torch

NEAR = 20  # times the tolerance: closer than this a difference looks like rounding, further off like a mistake
SAME = 1e-3  # relative difference below which two wrong tensors tell the same story


def describe(got: torch.Tensor, expected: torch.Tensor, allowed: float = 0.0) -> str | None:
    """Return the end of the sentence "It looks as if ...", or None if the difference is like nothing known.

    Args:
        got, expected: tensors of any shape, the second one right
        allowed: the largest difference that passes; 0 leaves rounding out
    """
    if got.shape != expected.shape:
        return _describe_shape(got, expected)
    got, expected = got.detach().double(), expected.detach().double()
    near = float((got - expected).abs().max()) < NEAR * allowed
    if near or _alike(got, expected):
        return "only rounding is left: is something computed in a lower precision" if allowed else None
    for story in (_order, _weights, _factor):
        if sentence := story(got, expected):
            return sentence
    return None


def describe_rows(got: torch.Tensor) -> str | None:
    """Return what sums to 1 in weights whose rows do not; None if the rows do."""
    got = got.detach().double()
    if _is_one(got.sum(-1)):
        return None
    if _is_one(got.sum(-2)):
        return "the columns sum to 1 instead of the rows"
    if _is_one(got.sum()):
        return "the whole matrix sums to 1 instead of each row"
    return f"the rows do not sum to 1 (the first sums to {got.flatten(0, -2)[0].sum():.3g})"


def _describe_shape(got: torch.Tensor, expected: torch.Tensor) -> str | None:
    if got.ndim == expected.ndim and got.shape == expected.mT.shape if expected.ndim > 1 else False:
        return "the last two axes have changed places"
    if got.squeeze().shape == expected.squeeze().shape:
        return "an axis of size 1 was " + ("lost" if got.ndim < expected.ndim else "added")
    if sorted(got.shape) == sorted(expected.shape):
        return "the axes stand in another order"
    return None


def _factor(got: torch.Tensor, expected: torch.Tensor) -> str | None:
    if int((expected != 0).sum()) < 2:  # one number is always a multiple of another
        return None
    factor = float((got * expected).sum() / (expected * expected).sum().clamp_min(1e-300))
    if abs(factor) < SAME or not _alike(got, factor * expected):
        return None
    if abs(factor + 1) < SAME:
        return "only the sign is wrong"
    return f"everything is {factor:.4g} times as large as it should be"


def _order(got: torch.Tensor, expected: torch.Tensor) -> str | None:
    if got.ndim < 2 or got.numel() < 4:  # in a smaller one every order is a coincidence
        return None
    if got.shape[-1] == got.shape[-2] and _alike(got, expected.mT):
        return "rows and columns have changed places"
    for axis, name in ((-2, "rows"), (-1, "columns")):
        if _alike(_sorted(got, axis), _sorted(expected, axis)):
            return f"the {name} are right but stand in another order"
    if _alike(got.flatten().sort().values, expected.flatten().sort().values):
        return "the numbers are right but stand in other places"
    return None


def _weights(got: torch.Tensor, expected: torch.Tensor) -> str | None:
    """Stories of attention weights: what sums to 1 where."""
    if got.ndim < 2 or got.shape[-1] < 2 or not _is_one(expected.sum(-1)) or (expected < 0).any():
        return None
    if torch.equal(expected, torch.eye(*expected.shape[-2:], dtype=expected.dtype)):  # a matrix, not weights
        return None
    if not _is_one(got.sum(-1)):
        return describe_rows(got)
    sharper = (got.max(-1).values - expected.max(-1).values).mean()
    return f"the weights are too {'peaked' if sharper > 0 else 'flat'}"


def _sorted(values: torch.Tensor, axis: int) -> torch.Tensor:
    """Sort the rows (axis -2) or columns (axis -1) among each other by their first differing number."""
    rows = values.flatten(0, -3) if values.ndim > 2 else values[None]
    rows = (rows if axis == -2 else rows.mT)[0]
    order = sorted(range(len(rows)), key=lambda i: [round(v, 6) for v in rows[i].tolist()])
    return rows[order]


def _alike(got: torch.Tensor, expected: torch.Tensor) -> bool:
    return bool((got - expected).abs().max() <= SAME * expected.abs().max())


def _is_one(sums: torch.Tensor) -> bool:
    return bool((sums - 1).abs().max() < SAME)
