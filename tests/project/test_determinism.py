"""The same submission gets the same results, but for times: again, in a fresh process, and on a busy machine."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from project.specimens.answers import make_solved
from project.specimens.three_mistakes import make_mistakes

from autograder import tree
from autograder.config import load_grading
from autograder.grade import Grade, grade_submission
from autograder.questions import load_questions
from autograder.results import describe_grade
from autograder.sandbox import Sandbox
from autograder.submission import read_submission

SPIN = "while True: pass"
CHANCE = "import random\n\nimport numpy\n\nprint(torch.randn(2), random.random(), numpy.random.rand())"  # unseeded


def times(count: int, whole: int) -> list[Any]:
    """A few for `make test`, the whole number for the proof."""
    return [pytest.param(count, id="sample"), pytest.param(whole, id="whole", marks=pytest.mark.proof)]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every answer, three of them wrong, in a notebook that leaves some things to chance; q13 trains."""
    content = make_solved()
    make_mistakes(content)
    content["cells"][1]["source"] = [CHANCE + "\n" + "".join(content["cells"][1]["source"])]
    path = tmp_path_factory.mktemp("submission") / "a.ipynb"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def without_times(content: dict[str, Any]) -> str:
    """Results as text, every time in them set to 0."""
    content["execution_time"] = content["extra_data"]["cpu_seconds"] = 0
    for test in content["tests"]:
        test["extra_data"] |= {"seconds": 0, "cpu_seconds": 0}
    return json.dumps(content, indent=1)


def grade_here(notebook: Path, sandbox: Sandbox) -> str:
    """Grade in this process."""
    grading = load_grading()
    grade = Grade(grading, load_questions(grading))
    grade_submission(grade, read_submission(notebook, grade.questions), sandbox, lambda result: None)
    return without_times(describe_grade(grade))


def grade_afresh(notebook: Path, results: Path) -> str:
    """Grade by the command."""
    command = [sys.executable, "-m", "autograder", "grade", str(notebook), "--results", str(results)]
    subprocess.run(command, cwd=tree.ROOT, check=True, capture_output=True, timeout=300)
    return without_times(json.loads(results.read_text(encoding="utf-8")))


@contextlib.contextmanager
def busy_machine() -> Iterator[None]:
    """Twice as many processes that compute as there are cores."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("count", times(2, 50))
def test_a_submission_graded_again_in_one_process_gets_the_same(notebook: Path, count: int) -> None:
    grading = load_grading()
    with Sandbox(tree.GIVEN.parent, grading.limits) as sandbox:
        assert len({grade_here(notebook, sandbox) for _ in range(count)}) == 1


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("count", times(1, 10))
def test_a_submission_graded_in_fresh_processes_gets_the_same(notebook: Path, tmp_path: Path, count: int) -> None:
    grading = load_grading()
    found = {grade_afresh(notebook, tmp_path / "results.json") for _ in range(count)}
    with busy_machine():
        found |= {grade_afresh(notebook, tmp_path / "results.json") for _ in range(max(1, count // 2))}
    with Sandbox(tree.GIVEN.parent, grading.limits) as sandbox:
        found.add(grade_here(notebook, sandbox))
    assert len(found) == 1
    assert '"score": 81' in found.pop()
