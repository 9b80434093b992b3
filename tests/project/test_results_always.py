"""results.json is written whatever happens to a grading: stopped, out of disk, its sandbox killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project import course
from project.hostile_course import QUESTIONS, answer, list_processes, make_root
from project.specimens.answers import IMPORTS

SLOW = """def attention(Q, K, V):
    import time
    time.sleep(1.5)
    return Q, K
"""
FULL = """try:
    for i in range(100):
        with open(f"{i}", "wb") as file:
            file.write(bytes(10 << 20))
except OSError:
    pass
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_root(tmp_path_factory.mktemp("always") / "source")


def grade_and(
    act: Callable[[subprocess.Popen[str]], object], root: Path, folder: Path, *cells: str
) -> tuple[int, str, dict[str, Any]]:
    """Grade a notebook and do something to the grader while it does; return exit code, messages and results."""
    honest = [cell for id in list(QUESTIONS)[1:] for cell in answer(id)]
    path = course.write_notebook(folder / "a.ipynb", [IMPORTS, *cells, SLOW, 'grader.check("q02_attention")', *honest])
    results = folder / "results.json"
    command = [sys.executable, "-m", "autograder", "grade", str(path), "--results", str(results)]
    environment = {**os.environ, "TMPDIR": str(folder), "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, cwd=root, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    act(process)
    _, err = process.communicate(timeout=300)
    assert list_processes(root) == []
    assert not list(folder.glob("sandbox-*"))
    return process.returncode, err, json.loads(results.read_text(encoding="utf-8"))


def wait_for_questions(root: Path) -> list[int]:
    """Wait until copies answer questions; return the processes of the sandbox, the preloaded one first."""
    begun = time.monotonic()
    while time.monotonic() - begun < 120:
        found = sorted(int(line.split(":")[0]) for line in list_processes(root))
        if len(found) >= 7:  # the preloaded one, the last state, a snapshot for each question, a copy
            time.sleep(0.5)
            return found
        time.sleep(0.05)
    raise AssertionError("no question was reached")


def points(results: dict[str, Any], question: str) -> float:
    return float(sum(test["score"] for test in results["tests"] if test["extra_data"]["question"] == question))


def test_a_stopped_grading_leaves_results_and_no_process(root: Path, tmp_path: Path) -> None:
    def stop(process: subprocess.Popen[str]) -> None:
        wait_for_questions(root)
        process.send_signal(signal.SIGTERM)

    code, err, results = grade_and(stop, root, tmp_path)
    assert code == 130
    assert "Traceback" not in err
    assert len(results["tests"]) == 38
    assert "stopped before its end" in results["output"]


def test_a_killed_sandbox_costs_at_most_the_case_at_hand(root: Path, tmp_path: Path) -> None:
    code, _, results = grade_and(lambda process: os.kill(wait_for_questions(root)[0], signal.SIGKILL), root, tmp_path)
    assert code == 0
    assert [points(results, id) for id in QUESTIONS] == [0, 4, 12, 10]


def test_a_full_disk_in_the_students_folder_costs_nothing(root: Path, tmp_path: Path) -> None:
    code, _, results = grade_and(lambda process: None, root, tmp_path, FULL)
    assert code == 0
    assert [points(results, id) for id in QUESTIONS] == [0, 4, 12, 10]


def test_a_required_layer_that_is_missing_stops_the_grading_with_one_line(tmp_path: Path) -> None:
    root = make_root(tmp_path / "source")
    table = (root / "grading.yml").read_text(encoding="utf-8")
    (root / "grading.yml").write_text(table.replace("required_layers: []", "required_layers: [moat]"))
    code, err, results = grade_and(lambda process: None, root, tmp_path)
    assert code == 2
    (line,) = err.strip().splitlines()
    assert line.startswith("grading.yml: the sandbox layer 'moat' is required, but there is no such layer, only user,")
    assert {test["extra_data"]["reason"] for test in results["tests"]} == {"not_run"}
