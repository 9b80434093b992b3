"""The wire: whatever bytes the student's side sends, the grader reads a value or says what is wrong."""

from __future__ import annotations

import json
import random
import socket
import struct
import time
import tracemalloc
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.sandbox.inside.channel import Channel, Closed
from autograder.sandbox.inside.wire import (
    MAX_BODY,
    MAX_DEPTH,
    MAX_HEADER,
    MAX_ITEMS,
    PREFIX,
    Reader,
    WireError,
    Writer,
    pack,
    unpack,
)
from autograder.sandbox.parameters import Parameters
from autograder.sandbox.student import mirror_changes
from autograder.sandbox.student_error import clean_name, clean_text, read_failure
from autograder.sandbox.zygote import wait_until

SAMPLE = 3_000
PROOF = 100_000


class Foreign:
    """An object that stays on the student's side."""


def resolve(handle: int, role: str, name: str) -> Any:
    """Take any handle, as the grader does within bounds."""
    if handle < 0:
        raise WireError("unknown object")
    return Foreign()


def read_reply(message: bytes) -> Any:
    """Read a message the way the grader reads the reply to a call."""
    header, buffers = unpack(message)
    if type(header) is not dict:
        raise WireError("not a reply")
    x = torch.zeros(2, 3)
    reader = Reader(buffers, resolve, shared=[x, [x], {"x": x}])
    value = reader.value(header.get("value"))
    mirror_changes(header.get("changed", []), reader)
    Parameters().learn(0, value) if isinstance(value, list) else None
    read_failure(header.get("error"))
    return value


def survives(message: bytes) -> bool:
    """Read a hostile message; anything but a value or WireError is a failure of the grader."""
    try:
        read_reply(message)
    except WireError:
        return False
    return True


def message_of(value: Any, **more: Any) -> bytes:
    """Return the message of a reply with this value."""
    writer = Writer(lambda thing: (7, "object", type(thing).__name__))
    return pack({"id": 1, "value": writer.node(value), "changed": [], **more}, writer.buffers)


def raw(header: Any, *buffers: bytes, sizes: Any = None) -> bytes:
    """Return a message with any header at all."""
    text = json.dumps([header, [len(buffer) for buffer in buffers] if sizes is None else sizes]).encode()
    return PREFIX.pack(len(text), sum(map(len, buffers))) + text + b"".join(buffers)


def tensor_node(**changes: Any) -> dict[str, Any]:
    """Return the node of a 2 x 3 float32 tensor, changed."""
    fields = {"dtype": "float32", "shape": [2, 3], "strides": [3, 1], "buffer": 0, "requires_grad": False} | changes
    return {"T": list(fields.values())}


SEEDS = [
    message_of((torch.randn(2, 3, requires_grad=True), torch.randn(3, 4).mT)),
    message_of([1, 2.5, "text", None, True, {"a": (1, [2])}, 1j, torch.float64]),
    message_of([["w", 3, torch.float32, [2, 3], True]]),
    message_of({"state": torch.zeros(4, dtype=torch.bool), "other": torch.zeros(0, 3)}),
    message_of(Foreign(), changed=[[0, tensor_node()]]),
    message_of(None, error={"type": "ValueError", "message": "m", "line": 3, "code": "x"}),
]


# --------------------------------------------------------------------------------------------------- known violations


@pytest.mark.parametrize(
    "node",
    [
        tensor_node(dtype="float128"),
        tensor_node(dtype=["float32"]),
        tensor_node(dtype="__class__"),
        tensor_node(shape=[2, 4]),
        tensor_node(shape=[-2, -3]),
        tensor_node(shape=[2.0, 3]),
        tensor_node(shape=[True, 3]),
        tensor_node(shape=[10**30, 3]),
        tensor_node(shape=[1] * 17, strides=[1] * 17),
        tensor_node(strides=[1]),
        tensor_node(strides=[-3, 1]),
        tensor_node(strides=[10**9, 1]),
        tensor_node(shape=[10**9, 10**9, 6], strides=[0, 0, 1]),
        tensor_node(buffer=1),
        tensor_node(buffer=-1),
        tensor_node(buffer=None),
        tensor_node(requires_grad=1),
        tensor_node(dtype="int32", requires_grad=True),
        {"T": 3},
        {"T": []},
        {"=": 5},
        {"=": -1},
        {"=": "0"},
        {"y": "load"},
        {"y": ["float32"]},
        {"c": [1, 2]},
        {"c": ["1", "2"]},
        {"o": [1, "function"]},
        {"o": [-1, "function", "f"]},
        {"d": [[1]]},
        {"d": [[{"l": []}, 1]]},
        {"d": [[{"o": [1, "function", "f"]}, 1]]},
        {"l": {"0": 1}},
        {"l": [[1]]},
        {"x": [1]},
        {},
        {"l": [], "u": []},
        [1],
    ],
)
def test_a_malformed_node_is_refused(node: Any) -> None:
    with pytest.raises(WireError):
        read_reply(raw({"value": node}, b"\0" * 24))


@pytest.mark.parametrize(
    "changed",
    [3, [3], [[0]], [[9, None]], [[-1, None]], [["0", None]], [[True, None]], [[0, 5]], [[1, {"d": []}]]],
)
def test_a_malformed_change_is_refused(changed: Any) -> None:
    with pytest.raises(WireError):
        read_reply(raw({"value": None, "changed": changed}))


@pytest.mark.parametrize(
    "message",
    [
        PREFIX.pack(2, 0) + b"{}",
        PREFIX.pack(4, 0) + b"null",
        PREFIX.pack(3, 0) + b"\xff\xfe\xfd",
        PREFIX.pack(100_000, 0) + b"[" * 100_000,
        PREFIX.pack(5010, 0) + b"[" + b"9" * 5000 + b",   [],  ]",
        raw({"value": None}, sizes=[-1, 1]),
        raw({"value": None}, sizes=[True]),
        raw({"value": None}, sizes={"0": 0}),
        raw({"value": None}, b"1234", sizes=[2]),
        raw({"value": None}) + b"more",
    ],
)
def test_a_malformed_message_is_refused(message: bytes) -> None:
    with pytest.raises(WireError):
        read_reply(message)


def test_too_deep_and_too_many_items_are_refused() -> None:
    deep: Any = None
    for _ in range(MAX_DEPTH + 2):
        deep = {"l": [deep]}
    for node in (deep, {"l": [{"l": []}] * (MAX_ITEMS + 1)}):
        with pytest.raises(WireError, match="too many"):
            read_reply(raw({"value": node}))


def test_a_bool_holds_zero_and_one_only() -> None:
    node = tensor_node(dtype="bool", shape=[4], strides=[1])
    value = read_reply(raw({"value": node}, b"\0\1\2\xff"))
    assert value.view(torch.uint8).tolist() == [0, 1, 1, 1]


def test_a_wide_tensor_over_little_memory_is_refused() -> None:
    node = tensor_node(shape=[MAX_BODY], strides=[0])
    with pytest.raises(WireError, match="too large"):
        read_reply(raw({"value": node}, b"\0" * 4))


# ------------------------------------------------------------------------------------------------------------ fuzzing

keys = st.sampled_from([*"TludcoyX=", "id", "value"])
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.sampled_from([2**31, 2**63, 10**40, -(2**70)]),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(["float32", "bool", "complex64", "function", "module"]),
)
dtypes = st.sampled_from(["float32", "bool", 3])
nodes = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(keys, inner, max_size=2),
        st.builds(lambda key, items: {key: items}, keys, st.lists(inner, max_size=5)),
        st.builds(
            lambda fields: {"T": fields}, st.tuples(st.sampled_from(["float32", "bool", 3]), inner, inner, inner)
        ),
    ),
    max_leaves=12,
)


FUZZ = settings(database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def fuzz_nodes(examples: int) -> None:
    """Read drawn headers."""

    @settings(
        max_examples=examples, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(nodes, nodes, st.binary(max_size=24))
    def read(value: Any, changed: Any, buffer: bytes) -> None:
        survives(raw({"value": value, "changed": changed, "error": value}, buffer))

    read()


def mutate(message: bytes, rng: random.Random) -> bytes:
    """Return a real message with a few bytes changed, cut, doubled or swapped with another's."""
    data = bytearray(message)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        at, length = rng.randrange(len(data) or 1), rng.choice([1, 1, 2, 4, 40])
        kind = rng.randrange(6)
        if kind == 0 and data:
            data[min(at, len(data) - 1)] = rng.randrange(256)
        elif kind == 1:
            del data[at : at + length]
        elif kind == 2:
            data[at:at] = data[at : at + length]
        elif kind == 3:
            other = rng.choice(SEEDS)
            start = rng.randrange(len(other))
            data[at : at + length] = other[start : start + length]
        elif kind == 4:
            data[at:at] = rng.choice([b"[", b"]", b"{", b'"', b"9" * 20, b"-", b"1e999", b"NaN", b"null", b"\\ud800"])
        else:
            data[at : at + 4] = struct.pack(">I", rng.choice([0, 1, 2**16, 2**31, 2**32 - 1]))
    return bytes(data)


def repair(message: bytes) -> bytes:
    """Return a message whose prefix fits again, so that the mutation reaches the reader."""
    if len(message) < PREFIX.size:
        return message
    body = message[PREFIX.size :]
    end = body.rfind(b"]]") + 2
    return PREFIX.pack(end, len(body) - end) + body if end > 1 else message


def fuzz_messages(examples: int, seed: int) -> int:
    """Read mutated messages; return how many could still be read."""
    rng = random.Random(seed)
    read = 0
    for i in range(examples):
        message = mutate(rng.choice(SEEDS), rng)
        if len(message) >= PREFIX.size:
            read += survives(repair(message) if i % 4 else message)
    return read


def test_mutated_and_drawn_messages_are_read_or_refused() -> None:
    assert 0 < fuzz_messages(SAMPLE, seed=0) < SAMPLE  # neither everything nor nothing gets through
    fuzz_nodes(SAMPLE // 10)


@pytest.mark.parametrize("item", ["[]", "{}", '{"l":[]}', '""', "1e9"])
def test_the_largest_message_takes_little_memory(item: str) -> None:
    text = ('[{"value": {"l": [' + ",".join([item] * (MAX_HEADER // (len(item) + 1) - 20)) + "]}}, []]").encode()
    tracemalloc.start()
    survives(PREFIX.pack(len(text), 0) + text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.proof
def test_a_hundred_thousand_mutated_and_drawn_messages_are_read_or_refused() -> None:
    fuzz_messages(PROOF, seed=1)
    fuzz_nodes(PROOF // 10)


@pytest.mark.parametrize("told", [None, 3, [], {}, {"type": 3, "message": [], "line": "1", "code": {}}])
def test_a_malformed_error_is_still_an_error(told: Any) -> None:
    error = read_failure(told)
    assert (error.reason, error.type_name, error.message, error.line) == ("error", "object", "", None)


@given(st.text(max_size=60))
@settings(max_examples=200, database=None, derandomize=True)
def test_names_and_texts_are_clean(text: str) -> None:
    assert clean_name(text).isidentifier()
    assert clean_name(text).isascii()
    assert len(clean_name(text)) <= 40
    assert all(c.isprintable() or c == "\n" for c in clean_text(text, 50))
    assert len(clean_text(text, 50)) <= 50


# ------------------------------------------------------------------------------------------------------------ channel


@pytest.fixture
def ends() -> Any:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours), theirs


def test_a_message_in_pieces_is_read(ends: Any) -> None:
    channel, theirs = ends
    message = message_of(torch.zeros(3))
    for byte in message:
        theirs.send(bytes([byte]))
    header, buffers = channel.receive(wait_until(time.monotonic() + 1))
    assert header["id"] == 1
    assert buffers == [b"\0" * 12]


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (PREFIX.pack(MAX_HEADER + 1, 0), WireError),
        (PREFIX.pack(1, MAX_BODY + 1), WireError),
        (message_of(1) * 2, WireError),
        (message_of(1)[:-1], TimeoutError),
        (b"", TimeoutError),
    ],
)
def test_a_message_too_large_or_doubled_or_late_is_refused(ends: Any, sent: bytes, error: type[Exception]) -> None:
    channel, theirs = ends
    theirs.send(sent)
    with pytest.raises(error):
        channel.receive(wait_until(time.monotonic() + 0.05))


def test_a_closed_channel_is_told_apart(ends: Any) -> None:
    channel, theirs = ends
    theirs.close()
    with pytest.raises(Closed):
        channel.receive(wait_until(time.monotonic() + 1))
    with pytest.raises(Closed):
        channel.send({}, [], wait_until(time.monotonic() + 1))


def test_a_reader_that_does_not_read_cannot_hold_the_grader_up(ends: Any) -> None:
    channel, _ = ends
    with pytest.raises(TimeoutError):
        channel.send({}, [b"\0" * (8 << 20)], wait_until(time.monotonic() + 0.1))
