"""Copies of a student's parameters: leaf tensors here, kept in step with the real ones over there."""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch

from autograder.sandbox.inside.wire import MAX_BODY, WireError, Writer, is_sizes

MAX_BYTES = 4 * MAX_BODY  # all copies of one fork together


class Copy:
    """One parameter: `leaf` is what the grader holds, `handle` names the real one."""

    def __init__(self, handle: int, leaf: torch.Tensor) -> None:
        self.handle, self.leaf = handle, leaf
        self.filled = False  # whether the leaf has values, and somebody holds it
        self.state: tuple[int, ...] = ()

    def _state(self) -> tuple[int, ...]:
        gradient = self.leaf.grad
        return (self.leaf._version,) if gradient is None else (self.leaf._version, id(gradient), gradient._version)

    def fill(self, value: torch.Tensor, gradient: torch.Tensor | None) -> None:
        """Take over value and gradient of the real parameter."""
        if not self._fits(value) or not (gradient is None or self._fits(gradient)):
            raise WireError("a parameter with another shape")
        with torch.no_grad():
            self.leaf.copy_(value)
        self.leaf.grad = gradient
        self.filled, self.state = True, self._state()

    def _fits(self, value: Any) -> bool:
        return type(value) is torch.Tensor and value.shape == self.leaf.shape and value.dtype == self.leaf.dtype

    def take_change(self) -> bool:
        """Tell whether the grader has changed the leaf or its gradient since the last time."""
        if not self.filled:
            return False
        before, self.state = self.state, self._state()
        return self.state != before


class Parameters:
    """All copies of one fork: a parameter has one leaf, whichever module it is asked from."""

    def __init__(self) -> None:
        self.copies: dict[int, Copy] = {}
        self.names: dict[int, list[tuple[str, Copy]]] = {}  # handle of a module -> its named parameters
        self._bytes = 0  # of all copies

    def learn(self, module: int, rows: Any) -> list[tuple[str, Copy]]:
        """Note the parameters of a module as its process lists them."""
        named = []
        for row in rows if type(rows) is list else [None]:
            if type(row) is not list or [type(part) for part in row] != [str, int, torch.dtype, list, bool]:
                raise WireError("bad list of parameters")
            name, handle, dtype, shape, requires_grad = row
            if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
                raise WireError("this dtype has no gradient")
            if handle not in self.copies:
                self.copies[handle] = Copy(handle, self._leaf(dtype, shape))
            self.copies[handle].leaf.requires_grad_(requires_grad and self.copies[handle].leaf.dtype == dtype)
            named.append((name, self.copies[handle]))
        self.names[module] = named
        return named

    def _leaf(self, dtype: torch.dtype, shape: list[int]) -> torch.Tensor:
        if not is_sizes(shape) or self._bytes + math.prod(shape) * dtype.itemsize > MAX_BYTES:
            raise WireError("parameters too large")
        self._bytes += math.prod(shape) * dtype.itemsize
        return torch.empty(shape, dtype=dtype)

    def changes(self, writer: Writer) -> list[list[Any]]:
        """Return handle, value and gradient of each copy that the grader has changed since the last request."""
        return [
            [copy.handle, writer.contents(copy.leaf.detach()), plain_gradient(writer, copy.leaf.grad)]
            for copy in self.copies.values()
            if copy.take_change()
        ]

    def refresh(self, copies: Iterable[Copy], fetch: Callable[[list[int]], Any]) -> None:
        """Fetch values and gradients of these copies."""
        wanted = list(copies)
        pairs = fetch([copy.handle for copy in wanted]) if wanted else []
        if type(pairs) is not list or len(pairs) != len(wanted):
            raise WireError("bad values of parameters")
        for copy, pair in zip(wanted, pairs, strict=True):
            if type(pair) is not list or len(pair) != 2:
                raise WireError("bad values of parameters")
            copy.fill(*pair)


def plain_gradient(writer: Writer, gradient: torch.Tensor | None) -> Any:
    """Return the node of a gradient, or None."""
    return None if gradient is None else writer.contents(gradient.detach())
