"""Right answers to q07."""

import math

import torch


def loops_over_entries():
    def sinusoidal_encoding(N, D, L):
        r = torch.zeros((N, D), dtype=torch.float64)
        for n in range(N):
            for i in range(D):
                if i % 2 == 0:
                    r[n, i] = math.sin(n / L ** (i / D))
                else:
                    r[n, i] = math.cos(n / L ** ((i - 1) / D))
        return r

    return sinusoidal_encoding


def fills_slices():
    def sinusoidal_encoding(N: int, D: int, L: float) -> torch.Tensor:
        position = torch.arange(N, dtype=torch.float64).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, D, 2, dtype=torch.float64) * (-math.log(L) / D))
        pe = torch.zeros(N, D, dtype=torch.float64)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)[:, : D // 2]
        return pe

    return sinusoidal_encoding


def works_in_numpy():
    import numpy as np

    def sinusoidal_encoding(N, D, L):
        i = np.arange(D)
        angles = np.arange(N)[:, None] / np.power(float(L), 2 * (i // 2) / D)
        angles[:, 0::2] = np.sin(angles[:, 0::2])
        angles[:, 1::2] = np.cos(angles[:, 1::2])
        return torch.from_numpy(angles)

    return sinusoidal_encoding


def interleaves_a_stack():
    def sinusoidal_encoding(N, D, L):
        pairs = (D + 1) // 2
        omega = torch.pow(torch.tensor(float(L)).double(), -2 * torch.arange(pairs) / torch.tensor(D).double())
        angles = torch.outer(torch.arange(N).double(), omega)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)[:, :D]

    return sinusoidal_encoding


def takes_parts_of_a_complex_number():
    def sinusoidal_encoding(N, D, L):
        omega = torch.tensor([L ** (-(i - i % 2) / D) for i in range(D)], dtype=torch.float64)
        turns = torch.exp(1j * torch.arange(N, dtype=torch.float64)[:, None] * omega)
        odd = (torch.arange(D) % 2).bool()
        return torch.where(odd, turns.real, turns.imag)

    return sinusoidal_encoding


def shifts_the_sine():
    def sinusoidal_encoding(N, D, L):
        i = torch.arange(D, dtype=torch.float64)
        shift = (i % 2) * math.pi / 2
        return torch.sin(torch.arange(N, dtype=torch.float64)[:, None] / L ** ((i - i % 2) / D) + shift)

    return sinusoidal_encoding


def collects_columns():
    def column(N, i, D, L):
        n = torch.arange(N, dtype=torch.double)
        return torch.cos(n / L ** ((i - 1) / D)) if i % 2 else torch.sin(n / L ** (i / D))

    def sinusoidal_encoding(N, D, L):
        return torch.stack([column(N, i, D, L) for i in range(D)]).T

    return sinusoidal_encoding


def nests_lists():
    def sinusoidal_encoding(N, D, L):
        functions = (math.sin, math.cos)
        rows = [[functions[i % 2](n * L ** (-(i // 2 * 2) / D)) for i in range(D)] for n in range(N)]
        return torch.tensor(rows, dtype=torch.float64).reshape(N, D)

    return sinusoidal_encoding


def remembers_all_arguments():
    import functools

    @functools.cache
    def table(N, D, L):
        i = torch.arange(D, dtype=torch.float64)
        angles = torch.arange(N, dtype=torch.float64)[:, None] / L ** ((i - i % 2) / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    def sinusoidal_encoding(N, D, L):
        return table(N, D, L).clone()

    return sinusoidal_encoding
