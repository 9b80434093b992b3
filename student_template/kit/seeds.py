"""Seeds of everything that is drawn: without the salt nobody can tell them, and one says nothing of another."""

from __future__ import annotations

import hmac

import torch

from kit.settings import settings


def make_seed(*place: object) -> int:
    """Return the seed of one draw: an HMAC of question, case and place, its key the salt of the submission.

    Args:
        place: what tells this draw from the others of its case
    """
    digest = hmac.digest(settings.salt.encode(), repr((settings.case, *place)).encode(), "sha256")
    return int.from_bytes(digest[:8], "big")


def make_generator(*place: object) -> torch.Generator:
    """Return a random generator for one draw; of its seed PyTorch uses 32 bits, so it must serve no other."""
    return torch.Generator().manual_seed(make_seed(*place) % 2**63)
