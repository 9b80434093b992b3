"""The first entry that a student reads: what was received, what ran of it, and under which versions."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from autograder.errors import show_name
from autograder.grade import Grade
from autograder.gradescope.pins import FILES, list_pins
from autograder.messages import clean

PINNED = [Path(__file__).with_name(name) for name in FILES]


def describe_receipt(grade: Grade) -> dict[str, Any]:
    """An entry of `tests` without points: the file, the cells that ran and those that did not, the versions."""
    ran = sum(cell.status == "ran" for cell in grade.cells)
    whole = bool(grade.cells) and ran == len(grade.cells)
    lines = [f"File: {show_name(grade.file) if grade.file else 'none that can be graded'}"]
    if grade.cells:
        lines.append(f"Cells: {ran} of the {len(grade.cells)} that had to run ran to their end.")
    lines += grade.remarks
    pinned = "\n".join(path.read_text(encoding="utf-8") for path in PINNED)
    lines += [f"Version: {difference}" for difference in list_differences(pinned)]
    return {
        "number": "0",
        "name": "We received and ran your notebook" if grade.cells else "We received your upload",
        "name_format": "text",
        "status": "passed" if whole else "failed",
        "visibility": "visible",
        "output": clean("\n".join(lines)),
        "output_format": "text",
        "extra_data": {
            "question": None,
            "case": "receipt",
            "hidden": False,
            "mistake": None,
            "reason": "passed" if whole else "not_run" if not grade.cells else "error",
            "seconds": round(sum(cell.seconds for cell in grade.cells), 3),
            "cpu_seconds": round(sum(cell.seconds for cell in grade.cells), 3),
        },
    }


def list_differences(pinned: str) -> Iterator[str]:
    """One line for each package of another version than the pinned one."""
    for needed in map(Requirement, list_pins(pinned)):
        if needed.marker and not needed.marker.evaluate():
            continue
        try:
            found = metadata.version(needed.name)
        except metadata.PackageNotFoundError:
            found = "none"
        if found == "none" or not needed.specifier.contains(found, prereleases=True):
            yield f"{needed.name} {found}, the course pins {str(needed.specifier).lstrip('=')}"
