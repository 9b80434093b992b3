"""Answers the grader's requests in the student's process: run a cell, fork, call a function, differentiate a call."""

import contextlib
import importlib
import os
import signal
import socket
import time
from collections.abc import Callable
from types import FunctionType
from typing import Any

import torch

from given.shell import Failure

from .arguments import changed_arguments, encode_changes
from .channel import Channel, Closed
from .compiler import is_compiler_loaded, load_compiler
from .failure import describe_failure, describe_left_out
from .landlock import restrict_signals
from .reserve import Reserve
from .restore import pin_threads, restore_defaults
from .shell import Notebook
from .watch import watch
from .wire import Reader, WireError, Writer

MAX_LEFT_OUT = 20  # statements of one cell that are told

Request = dict[str, Any]
Reply = tuple[dict[str, Any], list[bytes]]


class Service:
    """The student's process as the grader sees it: one request, one reply."""

    def __init__(self, channel: Channel, notebook: Notebook, home: str) -> None:
        self.channel, self.notebook, self.home = channel, notebook, home
        self.objects: list[Any] = []  # by handle: what stays in this process
        self.handles: dict[int, int] = {}  # id of an object -> its handle
        self.graphs: dict[int, tuple[list[torch.Tensor], list[torch.Tensor]]] = {}  # call -> outputs, inputs
        self.children: list[int] = []
        self.interruptible = False
        self.reserve = Reserve()
        signal.signal(signal.SIGINT, self._interrupt)

    def serve(self) -> None:
        """Answer until the grader closes the channel."""
        while True:
            self.reserve.open()
            try:
                request, buffers, fd = self.channel.receive_with_fd()
            except (Closed, OSError, WireError):
                os._exit(0)
            if request["op"] == "fork":
                header, out = self._fork(fd), []
            else:
                self.reserve.close()
                header, out = self._answer(request, buffers)
            if header is not None:
                self._send({**header, "id": request["id"]}, out)

    def _send(self, header: dict[str, Any], buffers: list[bytes]) -> None:
        try:
            self.channel.send(header, buffers)
        except WireError as error:
            self.channel.send({"error": describe_failure(error), "id": header["id"]}, [])

    def _answer(self, request: Request, buffers: list[bytes]) -> Any:
        try:
            for call in request.get("free", ()):
                self.graphs.pop(call, None)
            self._store_parameters(request.get("set", ()), buffers)
            operation: Callable[[Request, list[bytes]], Reply] = getattr(self, f"do_{request['op']}")
            return operation(request, buffers)
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: nothing may stop the service
            return {"error": describe_failure(error)}, []

    # ------------------------------------------------------------------------------------------------ the notebook

    def do_cell(self, request: Request, buffers: list[bytes]) -> Reply:
        """Run one cell; a late interrupt meets a closed door."""
        started = time.monotonic()
        try:
            self.interruptible = True
            left_out, output = self.notebook.run(request["index"], request["source"])
            self.interruptible = False
        except BaseException as raised:
            self.interruptible = False
            left_out, output = [Failure(raised, None, "")], self.notebook.output.take()
        failures = [describe_left_out(failure) for failure in left_out[:MAX_LEFT_OUT]]
        return {"failures": failures, "output": output, "seconds": time.monotonic() - started}, []

    def do_load_compiler(self, request: Request, buffers: list[bytes]) -> Reply:
        """Load PyTorch's compiler, so that copies need not."""
        load_compiler()
        return {}, []

    def _interrupt(self, signum: int, frame: Any) -> None:
        if self.interruptible:
            raise KeyboardInterrupt

    def _fork(self, fd: int) -> dict[str, Any] | None:
        """Fork a copy that serves the descriptor; only the parent answers."""
        self.children = [pid for pid in self.children if is_running(pid)]
        try:
            pid = fork_or_make_room()
        except OSError as error:
            os.close(fd)
            return {"error": describe_failure(error)}
        if pid:
            os.close(fd)
            self.children.append(pid)
            return {"pid": pid}
        self.channel.close()
        self.channel = Channel(socket.socket(fileno=fd))
        self.children = []
        self.reserve.lend_memory()
        restrict_signals()  # a copy cannot kill the state it was copied from
        restore_defaults(self.home)
        return None

    # --------------------------------------------------------------------------------------------- names and calls

    def do_names(self, request: Request, buffers: list[bytes]) -> Reply:
        """Say what the cells have left under these names."""
        defined = self.notebook.names
        return self._reply({name: defined[name] for name in request["names"] if name in defined})

    def do_call(self, request: Request, buffers: list[bytes]) -> Reply:
        """Call an object or its method; report the value, changed arguments and what can be differentiated."""
        reader = Reader(buffers, self._resolve, track=True)
        function = self._callee(request)
        arguments, named = reader.value(request["args"]), reader.value(request["kwargs"])
        with torch.set_grad_enabled(request["grad"]), watch(request["watch"]) as used:
            value = function(*arguments, **named)
        writer = Writer(self._refer, shared=reader.shared)
        header = {"value": writer.node(value), "changed": encode_changes(changed_arguments(reader), writer)}
        header |= {"used": used, "compiler": is_compiler_loaded()}
        if writer.with_grad:
            inputs = [item for item in reader.shared if type(item) is torch.Tensor and item.requires_grad]
            inputs += [self.objects[handle] for handle in request["params"]]
            self.graphs[request["id"]] = writer.with_grad, inputs
        return header, writer.buffers

    def do_vjp(self, request: Request, buffers: list[bytes]) -> Reply:
        """Pull cotangents of an earlier call's outputs back to its inputs: the gradient of their inner product.

        Handed over as such, cotangents make PyTorch import 500 modules, in every copy anew.
        """
        cotangents = Reader(buffers, self._resolve).value(request["cotangents"])
        outputs, inputs = self.graphs[request["call"]]
        pairs = zip(outputs, cotangents, strict=True)
        with torch.enable_grad():
            products = [(output * cotangent).sum() for output, cotangent in pairs if cotangent is not None]
        gradients = torch.autograd.grad(products, inputs, retain_graph=True, allow_unused=True)
        return self._reply(list(gradients))

    # ------------------------------------------------------------------------------------------------------ modules

    def do_attribute(self, request: Request, buffers: list[bytes]) -> Reply:
        """Read an attribute; one of the module's own parameters is told by its handle."""
        owner, name = self.objects[request["handle"]], request["name"]
        value = getattr(owner, name)
        if type(value) is torch.nn.Parameter and isinstance(owner, torch.nn.Module):
            return {"parameter": self._keep(value)}, []
        return self._reply(value)

    def do_parameters(self, request: Request, buffers: list[bytes]) -> Reply:
        """List the parameters of a module: name, handle, dtype, shape and whether it requires grad; no values."""
        module = self.objects[request["handle"]]
        rows = [
            [name, self._keep(value), value.dtype, list(value.shape), value.requires_grad]
            for name, value in torch.nn.Module.named_parameters(module)
        ]
        return self._reply(rows)

    def do_values(self, request: Request, buffers: list[bytes]) -> Reply:
        """Send values and gradients of parameters."""
        parameters = [self.objects[handle] for handle in request["handles"]]
        return self._reply([[value.detach(), value.grad] for value in parameters])

    def do_state_dict(self, request: Request, buffers: list[bytes]) -> Reply:
        """Send the state dict of a module."""
        return self._reply(dict(self.objects[request["handle"]].state_dict()))

    def _callee(self, request: Request) -> Any:
        if "beside" in request:
            module, _, name = request["beside"].partition(":")
            return getattr(importlib.import_module(module), name)
        owner = self.objects[request["handle"]]
        return getattr(owner, request["method"]) if request["method"] else owner

    def _store_parameters(self, rows: Any, buffers: list[bytes]) -> None:
        """Take over what the grader has changed in its copies of parameters and their gradients."""
        plain = Reader(buffers, self._resolve)
        for handle, value, gradient in rows:
            parameter = self.objects[handle]
            with torch.no_grad():
                parameter.copy_(plain.value(value))
            parameter.grad = plain.value(gradient)

    # ------------------------------------------------------------------------------------------------------ objects

    def _reply(self, value: Any) -> Reply:
        writer = Writer(self._refer)
        return {"value": writer.node(value)}, writer.buffers

    def _keep(self, value: Any) -> int:
        if id(value) not in self.handles:
            self.handles[id(value)] = len(self.objects)
            self.objects.append(value)
        return self.handles[id(value)]

    def _refer(self, value: Any) -> tuple[int, str, str]:
        kind = type(value)
        if issubclass(kind, torch.nn.Module):
            role = "module"
        elif issubclass(kind, type):
            role = "class"
        elif kind is FunctionType:
            role = "function"
        else:
            role = "callable" if callable(value) else "object"
        return self._keep(value), role, value.__name__ if kind in (type, FunctionType) else kind.__name__

    def _resolve(self, handle: int, kind: str, name: str) -> Any:
        return self.objects[handle]


def is_running(pid: int) -> bool:
    """Tell whether a child still runs, and bury it if it does not."""
    try:
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False


def fork_or_make_room() -> int:
    """Fork; where the user has too many processes, bury the dead ones first, which still count."""
    try:
        return os.fork()
    except BlockingIOError:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        return os.fork()


def serve_student(sock: socket.socket, notebook: Notebook, home: str, layers: dict[str, Any]) -> None:
    """Become the student's process: report the layers in force, then answer until the grader is done."""
    pin_threads()
    notebook.capture()
    channel = Channel(sock)
    channel.send({"id": 0, "layers": layers}, [])
    Service(channel, notebook, home).serve()
