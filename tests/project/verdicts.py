"""What every case says of the solution, of right answers and of known mistakes, and what a student's notebook shows.

`python tests/project/verdicts.py NOTEBOOK OUT.json` needs no more than what students install, so that it runs with any
of the versions that they may have; `versions.py` compares what it wrote.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import platform
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import nbformat  # noqa: E402
from nbclient import NotebookClient  # noqa: E402
from project import variants  # noqa: E402

import solutions  # noqa: E402
from autograder.config import Grading, load_grading  # noqa: E402
from autograder.questions import load_questions  # noqa: E402
from solutions.mistakes import load_mistakes  # noqa: E402

SHOWN = ("torch", "numpy", "scikit-learn", "hypothesis", "otter-grader", "plotly", "ipython")
TRAINING = "q13_vit_accuracy"  # judges q12's class: it has no right answers of its own


def load_solutions() -> dict[str, Any]:
    """The names that all solutions define, on which later questions build."""
    names = [module.name for module in pkgutil.iter_modules(solutions.__path__)]
    modules = [importlib.import_module(f"solutions.{name}") for name in names]
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
    }


def list_answers(question: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each answer to a question by name: the solution, the right ones, the wrong ones."""
    yield "solution", {}
    for variant in variants.load_variants(question) if question != TRAINING else []:
        yield f"right: {variant.name}", variant.answers()
    for known in load_mistakes():
        if known.question == question:
            yield f"wrong: {known.name}", known.answers()


def judge_answers(grading: Grading) -> dict[str, str]:
    """How each case ends on each answer to its question, public and hidden ones: `passed`, `wrong`, `error` ..."""
    import kit

    right, verdicts = load_solutions(), {}
    vit, term = grading.vit.model_dump(), grading.term.model_dump()
    for question in load_questions(grading):
        for answer, names in list_answers(question.id):
            for case in question.cases:
                salt = grading.salt if case.hidden else ""
                kit.settings.configure(tolerances=grading.tolerances, vit=vit, term=term, salt=salt, shrink=False)
                outcome = kit.run_case(case.body, right | dict(names))
                key = f"{question.id} / {case.name} / {answer}"
                verdicts[key] = f"broken: {outcome.broken!r}" if outcome.broken else outcome.reason
    return verdicts


def run_notebook(path: Path) -> dict[str, str]:
    """Run a notebook in its folder; returns the first line that each of its calls of `grader` shows, and errors."""
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=folder, allow_errors=True).execute()
    shown = {}
    for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        for output in cell.outputs:
            if output.output_type == "error":
                shown[f"cell {number}"] = f"{output.ename}: {output.evalue}"
            elif cell.source.startswith("grader.") and "data" in output:
                shown[cell.source] = output.data["text/plain"].splitlines()[0]
            elif number == 0 and output.output_type == "stream":
                shown["first cell"] = output.text.strip()
    return shown


def main() -> None:
    """Judge, run and write."""
    notebook, out = map(Path, sys.argv[1:])
    told = {
        "versions": {"python": platform.python_version()} | {name: metadata.version(name) for name in SHOWN},
        "verdicts": judge_answers(load_grading()),
        "notebook": run_notebook(notebook),
    }
    out.write_text(json.dumps(told, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
