"""Every command that the documentation tells is one that a test runs, and every link leads somewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder import tree
from autograder.__main__ import app

PAGES = [tree.ROOT / "README.md", tree.ROOT / "CONTRIBUTING.md", *sorted((tree.ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"make|(\.venv/bin/)?(make|python|otter|dask|uv|pip|conda|jupyter|pytest) .+")
BY_HAND = {  # on machines that a test does not have
    "conda create -n transformers python=3.12",
    "conda activate transformers",
    "uv venv --python 3.12",
    "make gradescope-shell",  # a shell waits for somebody
    "dask scheduler",  # a test makes the same processes by the library
    "dask worker tcp://head-node:8786 --nworkers 8 --nthreads 1",
    "pip install .",
    "pip install -e .",
    "pip install einops",
}
RUN_BY = {  # how a command begins, and the test that runs it
    "make demo": "test_docs.py::test_the_demo_ends_with_three_tables",
    "make": "test_docs.py::test_make_knows_the_target",
    "make test": "test_docs.py::test_make_knows_the_target",
    "make proof": "test_docs.py::test_make_knows_the_target",
    "make check": "test_docs.py::test_the_tree_is_formatted_linted_and_typed",
    "make gradescope SUBMISSION=": "test_gradescope_dry_run.py::test_each_case_gets_the_same_points_as_on_this_machine",
    "python -m autograder release": "test_release_command.py::test_the_solved_notebook_has_been_run",
    "python -m autograder grade": "test_command_line.py::test_the_answers_get_100_points",
    "python -m autograder audit --calibrate": "test_audit.py::test_the_minimum_accuracy_holds",
    "python -m autograder audit": "test_audit.py::test_the_command_exits_with_1_where_a_gate_falls_short",
    "python -m autograder batch": "test_batch_command.py::test_an_export_becomes_results_grades_and_a_report",
    "python -m venv .venv": "test_docs.py::test_a_student_can_make_the_environment",
    "pip install uv": "test_docs.py::test_a_student_can_make_the_environment",
    "uv pip install": "test_docs.py::test_a_student_can_make_the_environment",
    "uv run --no-project jupyter lab": "browser/test_browser_notebook.py::test_a_students_afternoon_in_jupyterlab",
    "jupyter lab": "browser/test_browser_notebook.py::test_a_students_afternoon_in_jupyterlab",
    "otter run -a": "test_gradescope_otter.py::test_otter_run_gives_an_honest_submission_the_same_points",
    "otter run": "test_gradescope_otter.py::test_otter_run_gives_an_honest_submission_the_same_points",
    "otter assign": "test_gradescope_otter.py::test_otter_assign_takes_the_master_by_hand",
    "pytest tests/project/test_hostile.py": "test_hostile.py::test_a_submission_gets_what_it_earned_and_no_more",
    "python -m pytest -k q15": "test_guide.py::test_the_tests_of_one_question_can_be_chosen",
    "python tests/project/tabulate_hostile.py": "test_hostile.py::test_the_table_is_written_from_the_notes",
    "python tests/project/mutants.py": "test_mutants.py::test_every_mutant_is_noticed_or_is_the_same_answer",
    "python tests/benchmarks/": "test_docs.py::test_a_benchmark_starts",
}


def read_commands() -> dict[str, list[str]]:
    """Each command of the documentation, as from an activated environment, and the pages that tell it."""
    found: dict[str, list[str]] = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        prose, *blocks = re.split(r"^ *```.*\n", text, flags=re.MULTILINE)
        lines = [line.strip() for block in blocks[::2] for line in block.splitlines()]
        for line in [*lines, *re.findall(r"`([^`\n]+)`", "".join([prose, *blocks[1::2]]))]:
            if COMMAND.fullmatch(line):
                command = re.sub(r" +# .*", "", line).replace(".venv/bin/", "")
                found.setdefault(command, []).append(page.name)
    return found


COMMANDS = read_commands()


def test_the_pages_tell_commands() -> None:
    assert {"make demo", "make test", "python -m autograder release"} <= set(COMMANDS)
    assert len(COMMANDS) > 25


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_documentation_is_run_by_a_test(command: str) -> None:
    if command in BY_HAND:
        return
    beginnings = [beginning for beginning in RUN_BY if command.startswith(beginning)]
    assert beginnings, f"{command} ({COMMANDS[command]}) is run by no test"
    path, _, test = RUN_BY[max(beginnings, key=len)].partition("::")
    assert f"def {test}(" in (Path(__file__).parent / path).read_text(encoding="utf-8")


def test_nothing_is_listed_that_the_documentation_does_not_tell() -> None:
    assert [command for command in BY_HAND if command not in COMMANDS] == []
    assert [told for told in RUN_BY if not any(command.startswith(told) for command in COMMANDS)] == []


@pytest.mark.parametrize("command", [command for command in COMMANDS if " -m autograder " in command])
def test_the_tool_takes_the_options_that_are_told(command: str) -> None:
    name, *arguments = command.split(" -m autograder ")[1].split()
    told = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200"})
    assert told.exit_code == 0, told.output
    assert [word for word in arguments if word.startswith("--") and word not in told.output] == []


@pytest.mark.parametrize(
    "command", [command for command in COMMANDS if re.fullmatch(r"make [a-z-]+( \w+=.*)?", command)]
)
def test_make_knows_the_target(command: str) -> None:
    done = subprocess.run([*command.split(), "--dry-run"], cwd=tree.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert sys.prefix.rpartition("/")[2] in done.stdout  # it runs our environment's Python


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_the_demo_ends_with_three_tables(tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", str(tree.ROOT), str(tmp_path / "clone")], check=True)
    (tmp_path / "clone" / ".venv").symlink_to(tree.ROOT / ".venv")
    done = subprocess.run(["make", "demo"], cwd=tmp_path / "clone", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [line.split("/")[-1] for line in re.findall(r"^results: (.*)", done.stdout, re.MULTILINE)] == [
        "solved.json",
        "blank.json",
        "three_mistakes.json",
    ]
    scores = [json.loads(path.read_text())["score"] for path in sorted((tmp_path / "clone/build/demo").glob("*.json"))]
    assert scores == [0, 100, 81]  # blank, solved, three mistakes


@pytest.mark.slow
def test_the_tree_is_formatted_linted_and_typed() -> None:
    done = subprocess.run(["make", "check"], cwd=tree.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_student_can_make_the_environment(tmp_path: Path) -> None:
    shutil.copy(tree.TEMPLATE / "requirements.txt", tmp_path)
    install = ".venv/bin/uv pip install --dry-run --python .venv --torch-backend=cpu -r requirements.txt"
    for command in (f"{sys.executable} -m venv .venv", ".venv/bin/pip install uv", install):
        done = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True)
        if "Failed to fetch" in done.stderr:
            pytest.skip("PyTorch's index of CPU builds cannot be reached")
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sandbox", "batch", "gradescope"])
def test_a_benchmark_starts(name: str) -> None:
    path = tree.ROOT / "tests" / "benchmarks" / f"{name}.py"
    done = subprocess.run([sys.executable, str(path), "no-number"], capture_output=True, text=True, cwd=tree.ROOT)
    assert "no-number" in done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_leads_to_a_file(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target
