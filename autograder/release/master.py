"""The master notebook that `otter assign` takes, with the files it lists beside it."""

import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_raw_cell

from autograder import tree
from autograder.release.cases import CaseSource
from autograder.release.source import Source
from autograder.release.stub import make_answer_cell

ORACLE = "oracle.py"  # the part of the kit that students never get
ID_LENGTH = 12  # of 64 hexadecimal digits: enough for no two of some hundred cells to meet


def write_master(source: Source, folder: Path) -> Path:
    """Write the master and its files into a new folder; returns the notebook's path."""
    folder.mkdir(parents=True)
    copy_folder(tree.GIVEN, folder / tree.GIVEN.name)
    copy_folder(tree.KIT, folder / tree.KIT.name)
    (folder / tree.KIT.name / "settings.json").write_text(_write_settings(source), encoding="utf-8")
    shutil.copyfile(tree.REQUIREMENTS, folder / tree.REQUIREMENTS.name)
    cells = [_make_config(source, folder)]
    for index, cell in enumerate(source.cells):
        cells += list(_make_question(source, *source.places[index])) if index in source.places else [cell]
    master = folder / tree.NOTEBOOK.name
    write_notebook(new_notebook(cells=cells), master)
    return master


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook so that equal content gives equal bytes: cell ids from content, plain metadata."""
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        digest = sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:ID_LENGTH]
        seen[digest] = seen.get(digest, 0) + 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    notebook.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.nbformat, notebook.nbformat_minor = 4, 5  # 4.5 brought cell ids
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def copy_folder(folder: Path, into: Path) -> None:
    """Copy a folder without what Python and editors leave in it."""
    shutil.copytree(folder, into, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".*"))


def _make_config(source: Source, folder: Path) -> NotebookNode:
    kit = sorted(path for path in (folder / tree.KIT.name).rglob("*") if path.is_file())
    config: dict[str, Any] = {
        "name": source.grading.assignment,
        "init_cell": False,  # the handout's first cell makes the grader
        "export_cell": False,  # so does its last section export
        "tests": {"files": True, "ok_format": False},
        "run_tests": False,  # the release proves itself in the grader that is used
        "requirements": tree.REQUIREMENTS.name,
        "files": [
            tree.GIVEN.name,
            tree.REQUIREMENTS.name,
            *(path.relative_to(folder).as_posix() for path in kit if path.name != ORACLE),
        ],
        "autograder_files": [path.relative_to(folder).as_posix() for path in kit if path.name == ORACLE],
    }
    return new_raw_cell("# ASSIGNMENT CONFIG\n" + yaml.safe_dump(config, sort_keys=False).strip())


def _make_question(source: Source, kind: str, question: str) -> Iterator[NotebookNode]:
    yield new_raw_cell(f"# BEGIN QUESTION\nname: {question}")
    if kind == "ANSWER":
        yield new_raw_cell("# BEGIN SOLUTION")
        yield new_code_cell(make_answer_cell(source.solutions[question]))
        yield new_raw_cell("# END SOLUTION")
    yield new_raw_cell("# BEGIN TESTS")
    for case in source.cases[question]:
        yield new_code_cell(_write_test_cell(case))
    yield new_raw_cell("# END TESTS")
    yield new_raw_cell("# END QUESTION")


def _write_test_cell(case: CaseSource) -> str:
    config = f"points: {case.points:g}\nhidden: {str(case.hidden).lower()}"
    return f'""" # BEGIN TEST CONFIG\n{config}\n""" # END TEST CONFIG\n{case.source}'


def _write_settings(source: Source) -> str:
    """What a student's kit reads in place of `grading.yml`: no salt, no name of a hidden case."""
    questions = {}
    for name, cases in source.cases.items():
        hidden = [case.points for case in cases if case.hidden]
        questions[name] = {
            "title": source.grading.questions[name].title,
            "public_points": sum(case.points for case in cases) - sum(hidden),
            "hidden_cases": len(hidden),
            "hidden_points": sum(hidden),
        }
    settings = {
        "tolerances": source.grading.tolerances,
        "vit": source.grading.vit.model_dump(),
        "term": source.grading.term.model_dump(),
        "questions": questions,
    }
    return json.dumps(settings, indent=1) + "\n"
