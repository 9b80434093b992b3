"""Right answers to q11, written row by row (`solutions.term.order`)."""

import torch
import torch.nn.functional as F
from torch import nn


def unfolds():
    def patchify(images, P):
        pixels = images.double().unsqueeze(1)  # unfold is there for floats alone, and float64 holds every pixel
        return F.unfold(pixels, kernel_size=P, stride=P).transpose(1, 2).to(images.dtype)

    return patchify


def unfolds_with_a_module():
    def patchify(images, P):
        return nn.Unfold(P, stride=P)(images[:, None].double()).mT.contiguous().type_as(images)

    return patchify


def unfolds_both_axes():
    def patchify(images: torch.Tensor, P: int) -> torch.Tensor:
        windows = images.unfold(1, P, P).unfold(2, P, P)  # B x S/P x S/P x P x P
        return windows.flatten(3).flatten(1, 2)

    return patchify


def shuffles_pixels():
    def patchify(images, P):
        return F.pixel_unshuffle(images[:, None], P).flatten(2).transpose(1, 2)

    return patchify


def splits_and_stacks():
    def patchify(images, P):
        pieces = [piece for band in images.split(P, dim=1) for piece in band.split(P, dim=2)]
        return torch.stack([piece.flatten(1) for piece in pieces], dim=1)

    return patchify


def rearranges_with_einops():
    from einops import rearrange

    def patchify(images, P):
        return rearrange(images, "b (r p) (c q) -> b (r c) (p q)", p=P, q=P)

    return patchify


def loops_over_patches():
    def patchify(images, P):
        B, S, _ = images.shape
        G = S // P
        out = torch.empty(B, G * G, P * P, dtype=images.dtype)
        for row in range(G):
            for column in range(G):
                piece = images[:, row * P : (row + 1) * P, column * P : (column + 1) * P]
                out[:, row * G + column] = piece.reshape(B, -1)
        return out

    return patchify


def permutes_axes():
    def patchify(images, P):
        B, S, S2 = images.size()
        x = images.reshape(B, S // P, P, S2 // P, P).permute(0, 1, 3, 2, 4)
        return x.contiguous().view(B, -1, P**2)

    return patchify


def convolves_with_unit_kernels():
    def patchify(images, P):
        kernels = torch.eye(P * P, dtype=torch.float64).reshape(P * P, 1, P, P)
        return F.conv2d(images[:, None].double(), kernels, stride=P).flatten(2).mT.to(images.dtype)

    return patchify


def indexes_pixels():
    def patchify(images, P):
        S = images.shape[-1]
        patch, pixel = torch.arange((S // P) ** 2)[:, None], torch.arange(P * P)
        rows = patch // (S // P) * P + pixel // P
        columns = patch % (S // P) * P + pixel % P
        return images[:, rows, columns]

    return patchify


def works_in_numpy():
    import numpy as np

    def patchify(images, P):
        pixels = images.numpy()
        B, S, _ = pixels.shape
        grid = np.swapaxes(pixels.reshape(B, S // P, P, S // P, P), 2, 3)
        return torch.from_numpy(np.ascontiguousarray(grid.reshape(B, -1, P * P)))

    return patchify


def views_with_strides():
    def patchify(images, P):
        images = images.contiguous()
        B, S, _ = images.shape
        G = S // P
        return images.as_strided((B, G, G, P, P), (S * S, S * P, P, S, 1)).reshape(B, G * G, P * P)

    return patchify


def cuts_each_image_alone():
    def patchify(images, P):
        def cut(image):
            rows = image.chunk(image.shape[0] // P, dim=0)
            return torch.cat([torch.stack(row.chunk(image.shape[1] // P, dim=1)).flatten(1) for row in rows])

        return torch.stack([cut(image) for image in images])

    return patchify


def sums_with_unflatten():
    def patchify(images, P):
        x = images.unflatten(2, (-1, P)).unflatten(1, (-1, P))  # B x S/P x P x S/P x P
        return torch.einsum("bipjq->bijpq", x).flatten(1, 2).flatten(2)

    return patchify
