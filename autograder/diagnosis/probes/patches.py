"""Probes of q11: images as patches."""

from __future__ import annotations

import torch

from autograder.diagnosis.observer import Observer


def images_of_any_size(look: Observer) -> None:
    for B, S, P in ((2, 6, 2), (3, 6, 3), (1, 8, 2), (5, 4, 2), (4, 8, 4)):
        look.call("patchify", look.randn(B, S, S), P)


def pixels_and_whole_images(look: Observer) -> None:
    for B, S, P in ((3, 5, 1), (2, 3, 3), (1, 6, 6), (1, 4, 1), (2, 1, 1)):
        look.call("patchify", look.randn(B, S, S), P)


def other_kinds_of_numbers(look: Observer) -> None:
    look.call("patchify", look.randn(2, 6, 6, dtype=torch.float64), 2)
    look.call("patchify", 300 + look.randn(2, 6, 6), 3)  # more than a byte holds
    look.call("patchify", look.randn(2, 6, 6).requires_grad_(), 3)
    for dtype in (torch.int64, torch.uint8):
        look.call("patchify", (5 * look.randn(2, 6, 6)).abs().to(dtype), 2)


def views_of_larger_tensors(look: Observer) -> None:
    wide = look.randn(2, 7, 12)
    cut = wide[:, 1:, 2:8]
    batch_last = cut.permute(1, 2, 0).contiguous().permute(2, 0, 1)
    for images in (cut, cut.mT, wide[:, 1:, ::2], batch_last, wide[:1, 1:, 2:8].expand(4, 6, 6)):
        look.call("patchify", images, 2)


def images_one_after_another(look: Observer) -> None:
    for B, S, P in ((2, 6, 3), (2, 6, 2), (2, 6, 2), (3, 6, 2), (3, 10, 2), (2, 6, 3)):
        look.call("patchify", look.randn(B, S, S), P)


PROBES = {
    "q11_patchify": [
        images_of_any_size,
        pixels_and_whole_images,
        views_of_larger_tensors,
        images_one_after_another,
        other_kinds_of_numbers,
    ]
}
