"""Probes of q07 to q10: encodings, rotations, rotary embeddings."""

from __future__ import annotations

import torch

from autograder.diagnosis.observer import Observer
from solutions.q07_sinusoidal import sinusoidal_encoding
from solutions.q08_rotation_matrix import rotation_matrix
from solutions.q09_rope import rope
from solutions.q10_rope_rotation import rope_rotation

FAR = 10_000  # the largest position that the contract names
ROUGH = 6e-3  # what single precision may be off at that position


def tables_of_any_size(look: Observer) -> None:
    for sizes in ((5, 4, 16.0), (7, 6, 30), (3, 10, 10_000.0), (2, 2, 7.5), (2, 100, 10_000)):
        look.call("sinusoidal_encoding", *sizes)


def odd_and_tiny_tables(look: Observer) -> None:
    for sizes in ((4, 3, 7.5), (3, 7, 30.0), (0, 4, 30.0), (1, 4, 30.0), (0, 1, 30.0), (1, 1, 30.0), (3, 1, 30.0)):
        look.call("sinusoidal_encoding", *sizes)


def tables_one_after_another(look: Observer) -> None:
    for sizes in ((7, 6, 10_000.0), (7, 6, 30.0), (5, 6, 30.0), (5, 3, 30.0), (11, 6, 10_000.0)):
        look.call("sinusoidal_encoding", *sizes)


def far_rows(look: Observer) -> None:
    look.measure("sinusoidal_encoding", sinusoidal_encoding, 600, 6, 10_000.0)
    look.measure("sinusoidal_encoding", sinusoidal_encoding, FAR + 1, 4, 100.0)


def rotations_by_any_offset(look: Observer) -> None:
    for k, D, L in (
        (3, 4, 16.0),
        (-2, 6, 30),
        (0, 6, 30.0),
        (7, 2, 7.5),
        (-5, 10, 10_000.0),
        (1, 4, 2),
    ):
        look.call("rotation_matrix", k, D, L)


def rotations_one_after_another(look: Observer) -> None:
    for k, D, L in ((3, 6, 30.0), (3, 6, 1000.0), (5, 6, 1000.0), (5, 4, 1000.0), (3, 6, 30.0)):
        look.call("rotation_matrix", k, D, L)


def rotations_far_and_wide(look: Observer) -> None:
    for k, D in ((511, 6), (-512, 6), (4999, 4), (FAR, 6), (-FAR, 6), (3, 18), (2, 100)):
        look.measure("rotation_matrix", rotation_matrix, k, D, 10_000.0)


def rows_at_any_position(look: Observer) -> None:
    for places, dtype in (((2, -3, 7, 7, 0), torch.float32), ((0.25, -1.5, 4.0, 9.75, 3.5), torch.float64)):
        positions = torch.tensor(places, dtype=torch.float64 if dtype == torch.float64 else torch.int64)
        look.call("rope", look.randn(5, 6, dtype=dtype), positions, 30.0)
        look.call("rope", look.randn(5, 4, dtype=dtype), positions)
        look.call("rope", look.randn(5, 100, dtype=dtype), positions)


def rows_without_positions(look: Observer) -> None:
    look.call("rope", look.randn(3, 6))
    look.call("rope", look.randn(4, 4), None, 30.0)
    look.call("rope", look.randn(6, 6, dtype=torch.float64))
    look.call("rope", look.randn(2, 10), L=7.5)


def rows_in_any_layout(look: Observer) -> None:
    for layout in ("transposed", "strided"):
        look.call("rope", look.randn(3, 4, layout=layout), torch.tensor([1, 5, 2]))
        look.call("rope", look.randn(3, 4, dtype=torch.float64, layout=layout), torch.tensor([0.5, -1.0, 2.0]))


def lone_rows_and_pairs(look: Observer) -> None:
    for N, D_k in ((1, 2), (1, 6), (3, 2), (2, 4), (4, 2)):
        look.call("rope", look.randn(N, D_k))
        look.call("rope", look.randn(N, D_k), 2 + 3 * torch.arange(N))


def calls_of_rope_one_after_another(look: Observer) -> None:
    X, first, second = look.randn(4, 6), torch.tensor([0, 1, 2, 3]), torch.tensor([7, 3, 3, 9])
    look.call("rope", X, first, 30.0)
    look.call("rope", -X, first, 30.0)
    look.call("rope", X, second, 30.0)
    look.call("rope", X, second, 1000.0)
    look.call("rope", X[:, :4], second, 1000.0)
    look.call("rope", X)
    look.call("rope", X[:2])
    look.call("rope", X.double(), second, 30.0)


def rows_at_far_positions(look: Observer) -> None:
    for dtype in (torch.float32, torch.float64):
        for positions in (torch.tensor([300, 2049, 513]), torch.tensor([FAR, 4097, -9973])):
            look.measure("rope", rope, look.randn(3, 6, dtype=dtype), positions, allowed=ROUGH)
    look.measure("rope", rope, look.randn(2, 6), torch.tensor([2050, 4100]), allowed=ROUGH)  # float16 knows these two


def gradients_of_rows(look: Observer) -> None:
    for dtype in (torch.float32, torch.float64):
        X = look.randn(3, 4, dtype=dtype).requires_grad_()
        look.gradients(look.call("rope", X, torch.tensor([1, 4, -2]), 30.0), [X])


def rotations_to_any_position(look: Observer) -> None:
    for arguments in ((3, 4, 16.0), (-2, 6, 30), (0, 6), (5, 6), (7, 2, 7.5), (-1, 10), (2, 100, 10_000)):
        look.call("rope_rotation", *arguments)


def rotations_to_one_position_after_another(look: Observer) -> None:
    for arguments in ((3, 6, 30.0), (3, 6, 1000.0), (5, 6, 1000.0), (5, 4, 1000.0), (5, 4), (3, 6, 30.0)):
        look.call("rope_rotation", *arguments)


def rotations_to_far_positions(look: Observer) -> None:
    for n in (511, -512, 4999, FAR, -FAR):
        look.measure("rope_rotation", rope_rotation, n, 6)


PROBES = {
    "q07_sinusoidal": [tables_of_any_size, odd_and_tiny_tables, tables_one_after_another, far_rows],
    "q08_rotation_matrix": [rotations_by_any_offset, rotations_one_after_another, rotations_far_and_wide],
    "q09_rope": [
        rows_at_any_position,
        rows_without_positions,
        lone_rows_and_pairs,
        calls_of_rope_one_after_another,
        rows_in_any_layout,
        rows_at_far_positions,
        gradients_of_rows,
    ],
    "q10_rope_rotation": [
        rotations_to_any_position,
        rotations_to_one_position_after_another,
        rotations_to_far_positions,
    ],
}
