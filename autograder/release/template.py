"""`student_template/`: what a student downloads."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.release.assign import Assigned, check_assigned, read_assigned, run_otter_assign
from autograder.release.cases import check_loads, write_test_file
from autograder.release.master import write_master, write_notebook
from autograder.release.source import Source, read_source


def build_template(into: Path) -> None:
    """Build the students' folder from the source, without running or grading anything.

    Raises UserError as the steps of a release do.
    """
    with TemporaryDirectory() as work:
        source = read_source()
        master = write_master(source, Path(work) / "master")
        assigned = run_otter_assign(master, Path(work) / "otter")
        check_assigned(source, master, assigned)
        write_template(source, master, assigned, into)


def write_template(source: Source, master: Path, assigned: Assigned, into: Path) -> None:
    """Write what Otter made for students into a new folder, the public cases in their own words."""
    shutil.copytree(assigned.student, into)
    write_notebook(read_assigned(master, assigned.student), into / master.name)
    write_tests(source, into / "tests", hidden=False)


def write_tests(source: Source, folder: Path, hidden: bool) -> None:
    """Write every question's test file into a folder, with its hidden cases or without.

    Raises UserError for a file in which Otter does not find every case.
    """
    for question, cases in source.cases.items():
        chosen = [case for case in cases if hidden or not case.hidden]
        file = folder / f"{question}.py"
        file.write_text(write_test_file(question, chosen), encoding="utf-8")
        check_loads(file, chosen)
