"""The real command on small notebooks: the exit code, one line of text, and results.json whatever happens."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from project import course
from project.specimens.answers import make_solved
from project.specimens.three_mistakes import find_made, make_mistakes
from project.tool import start

from autograder import tree


@dataclass
class Finished:
    """What a run of the command left."""

    code: int
    out: str
    err: str
    results: dict[str, Any]

    @property
    def reasons(self) -> list[str]:
        return [test["extra_data"]["reason"] for test in self.results["tests"]]


Run = Callable[..., Finished]


@pytest.fixture
def run(toy_root: Path, tmp_path: Path) -> Run:
    """Grade a file with the real command."""

    def run(path: Path) -> Finished:
        results = tmp_path / "results.json"
        process = start(toy_root, "grade", path, "--results", results)
        out, err = process.communicate(timeout=120)
        return Finished(process.returncode, out, err, json.loads(results.read_text(encoding="utf-8")))

    return run


def test_a_right_notebook_gets_every_point(run: Run, tmp_path: Path) -> None:
    done = run(course.write_notebook(tmp_path / "any name.ipynb", course.RIGHT))
    assert (done.code, done.err.strip()) == (0, "")
    assert done.reasons == ["passed"] * 3
    assert done.results["score"] == 6
    assert "6 of 6 points" in done.out
    assert done.results["extra_data"]["isolation"] is not None


def test_a_wrong_notebook_is_graded_and_exits_with_0(run: Run, tmp_path: Path) -> None:
    answer = "def double(x):\n    return abs(2 * x)"
    done = run(course.write_notebook(tmp_path / "a.ipynb", [answer, *course.RIGHT[1:]]))
    assert done.code == 0
    assert done.reasons == ["passed", "wrong", "passed"]
    assert "double(-73) is not -146" in done.out  # for staff
    assert "73" not in json.dumps([test["output"] for test in done.results["tests"]])


def test_a_syntax_error_in_one_cell_leaves_the_other_questions_their_points(run: Run, tmp_path: Path) -> None:
    done = run(course.write_notebook(tmp_path / "a.ipynb", ["def double(x) return 2 * x", *course.RIGHT[1:]]))
    assert done.code == 0
    assert done.reasons == ["missing", "missing", "passed"]
    assert (
        "code cell 1 (def double(x) return 2 * x), line 1: def double(x) return 2 * x left out: SyntaxError"
        in done.results["output"]
    )


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("def double(x):\n    while True: pass", "timeout"),
        ("def double(x):\n    import os; os._exit(0)", "died"),
        ("def double(x):\n    raise SystemExit", "error"),
        ("def double(x):\n    return 1 / 0", "error"),
    ],
)
def test_a_function_that_breaks_costs_its_own_question(run: Run, tmp_path: Path, answer: str, reason: str) -> None:
    done = run(course.write_notebook(tmp_path / "a.ipynb", [answer, *course.RIGHT[1:]]))
    assert done.code == 0
    assert done.reasons == [reason, reason, "passed"]


@pytest.mark.parametrize("cell", ["while True: pass", "import os; os._exit(0)", "exit()", "1 / 0"])
def test_a_cell_that_breaks_costs_nothing_that_does_not_need_it(run: Run, tmp_path: Path, cell: str) -> None:
    done = run(course.write_notebook(tmp_path / "a.ipynb", [course.DOUBLE, cell, course.GREET]))
    assert done.code == 0
    assert done.reasons == ["passed"] * 3


def write_two_notebooks(folder: Path) -> Path:
    path = folder / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a.ipynb", "b.ipynb"):
            archive.writestr(name, json.dumps(course.make_notebook(course.RIGHT)))
    return path


def write_text(name: str, text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_text(text, encoding="utf-8")
        return folder / name

    return write


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (write_text("a.pdf", "%PDF"), "a.pdf: not a notebook"),
        (write_text("a.ipynb", ""), "a.ipynb: is empty"),
        (lambda folder: course.write_notebook(folder / "a.ipynb", []), "a.ipynb: has no code"),
        (write_text("a.ipynb", '{"cells": ['), "a.ipynb:1:12: broken JSON"),
        (
            lambda folder: course.write_notebook(folder / "a.ipynb", ["import numpy", "def lasso(): pass"]),
            "a.ipynb: is not of this assignment",
        ),
        (write_two_notebooks, "a.zip: must hold exactly one notebook, has 2"),
        (
            lambda folder: course.write_notebook(folder / "a.ipynb", course.RIGHT[1::2]),
            "a.ipynb: no answer cell is left",
        ),
        (lambda folder: folder / "none.ipynb", "none.ipynb: cannot be read"),
        (write_text("a\n\x1b[31m.ipynb", ""), "is empty"),
    ],
    ids=["no notebook", "empty", "no cells", "broken", "another", "two", "no answer", "no file", "odd name"],
)
def test_what_cannot_be_graded_is_one_line_exit_2_and_zeros(
    run: Run, tmp_path: Path, make: Callable[[Path], Path], why: str
) -> None:
    done = run(make(tmp_path))
    assert done.code == 2
    assert done.out == ""
    assert why in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert "\x1b" not in done.err
    assert done.reasons == ["not_run"] * 3
    assert [(test["score"], test["status"]) for test in done.results["tests"]] == [(0, "failed")] * 3
    assert done.results["score"] == 0
    assert why in done.results["output"]


def test_a_broken_table_is_told_and_leaves_a_results_file(toy_root: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(toy_root, root)
    (root / "grading.yml").write_text(course.GRADING.replace("total: 6", "total: 7"), encoding="utf-8")
    process = start(root, "grade", course.write_notebook(tmp_path / "a.ipynb", course.RIGHT))
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert err.strip() == "grading.yml:12: questions: they have 6 points together, total is 7: make them equal"
    results = json.loads((root / "build" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] == 0
    assert "staff" in results["output"]


def stop_grading(toy_root: Path, folder: Path, how: signal.Signals) -> tuple[int, str, dict[str, Any]]:
    """Send a signal while a submission is graded; return the exit code, the error text and results.json."""
    slow = "def greet():\n    import time\n    time.sleep(60)"
    path = course.write_notebook(folder / "a.ipynb", [course.DOUBLE, slow])
    results = folder / "results.json"
    process = start(toy_root, "grade", path, "--results", results)
    begun = time.monotonic()
    while not results.exists() or "double" not in results.read_text(encoding="utf-8"):
        assert time.monotonic() - begun < 60
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    return process.returncode, err, json.loads(results.read_text(encoding="utf-8"))


def test_a_stopped_grading_keeps_what_it_knows(toy_root: Path, tmp_path: Path) -> None:
    code, err, content = stop_grading(toy_root, tmp_path, signal.SIGTERM)
    assert code == 130  # as a shell tells an interrupt
    assert "Traceback" not in err
    assert len(content["tests"]) == 3
    assert content["tests"][2]["extra_data"]["reason"] in ("not_run", "timeout")
    assert "stopped before its end" in content["output"]


def test_a_killed_grading_leaves_every_case_with_nothing(toy_root: Path, tmp_path: Path) -> None:
    _, _, content = stop_grading(toy_root, tmp_path, signal.SIGKILL)
    assert {test["extra_data"]["reason"] for test in content["tests"]} == {"not_run"}
    assert len(content["tests"]) == 3
    assert "did not come to its end" in content["output"]


def test_a_broken_autograder_still_writes_results(toy_root: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(toy_root, root)
    with (root / "autograder" / "sandbox" / "__init__.py").open("a", encoding="utf-8") as module:
        module.write("\n\nSandbox.run = None\n")
    process = start(root, "grade", course.write_notebook(tmp_path / "a.ipynb", course.RIGHT))
    process.communicate(timeout=120)
    assert process.returncode == 1
    results = json.loads((root / "build" / "results.json").read_text(encoding="utf-8"))
    assert [test["extra_data"]["reason"] for test in results["tests"]] == ["not_run"] * 3
    assert "The autograder failed. This is not your fault" in results["output"]


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    code = "import sys, autograder.__main__; print(sorted({'torch', 'otter', 'hypothesis'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tree.ROOT, text=True, capture_output=True, check=True)
    assert done.stdout.strip() == "[]"


def test_grading_starts_without_a_grammar_of_addresses() -> None:
    code = "import sys, autograder.grade; print({'jsonschema', 'lark'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tree.ROOT, text=True, capture_output=True, check=True)
    assert done.stdout.strip() == "{'jsonschema'}"


def test_without_a_command_the_help_names_them(toy_root: Path) -> None:
    out, _ = start(toy_root, "--help").communicate(timeout=60)
    assert "grade" in out


def grade_here(notebook: dict[str, Any], folder: Path) -> Finished:
    """Grade a notebook of the assignment itself."""
    path, results = folder / "transformers.ipynb", folder / "results.json"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    process = start(tree.ROOT, "grade", path, "--results", results)
    out, err = process.communicate(timeout=300)
    return Finished(process.returncode, out, err, json.loads(results.read_text(encoding="utf-8")))


@pytest.mark.slow
def test_the_answers_get_100_points(tmp_path: Path) -> None:
    done = grade_here(make_solved(), tmp_path)
    assert [test["name"] for test in done.results["tests"] if test["status"] != "passed"] == []
    assert done.results["score"] == 100


@pytest.mark.slow
def test_three_mistakes_cost_their_own_questions_and_no_other(tmp_path: Path) -> None:
    notebook = make_solved()
    make_mistakes(notebook)
    done = grade_here(notebook, tmp_path)
    lost = [test for test in done.results["tests"] if test["status"] != "passed"]
    assert {test["extra_data"]["question"] for test in lost} == {mistake.question for mistake in find_made()}
    assert {mistake.caught_by for mistake in find_made()} <= {test["extra_data"]["case"] for test in lost}
    assert {test["extra_data"]["reason"] for test in lost} == {"wrong"}
    assert done.results["score"] == 100 - sum(test["max_score"] for test in lost)
