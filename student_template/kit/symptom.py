"""Say what a wrong tensor looks like beside the right one, in words of the lecture; never what code made it.

A symptom is true of every part of a tensor: of all matrices of a batch and of all rows. None means that the difference
is like nothing known, an empty text that there are too few numbers to tell.
"""

from __future__ import annotations

import torch

NEAR = 20  # times the tolerance: closer than this a difference is small, further off it is a mistake of another kind
SAME = 1e-3  # relative difference below which two wrong tensors tell the same story
LOWER = {
    torch.float64: (torch.float16, torch.bfloat16, torch.float32),
    torch.float32: (torch.float16, torch.bfloat16),
}
SMALL = "only a small difference is left: rounding, or a small number that does not belong there"


def describe(
    got: torch.Tensor, expected: torch.Tensor, allowed: float = 0.0, dtype: torch.dtype | None = None
) -> str | None:
    """Return the end of the sentence "It looks as if ...".

    Args:
        got, expected: tensors of any shape, the second one right
        allowed: the largest difference that passes; 0 leaves small differences out
        dtype: in which `got` came; its own if None
    """
    if got.shape != expected.shape:
        return _describe_shape(got, expected)
    dtype, got, expected = dtype or got.dtype, got.detach().double(), expected.detach().double()
    near = float((got - expected).abs().max()) < NEAR * allowed
    if near or _alike(got, expected):
        return _describe_small(got, expected, dtype) if allowed else None
    if got.numel() < 4:  # every order of fewer is a coincidence, and one number is always a multiple of another
        return ""
    for story in (_order, _weights, _factor):  # each is true of all that is seen; the first explains the most
        if sentence := story(got, expected):
            return sentence
    return None


def describe_rows(got: torch.Tensor) -> str | None:
    """Return what sums to 1 in weights whose rows do not; None if the rows of some matrix do."""
    got = got.detach().double()
    if bool(((got.sum(-1) - 1).abs() < SAME).all(-1).any()):
        return None
    if _is_one(got.sum(-2)):
        return "the columns sum to 1 instead of the rows"
    if _is_one(got.sum((-2, -1))):
        return "the whole matrix sums to 1 instead of each row"
    return "the rows do not sum to 1"


def _describe_small(got: torch.Tensor, expected: torch.Tensor, kind: torch.dtype) -> str:
    # numbers that a lower precision holds exactly have been through it
    for lower in LOWER.get(kind, ()):
        if bool((got == got.to(lower)).all()) and not bool((expected == expected.to(lower)).all()):
            return f"only rounding is left: {str(lower).removeprefix('torch.')} holds every one of these numbers"
    return SMALL


def _describe_shape(got: torch.Tensor, expected: torch.Tensor) -> str | None:
    if got.ndim == expected.ndim > 1 and got.shape == expected.mT.shape:
        return "the last two axes have changed places"
    if got.ndim != expected.ndim and got.squeeze().shape == expected.squeeze().shape:
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
    return f"everything is {factor:.3g} times as large as it should be"


def _order(got: torch.Tensor, expected: torch.Tensor) -> str | None:
    if got.ndim < 2:
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
    if (got < 0).any() or not _ranked_alike(got, expected):
        return None
    sharper = got.max(-1).values - expected.max(-1).values
    if bool((sharper > -SAME).all()):
        return "the weights are too peaked"
    return "the weights are too flat" if bool((sharper < SAME).all()) else None


def _ranked_alike(got: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether each row ranks the keys as it should: a larger weight never becomes the smaller one."""
    steps = expected.unsqueeze(-1) - expected.unsqueeze(-2), got.unsqueeze(-1) - got.unsqueeze(-2)
    return not bool(((steps[0] > SAME) & (steps[1] < -SAME)).any())


def _sorted(values: torch.Tensor, axis: int) -> torch.Tensor:
    """Sort the rows (axis -2) or columns (axis -1) of each matrix among each other by their first differing number."""
    matrices = values.flatten(0, -3) if values.ndim > 2 else values[None]
    lines = matrices if axis == -2 else matrices.mT
    return torch.stack([matrix[_rank(matrix)] for matrix in lines]) if len(lines) else lines


def _rank(matrix: torch.Tensor) -> list[int]:
    return sorted(range(len(matrix)), key=lambda i: [round(value, 6) for value in matrix[i].tolist()])


def _alike(got: torch.Tensor, expected: torch.Tensor) -> bool:
    return bool((got - expected).abs().max() <= SAME * expected.abs().max())


def _is_one(sums: torch.Tensor) -> bool:
    return bool((sums - 1).abs().max() < SAME)
