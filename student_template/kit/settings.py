"""What the table of points says and a case must know: tolerances, the ViT's recipe, the term, the seed, shrinking."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

RELEASED = Path(__file__).with_name("settings.json")


@dataclass
class Settings:
    """The state that a grader sets before a case and that a student's notebook reads from `settings.json`.

    Attributes:
        tolerances: by name; for each dtype's name `(rtol, atol)`, and `per_position` where errors grow with positions
        vit: recipe and minimum accuracy of the ViT's training
        term: conventions that change from term to term, by name
        questions: what a notebook may say of each question: title, points of its public cases, hidden cases that wait
        salt: part of the seed of whatever a hidden case draws, empty for public ones
        case: question and case that is run, part of the seeds as well
        shrink: look for the smallest failing input (public cases)
        watch: is told the label of each comparison and its largest error in units of what is allowed, and the
            accuracies that q13 measures; the audit reads margins off it
    """

    tolerances: dict[str, dict[str, Any]] = field(default_factory=dict)
    vit: dict[str, Any] = field(default_factory=dict)
    term: dict[str, Any] = field(default_factory=dict)
    questions: dict[str, Any] = field(default_factory=dict)
    salt: str = ""
    case: str = ""
    shrink: bool = True
    watch: Callable[[str, float], object] | None = None

    def configure(self, **changes: Any) -> None:
        """Set the named attributes; an unknown name is a `TypeError`."""
        for name, value in changes.items():
            if name not in self.__dataclass_fields__:
                raise TypeError(f"kit has no setting {name!r}")
            setattr(self, name, value)

    def tell(self, label: str, number: float) -> None:
        """Tell a number to whoever watches."""
        if self.watch is not None:
            self.watch(label, number)

    def tolerance(self, name: str, dtype: torch.dtype, position: float = 0.0) -> tuple[float, float]:
        """Return `(rtol, atol)` of the named tolerance for a dtype.

        Args:
            name: a key of `tolerances`
            dtype: of the value that a student's code must return; integers are exact
            position: the largest position in tokens, for tolerances that grow with it
        """
        if not dtype.is_floating_point:
            return 0.0, 0.0
        entry = self.tolerances[name]
        rtol, atol = entry[str(dtype).removeprefix("torch.")]
        return rtol, atol + position * entry.get("per_position", 0.0)


def _load() -> Settings:
    return Settings(**json.loads(RELEASED.read_text("utf-8"))) if RELEASED.exists() else Settings()


settings = _load()
