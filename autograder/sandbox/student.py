"""A fresh copy of a notebook's state: lends out stand-ins, and carries their calls over the wire."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from autograder.cell import Use
from autograder.sandbox.gradient import Graph, connect
from autograder.sandbox.inside.wire import Reader, WireError, Writer
from autograder.sandbox.parameters import Parameters
from autograder.sandbox.process import StudentProcess
from autograder.sandbox.stand_in import ROLES, Module, StandIn, make_stand_in
from autograder.sandbox.uses import read_uses


class Student:
    """One forked process. After a time-out or a death every later call fails at once with the same reason.

    Args:
        process: the fork
        call_seconds: what one call may be charged (see `Meter`)
        seconds: what all calls may be charged together
        settle: is called at the end, when the fork is dead
        watch: names of PyTorch functions whose use is noted in `used`
    """

    def __init__(
        self,
        process: StudentProcess,
        call_seconds: float,
        seconds: float,
        settle: Callable[["Student"], None],
        watch: tuple[str, ...] = (),
    ) -> None:
        self._process, self._call_seconds, self._seconds, self._settle = process, call_seconds, seconds, settle
        self._parameters = Parameters()
        self._objects: dict[int, StandIn] = {}
        self._freed: list[int] = []
        self._watch = watch
        self.used: list[Use] = []
        self.needs_compiler = False  # whether a call has made PyTorch load its compiler

    def __enter__(self) -> "Student":
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.end("died", "this copy of the notebook is closed")
        self._settle(self)

    @property
    def pid(self) -> int:
        """The process's id, as the student's side claims."""
        return self._process.pid

    @property
    def charged(self) -> float:
        """Seconds that this copy has used or slept so far."""
        return self._process.meter.charged

    @property
    def cpu(self) -> float:
        """CPU seconds that this copy has used so far."""
        return self._process.meter.cpu

    def stand_ins(self, names: Sequence[str]) -> dict[str, Any]:
        """Return what the notebook has defined under these names: plain values, or stand-ins."""
        reply, buffers = self._ask({"op": "names", "names": list(names)}, Writer(self._refer))
        with self._checked():
            found = self._read(reply, buffers)
            if type(found) is not dict or not found.keys() <= set(names):
                raise WireError("other names than asked for")
        return found

    def call(
        self,
        target: dict[str, Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        owner: Module | None = None,
        patient: bool = False,
    ) -> Any:
        """Call what `target` names and return its value; changes of arguments are made here too.

        Args:
            target: the handle of an object with a method's name or "", or a function to run beside it
            args, kwargs: plain values, tensors, stand-ins
            owner: the module whose parameters take part
            patient: whether the call may take all the time that is left
        """
        modules = {} if owner is None else {owner._handle: owner}
        writer = Writer(lambda value: self._refer(value, modules), track=True)
        nodes = {"args": writer.node(args), "kwargs": writer.node(kwargs)}
        leaves = self._leaves(modules)
        request = {"op": "call", **target, **nodes, "grad": torch.is_grad_enabled(), "params": list(leaves)}
        reply, buffers = self._ask({**request, "watch": self._watch}, writer, patient)
        call = self._process.request
        self.needs_compiler |= reply.get("compiler") is True
        self.used += read_uses(reply.get("used"), self._watch)
        with self._checked():
            reader = Reader(buffers, self._resolve, writer.shared)
            value = reader.value(reply.get("value"))
            mirror_changes(reply.get("changed"), reader)
        inputs = [item for item in writer.shared if isinstance(item, torch.Tensor) and item.requires_grad]
        if reader.with_grad:
            pull = self._pull([*inputs, *leaves.values()])
            connect(reader.with_grad, [*inputs, *leaves.values()], Graph(call, pull, self._freed))
        if set(modules) - {owner and owner._handle}:
            self.refresh_parameters()  # a function that was given a module may have trained it
        return value

    # ------------------------------------------------------------------------------------------------------ modules

    def read_attribute(self, module: Module, name: str) -> Any:
        """Return an attribute of a module; a parameter is the leaf tensor that stands for it."""
        request = {"op": "attribute", "handle": module._handle, "name": name}
        reply, buffers = self._ask(request, Writer(self._refer))
        if "parameter" in reply:
            self.read_parameters(module)
            with self._checked():
                if reply["parameter"] not in self._parameters.copies:
                    raise WireError("unknown parameter")
            return self._parameters.copies[reply["parameter"]].leaf
        with self._checked():
            return self._read(reply, buffers)

    def read_state(self, module: Module) -> dict[str, torch.Tensor]:
        """Return a module's state dict."""
        reply, buffers = self._ask({"op": "state_dict", "handle": module._handle}, Writer(self._refer))
        with self._checked():
            state = self._read(reply, buffers)
            if type(state) is not dict or not all(type(value) is torch.Tensor for value in state.values()):
                raise WireError("not a state dict")
        return {str(key): value for key, value in state.items()}

    def read_parameters(self, module: Module) -> list[tuple[str, torch.Tensor]]:
        """Return name and leaf of each parameter of a module, with values and gradients as they are now."""
        named = self._list_parameters(module)
        with self._checked():
            self._parameters.refresh([copy for _, copy in named], self._fetch_values)
        return [(name, copy.leaf) for name, copy in named]

    def refresh_parameters(self) -> None:
        """Bring every leaf that somebody may hold up to date."""
        with self._checked():
            self._parameters.refresh(
                [copy for copy in self._parameters.copies.values() if copy.filled], self._fetch_values
            )

    def _list_parameters(self, module: Module) -> Any:
        reply, buffers = self._ask({"op": "parameters", "handle": module._handle}, Writer(self._refer))
        with self._checked():
            return self._parameters.learn(module._handle, self._read(reply, buffers))

    def _fetch_values(self, handles: list[int]) -> Any:
        return self._read(*self._ask({"op": "values", "handles": handles}, Writer(self._refer)))

    def _leaves(self, modules: dict[int, Module]) -> dict[int, torch.Tensor]:
        """Return the leaves of these modules that require grad, by handle; none while gradients are off."""
        leaves = {}
        for handle, module in modules.items() if torch.is_grad_enabled() else ():
            named = self._parameters.names.get(handle) or self._list_parameters(module)
            leaves.update({copy.handle: copy.leaf for _, copy in named if copy.leaf.requires_grad})
        return leaves

    # ---------------------------------------------------------------------------------------------------- the wire

    def _ask(self, request: dict[str, Any], writer: Writer, patient: bool = False) -> tuple[Any, list[bytes]]:
        freed, self._freed[:] = list(self._freed), []
        request |= {"free": freed, "set": self._parameters.changes(writer)}
        left = self._seconds - self.charged
        return self._process.ask(request, writer.buffers, left if patient else min(left, self._call_seconds))

    def _read(self, reply: dict[str, Any], buffers: list[bytes]) -> Any:
        return Reader(buffers, self._resolve).value(reply.get("value"))

    def _pull(self, inputs: list[torch.Tensor]) -> Any:
        like = [(value.shape, value.dtype) for value in inputs]

        def pull(call: int, cotangents: list[torch.Tensor | None]) -> list[torch.Tensor | None]:
            writer = Writer(self._refer)
            request = {"op": "vjp", "call": call, "cotangents": writer.node(cotangents)}
            reply, buffers = self._ask(request, writer)
            with self._checked():
                gradients = self._read(reply, buffers)
                if type(gradients) is not list or len(gradients) != len(like):
                    raise WireError("bad gradients")
                for gradient, form in zip(gradients, like, strict=True):
                    if gradient is not None and (
                        type(gradient) is not torch.Tensor or (gradient.shape, gradient.dtype) != form
                    ):
                        raise WireError("bad gradient")
            result: list[torch.Tensor | None] = gradients
            return result

        return pull

    @contextmanager
    def _checked(self) -> Iterator[None]:
        """End the process over a reply that breaks the rules."""
        try:
            yield
        except WireError as error:
            raise self._process.end("died", f"the process sent a malformed answer: {error}") from None

    def _refer(self, value: Any, modules: dict[int, Module] | None = None) -> tuple[int, str, str]:
        if not isinstance(value, StandIn) or value._student is not self:
            raise TypeError(f"a {type(value).__name__} cannot be sent to the student's process")
        if modules is not None and isinstance(value, Module):
            modules[value._handle] = value
        return value._handle, "", ""

    def _resolve(self, handle: int, role: str, name: str) -> StandIn:
        if role not in ROLES or not 0 <= handle < 1 << 31:
            raise WireError("unknown object")
        if handle not in self._objects:
            self._objects[handle] = make_stand_in(self, handle, role, name)
        return self._objects[handle]


def mirror_changes(changed: Any, reader: Reader) -> None:
    """Make the changes here that the call has made to its arguments over there."""
    for row in changed if type(changed) is list else [None]:
        if type(row) is not list or len(row) != 2 or type(row[0]) is not int or not 0 <= row[0] < len(reader.shared):
            raise WireError("bad list of changes")
        target, content = reader.shared[row[0]], reader.value(row[1])
        if isinstance(target, torch.Tensor) and type(content) is torch.Tensor:
            replace_content(target, content)
        elif isinstance(target, list) and type(content) is list:
            target[:] = content
        elif isinstance(target, dict) and type(content) is dict:
            target.clear()
            target.update(content)
        else:
            raise WireError("a change of another type")


def replace_content(target: torch.Tensor, content: torch.Tensor) -> None:
    """Give a tensor another content, in place where it fits."""
    with torch.no_grad():
        if target.shape == content.shape and target.dtype == content.dtype:
            target.copy_(content)
        else:
            target.data = content
