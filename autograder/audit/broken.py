"""Vision transformers that must not learn to read digits, to see how far the minimum accuracy is above them."""

# PyTorch leaves the types of some results open.
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import torch
from torch import Tensor

from solutions.mistakes import load_mistakes
from solutions.q12_vit import TinyViT


class ShuffledLabels(TinyViT):
    """Every image of a training batch gets the logits, and so the label, of another one."""

    def forward(self, images: Tensor) -> Tensor:
        """Return the logits, in training in another order."""
        logits = super().forward(images)
        return logits[torch.randperm(len(logits))] if self.training else logits


class Untrained(TinyViT):
    """No gradient reaches any parameter, so that the first weights stay."""

    def forward(self, images: Tensor) -> Tensor:
        """Return the logits, cut off from the weights."""
        return super().forward(images).detach() + 0 * self.head.bias


class OnlyTheHeadLearns(TinyViT):
    """No gradient reaches the layers and the tokens."""

    def forward(self, images: Tensor) -> Tensor:
        """Return the logits of layers that stay at their first weights."""
        with torch.no_grad():
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
        return self.head(self.final_norm(X[:, 0]))


class OneConstantPosition(TinyViT):
    """Every patch gets the same row of r, so that the model sees a bag of patches."""

    def tokens(self, images: Tensor) -> Tensor:
        """Return the tokens, all with one position."""
        X = super().tokens(images)
        return X - self.r + self.r[:, :1]


def list_broken_models() -> dict[str, type[TinyViT]]:
    """Return broken models by name: those above, and the known mistakes of q13."""
    models = {model.__name__: model for model in (ShuffledLabels, Untrained, OnlyTheHeadLearns, OneConstantPosition)}
    known = [mistake for mistake in load_mistakes() if mistake.question == "q13_vit_accuracy"]
    return models | {mistake.name: mistake.make() for mistake in known}
