"""Right answers to q10."""

import math

import torch

from solutions.term import ROPE_BASE


def joins_blocks():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        angles = [n * L ** (-2 * i / D_k) for i in range(D_k // 2)]
        blocks = [[[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]] for a in angles]
        return torch.block_diag(*torch.tensor(blocks, dtype=torch.float64))

    return rope_rotation


def turns_the_unit_vectors():
    def rope_rotation(n: int, D_k: int, L: float = ROPE_BASE) -> torch.Tensor:
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        turns = torch.polar(torch.ones_like(theta), n * theta)
        ones = torch.view_as_complex(torch.eye(D_k, dtype=torch.float64).reshape(D_k, D_k // 2, 2))
        return torch.view_as_real(ones * turns).reshape(D_k, D_k).T  # row d is the image of unit vector d

    return rope_rotation


def raises_one_step_to_a_power():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        step = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(0, D_k, 2):
            c, s = math.cos(L ** (-i / D_k)), math.sin(L ** (-i / D_k))
            step[i : i + 2, i : i + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return torch.linalg.matrix_power(step, n)  # a negative power inverts

    return rope_rotation


def fills_with_numpy():
    import numpy as np

    def rope_rotation(n, D_k, L=ROPE_BASE):
        R = np.zeros([D_k, D_k])
        for i in range(D_k // 2):
            phi = n / np.power(L, 2 * i / D_k)
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]]
        return torch.as_tensor(R)

    return rope_rotation


def adds_diagonals():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        phi = n * torch.exp(-math.log(L) * torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        R = torch.diag(phi.cos().repeat_interleave(2))
        R[1::2, 0::2] += phi.sin().diag()
        R[0::2, 1::2] -= phi.sin().diag()
        return R

    return rope_rotation


def chooses_entry_by_entry():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        def entry(row, column):
            if row // 2 != column // 2:
                return 0.0
            angle = n * L ** (-(row // 2 * 2) / D_k)
            if row == column:
                return math.cos(angle)
            return math.sin(angle) if row > column else -math.sin(angle)

        return torch.tensor([[entry(a, b) for b in range(D_k)] for a in range(D_k)], dtype=torch.float64)

    return rope_rotation
