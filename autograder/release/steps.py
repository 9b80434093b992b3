"""The steps of a release, in order: read, make, prove, tell what changed, put in place."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from autograder import tree
from autograder.release.archive import read_entries, write_archive
from autograder.release.assign import check_assigned, run_otter_assign
from autograder.release.changelog import tell_changes
from autograder.release.compare import check_committed
from autograder.release.leak import choose_public, read_template, search_leaks
from autograder.release.manifest import Manifest, make_manifest, write_manifest
from autograder.release.master import write_master, write_notebook
from autograder.release.place import put_in_place
from autograder.release.progress import show_step
from autograder.release.proof import check_scores, count_cases
from autograder.release.solved import count_code_cells, execute, read_solved
from autograder.release.source import read_source
from autograder.release.template import write_template


@dataclass(frozen=True)
class Built:
    """A release that is proven and lies in a work folder: the files by their names in the tree, and its manifest."""

    folder: Path
    students: dict[str, bytes]
    manifest: Manifest


def release(console: Console) -> None:
    """Build a release, prove it, then put it in place: `student_template/`, `build/`, its manifest in `releases/`.

    Raises UserError, naming the place, when anything is not as it should be; then nothing has been replaced.
    """
    tree.BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=tree.BUILD, prefix=".release-") as work:
        built = build(console, Path(work))
        tell_changes(console, built.manifest)
        put_in_place(built.folder, ["master", "solution.ipynb", "autograder.zip", "manifest.json"], tree.BUILD)
        put_in_place(built.folder, [tree.TEMPLATE.name], tree.ROOT)
        tree.RELEASES.mkdir(exist_ok=True)
        write_manifest(built.manifest, tree.RELEASES / f"{built.manifest['version']}.json")


def check(console: Console) -> None:
    """Build a release and prove it as `release` does, and compare it with what is in the tree; writes nothing.

    Raises UserError, naming the place, when anything is not as it should be or the tree holds another release.
    """
    with TemporaryDirectory() as work:
        built = build(console, Path(work))
        tell_changes(console, built.manifest)
        check_committed(built.students, built.manifest)
    console.print("the tree holds this release")


def build(console: Console, folder: Path) -> Built:
    """Make and prove everything in a work folder; raises UserError, naming the place."""
    template, solution = folder / tree.TEMPLATE.name, folder / "solution.ipynb"
    with show_step(console, "read grading.yml, handout, solutions, questions"):
        source = read_source()
    with show_step(console, "run Otter Assign on the master"):
        master = write_master(source, folder / "master")
        assigned = run_otter_assign(master, folder / "otter")
        check_assigned(source, master, assigned)
    with show_step(console, "write the students' folder and the autograder's zip"):
        write_template(source, master, assigned, template)
        students, entries = read_template(template), read_entries(source, assigned.zip, template)
        write_archive(entries, folder / "autograder.zip")
    with show_step(console, "search what students get"):
        search_leaks(source, students | choose_public(entries))
    with show_step(console, "grade the blank and the solved notebook", total=count_cases(source)) as advance:
        solved = read_solved(master, assigned)
        write_notebook(solved, solution)
        check_scores(source, template / master.name, solution, advance)
    with show_step(console, "run the solved notebook", total=count_code_cells(solved)) as advance:
        execute(solved, template, advance)
        write_notebook(solved, solution)
    manifest = make_manifest(source, students, entries)
    write_manifest(manifest, folder / "manifest.json")
    return Built(folder, students, manifest)
