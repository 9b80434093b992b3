"""Toy word vectors: two sentences that end in "bank", and five features that one can name."""

import torch
from torch import Tensor

FEATURES = ("water", "money", "motion", "place", "grammar")

RIVER = ["I", "swam", "across", "the", "river", "to", "get", "to", "the", "other", "bank"]
CASH = ["I", "walked", "across", "the", "road", "to", "get", "cash", "from", "the", "other", "bank"]

MEANING = {
    "swam": {"water": 1.0, "motion": 1.0},
    "walked": {"motion": 1.0},
    "across": {"motion": 0.5, "grammar": 1.0},
    "river": {"water": 2.0, "place": 1.0},
    "road": {"place": 1.0},
    "cash": {"money": 2.0},
    "bank": {"water": 1.0, "money": 1.0, "place": 1.0},
}


def embed_words(words: list[str]) -> Tensor:
    """One row of features per word, N x 5; words without a meaning of their own are grammar."""
    meanings = [MEANING.get(word, {"grammar": 1.0}) for word in words]
    return torch.tensor([[meaning.get(feature, 0.0) for feature in FEATURES] for meaning in meanings])
