"""Notes which PyTorch functions a call uses, in whichever thread, as far as the student's code does not undo the notes.

What has operators of its own is watched in PyTorch's dispatcher, where every spelling, scripted code and all threads
arrive; it costs a call that does not use them nothing. Other names are watched as Python functions, in this thread.
"""

import contextlib
import functools
import linecache
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from given.shell import CELL

MAX_USES = 10  # told of one call
ATTENTION = [
    *("scaled_dot_product_attention", "_scaled_dot_product_attention_math"),
    *("_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_for_cpu"),
    *("_scaled_dot_product_efficient_attention", "_scaled_dot_product_fused_attention_overrideable"),
    *("_scaled_dot_product_cudnn_attention", "_flash_attention_forward", "_efficient_attention_forward"),
]
HEADS = ["_native_multi_head_attention", "_transformer_encoder_layer_fwd"]
OPERATORS = {  # the function that is watched for -> its operators, those of releases other than this one among them
    "scaled_dot_product_attention": ATTENTION,
    "multi_head_attention_forward": HEADS,
    "MultiheadAttention": HEADS,
}
PYTHON = {  # the same for what is written in Python: module and function
    "scaled_dot_product_attention": ("torch.nn.attention.flex_attention", "flex_attention"),
    "multi_head_attention_forward": ("torch.nn.functional", "multi_head_attention_forward"),
    "MultiheadAttention": ("torch.nn.functional", "multi_head_attention_forward"),
}
STAND_IN = "_noted_"  # begins the name, among a module's globals, of what is called in a function's place


class Notes:
    """What the call that runs now has used: rows of name, line of the student's cell, and that line."""

    used: list[list[Any]] | None = None  # None: nobody asks
    names: Sequence[str] = ()


def note(candidates: Sequence[str]) -> None:
    """Note a use under the first of these names that is watched for."""
    name = next((name for name in candidates if name in Notes.names), None)
    if name is None or Notes.used is None or len(Notes.used) >= MAX_USES:
        return
    row = [name, *place_of_caller()]
    if row not in Notes.used:
        Notes.used.append(row)


@contextlib.contextmanager
def watch(names: Sequence[str]) -> Iterator[list[list[Any]]]:
    """Note each use of these functions until the end, in the list that this gives."""
    used: list[list[Any]] = []
    if not names:
        yield used
        return
    watch_operators()
    Notes.used, Notes.names = used, names
    others = [name for name in names if name not in OPERATORS]
    try:
        with watch_functions(names), FunctionWatch(others) if others else contextlib.nullcontext():
            yield used
    finally:
        Notes.used = None


class FunctionWatch(TorchFunctionMode):
    """Notes each use of one of these functions by this thread."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = names

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        called = str(getattr(function, "__name__", function))  # torch.ops say "softmax.int"
        for name in self.names:
            if name in called:
                note([name])
        return function(*args, **(kwargs or {}))


# ------------------------------------------------------------------------------------------------------- the dispatcher


@functools.cache
def watch_operators() -> Any:
    """Put kernels before PyTorch's own that note the use and pass the call on; they stay while the result is kept.

    Only in a copy that is asked about them: notebooks may use these functions elsewhere, with the kernels of PyTorch.
    """
    make_library: Any = torch.library.Library  # without types
    library = make_library("aten", "IMPL")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns where its own kernel under vmap is replaced
        for operator in [*ATTENTION, *HEADS]:
            packet = getattr(torch.ops.aten, operator, None)
            names = [name for name, operators in OPERATORS.items() if operator in operators]
            for overload in packet.overloads() if packet else ():
                put_before(library, getattr(packet, overload), names)
    return library


def put_before(library: Any, operator: Any, names: Sequence[str]) -> None:
    """Put a kernel before all others of an operator.

    An operator made of others is taken apart where autograd would do it. For one with a kernel of its own the place
    is the key between autograd and the processor's kernel that every call passes.
    """
    before = torch._C.DispatchKey.BackendSelect
    after = torch._C._dispatch_keyset_full_after(before)

    def take_apart(*args: Any, **named: Any) -> Any:
        note(names)
        return operator.decompose(*args, **named)

    def pass_on(keys: Any, *args: Any, **named: Any) -> Any:
        note(names)
        return operator.redispatch(keys & after, *args, **named)

    if operator._can_decompose():
        for key in ("AutogradCPU", "CPU", "FuncTorchBatched", "FuncTorchVmapMode"):
            library.impl(operator, take_apart, key)
    else:
        library.impl(operator, pass_on, "BackendSelect", with_keyset=True)


# --------------------------------------------------------------------------------------------------- Python functions


@contextlib.contextmanager
def watch_functions(names: Sequence[str]) -> Iterator[None]:
    """Note calls of what PyTorch writes in Python, from all threads, by any name: its code is exchanged meanwhile."""
    places = {PYTHON[name] for name in names if name in PYTHON and PYTHON[name][0] in sys.modules}
    exchanges = [exchange for place in places if (exchange := prepare_exchange(*place))]
    for function, _, noting in exchanges:
        function.__code__ = noting
    try:
        yield
    finally:
        for function, code, _ in exchanges:
            function.__code__ = code


@functools.cache
def prepare_exchange(module: str, attribute: str) -> tuple[FunctionType, CodeType, CodeType] | None:
    """Return a function, its code, and code that notes the use before it does the same; None where that cannot be."""
    function = getattr(sys.modules[module], attribute, None)
    if not isinstance(function, FunctionType) or function.__closure__:
        return None
    candidates = [name for name, place in PYTHON.items() if place == (module, attribute)]
    function.__globals__[STAND_IN + attribute] = note_and_call(copy_function(function), candidates)
    noting = eval(f"lambda *args, **named: {STAND_IN}{attribute}(*args, **named)").__code__
    return function, function.__code__, noting


def note_and_call(function: FunctionType, candidates: Sequence[str]) -> Callable[..., Any]:
    """Return a function that notes the use of another and calls it."""

    def call(*args: Any, **named: Any) -> Any:
        note(candidates)
        return function(*args, **named)

    return call


def copy_function(function: FunctionType) -> FunctionType:
    """Return a function of the same code, defaults and globals."""
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def place_of_caller() -> tuple[int | None, str]:
    """Return line and source of the innermost frame that stands in a student's cell."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        name = frame.f_code.co_filename
        if name.startswith(CELL):
            return frame.f_lineno, linecache.getline(name, frame.f_lineno).strip()[:200]  # as in failure
    return None, ""
