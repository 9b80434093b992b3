"""The steps of a release, in order: read, make, prove, put in place."""

from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from autograder import tree
from autograder.release.archive import write_archive
from autograder.release.assign import check_assigned, run_otter_assign
from autograder.release.leak import search_leaks
from autograder.release.master import write_master, write_notebook
from autograder.release.place import put_in_place
from autograder.release.progress import show_step
from autograder.release.proof import check_scores, count_cases
from autograder.release.solved import count_code_cells, execute, read_solved
from autograder.release.source import read_source
from autograder.release.template import write_template


def release(console: Console) -> None:
    """Build a release, prove it, then put it in place: `student_template/` and what stands in `build/`.

    Raises UserError, naming the place, when anything is not as it should be; then nothing has been replaced.
    """
    tree.BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=tree.BUILD, prefix=".release-") as work:
        built = Path(work)
        template, solution = built / tree.TEMPLATE.name, built / "solution.ipynb"
        with show_step(console, "read grading.yml, handout, solutions, questions"):
            source = read_source()
        with show_step(console, "run Otter Assign on the master"):
            master = write_master(source, built / "master")
            assigned = run_otter_assign(master, built / "otter")
            check_assigned(source, master, assigned)
        with show_step(console, "write the students' folder and search it"):
            write_template(source, master, assigned, template)
            search_leaks(source, template)
        with show_step(console, "grade the blank and the solved notebook", total=count_cases(source)) as advance:
            solved = read_solved(master, assigned)
            write_notebook(solved, solution)
            check_scores(source, template / master.name, solution, advance)
        with show_step(console, "run the solved notebook", total=count_code_cells(solved)) as advance:
            execute(solved, template, advance)
            write_notebook(solved, solution)
        with show_step(console, "pack the autograder and put all in place"):
            write_archive(source, assigned.zip, template, built / "autograder.zip")
            put_in_place(built, ["master", "solution.ipynb", "autograder.zip"], tree.BUILD)
            put_in_place(built, [tree.TEMPLATE.name], tree.ROOT)
