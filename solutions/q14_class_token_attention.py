# PyTorch leaves the types of some results open, and of what a ModuleList holds.
# mypy: disable-error-code="no-any-return, operator"
"""q14: what the vision transformer looks at."""

import torch
from torch import Tensor

from solutions.q12_vit import TinyViT


def class_token_attention(model: TinyViT, images: Tensor) -> Tensor:
    """How much the class token looks at each patch in the last layer.

    The last layer's attention sees norm1 of the tokens that reach that layer. Of its weights, averaged over
    the heads, only those count that the class token (as query) gives to the patches (as keys).

    Args:
        model: a TinyViT with at least one layer.
        images: B x S x S.

    Returns:
        B x N, one weight per patch, patches in the order of patchify. A row sums to less than 1, since the
        class token also looks at itself. No gradient is attached. The model and its parts stay as they were:
        weights, gradients, the mode (train or eval) of each part, hooks, attributes.

    Source: Dosovitskiy et al. 2021 (ViT), section 4.5 shows such maps.
    """
    # BEGIN SOLUTION
    with torch.no_grad():
        X = model.tokens(images)
        for layer in model.layers[:-1]:
            X = layer(X)
        last = model.layers[-1]
        normed = last.norm1(X)
        _, alpha = last.attn(normed, normed, normed, average_attn_weights=True)  # B x N+1 x N+1
    return alpha[:, 0, 1:]
    # END SOLUTION
