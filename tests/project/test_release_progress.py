"""What a person sees while a release is built."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from autograder.errors import UserError
from autograder.release.progress import show_step


def test_a_step_that_is_refused_leaves_no_bar_above_the_reason() -> None:
    console = Console(file=io.StringIO(), width=100)
    with pytest.raises(UserError), show_step(console, "read grading.yml"):
        raise UserError("grading.yml:7: hour: unknown key")
    with show_step(console, "run Otter Assign"):
        pass
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "run Otter Assign" in said
    assert "read grading.yml" not in said
