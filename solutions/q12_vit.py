# PyTorch leaves the types of some results open.
# mypy: disable-error-code="no-any-return"
"""q12: a tiny vision transformer."""

import torch
from torch import Tensor, nn

from solutions.q06_transformer_layer import TransformerLayer
from solutions.q11_patchify import patchify


class TinyViT(nn.Module):
    """A small vision transformer: patches as tokens, a class token that gathers the answer.

        X_0 = [class token; embedded patches] + r,    X_l = layer_l(X_(l-1)),    logits = head(LN(X_L)[0])

    Args:
        P: edge of a patch in pixels; it divides S.
        S: edge of an image in pixels.
        D: features per token, a multiple of H.
        H: heads.
        L: layers.
        n_classes: classes.

    Attributes, with N = (S/P)^2 patches:
        patch_embed: ``nn.Linear`` from P*P pixels to D features.
        class_token: ``nn.Parameter``, 1 x 1 x D, zeros at first.
        r: ``nn.Parameter``, 1 x N+1 x D, learned positions, random at first with standard deviation 0.02.
        layers: ``nn.ModuleList`` of L pre-norm TransformerLayers.
        final_norm: ``nn.LayerNorm`` over the D features.
        head: ``nn.Linear`` from D features to the classes.

    Your own patchify and TransformerLayer are its parts.

    Source: Dosovitskiy et al. 2021 (ViT), eq. 1 to 4.
    """

    def __init__(self, P: int = 2, S: int = 8, D: int = 32, H: int = 4, L: int = 2, n_classes: int = 10) -> None:
        """Make the six parts listed above."""
        super().__init__()
        # BEGIN SOLUTION
        N = (S // P) ** 2
        self.P = P
        self.patch_embed = nn.Linear(P * P, D)
        self.class_token = nn.Parameter(torch.zeros(1, 1, D))
        self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))  # 0.02: standard deviation, see the docstring
        self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
        self.final_norm = nn.LayerNorm(D)
        self.head = nn.Linear(D, n_classes)
        # END SOLUTION

    def tokens(self, images: Tensor) -> Tensor:
        """The first layer's input for images B x S x S: B x N+1 x D, class token first, r added."""
        # BEGIN SOLUTION
        patches = self.patch_embed(patchify(images, self.P))  # B x N x D
        class_token = self.class_token.expand(len(images), -1, -1)  # B x 1 x D
        return torch.cat([class_token, patches], dim=1) + self.r
        # END SOLUTION

    def forward(self, images: Tensor) -> Tensor:
        """Logits of the classes, B x n_classes, read from the class token after final_norm."""
        # BEGIN SOLUTION
        X = self.tokens(images)
        for layer in self.layers:
            X = layer(X)
        return self.head(self.final_norm(X[:, 0]))
        # END SOLUTION
