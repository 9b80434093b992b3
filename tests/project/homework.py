"""The released homework as a student's folder: answers put in, slow experiments cut short."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import tree
from autograder.release.stub import make_answer_cell, make_stub, read_solution, strip_marks
from solutions.mistakes import load_mistakes

SHORTER = {  # what makes the experiments slow, and what they do with in a test
    r"(train_counting\(.*?), progress=True": r"\1, steps=41, progress=True",
    r"epochs=(30|8)": "epochs=2",
    r"trials=50": "trials=3",
}


def copy_release(into: Path) -> Path:
    """Copy what a student unpacks; returns the notebook."""
    shutil.copytree(tree.TEMPLATE, into, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return into / tree.NOTEBOOK.name


def list_answers() -> dict[str, str]:
    """The right answer cell of each question that has one."""
    paths = sorted(tree.SOLUTIONS.glob("q*.py"))
    return {path.stem: strip_marks(make_answer_cell(read_solution(path.stem, path))) for path in paths}


def read_stub(question: str) -> str:
    """The answer cell as released."""
    return make_stub(read_solution(question, tree.SOLUTIONS / f"{question}.py"))


def read_mistake(question: str, name: str) -> str:
    """A known wrong answer, as a cell."""
    (mistake,) = [m for m in load_mistakes() if (m.question, m.name) == (question, name)]
    return mistake.source_code()


def fill_in(notebook: NotebookNode, answers: dict[str, str]) -> None:
    """Put answers in the places of their stubs."""
    cells = {cell.source.strip(): cell for cell in notebook.cells}
    for question, answer in answers.items():
        cells[read_stub(question).strip()].source = answer


def shorten(source: str) -> str:
    """An experiment with a training that is over in a moment."""
    for slow, quick in SHORTER.items():
        source = re.sub(slow, quick, source)
    return source


def write_shortened(path: Path) -> None:
    """Cut all experiments of a notebook short, in place."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and "otter_ignore" in cell.metadata.get("tags", []):
            cell.source = shorten(cell.source)
    nbformat.write(notebook, path)
