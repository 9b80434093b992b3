"""Handwritten digits, 8 x 8 pixels, and the loop that trains a classifier on them."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from given.progress import show_progress
from given.threads import one_thread


class Digits(NamedTuple):
    """Images B x 8 x 8 in float32, pixels from 0 to 1, and labels B from 0 to 9."""

    images: Tensor
    labels: Tensor


def load_digits() -> tuple[Digits, Digits]:
    """The 1,797 digits that come with scikit-learn, shuffled: 1,300 to train with and 497 held out."""
    from sklearn import datasets  # here, so that training on other images does not need it

    digits = datasets.load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32) / 16  # the brightest pixel is 16
    labels = torch.tensor(digits.target, dtype=torch.int64)
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0))
    train, held_out = order[:1300], order[1300:]
    return Digits(images[train], labels[train]), Digits(images[held_out], labels[held_out])


@one_thread()
def fit(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    *,
    epochs: int,
    batch: int,
    learning_rate: float,
    seed: int,
    progress: bool = False,
) -> list[float]:
    """Train the model with Adam on the cross entropy of its logits; returns the loss of every step.

    The seed shuffles the images; the model's first weights are the caller's business.
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    generator = torch.Generator().manual_seed(seed)
    batches = DataLoader(TensorDataset(images, labels), batch, shuffle=True, generator=generator)
    losses = []
    model.train()
    for _ in show_progress(epochs, "epochs", progress):
        for some_images, their_labels in batches:
            loss = F.cross_entropy(model(some_images), their_labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


def measure_accuracy(model: nn.Module, digits: Digits) -> float:
    """The share of digits that the model gets right."""
    model.eval()
    with torch.no_grad():
        right = model(digits.images).argmax(dim=1) == digits.labels
    return float(right.double().mean())
