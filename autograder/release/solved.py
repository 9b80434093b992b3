"""The solved notebook: the answers in their places, run from top to bottom."""

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode
from traitlets.config import Config

from autograder import tree
from autograder.errors import UserError
from autograder.release.assign import Assigned, read_assigned
from autograder.release.master import write_notebook
from autograder.release.stub import strip_marks

CELL_SECONDS = 900  # the slow experiments take under 4 minutes together on one quiet core; builds may be busy


def read_solved(master: Path, assigned: Assigned) -> NotebookNode:
    """The autograder's notebook that Otter made, without Otter's marks around the answers."""
    notebook = read_assigned(master, assigned.autograder)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = strip_marks(cell.source)
    return notebook


def count_code_cells(notebook: NotebookNode) -> int:
    """How many cells there are to run."""
    return sum(cell.cell_type == "code" for cell in notebook.cells)


def execute(notebook: NotebookNode, template: Path, advance: Callable[[], None]) -> None:
    """Run a notebook in a copy of the students' folder and keep its outputs in it.

    Args:
        notebook: changed in place
        template: the students' folder, whose modules and tests the notebook imports
        advance: called after each code cell

    Raises UserError naming the first cell that fails.
    """
    with TemporaryDirectory() as work:
        folder = Path(work) / "student"
        shutil.copytree(template, folder)
        write_notebook(notebook, folder / tree.NOTEBOOK.name)  # as saved: its last section exports what is on the disk
        client = NotebookClient(
            notebook,
            config=Config(KernelManager={"transport": "ipc", "ip": f"{work}/kernel"}),  # TCP lets others listen
            timeout=CELL_SECONDS,
            resources={"metadata": {"path": str(folder)}},
            on_cell_executed=lambda **_: advance(),
        )
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, RuntimeError) as error:
            raise UserError(f"solution.ipynb: {_find_failure(notebook)}: {_last_line(error)}") from None


def _find_failure(notebook: NotebookNode) -> str:
    for number, cell in enumerate(notebook.cells, start=1):
        if any(output.output_type == "error" for output in cell.get("outputs", [])):
            return f"cell {number} '{cell.source.splitlines()[0]}'"
    return "a cell"


def _last_line(error: Exception) -> str:
    if isinstance(error, CellExecutionError):
        return f"{error.ename}: {error.evalue}"
    return str(error).strip().splitlines()[-1]
