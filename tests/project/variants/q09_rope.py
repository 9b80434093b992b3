"""Right answers to q09."""

import math

import torch

from solutions.term import ROPE_BASE


def multiplies_complex_numbers():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        positions = torch.arange(N) if positions is None else positions
        theta = 1.0 / L ** (torch.arange(0, D_k, 2)[: D_k // 2].double() / D_k)
        turns = torch.polar(torch.ones(N, D_k // 2).double(), torch.outer(positions.double(), theta))
        pairs = torch.view_as_complex(X.double().reshape(N, D_k // 2, 2).contiguous())
        return torch.view_as_real(pairs * turns).flatten(1).to(X.dtype)

    return rope


def multiplies_complex_numbers_in_the_dtype_of_x():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2).double() / D_k)
        angles = positions[:, None].double() * theta
        pairs = torch.complex(X[:, ::2].contiguous(), X[:, 1::2].contiguous())
        turned = pairs * torch.polar(torch.ones_like(angles), angles).to(pairs.dtype)
        return torch.stack([turned.real, turned.imag], dim=-1).reshape(N, D_k)

    return rope


def keeps_tables_in_float32():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        inv_freq = 1.0 / (L ** (torch.arange(0, D_k, 2).float() / D_k))
        angles = positions.float()[:, None] * inv_freq[None, :]
        cos = angles.cos().repeat_interleave(2, dim=-1).to(X.dtype)
        sin = angles.sin().repeat_interleave(2, dim=-1).to(X.dtype)
        turned = torch.stack((-X[..., 1::2], X[..., 0::2]), dim=-1).reshape(X.shape)
        return X * cos + turned * sin

    return rope


def rotates_every_two():
    def rotate_every_two(X):
        x1, x2 = X[:, ::2], X[:, 1::2]
        return torch.stack([-x2, x1], dim=-1).flatten(-2)

    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        places = torch.arange(N, dtype=torch.float64) if positions is None else positions.to(torch.float64)
        theta = torch.exp(-math.log(L) * torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = torch.repeat_interleave(places[:, None] * theta, 2, dim=1)
        return X * angles.cos().type_as(X) + rotate_every_two(X) * angles.sin().type_as(X)

    return rope


def multiplies_by_block_matrices():
    def matrix(n, D_k, L):
        angles = [float(n) * L ** (-2 * i / D_k) for i in range(D_k // 2)]
        blocks = [[[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]] for a in angles]
        return torch.block_diag(*torch.tensor(blocks, dtype=torch.float64))

    def rope(X, positions=None, L=ROPE_BASE):
        if positions is None:
            positions = range(X.shape[0])
        return torch.stack([matrix(n, X.shape[1], L).to(X.dtype) @ x for n, x in zip(positions, X, strict=True)])

    return rope


def contracts_blocks_with_einsum():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        n = (torch.arange(N) if positions is None else positions).to(torch.float64)
        angles = torch.einsum("n,i->ni", n, L ** (-2 * torch.arange(D_k // 2, dtype=torch.float64) / D_k))
        c, s = angles.cos(), angles.sin()
        R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2).to(X.dtype)  # N x D_k/2 x 2 x 2
        return torch.einsum("niab,nib->nia", R, X.reshape(N, -1, 2)).reshape(N, D_k)

    return rope


def loops_over_pairs():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        rows = []
        for n in range(N):
            place = n if positions is None else positions[n].item()
            row = []
            for i in range(D_k // 2):
                a = place * L ** (-2 * i / D_k)
                x, y = X[n, 2 * i], X[n, 2 * i + 1]
                row.append(x * math.cos(a) - y * math.sin(a))
                row.append(x * math.sin(a) + y * math.cos(a))
            rows.append(torch.stack(row))
        return torch.stack(rows)

    return rope


def fills_an_empty_tensor():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = torch.tensor([L ** (-2 * i / D_k) for i in range(D_k // 2)], dtype=torch.float64)
        angles = positions.view(-1, 1) * theta
        Y = torch.empty_like(X)
        Y[:, 0::2] = X[:, 0::2] * angles.cos().to(X.dtype) - X[:, 1::2] * angles.sin().to(X.dtype)
        Y[:, 1::2] = X[:, 0::2] * angles.sin().to(X.dtype) + X[:, 1::2] * angles.cos().to(X.dtype)
        return Y

    return rope


def unbinds_pairs():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        positions = torch.arange(N) if positions is None else positions
        even, odd = X.double().unflatten(1, (D_k // 2, 2)).unbind(-1)
        angles = positions.double().unsqueeze(-1) / L ** torch.linspace(0, 1 - 2 / D_k, D_k // 2, dtype=torch.float64)
        c, s = torch.cos(angles), torch.sin(angles)
        return torch.cat([(even * c - odd * s)[..., None], (odd * c + even * s)[..., None]], -1).flatten(1).to(X.dtype)

    return rope


def sorts_features_and_puts_them_back():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        positions = torch.arange(N) if positions is None else positions
        order = torch.cat([torch.arange(0, D_k, 2), torch.arange(1, D_k, 2)])
        theta = L ** (-torch.arange(0, D_k, 2).double() / D_k)
        angles = (positions.double()[:, None] * theta).repeat(1, 2)
        halves = X[:, order]
        first, second = halves.chunk(2, dim=1)
        partner = torch.cat([-second, first], dim=1)
        turned = halves * angles.cos().to(X) + partner * angles.sin().to(X)
        return turned[:, order.argsort()]

    return rope


def is_an_object_that_can_be_called():
    class Rope:
        def __init__(self):
            self.kept = {}

        def theta(self, D_k, L):
            if (D_k, L) not in self.kept:
                self.kept[D_k, L] = L ** (-torch.arange(0, D_k, 2).double() / D_k)
            return self.kept[D_k, L]

        def __call__(self, X, positions=None, L=ROPE_BASE):
            n = torch.arange(len(X)) if positions is None else positions
            a = n.double()[:, None] * self.theta(X.size(1), L)
            c, s = a.cos().to(X.dtype), a.sin().to(X.dtype)
            x, y = X[:, 0::2], X[:, 1::2]
            return torch.dstack([x * c - y * s, x * s + y * c]).reshape(X.shape)

    rope = Rope()
    rope.__name__ = "rope"
    return rope


def turns_with_rotation_matrices_from_the_right():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        positions = torch.arange(N) if positions is None else positions
        rows = []
        for n, place in enumerate(positions.tolist()):
            generator = torch.zeros(D_k, D_k, dtype=torch.float64)
            for i in range(D_k // 2):
                angle = math.remainder(place * L ** (-2 * i / D_k), 2 * math.pi)
                generator[2 * i, 2 * i + 1], generator[2 * i + 1, 2 * i] = angle, -angle
            rows.append(X[n].double() @ torch.matrix_exp(generator))
        return torch.stack(rows).to(X.dtype)

    return rope
