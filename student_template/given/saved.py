"""The saved notebook, and whether its answers are those that ran: what can be known of it from inside a kernel."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from IPython.core.getipython import get_ipython

from given.cells import find_checks, list_defined, read_cell
from given.experiment import NOT_WRITTEN, QUESTION_OF

SAVING = 10.0  # seconds that JupyterLab may take to save; longer than it was ever seen to take
WRITING = 2.0  # seconds that it may take to write the file: at first it is empty
AGAIN = "run its cell, save (Ctrl+S), and export again."


class NotSaved(Exception):
    """The saved file is not what ran, or cannot be found; one line for each reason, with its remedy."""


class Cell(NamedTuple):
    """A code cell: its source, and whether it is only there to be looked at."""

    source: str
    idle: bool


def find_notebook(names: dict[str, Any], told: str | None = None) -> Path:
    """The notebook that this kernel runs: as told, as the editor says, or the only one here with checks in it.

    Raises NotSaved where there is none or more than one, or none where it was told to be.
    """
    if told:
        if Path(told).is_file():
            return Path(told)
        raise NotSaved(f"There is no file {told} in {Path.cwd()}. {_list_notebooks()}")
    editors = (names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME"))
    for path in (Path(name) for name in editors if name):
        for place in (path, Path(path.name)):  # an editor's path may begin elsewhere, but a kernel starts beside it
            if place.is_file():
                return place
    found = _find_notebooks()
    if len(found) == 1:
        return found[0]
    raise NotSaved(f'Which notebook is it? {_list_notebooks()} Say it by name: grader.export("transformers.ipynb")')


def _find_notebooks() -> list[Path]:
    """The notebooks in this folder that have checks in them."""
    return [path for path in sorted(Path().glob("*.ipynb")) if _has_checks(path)]


def _list_notebooks() -> str:
    found = _find_notebooks()
    if not found:
        return "There is none here."
    return f"There {'is' if len(found) == 1 else 'are'} {len(found)} here: {', '.join(map(str, found))}."


def explain_refusal(path: Path, problems: list[str], history: list[str]) -> list[str]:
    """Name the file that is not what ran; where another one here is, name that one in place of the problems.

    A kernel does not hear that its notebook has a new name.

    Args:
        path: the file that is not what ran
        problems: a line for each reason
        history: what ran
    """
    others = [
        f'{other} is what ran. If that is your notebook, say so: grader.export("{other}")'
        for other in (_find_notebooks() if list_answers(history) else [])
        if other.resolve() != path.resolve() and not find_stale(read_cells(other.read_bytes()), history, saved=True)
    ]
    if others:
        return [f"The file that was looked at is not what ran: {path.resolve()}", *others]
    return [*problems, f"The file that was looked at: {path.resolve()}"]


def _has_checks(path: Path) -> bool:
    try:
        return any(find_checks(cell.source) for cell in read_cells(path.read_bytes()))
    except NotSaved:
        return False


def save_notebook(path: Path, seconds: float = SAVING) -> Iterator[bool]:
    """Ask JupyterLab to save, then yield again and again whether it has begun to, until it should be done.

    Other editors do not listen, and time runs out.
    """
    before = path.stat().st_mtime_ns
    with contextlib.suppress(Exception):
        import ipylab  # needed by Otter; its widget passes commands on to JupyterLab

        ipylab.JupyterFrontEnd().commands.execute("docmanager:save")
    start, begun = time.monotonic(), False
    end = start + seconds
    while time.monotonic() < end:
        time.sleep(0.2)
        if not begun and path.stat().st_mtime_ns != before:
            begun, end = True, time.monotonic() + WRITING
        if begun or time.monotonic() > start + 0.2 * seconds:  # the file may be right as it is
            yield begun


def read_cells(data: bytes) -> list[Cell]:
    """The code cells of a notebook; raises NotSaved for what is none."""
    try:
        cells = json.loads(data)["cells"]
    except (ValueError, KeyError, TypeError):
        raise NotSaved("The saved file is not a whole notebook: save it (Ctrl+S), and export again.") from None
    return [
        Cell("".join(cell["source"]), "otter_ignore" in cell.get("metadata", {}).get("tags", []))
        for cell in cells
        if cell["cell_type"] == "code"
    ]


def read_history() -> list[str]:
    """The sources that ran since the kernel started, in order."""
    shell = get_ipython()
    return list(shell.history_manager.input_hist_raw) if shell is not None else []


def find_stale(cells: list[Cell], history: list[str], saved: bool) -> list[str]:
    """One line for each answer of the saved file that is not the one that ran last.

    Args:
        cells: of the saved file
        history: what ran
        saved: whether the editor has saved just now; otherwise answers that have not run are not to be trusted
    """
    there, ran = list_answers(cell.source for cell in cells), list_answers(history)
    lines = []
    for name, question in QUESTION_OF.items():
        if name in ran and name not in there:
            lines.append(f"{question}: {name} ran, but no cell of the saved file defines it: save (Ctrl+S), {AGAIN}")
        elif name in ran and there[name] != ran[name]:
            lines.append(f"{question}: {name} in the saved file is not the one that ran last: {AGAIN}")
        elif name in there and name not in ran and not saved and NOT_WRITTEN not in there[name]:
            lines.append(f"{question}: {name} has not run since the kernel started: {AGAIN}")
    return lines


def list_answers(sources: Iterable[str]) -> dict[str, str]:
    """The last definition of each answer, by name, as a syntax tree: comments and layout do not count."""
    found = {}
    for source in sources:
        for statement in read_cell(source).statements:
            for name in list_defined(statement):
                if name in QUESTION_OF:
                    found[name] = ast.dump(statement)
    return found
