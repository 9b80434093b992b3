"""What a case raises when a student's code falls short, and how values are written in it."""

from __future__ import annotations

from typing import Any

import torch

LINE = 100  # characters of one line of a message, so that it fits a notebook's output on a laptop
DIGITS = 4  # significant ones, enough to recognise a value
LONGEST_FLOAT = 17  # significant digits that tell any two numbers in double precision apart
SHORT = 25  # with less room than this a long tensor is told by its size alone
REASONS = ("wrong", "error", "missing", "timeout", "died", "forbidden", "not_judged")


RUNGS = {  # of the ladder, each with what may be said of a hidden case: a fixed sentence without sizes or values
    "type": "A result is no tensor.",
    "device": "A result is on another device than the CPU.",
    "dtype": "A result has the wrong dtype.",
    "shape": "A result has the wrong shape.",
    "finite": "A result is not finite.",
    "value": "A result differs from what it should be.",
    "fact": "A result differs from what it should be.",
    "gradient": "A gradient is missing or differs.",
    "argument": "An argument was changed by the call.",
}


class Failure(AssertionError):
    """A student's code fell short of a claim.

    Attributes:
        reason: one of `REASONS`
        what: one line, what was seen
        inputs: the smallest input found, as one could type it; None where it does not matter
        got, expected: the values that differ; None where there are none
        symptom: what the difference looks like, never the cause's code; None if it is like nothing known, empty if
            the values are too few to tell
        rung: which one broke, a key of `RUNGS`
        early: whether it broke before the case came to what it is about
        type_name, line: of an exception and the student's own line that raised it; empty and None otherwise
    """

    def __init__(
        self,
        reason: str,
        what: str,
        *,
        got: str | None = None,
        expected: str | None = None,
        symptom: str | None = None,
        rung: str = "fact",
        type_name: str = "",
        line: int | None = None,
    ) -> None:
        super().__init__(what)
        self.reason, self.what = reason, what
        self.got, self.expected, self.symptom, self.rung = got, expected, symptom, rung
        self.type_name, self.line = type_name, line
        self.early = False
        self.inputs: str | None = None

    def __str__(self) -> str:
        return self.write()

    def write(self, thought: str = "") -> str:
        """Write the lines of a message, ending in a thought on the cause; in what the difference looks like if none."""
        labelled = [("input", self.inputs), ("got", self.got), ("expected", self.expected)]
        lines = [self.what] + [f"  {name + ':':<10}{text}" for name, text in labelled if text is not None]
        last = thought or (f"It looks as if {self.symptom}." if self.symptom else "")
        return "\n".join([*lines, last] if last else lines)


def write_value(value: Any, limit: int = LINE) -> str:
    """Write a value so short that it could be typed in; a long tensor by its size and its first numbers."""
    if isinstance(value, torch.Tensor):
        text = write_numbers(value.detach().tolist())
        if len(text) > limit:
            text = f"{' x '.join(map(str, value.shape))} numbers"
            if limit > SHORT:
                text += f" {write_numbers(value.detach().flatten()[:4].tolist())[:-1]}, ...]"
        kind = "" if value.dtype in (torch.float32, torch.int64) else f" ({str(value.dtype).removeprefix('torch.')})"
        return text + kind
    if isinstance(value, (list, tuple)) and any(isinstance(item, torch.Tensor) for item in value):
        return "[" + ", ".join(write_value(item, limit // len(value)) for item in value) + "]"
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def write_inputs(inputs: dict[str, Any]) -> str:
    """Write named inputs as `Q = [[0.1, -0.3]], K = [[1.2, 0.5]] (a strided view)`, short ones whole, on two lines.

    A dictionary of inputs, such as the sizes of a model, counts as so many inputs.
    """
    inputs = {key: part for name, value in inputs.items() for key, part in _take_apart(name, value)}
    room, written = 2 * LINE, {}
    by_length = sorted(inputs, key=lambda name: len(write_value(inputs[name], room)))
    for left, name in zip(range(len(inputs), 0, -1), by_length, strict=True):
        written[name] = write_value(inputs[name], room // left)
        room -= len(written[name])
    return ", ".join(f"{name} = {written[name]}{_note_view(inputs[name])}" for name in inputs)


def _note_view(value: Any) -> str:
    tensors = value if isinstance(value, (list, tuple)) else [value]
    strided = any(isinstance(item, torch.Tensor) and not item.is_contiguous() for item in tensors)
    return " (a strided view)" if strided else ""


def _take_apart(name: str, value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else [(name, value)]


def write_numbers(value: Any, digits: int = DIGITS) -> str:
    """Write nested lists of numbers with so many significant digits."""
    if isinstance(value, list):
        return "[" + ", ".join(write_numbers(item, digits) for item in value) + "]"
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def write_difference(got: list[float] | float, expected: list[float] | float) -> tuple[str, str]:
    """Write two lists of numbers, or two numbers, with as many digits as it takes to see where they differ."""
    if got == expected:
        return write_numbers(got), write_numbers(expected)
    for digits in range(DIGITS, LONGEST_FLOAT + 1):
        pair = write_numbers(got, digits), write_numbers(expected, digits)
        if pair[0] != pair[1]:
            break
    return pair
