"""`run_autograder` in Gradescope's folders: whatever is uploaded and whatever breaks, there is a kind results.json."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project import course

from autograder import tree
from autograder.config import load_grading
from autograder.gradescope.receipt import list_differences

METADATA = '{"id": 7, "users": [{"email": "oski@example.edu", "name": "Oski Bear"}]}'
TIGHT = "limits: {cell: 5, call: 2, question: 4, run: 20, wall: 60}"
WIDE = "limits: {cell: 50, call: 50, question: 50, run: 100, wall: 300}"  # the machine may be busy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gradescope's folder with the toy course in it, run by this interpreter in place of the image's."""
    root = tmp_path / "autograder"
    source, ignored = root / "source", shutil.ignore_patterns("__pycache__")
    shutil.copytree(tree.TOOL, source / "autograder", ignore=ignored)
    shutil.copytree(tree.KIT, source / "tests" / "kit", ignore=ignored)
    shutil.copytree(tree.GIVEN, source / "assignment" / "given", ignore=ignored)
    (source / "tests" / "questions").mkdir()
    for id, text in course.QUESTIONS.items():
        (source / "tests" / "questions" / f"{id}.py").write_text(text, encoding="utf-8")
    (source / "grading.yml").write_text(course.GRADING.replace(TIGHT, WIDE), encoding="utf-8")
    for name in ("submission", "results"):
        (root / name).mkdir()
    (root / "submission_metadata.json").write_text(METADATA, encoding="utf-8")
    script = (tree.TOOL / "gradescope" / "run_autograder").read_text(encoding="utf-8")
    assert "/opt/autograder/bin/python" in script
    (root / "run_autograder").write_text(script.replace("/opt/autograder/bin/python", sys.executable), "utf-8")
    return root


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def start(folder: Path) -> subprocess.Popen[bytes]:
    with (folder / "results" / "stdout").open("wb") as stdout:
        command = ["bash", str(folder / "run_autograder")]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "COLUMNS": "200"}
        return subprocess.Popen(
            command, cwd=folder, env=environment, stdout=stdout, stderr=subprocess.STDOUT, umask=0o077
        )


def read(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "results" / "results.json").read_text(encoding="utf-8"))
    return content


def read_stdout(folder: Path) -> str:
    return (folder / "results" / "stdout").read_text(encoding="utf-8")


Grade = Callable[..., dict[str, Any]]


@pytest.fixture
def grade(folder: Path) -> Grade:
    """Upload cells as a notebook, grade it as Gradescope does, and return results.json."""

    def grade(cells: list[str] | None = None) -> dict[str, Any]:
        if cells is not None:
            course.write_notebook(folder / "submission" / "hw 1.ipynb", cells)
        process = start(folder)
        assert process.wait(timeout=400) == 0  # seconds; the machine may be busy
        return read(folder)

    return grade


def test_the_first_entry_says_what_was_received_and_ran(grade: Grade) -> None:
    content = grade(course.RIGHT)
    first, *cases = content["tests"]
    assert (first["number"], first["name"]) == ("0", "We received and ran your notebook")
    assert first["output"].splitlines()[0] == "File: hw 1.ipynb"
    assert "Cells: 2 of the 2 that had to run ran to their end." in first["output"]
    assert "score" not in first and first["status"] == "passed"
    assert [case["number"] for case in cases] == ["1.1", "1.2", "2.1"]
    assert content["score"] == 6
    assert "leaderboard" not in content


def test_two_notebooks_are_refused_and_every_case_is_there_with_nothing(folder: Path, grade: Grade) -> None:
    course.write_notebook(folder / "submission" / "copy.ipynb", course.RIGHT)
    content = grade(course.RIGHT)
    assert "has 2 notebooks (copy.ipynb, hw 1.ipynb): hand in the one to be graded" in content["output"]
    assert content["score"] == 0
    assert [test["extra_data"]["reason"] for test in content["tests"]] == ["not_run"] * 4
    assert content["tests"][0]["name"] == "We received your upload"


def test_a_failure_of_ours_is_said_kindly_and_its_reason_is_for_staff(folder: Path, grade: Grade) -> None:
    edit(
        folder / "source" / "autograder" / "grade.py",
        "grade.file, computed =",
        "raise OSError('disk 7'); grade.file, computed =",
    )
    content = grade(course.RIGHT)
    assert "The autograder failed. This is not your fault; the staff see the reason." in content["output"]
    assert "disk 7" not in json.dumps(content)
    assert "OSError: disk 7" in read_stdout(folder)
    assert content["stdout_visibility"] == "hidden"


def test_a_broken_table_is_not_the_students_fault(folder: Path, grade: Grade) -> None:
    edit(folder / "source" / "grading.yml", "total: 6", "total: 7")
    content = grade(course.RIGHT)
    assert "This is not your fault" in content["output"] and "grading.yml" not in json.dumps(content)
    assert "grading.yml:12: questions: they have 6 points together" in read_stdout(folder)


def test_without_a_working_python_there_is_still_a_results_file(folder: Path, grade: Grade) -> None:
    edit(folder / "run_autograder", sys.executable, "/nowhere/python")
    content = grade(course.RIGHT)
    assert content["score"] == 0
    assert content["output"] == "The autograder failed to start. This is not your fault; the staff see the reason."
    assert "exit code 127" in read_stdout(folder)


def test_the_script_stops_before_gradescope_does_and_after_a_full_run_has() -> None:
    script = (tree.TOOL / "gradescope" / "run_autograder").read_text(encoding="utf-8")
    match = re.search(r"^SECONDS_AT_MOST=(\d+)", script, re.MULTILINE)
    assert match and load_grading().limits.run + 120 <= int(match[1]) <= 600 - 30


def test_gradescopes_own_signal_keeps_what_is_known(folder: Path) -> None:
    course.write_notebook(
        folder / "submission" / "a.ipynb", [course.DOUBLE, "def greet():\n    import time\n    time.sleep(40)"]
    )
    process = start(folder)
    begun = time.monotonic()
    while not (folder / "results" / "results.json").exists() or len(read(folder)["tests"]) < 4:
        assert time.monotonic() - begun < 60
        time.sleep(0.1)
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    os.kill(int(children[0]), signal.SIGTERM)  # timeout, which hands it on
    process.wait(timeout=60)
    assert "stopped before its end" in read(folder)["output"]


def test_a_cell_that_fails_is_named_and_learns_nothing_of_who_hands_in(folder: Path, grade: Grade) -> None:
    metadata = folder / "submission_metadata.json"
    cell = f"""
try:
    found = open({str(metadata)!r}).read()
except OSError as error:
    found = type(error).__name__
raise RuntimeError(found)
"""
    content = grade([*course.RIGHT, cell])
    first = content["tests"][0]
    assert first["status"] == "failed"
    assert "Cells: 2 of the 3" in first["output"]
    assert (
        "code cell 5 (try:), line 6: raise RuntimeError(found) left out: RuntimeError: PermissionError"
        in first["output"]
    )
    assert "oski" not in json.dumps(content).lower()
    for name in ("source", "submission", "results", "submission_metadata.json"):
        assert (folder / name).stat().st_mode & 0o077 == 0


def test_a_policy_that_hides_cases_hides_them_and_their_points_in_every_text(folder: Path, grade: Grade) -> None:
    source = folder / "source"
    edit(source / "grading.yml", "visibility: visible", "visibility: after_due_date")
    content = grade(["def double(x):\n    return abs(2 * x)", *course.RIGHT[1:]])
    assert [test["visibility"] for test in content["tests"]] == ["visible", "visible", "after_due_date", "visible"]
    assert content["output"] == "3 of 3 public points."
    assert content["score"] == 3
    assert "73" not in json.dumps(content)
    assert "double(-73) is not -146" in read_stdout(folder)  # for staff


def test_the_leaderboard_shows_the_accuracy_where_it_is_asked_for(folder: Path, grade: Grade) -> None:
    source = folder / "source"
    edit(source / "grading.yml", "salt: pepper", "salt: pepper\nleaderboard: true")
    told = "    import kit\n    kit.settings.tell('accuracy', 0.9537)\n"
    edit(source / "tests" / "questions" / "q02_greet.py", "    import kit\n", told)
    assert grade(course.RIGHT)["leaderboard"] == [{"name": "ViT accuracy", "value": 0.954, "order": "desc"}]


def test_versions_that_differ_from_the_pinned_ones_are_listed() -> None:
    pinned = "# a comment\nnumpy==1.0\nnumpy==2.0 ; python_version < '3'\nno-such-package==3.1\npytest>=1\n"
    numpy, missing = list_differences(pinned)
    assert numpy.startswith("numpy 2.") and numpy.endswith("the course pins 1.0")
    assert missing == "no-such-package none, the course pins 3.1"
