"""Messages between grader and student: a length-prefixed JSON header and raw buffers, every field bounded and checked.

A value becomes a *node*. None, bool, int, float and str stand for themselves; everything else is a dict with one key:
`{"T": [dtype, shape, strides, buffer, requires_grad]}` a dense tensor, `{"l": [...]}` a list, `{"u": [...]}` a tuple,
`{"d": [[key, value], ...]}` a dict, `{"c": [re, im]}` a complex number, `{"y": dtype}` a torch dtype,
`{"=": i}` the i-th argument of this very call, `{"o": [handle, kind, type name]}` an object that stays where it is.
"""

import json
import math
import struct
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch

MAX_HEADER = 1 << 20  # bytes; the state dict of a 12-layer model needs about 20 KB
MAX_BODY = 1 << 26  # bytes; TransformerLayer(768, 12) in float32 has 28 MB
MAX_ITEMS = 20_000  # nodes in one message
MAX_DEPTH = 32  # lists within lists
MAX_DIMS = 16  # axes of a tensor
MAX_SIDE = 1 << 40  # size or stride of one axis; the product is bounded by MAX_BODY
PREFIX = struct.Struct(">II")  # bytes of the header, bytes of all buffers

DTYPES = {
    "float32": torch.float32,
    "float64": torch.float64,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int64": torch.int64,
    "int32": torch.int32,
    "int16": torch.int16,
    "int8": torch.int8,
    "uint8": torch.uint8,
    "bool": torch.bool,
    "complex64": torch.complex64,
    "complex128": torch.complex128,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

Resolve = Callable[[int, str, str], Any]  # (handle, kind, type name) -> object
Refer = Callable[[Any], tuple[int, str, str]]  # object -> (handle, kind, type name)


class WireError(Exception):
    """A message breaks the rules of the wire, or a value cannot be sent over it."""


def pack(header: Any, buffers: list[bytes]) -> bytes:
    """Return one message: prefix, JSON header with the sizes of the buffers, buffers."""
    text = json.dumps([header, [len(buffer) for buffer in buffers]]).encode()
    body = sum(map(len, buffers))
    if len(text) > MAX_HEADER or body > MAX_BODY:
        raise WireError(f"a value of {body:,} bytes is too large to be sent")
    return b"".join([PREFIX.pack(len(text), body), text, *buffers])


def measure(prefix: bytes) -> int:
    """Return how many bytes follow the prefix; raise WireError where they are too many."""
    header, body = PREFIX.unpack(prefix)
    if header > MAX_HEADER or body > MAX_BODY:
        raise WireError("message too large")
    return int(header + body)


def unpack(message: bytes) -> tuple[Any, list[bytes]]:
    """Return the header and the buffers of one whole message; raise WireError on anything malformed."""
    length, body = PREFIX.unpack_from(message)
    at = PREFIX.size + length
    try:
        header, sizes = json.loads(message[PREFIX.size : at])
    except (ValueError, TypeError, RecursionError) as error:
        raise WireError(f"bad header ({type(error).__name__})") from None
    if type(sizes) is not list or not all(type(size) is int and size >= 0 for size in sizes):
        raise WireError("bad sizes of buffers")
    if sum(sizes) != body or len(message) != at + body:
        raise WireError("sizes of buffers do not add up")
    buffers = []
    for size in sizes:
        buffers.append(message[at : at + size])
        at += size
    return header, buffers


def span_of(shape: list[int] | torch.Size, strides: list[int] | tuple[int, ...]) -> int:
    """Return how many elements of storage a tensor of this shape and these strides reaches over."""
    if 0 in shape:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))


class Writer:
    """Turns values into nodes; `buffers` fills up, `shared` lists what "=" may point to.

    With `track`, every tensor, list and dict met is added to `shared`, in the order in which a `Reader` meets them.
    """

    def __init__(self, refer: Refer, shared: list[Any] | None = None, track: bool = False) -> None:
        self.refer, self.track = refer, track
        self.buffers: list[bytes] = []
        self.shared: list[Any] = [] if shared is None else shared
        self.index = {id(value): i for i, value in enumerate(self.shared)}
        self.with_grad: list[torch.Tensor] = []  # new tensors that require grad, in order
        self.items = 0

    def node(self, value: Any, depth: int = 0) -> Any:
        """Return the node of a value. Exact types decide; no attribute of a foreign object is looked at."""
        kind = type(value)
        if value is None or kind in (bool, int, float, str):
            return value
        if id(value) in self.index:
            return {"=": self.index[id(value)]}
        return self.contents(value, depth)

    def contents(self, value: Any, depth: int = 0) -> Any:
        """Return the node of a value by content, even where it is one of the shared arguments."""
        self.items += 1
        if self.items > MAX_ITEMS or depth > MAX_DEPTH:
            raise WireError("a value with too many or too deeply nested items cannot be sent")
        kind = type(value)
        if kind is torch.Tensor or kind is torch.nn.Parameter:
            if value.layout is torch.strided and value.device.type == "cpu" and value.dtype in NAMES:
                self._remember(value)
                return self._tensor(value)
        elif issubclass(kind, (list, tuple)):  # a named tuple counts as a tuple
            base = list if issubclass(kind, list) else tuple
            if base.__len__(value) > MAX_HEADER // 2:  # an item and its comma take two bytes
                raise WireError("a value with too many items cannot be sent")
            self._remember(value, base is list)
            return {"l" if base is list else "u": [self.node(item, depth + 1) for item in base.__iter__(value)]}
        elif kind is dict or kind is OrderedDict:
            self._remember(value)
            pairs = [[self.node(key, depth + 1), self.node(item, depth + 1)] for key, item in value.items()]
            return {"d": pairs}
        elif kind is complex:
            return {"c": [value.real, value.imag]}
        elif kind is torch.dtype and value in NAMES:
            return {"y": NAMES[value]}
        return {"o": list(self.refer(value))}

    def _remember(self, value: Any, mutable: bool = True) -> None:
        if self.track and mutable and id(value) not in self.index:
            self.index[id(value)] = len(self.shared)
            self.shared.append(value)

    def _tensor(self, tensor: torch.Tensor) -> dict[str, Any]:
        plain = tensor.detach().resolve_conj().resolve_neg()
        if plain.numel() * plain.element_size() > MAX_BODY:
            raise WireError(f"a tensor of shape {tuple(plain.shape)} is too large to be sent")
        strides = plain.stride()
        span = span_of(plain.shape, strides)
        if span > 16 * plain.numel() + 1024:  # a thin slice of a large storage: send what it holds
            plain = plain.contiguous()
            strides, span = plain.stride(), plain.numel()
        flat = plain.as_strided((span,), (1,)).view(torch.uint8) if span else None
        self.buffers.append(b"" if flat is None else flat.numpy().tobytes())
        if tensor.requires_grad:
            self.with_grad.append(tensor)
        fields = [NAMES[plain.dtype], list(plain.shape), list(strides), len(self.buffers) - 1, tensor.requires_grad]
        return {"T": fields}


class Reader:
    """Turns nodes into values and checks every field; raises WireError and nothing else.

    With `track` it keeps, for each tensor, list and dict met, what is needed to see a change in place.
    """

    def __init__(self, buffers: list[bytes], resolve: Resolve, shared: list[Any] | None = None, track: bool = False):
        self.buffers, self.resolve, self.track = buffers, resolve, track
        self.shared: list[Any] = [] if shared is None else shared
        self.arrived: list[Any] = []  # for each shared value: what tells that it has not changed
        self.with_grad: list[torch.Tensor] = []
        self.items = 0

    def value(self, node: Any, depth: int = 0) -> Any:
        """Return the value of a node."""
        kind = type(node)
        if node is None or kind in (bool, int, float):
            return node
        if kind is str:
            return node if node.isascii() else node.encode("utf-8", "replace").decode()
        self.items += 1
        if self.items > MAX_ITEMS or depth > MAX_DEPTH:
            raise WireError("too many items")
        if kind is not dict or len(node) != 1:
            raise WireError("not a node")
        key, content = next(iter(node.items()))
        if key == "T":
            return self._tensor(content)
        if key == "=" and type(content) is int and 0 <= content < len(self.shared):
            return self.shared[content]
        if key == "y" and type(content) is str and content in DTYPES:
            return DTYPES[content]
        if type(content) is not list:
            raise WireError("unknown node")
        return self._composite(key, content, depth)

    def _composite(self, key: str, content: list[Any], depth: int) -> Any:
        if key == "l":
            values: list[Any] = []
            slot = self._remember(values)
            values.extend(self.value(item, depth + 1) for item in content)
            self._settle(slot, values)
            return values
        if key == "u":
            return tuple(self.value(item, depth + 1) for item in content)
        if key == "d":
            table: dict[Any, Any] = {}
            slot = self._remember(table)
            for pair in content:
                if type(pair) is not list or len(pair) != 2:
                    raise WireError("bad pair")
                name = self.value(pair[0], depth + 1)
                if not is_key(name):
                    raise WireError("bad key")
                table[name] = self.value(pair[1], depth + 1)
            self._settle(slot, [part for pair in table.items() for part in pair])
            return table
        if key == "c" and [type(part) for part in content] == [float, float]:
            return complex(*content)
        if key == "o" and [type(part) for part in content] == [int, str, str]:
            return self.resolve(*content)
        raise WireError("unknown node")

    def _remember(self, value: Any) -> int:
        if self.track:
            self.shared.append(value)
            self.arrived.append(None)
        return len(self.shared) - 1

    def _settle(self, slot: int, parts: Any) -> None:
        if self.track:
            self.arrived[slot] = tuple(parts)

    def _tensor(self, fields: Any) -> torch.Tensor:
        if type(fields) is not list or len(fields) != 5:  # as many as Writer._tensor gives
            raise WireError("bad tensor")
        name, shape, strides, buffer, requires_grad = fields
        if type(name) is not str or name not in DTYPES or type(buffer) is not int or type(requires_grad) is not bool:
            raise WireError("bad tensor")
        if not (is_sizes(shape) and is_sizes(strides) and len(shape) == len(strides)):
            raise WireError("bad shape")
        dtype, span = DTYPES[name], span_of(shape, strides)
        if not 0 <= buffer < len(self.buffers) or len(self.buffers[buffer]) != span * dtype.itemsize:
            raise WireError("size of a tensor does not fit")
        if math.prod(shape) * dtype.itemsize > MAX_BODY:
            raise WireError("tensor too large")
        if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
            raise WireError("this dtype has no gradient")
        return self._build(dtype, shape, strides, self.buffers[buffer], requires_grad)

    def _build(
        self, dtype: torch.dtype, shape: list[int], strides: list[int], raw: bytes, requires_grad: bool
    ) -> torch.Tensor:
        memory = bytearray(raw)
        if not memory:
            tensor = torch.empty_strided(shape, strides, dtype=dtype, device="cpu")
        elif dtype is torch.bool:  # a bool holds the bytes 0 and 1 only
            tensor = torch.frombuffer(memory, dtype=torch.uint8).clamp_(max=1).view(torch.bool)
            tensor = tensor.as_strided(shape, strides)
        else:
            tensor = torch.frombuffer(memory, dtype=dtype).as_strided(shape, strides)
        if requires_grad:
            self.with_grad.append(tensor)
        if self.track:
            tensor.requires_grad_(requires_grad)
            self._settle(self._remember(tensor), (memory, raw, tensor.shape, tensor.stride(), tensor.data_ptr()))
        return tensor


def is_sizes(value: Any) -> bool:
    """Tell whether this is a list of sizes or strides of a tensor."""
    return (
        type(value) is list
        and len(value) <= MAX_DIMS
        and all(type(size) is int and 0 <= size < MAX_SIDE for size in value)
    )


def is_key(value: Any) -> bool:
    """Tell whether a value may be the key of a dict: plain and hashable."""
    if type(value) is tuple:
        return all(map(is_key, value))
    return value is None or type(value) in (bool, int, float, str)
