"""`python -m autograder release` on the toy: all is proven before anything is replaced."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from project.toy_repository import edit, write_toy

pytestmark = pytest.mark.slow

RELEASED = ("student_template", "build/master", "build/autograder.zip", "build/manifest.json", "releases/1.0.0.json")


def run_release(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", "release", *options]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def read_released(root: Path) -> dict[str, bytes]:
    files = [path for name in RELEASED for path in [root / name, *(root / name).rglob("*")] if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_toy(tmp_path_factory.mktemp("released"), with_tool=True)
    run = run_release(root)
    assert run.returncode == 0, run.stderr
    return root


def test_a_release_writes_template_master_solved_notebook_and_zip(released: Path) -> None:
    names = set(read_released(released))
    assert names >= {
        "student_template/transformers.ipynb",
        "student_template/tests/q01_mean.py",
        "build/master/transformers.ipynb",
        "build/autograder.zip",
        "build/manifest.json",
        "releases/1.0.0.json",
    }
    assert sorted(path.name for path in (released / "build").iterdir()) == [
        "autograder.zip",
        "manifest.json",
        "master",
        "solution.ipynb",
    ]


def test_the_solved_notebook_has_been_run(released: Path) -> None:
    cells = nbformat.read(released / "build" / "solution.ipynb", as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert [cell.outputs[0].text for cell in code if cell.source == 'describe("mean")'] == ["mean\n"]


def test_a_second_release_gives_the_same_bytes(released: Path) -> None:
    before = read_released(released)
    assert run_release(released).returncode == 0
    assert read_released(released) == before


def test_a_check_writes_nothing_and_refuses_a_tree_that_was_changed_by_hand(tmp_path: Path, released: Path) -> None:
    root = shutil.copytree(released, tmp_path / "root")
    run = run_release(root, "--check")
    assert (run.returncode, run.stdout.splitlines()[-1]) == (0, "the tree holds this release"), run.stderr
    (root / "student_template" / "requirements.txt").write_text("other\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    run = run_release(root, "--check")
    assert run.returncode == 2
    assert run.stderr.startswith("student_template/requirements.txt: is not what the source gives: ")
    assert before == {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}


@pytest.mark.parametrize(
    ("name", "old", "new", "refusal"),
    [
        (
            "solutions/q01_mean.py",
            "total / len(numbers)",
            "total / 2",
            "solution.ipynb: q01_mean / of_one_number_alone: the solution gets 0 of 4 points: Not the number itself.",
        ),
        (
            "tests/questions/q02_scale.py",
            'def doubles(Scale):\n    """A scale of 2 doubles."""\n    import kit\n',
            'def doubles():\n    """A scale of 2 doubles."""\n    return\n',
            "transformers.ipynb: q02_scale / doubles: passes with nothing written, make the case stricter",
        ),
        (
            "tests/questions/q02_scale.py",
            "    import kit\n",
            "    import kitt\n",
            "transformers.ipynb: q02_scale / doubles: breaks with nothing written: ModuleNotFoundError("
            "\"No module named 'kitt'\")\n"
            "solution.ipynb: q02_scale / doubles: the solution gets 0 of 4 points: No module named 'kitt'",
        ),
        (
            "assignment/handout.py",
            "# ## The mean",
            "# Look at short lists, they are easily forgotten.",
            "student_template/transformers.ipynb: cells 3 source: holds the docstring of the hidden case q01_mean / "
            "of_one_number_alone, remove it",
        ),
        (
            "assignment/handout.py",
            'describe("mean")',
            "describe(nothing)",
            "solution.ipynb: cell 6 'describe(nothing)': NameError: name 'nothing' is not defined",
        ),
    ],
    ids=["solved not full", "blank not zero", "case broken", "leak", "notebook fails"],
)
def test_a_refused_release_names_the_place_and_replaces_nothing(
    tmp_path: Path, name: str, old: str, new: str, refusal: str
) -> None:
    root = write_toy(tmp_path, with_tool=True)
    for place in RELEASED[:2]:
        (root / place).mkdir(parents=True)
        (root / place / "old").write_text("old", encoding="utf-8")
    before = read_released(root)
    edit(root, name, old, new)
    run = run_release(root)
    assert (run.returncode, run.stderr) == (2, refusal + "\n")
    assert read_released(root) == before
    assert [path.name for path in (root / "build").iterdir()] == ["master"]
