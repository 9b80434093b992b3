"""Call a student's code: whatever it does becomes a value or a `Failure`."""

from __future__ import annotations

import builtins
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from kit.failure import Failure

KIT = str(Path(__file__).parent)
NOT_WRITTEN = "not written yet"  # how a stub's NotImplementedError ends
# code of others below a student's own line
LIBRARIES = ("site-packages", "dist-packages", "/given/", str(Path(traceback.__file__).parent), "<frozen", "<string>")


def call(function: Any, *arguments: Any, **named: Any) -> Any:
    """Call a student's function or module and return what it returned.

    Raises:
        Failure: `missing` if it is not defined or still a stub, `error` with the student's own line if it raised,
            `timeout` or `died` as the grader's stand-in says, `wrong` if it changed one of its arguments or gave
            a tensor on another device
    """
    if function is None:
        raise Failure("missing", "The name is not defined: has its cell been run?")
    name = getattr(function, "__name__", type(function).__name__)
    if not callable(function):
        raise Failure("wrong", f"A function was expected here, but the name holds a {type(function).__name__}.")
    given = {str(place): value for place, value in enumerate(arguments, start=1)} | named
    before = {place: _copy(value) for place, value in given.items()}
    try:
        value = function(*arguments, **named)
    except (Exception, SystemExit) as error:
        raise read_error(error) from None
    for place, old in before.items():
        if not _same(old, given[place]):
            raise Failure(
                "wrong",
                f"{name} changed argument {place} of its call; whoever called it still needs the old values.",
                rung="argument",
            )
    _expect_cpu(name, value)
    return value


def attribute(owner: Any, name: str) -> Any:
    """Return an attribute of a student's object that the contract names."""
    try:
        return getattr(owner, name)
    except AttributeError:
        raise Failure("missing", f"{type(owner).__name__} has no attribute {name!r}.") from None


def run_beside(path: str, model: Any, *arguments: Any, **named: Any) -> Any:
    """Run a function of the given modules where the student's model lives, such as `given.digits:fit`.

    Training must not cross a process boundary at every step; a stand-in runs it in the student's process.
    """
    remote = getattr(model, "run_beside", None)
    if remote is not None:
        return call(remote, path, *arguments, **named)
    module, _, function = path.partition(":")
    return call(getattr(import_module(module), function), model, *arguments, **named)


def read_error(error: Any) -> Failure:
    """Turn an exception of a student's code, met here or told by a stand-in, into a `Failure`."""
    told = hasattr(error, "type_name") and hasattr(error, "message")  # by a stand-in, which has seen the traceback
    kind = error.type_name if told else type(error).__name__
    message = " ".join(str(error.message if told else error).split())[:300]  # three lines of a terminal
    if kind == "NotImplementedError" and message.endswith(NOT_WRITTEN):
        return Failure("missing", message)
    if told and error.reason != "error":
        return Failure(error.reason, message)
    line, code = (error.line, error.code) if told else _own_line(error)
    where = f"  your line {line}: {code}" if line else ""
    what = f"{kind}: {message}" + (f"\n{where}" if where else "")
    builtin = kind if isinstance(getattr(builtins, kind, None), type) else "an exception of its own"
    return Failure("error", what, type_name=builtin, line=line)


def _own_line(error: BaseException) -> tuple[int | None, str]:
    """Find the innermost line of the traceback that the student wrote."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith(KIT):  # from here on outwards the frames are a case's
            break
        if not any(part in frame.filename for part in LIBRARIES):
            return frame.lineno, (frame.line or "").strip()
    return None, ""


def _expect_cpu(name: str, value: Any) -> None:
    """Require that what a call gave is where a check computes, which is where its arguments are."""
    for device in {tensor.device for tensor in _list_tensors(value)}:
        if device.type != "cpu":
            what = f"{name} gave a tensor on the device {device}, but a check runs on the CPU: let it name no device."
            raise Failure("wrong", what, rung="device")


def _list_tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, torch.nn.Module):
        return [*value.parameters()]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [tensor for part in parts for tensor in _list_tensors(part)]


def _copy(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, (list, tuple)) else value


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, torch.Tensor):
        return isinstance(new, torch.Tensor) and old.shape == new.shape and torch.equal(old, new.detach())
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(_same(item, new[key]) for key, item in old.items())
    if isinstance(old, list):
        return len(old) == len(new) and all(map(_same, old, new))
    return old is new or old == new
