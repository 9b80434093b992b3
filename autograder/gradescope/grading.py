"""One submission on Gradescope: what Gradescope put into its folder is graded, and `results.json` written."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import kit
from autograder.command import grade_file
from autograder.grade import Grade
from autograder.gradescope.receipt import describe_receipt
from autograder.gradescope.received import find_notebook
from autograder.results import describe_grade

GRADESCOPE = Path("/autograder")
ACCURACY = "accuracy"  # as q13 tells it to whoever watches


def grade_received(root: Path) -> None:
    """Grade what lies in `root/submission` and write `root/results/results.json`.

    `submission_metadata.json` beside them is not opened: nothing in a grade depends on who hands in, or when.

    Raises UserError, and whatever breaks, after `results.json` has been written.
    """
    close_folders(root)
    accuracies: list[float] = []
    kit.settings.configure(watch=lambda label, number: accuracies.append(number) if label == ACCURACY else None)

    def describe(grade: Grade, remark: str) -> dict[str, Any]:
        content = describe_grade(grade, remark)
        content["tests"].insert(0, describe_receipt(grade))
        if grade.grading.leaderboard:
            content["leaderboard"] = _rank(accuracies)
        return content

    grade_file(lambda: find_notebook(root / "submission"), root / "results" / "results.json", describe)


def close_folders(root: Path) -> None:
    """Leave tests, other submissions and who the student is to root alone, before any of the student's code runs."""
    for place in root.iterdir():
        if not place.is_symlink():
            with contextlib.suppress(PermissionError):  # not root: then the sandbox's other layers hide it
                place.chmod(place.stat().st_mode & 0o700)
    if root == GRADESCOPE and os.geteuid() == 0:  # the container is thrown away
        Path("/tmp").chmod(0o755)


def _rank(accuracies: list[float]) -> list[dict[str, Any]]:
    """Gradescope's leaderboard: the share of held-out digits that the last training got right."""
    return [{"name": "ViT accuracy", "value": round(accuracies[-1], 3) if accuracies else 0, "order": "desc"}]
