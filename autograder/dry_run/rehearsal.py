"""Gradescope, played: set up, grade, and compare with the grade that this machine gives."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder import tree
from autograder.dry_run.inside import Ended, run_inside
from autograder.dry_run.pip_settings import read_pip_settings
from autograder.dry_run.root import USED, make_root, measure_disk
from autograder.errors import UserError

ARCHIVE = tree.BUILD / "autograder.zip"
HERE = tree.BUILD / "dry_run.json"
RECEIPT = "0"  # the number of the entry that only Gradescope's results have
GRADE = "./run_autograder > results/stdout 2>&1"


@dataclass(frozen=True)
class Rehearsal:
    """What came of it: the root, both runs, the disk that the set-up took, Gradescope's results, how ours differ."""

    root: Path
    setup: Ended
    grading: Ended
    disk: int
    results: dict[str, Any]
    differences: list[str]


def rehearse(submission: Path, archive: Path = ARCHIVE) -> Rehearsal:
    """Set up in a fresh root, grade a submission in it, and grade it here.

    Raises UserError where there is no zip, no root to be had, or the set-up fails.
    """
    if not archive.is_file():
        raise UserError(f"{archive.name}: not there: run `make release` first")
    settings = read_pip_settings()
    root = make_root(archive, submission, settings)
    before = measure_disk(root)
    setup = run_inside(root, "bash source/setup.sh", settings, root / "setup.log")
    if setup.code:
        last = (root / "setup.log").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        raise UserError(f"setup.sh: failed: {''.join(last)}: {root / 'setup.log'} says more")
    disk = measure_disk(root) - before
    grading = run_inside(root, GRADE, settings)
    results = json.loads((root / "autograder" / "results" / "results.json").read_text(encoding="utf-8"))
    return Rehearsal(root, setup, grading, disk, results, compare(results, _grade_here(submission)))


def compare(there: dict[str, Any], here: dict[str, Any]) -> list[str]:
    """One line for each case whose points or outcome differ between two results."""
    scores = [
        {test["name"]: (test["score"], test["extra_data"]["reason"]) for test in results["tests"] if _is_case(test)}
        for results in (there, here)
    ]
    names = dict.fromkeys([*scores[0], *scores[1]])
    return [
        f"{name}: {scores[0].get(name, 'not there')} in the root, {scores[1].get(name, 'not there')} here"
        for name in names
        if scores[0].get(name) != scores[1].get(name)
    ]


def print_rehearsal(console: Console, rehearsal: Rehearsal) -> None:
    """Print what Gradescope would show first, and the figures."""
    print_first = rehearsal.results["tests"][0] if rehearsal.results["tests"] else {"name": "", "output": ""}
    for text in (rehearsal.results["output"], f"\n{print_first['name']}", print_first["output"], ""):
        console.print(text, markup=False, highlight=False)
    setup, grading = rehearsal.setup, rehearsal.grading
    console.print(f"set-up   {setup.seconds:6.1f} s, {rehearsal.disk / 1e9:.2f} GB of disk")
    console.print(f"grading  {grading.seconds:6.1f} s, {grading.memory / 1e9:.2f} GB of memory at most")
    for line in rehearsal.differences:
        console.print(line, markup=False)
    console.print("the same points as here, case by case" if not rehearsal.differences else "other points than here")


def look_inside() -> None:
    """Open a shell in the root that the last rehearsal left."""
    if not USED.is_dir():
        raise UserError("the dry run: there is no root yet: run `make gradescope SUBMISSION=...` first")
    run_inside(USED, "exec bash", read_pip_settings())


def _is_case(test: dict[str, Any]) -> bool:
    return bool(test["number"] != RECEIPT)


def _grade_here(submission: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "autograder", "grade", str(submission.resolve()), "--results", str(HERE)]
    subprocess.run(command, cwd=tree.ROOT, stdout=subprocess.DEVNULL)  # its exit code stands in the results, too
    results: dict[str, Any] = json.loads(HERE.read_text(encoding="utf-8"))
    return results
