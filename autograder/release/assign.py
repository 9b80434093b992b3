"""`otter assign` on the master, and the check that nothing went missing or changed on its way."""

from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from otter.assign import main as otter_assign

from autograder import tree
from autograder.errors import UserError
from autograder.release.cases import compare_with_otter
from autograder.release.source import Source
from autograder.release.stub import make_stub

IGNORED = "otter_ignore"  # Otter's tag for cells that graders need not run


@dataclass(frozen=True)
class Assigned:
    """What Otter made: the folder for students, the one for the autograder, and its zip."""

    student: Path
    autograder: Path

    @property
    def zip(self) -> Path:
        """The only zip in the autograder's folder; its name carries the time."""
        return next(self.autograder.glob("*.zip"))


def run_otter_assign(master: Path, folder: Path) -> Assigned:
    """Run Otter Assign on a master notebook, quietly and without its own grading.

    Raises UserError with Otter's own words.
    """
    try:
        otter_assign(str(master), str(folder), no_pdfs=True, no_run_tests=True)
    except Exception as error:
        raise UserError(f"{master.name}: Otter Assign refuses the master: {error}") from error
    return Assigned(folder / "student", folder / "autograder")


def check_assigned(source: Source, master: Path, assigned: Assigned) -> None:
    """Refuse when a case, an answer cell or a check cell is not what the source says.

    Raises UserError naming the question and the case.
    """
    for question, cases in source.cases.items():
        file = f"tests/{question}.py"
        compare_with_otter(question, cases, assigned.autograder / file)
        compare_with_otter(question, [case for case in cases if not case.hidden], assigned.student / file)
    cells = [cell.source for cell in read_assigned(master, assigned.student).cells]
    for question in source.cases:
        if cells.count(f'grader.check("{question}")') != 1:
            raise UserError(f"{tree.NOTEBOOK.name}: {question}: its check cell went missing in Otter Assign")
    for question, solution in source.solutions.items():
        if cells.count(make_stub(solution)) != 1:
            raise UserError(f"{tree.NOTEBOOK.name}: {question}: Otter Assign made another stub than its solution says")


def read_assigned(master: Path, folder: Path) -> NotebookNode:
    """A notebook that Otter made of the master; the code cells that Otter added are tagged to be ignored."""
    known = {cell.id for cell in nbformat.read(master, as_version=4).cells}
    notebook = nbformat.read(folder / master.name, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.id not in known:
            cell.metadata["tags"] = [IGNORED]
    return notebook
