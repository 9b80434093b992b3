"""The solved notebook holds the answers as written and runs from top to bottom, or the release says where not."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from project.toy_repository import MEAN, edit, write_toy_and_point_tree

from autograder import tree
from autograder.errors import UserError
from autograder.release.assign import run_otter_assign
from autograder.release.master import write_master
from autograder.release.solved import count_code_cells, execute, read_solved
from autograder.release.source import read_source
from autograder.release.template import write_template


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_toy_and_point_tree(tmp_path / "toy", monkeypatch)


def solve(root: Path) -> nbformat.NotebookNode:
    source = read_source()
    master = write_master(source, root / "work" / "master")
    assigned = run_otter_assign(master, root / "work" / "otter")
    write_template(source, master, assigned, tree.TEMPLATE)
    return read_solved(master, assigned)


def test_the_answers_stand_in_it_as_they_were_written(root: Path) -> None:
    sources = [cell.source for cell in solve(root).cells]
    answer = MEAN[MEAN.index("def mean") :]
    assert answer.replace("    # BEGIN SOLUTION\n", "").replace("    # END SOLUTION\n", "").strip() in sources
    assert not any("SOLUTION" in source or "PROMPT" in source or "NotImplementedError" in source for source in sources)


def test_it_runs_in_a_copy_of_the_students_folder_and_keeps_its_outputs(root: Path) -> None:
    solved, count = solve(root), []
    before = sorted(tree.TEMPLATE.rglob("*"))
    execute(solved, tree.TEMPLATE, lambda: count.append(1))
    outputs = {cell.source: cell.outputs for cell in solved.cells if cell.cell_type == "code"}
    assert outputs['describe("mean")'][0].text == "mean\n"
    assert "passed" in str(outputs['grader.check("q01_mean")'])
    assert len(count) == count_code_cells(solved) == len(outputs)
    assert sorted(tree.TEMPLATE.rglob("*")) == before


def test_a_cell_that_fails_is_named(root: Path) -> None:
    edit(root, "assignment/handout.py", 'describe("mean")', "mean(bread)")
    with pytest.raises(UserError, match=r"solution.ipynb: cell 6 'mean\(bread\)': NameError: name 'bread'"):
        execute(solve(root), tree.TEMPLATE, lambda: None)


def test_a_cell_that_ends_its_kernel_is_refused(root: Path) -> None:
    edit(root, "assignment/handout.py", 'describe("mean")', "import os\nos._exit(1)")
    with pytest.raises(UserError, match=r"solution.ipynb: .*Kernel died"):
        execute(solve(root), tree.TEMPLATE, lambda: None)
