"""Autograd across the process boundary: the backward pass of a call asks the student's side for its vjp."""

from collections.abc import Callable
from typing import Any

import torch
from torch.autograd.function import once_differentiable

Pull = Callable[[int, list[torch.Tensor | None]], list[torch.Tensor | None]]


class Graph:
    """One call whose graph the student's side keeps; its number is noted in `freed` when nobody needs it any more."""

    def __init__(self, call: int, pull: Pull, freed: list[int]) -> None:
        self.call, self.pull, self.freed = call, pull, freed

    def __del__(self) -> None:
        self.freed.append(self.call)


class Bridge(torch.autograd.Function):
    """Ties outputs that came over the wire to the inputs that were sent."""

    @staticmethod
    def forward(ctx: Any, graph: Graph, outputs: list[torch.Tensor], *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the outputs as they came."""
        ctx.graph = graph
        ctx.set_materialize_grads(False)
        return tuple(outputs)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *cotangents: torch.Tensor | None) -> tuple[Any, ...]:
        """Return the gradient of each input, as the student's side gives it."""
        return None, None, *ctx.graph.pull(ctx.graph.call, list(cotangents))


def connect(outputs: list[torch.Tensor], inputs: list[torch.Tensor], graph: Graph) -> None:
    """Make outputs differentiable, in place: by way of the inputs, or as leaves where nothing was sent."""
    if inputs and torch.is_grad_enabled():
        Bridge.apply(graph, outputs, *inputs)  # type: ignore[no-untyped-call]
    for output in outputs:
        output.requires_grad_(True)
