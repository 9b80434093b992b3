# What `reorder` returns is a student's function.
# mypy: disable-error-code="no-untyped-def"
"""Answers to q11 are written row by row; here what they return is put into the orders of the term."""

from typing import Any

import torch

from solutions.term import PATCH_ORDER, PIXEL_ORDER
from solutions.term.text import read_answer

QUESTION = "q11_patchify"
AS_WRITTEN = (PATCH_ORDER, PIXEL_ORDER) == ("rows", "rows")


def reorder(row_by_row: Any) -> Any:
    """A `patchify` in the orders of the term, made of one that goes row by row.

    What has another shape than the contract's is returned as it is: a wrong shape stays the same mistake.
    """

    def patchify(images, P):
        patches = row_by_row(images, P)
        G = images.shape[-1] // P
        if patches.shape == (len(images), G * G, P * P):
            if PATCH_ORDER == "columns":
                patches = patches[:, torch.arange(G * G).reshape(G, G).T.flatten()]
            if PIXEL_ORDER == "columns":
                patches = patches[:, :, torch.arange(P * P).reshape(P, P).T.flatten()]
        return patches

    return patchify


def reorder_answers(question: str, answers: dict[str, Any]) -> dict[str, Any]:
    """The functions and classes of an answer by name, those to q11 in the orders of the term."""
    if question != QUESTION or AS_WRITTEN:
        return answers
    return answers | {"patchify": reorder(answers["patchify"])}


def reorder_text(question: str, answer: str) -> str:
    """The text of an answer's cell, that to q11 followed by what puts its patches into the orders of the term."""
    if question != QUESTION or AS_WRITTEN:
        return answer
    return f"{answer}\n\nrow_by_row = patchify\n\n\n{read_answer(reorder)}"
