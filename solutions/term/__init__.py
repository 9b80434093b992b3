"""What a term switches: conventions that change answers and nothing of what is taught.

Their values stand in `grading.yml` under `term`. Answers, known mistakes and right answers written differently use the
names below; a cell that a student sees has their values instead (`solutions.term.text`).
"""

from pathlib import Path
from typing import Any

import yaml

TABLE = Path(__file__).resolve().parents[2] / "grading.yml"
LECTURE: dict[str, Any] = {"rope_base": 10000.0, "patch_order": "rows", "pixel_order": "rows", "pre_norm": True}


def _read_switches() -> dict[str, Any]:
    """The values of the table, and the lecture's for what it does not say."""
    try:
        table: dict[str, dict[str, Any]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
        return LECTURE | table.get("term", {})
    except (OSError, ValueError, TypeError, AttributeError, yaml.YAMLError):
        return LECTURE  # what is wrong with the table, `autograder.config` says in one line


_VALUES = _read_switches()
ROPE_BASE: float = _VALUES["rope_base"]
PATCH_ORDER: str = _VALUES["patch_order"]  # in which the patches of an image are counted, "rows" or "columns"
PIXEL_ORDER: str = _VALUES["pixel_order"]  # in which the pixels of a patch are written
PRE_NORM: bool = _VALUES["pre_norm"]  # the default of TransformerLayer

SWITCHES = {"ROPE_BASE": ROPE_BASE, "PATCH_ORDER": PATCH_ORDER, "PIXEL_ORDER": PIXEL_ORDER, "PRE_NORM": PRE_NORM}

_MAJOR = {"rows": "row-major", "columns": "column-major"}
_PATCHES, _PIXELS = _MAJOR.get(PATCH_ORDER, ""), _MAJOR.get(PIXEL_ORDER, "")
# What docstrings and the handout say of the switches where they write `<< patches >>`.
WORDS = {
    "patches": _PATCHES,
    "first_patches": "along the top row" if PATCH_ORDER == "rows" else "down the left column",
    "first_pixels": "top row" if PIXEL_ORDER == "rows" else "left column",
    "and_pixels": "so do the pixels within a patch"
    if _PATCHES == _PIXELS
    else f"the pixels within a patch in {_PIXELS} order",
    "orders": f"Everything is **{_PATCHES}**"
    if _PATCHES == _PIXELS
    else f"Patches are **{_PATCHES}**, the pixels of a patch **{_PIXELS}**",
}
