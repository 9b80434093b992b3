"""Which arguments a call has changed in place, seen from the student's side."""

from typing import Any

import torch

from .wire import Reader, Writer


def changed_arguments(reader: Reader) -> list[int]:
    """Return the indices of the tensors, lists and dicts whose content is no longer what arrived."""
    return [i for i, value in enumerate(reader.shared) if _is_changed(reader, i, value)]


def encode_changes(changed: list[int], writer: Writer) -> list[list[Any]]:
    """Return index and new content of each changed argument."""
    return [[i, writer.contents(writer.shared[i])] for i in changed]


def _is_changed(reader: Reader, i: int, value: Any) -> bool:
    before = reader.arrived[i]
    if type(value) is torch.Tensor:
        memory, raw, shape, strides, address = before
        if value.shape != shape or value.stride() != strides or value.data_ptr() != address:
            return True  # reshaped in place, or its data exchanged
        return bool(memory != raw)
    if type(value) is dict:
        value = [part for pair in value.items() for part in pair]
    return len(value) != len(before) or any(new is not old for new, old in zip(value, before, strict=True))
