"""The assignment itself, packed as a release packs it but not proven, and a notebook of its own to grade with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from project.specimens.three_mistakes import make_mistakes

from autograder.release.archive import read_entries, write_archive
from autograder.release.assign import run_otter_assign
from autograder.release.master import write_master, write_notebook
from autograder.release.solved import read_solved
from autograder.release.source import read_source
from autograder.release.template import write_template


@dataclass(frozen=True)
class Packed:
    """The zip, the master it comes from, and a notebook with three wrong answers."""

    archive: Path
    master: Path
    notebook: Path


def pack(folder: Path) -> Packed:
    """Pack the assignment into a new folder."""
    source = read_source()
    master = write_master(source, folder / "master")
    assigned = run_otter_assign(master, folder / "otter")
    write_template(source, master, assigned, folder / "template")
    write_archive(read_entries(source, assigned.zip, folder / "template"), folder / "autograder.zip")
    notebook = read_solved(master, assigned)
    make_mistakes(notebook)
    write_notebook(notebook, folder / "three mistakes.ipynb")
    return Packed(folder / "autograder.zip", master, folder / "three mistakes.ipynb")
