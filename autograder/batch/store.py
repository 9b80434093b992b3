"""The results on the disk: one `results.json` a submission, from the first moment on, so that nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograder.errors import UserError
from autograder.results import replace_file

NAME = "results.json"


class Store:
    """The folder `results/` of a batch.

    A result counts as done while the hashes that it was written with, of the course and of the submission, are those
    of today.
    """

    def __init__(self, out: Path) -> None:
        self._folder = out / "results"

    def exists(self) -> bool:
        """Whether there is a batch in this place."""
        return self._folder.is_dir()

    def read(self, name: str) -> dict[str, Any] | None:
        """Return a submission's results; None where there are none that can be read."""
        try:
            content = json.loads((self._folder / name / NAME).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content if isinstance(content, dict) and isinstance(content.get("extra_data"), dict) else None

    def is_done(self, name: str, course: str, submission: str) -> bool:
        """Whether a submission has been graded as it is, by the course as it is."""
        found = self.read(name)
        return found is not None and (found["extra_data"].get("course"), found["extra_data"].get("submission")) == (
            course,
            submission,
        )

    def write(self, name: str, content: dict[str, Any], course: str | None = None, submission: str = "") -> None:
        """Write a submission's results; those without a course are not done.

        Raises UserError where the disk does not take them.
        """
        hashes = {"course": course, "submission": submission}
        content = {**content, "extra_data": {**content["extra_data"], **hashes}}
        path = self._folder / name / NAME
        try:
            replace_file(path, json.dumps(content, indent=1, allow_nan=False))
        except OSError as error:
            raise UserError(
                f"{path}: cannot be written: {error.strerror}: make room, then run again with --resume"
            ) from None
