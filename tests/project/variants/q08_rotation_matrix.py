"""Right answers to q08."""

import math

import torch


def joins_blocks():
    def rotation_matrix(k, D, L):
        angles = [k / L ** (2 * j / D) for j in range(D // 2)]
        blocks = [[[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]] for a in angles]
        return torch.block_diag(*torch.tensor(blocks, dtype=torch.float64))

    return rotation_matrix


def fills_diagonals():
    def rotation_matrix(k: int, D: int, L: float) -> torch.Tensor:
        phi = k * torch.pow(L, -torch.arange(0, D, 2, dtype=torch.float64) / D)
        beside = torch.stack([phi.sin(), torch.zeros_like(phi)], dim=1).flatten()[:-1]
        return phi.cos().repeat_interleave(2).diag() + beside.diag(1) - beside.diag(-1)

    return rotation_matrix


def raises_one_step_to_a_power():
    def rotation_matrix(k, D, L):
        step = torch.zeros(D, D, dtype=torch.float64)
        for j in range(0, D, 2):
            a = L ** (-j / D)
            step[j, j] = step[j + 1, j + 1] = math.cos(a)
            step[j, j + 1], step[j + 1, j] = math.sin(a), -math.sin(a)
        return torch.linalg.matrix_power(step if k >= 0 else step.T, abs(k))

    return rotation_matrix


def takes_a_matrix_exponential():
    def rotation_matrix(k, D, L):
        generator = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            # angles beyond a full turn only cost digits
            phi = math.remainder(k * L ** (-2 * j / D), 2 * math.pi)
            generator[2 * j, 2 * j + 1], generator[2 * j + 1, 2 * j] = phi, -phi
        return torch.matrix_exp(generator)

    return rotation_matrix


def multiplies_kronecker_factors():
    def rotation_matrix(k, D, L):
        phi = k * L ** (-2 * torch.arange(D // 2, dtype=torch.float64) / D)
        turn = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
        one = torch.eye(2, dtype=torch.float64)
        return torch.kron(phi.cos().diag(), one) + torch.kron(phi.sin().diag(), turn)

    return rotation_matrix


def works_in_numpy():
    import numpy as np

    def rotation_matrix(k, D, L):
        R = np.zeros((D, D))
        even = np.arange(0, D, 2)
        phi = k * float(L) ** (-even / D)
        R[even, even] = R[even + 1, even + 1] = np.cos(phi)
        R[even, even + 1] = np.sin(phi)
        R[even + 1, even] = -np.sin(phi)
        return torch.from_numpy(R)

    return rotation_matrix


def transposes_the_other_rotation():
    def turn(angle):
        c, s = math.cos(angle), math.sin(angle)
        return torch.tensor([[c, -s], [s, c]], dtype=torch.double)

    def rotation_matrix(k, D, L):
        return torch.block_diag(*[turn(k * L ** (-2 * j / D)) for j in range(D // 2)]).mT

    return rotation_matrix


def reads_complex_numbers():
    def rotation_matrix(k, D, L):
        phi = k * L ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
        z = torch.polar(torch.ones_like(phi), phi)
        R = torch.zeros(D // 2, 2, D // 2, 2, dtype=torch.float64)
        j = torch.arange(D // 2)
        R[j, 0, j, 0] = R[j, 1, j, 1] = z.real
        R[j, 0, j, 1], R[j, 1, j, 0] = z.imag, -z.imag
        return R.reshape(D, D)

    return rotation_matrix
