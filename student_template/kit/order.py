"""The orders of patches and pixels, which change from term to term: values written row by row are put into them."""

from __future__ import annotations

import math

import torch

from kit.settings import settings


def order_patches(patches: torch.Tensor) -> torch.Tensor:
    """Return patches `B x G^2 x P^2` that are written row by row, both orders, in the orders of the term."""
    for axis, order in ((1, settings.term["patch_order"]), (2, settings.term["pixel_order"])):
        if order == "columns":
            side = math.isqrt(patches.shape[axis])
            places = torch.arange(side * side).reshape(side, side).T.flatten()
            patches = patches.index_select(axis, places)
    return patches
