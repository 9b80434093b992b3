"""Otter's own tools take our files: `otter run` the zip, with the same points; `otter assign` the master."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from project.packed import Packed, pack

from autograder import tree

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Packed:
    return pack(tmp_path_factory.mktemp("packed"))


def run_otter(*arguments: str | Path, cwd: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "otter", *map(str, arguments)], cwd=cwd, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def sum_points(tests: list[dict[str, Any]]) -> dict[str, float]:
    points: dict[str, float] = defaultdict(float)
    for test in tests:
        question = test["name"].split()[0]
        if question.startswith("q"):
            points[question] += test.get("score", 0)
    return points


def test_otter_run_gives_an_honest_submission_the_same_points(packed: Packed, tmp_path: Path) -> None:
    ours = tmp_path / "ours.json"
    command = [sys.executable, "-m", "autograder", "grade", packed.notebook, "--results", ours]
    subprocess.run(command, cwd=tree.ROOT, check=True, capture_output=True)
    run_otter("run", "-a", packed.archive, "--no-logo", packed.notebook, cwd=tmp_path)
    theirs = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["tests"]
    expected = sum_points(json.loads(ours.read_text(encoding="utf-8"))["tests"])
    assert len(expected) == 14 and 0 < sum(expected.values()) < 100
    assert sum_points(theirs) == pytest.approx(expected)


def test_otter_assign_takes_the_master_by_hand(packed: Packed, tmp_path: Path) -> None:
    run_otter("assign", packed.master, tmp_path / "dist", cwd=packed.master.parent)
    assert (tmp_path / "dist" / "student" / "transformers.ipynb").is_file()
    assert len(list((tmp_path / "dist" / "student" / "tests").glob("q*.py"))) == 14
