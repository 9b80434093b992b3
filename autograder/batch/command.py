"""A class from what was handed in to its grades and a report."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from autograder.batch.cluster import open_workers
from autograder.batch.course import Course, hash_submission, pack_course
from autograder.batch.gradebook import Graded, list_rows
from autograder.batch.grader import describe
from autograder.batch.grades import Format, write_grades, write_upload
from autograder.batch.moves import write_moves
from autograder.batch.progress import show_progress
from autograder.batch.queue import Job, Queue, count_not_judged
from autograder.batch.roster import Entry, read_roster
from autograder.batch.store import Store
from autograder.config import Grading, load_grading
from autograder.errors import UserError
from autograder.grade import Grade
from autograder.printable import clean_line
from autograder.questions import load_questions
from autograder.report.page import write_report
from autograder.results import replace_file

WAITING = "it has not been graded yet; run the batch again with --resume"
READ = {"grades.csv", "moved.csv"}  # opened in Excel; what Canvas or Gradescope imports begins with its header
BYTE_ORDER_MARK = "\ufeff"  # Excel takes the file for an old code page without it, and garbles accents
SPARE = 120.0  # seconds beyond the end of a run, to write down and send what came of it on a busy machine


@dataclass
class Batch:
    """A class on its way from submissions to results.

    Attributes:
        out: the folder of results, grades and report
        entries: what was handed in
        jobs: what is to be graded now
        hashes: of each submission that has a file
    """

    out: Path
    course: Course
    grading: Grading
    blank: Grade
    entries: Sequence[Entry]
    jobs: list[Job] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        """Where the results are."""
        return Store(self.out)

    def plan(self) -> None:
        """Find what is to be graded; from here on every submission has a `results.json`."""
        for entry in self.entries:
            try:
                if entry.file is None:
                    raise UserError(entry.problem)
                content = entry.file.read()
            except UserError as error:
                self.store.write(entry.name, describe(self.blank, str(error)))
                continue
            self.hashes[entry.name] = hash_submission(entry.file.place.suffix.lower(), content)
            if not self.store.is_done(entry.name, self.course.key, self.hashes[entry.name]):
                self.store.write(entry.name, describe(self.blank, WAITING), None, self.hashes[entry.name])
                self.jobs.append(Job(entry.name, entry.file.place.name, entry.file.read))

    def record(self, job: Job, results: dict[str, Any] | None) -> bool:
        """Write what came of a job; return whether it could be graded."""
        if results is None:
            problem = f"{job.failures[-1]} ({len(job.failures)} tries)"
            self.store.write(job.name, describe(self.blank, problem), None, self.hashes[job.name])
            return False
        key = None if count_not_judged(results) else self.course.key  # --resume tries again what was not judged
        self.store.write(job.name, results, key, self.hashes[job.name])
        return not results["extra_data"]["problem"]

    def collect(self) -> list[Graded]:
        """Read the results of the whole class."""
        blank = describe(self.blank, WAITING)
        return [Graded(entry, self.store.read(entry.name) or blank) for entry in self.entries]


def grade_class(
    path: Path,
    out: Path,
    scheduler: str | None = None,
    workers: int | None = None,
    resume: bool = False,
    against: Path | None = None,
    form: Format | None = None,
    yes: bool = False,
) -> None:
    """Grade every submission of a class and write results, grades and a report.

    Args:
        path: a folder of submissions, or Gradescope's export
        out: where everything goes
        scheduler: a Dask scheduler's address; None for workers on this machine
        workers: how many; None for one per core, or all that the scheduler has
        resume: go on with the batch that `out` holds; what has not changed since is not graded again
        against: an earlier batch to compare with
        form: also write the grades as Canvas or Gradescope takes them
        yes: go on where a folder was taken for one person's and may be several people's

    Raises UserError where nothing can be graded, or where the batch had to stop; then `resume` goes on.
    """
    console = Console(highlight=False)
    if Store(out).exists() and not resume:
        raise UserError(f"{out}: holds a batch already: add --resume to go on with it, or choose another folder")
    if against is not None and not Store(against).exists():
        raise UserError(f"{against}: holds no batch (no folder results/): give the --out of an earlier one")
    roster = read_roster(path)
    _print_lines(console, [*roster.remarks, *roster.doubts])
    if roster.doubts and not yes:
        _ask(f"{path}: {roster.files} files, {roster.people} people", console)
    grading = load_grading()
    batch = Batch(out, pack_course(), grading, Grade(grading, load_questions(grading)), roster.entries)
    batch.plan()
    seen = f"{roster.files} files, {roster.people} people, {len(batch.entries)} submissions"
    _print_lines(console, [f"{seen}, {len(batch.jobs)} to grade"])
    try:
        with _interrupts_told(batch):
            _grade_jobs(batch, scheduler, workers, console)
    finally:
        _write_tables(batch, against, form, console)


def _ask(seen: str, console: Console) -> None:
    """Let a person decide; without one, stop before anything is written."""
    if not sys.stdin.isatty():
        raise UserError(f"{seen}: one folder for each person, or run again with --yes")
    if console.input(Text(f"{seen}: grade them so? [y/N] ")).strip().casefold() not in ("y", "yes"):
        raise UserError(f"{seen}: not graded: one folder for each person")


def _grade_jobs(batch: Batch, scheduler: str | None, count: int | None, console: Console) -> None:
    if not batch.jobs:
        return
    seconds = batch.grading.limits.wall + SPARE
    with open_workers(batch.course, scheduler, count) as workers, show_progress(len(batch.jobs)) as tally:
        try:
            Queue(workers, seconds, lambda job, results: tally.count(batch.record(job, results))).grade(batch.jobs)
        finally:
            _print_lines(console, workers.remarks)


@contextlib.contextmanager
def _interrupts_told(batch: Batch) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise UserError(f"{batch.out}: interrupted: run again with --resume to grade the rest") from None


def _write_tables(batch: Batch, against: Path | None, form: Format | None, console: Console) -> None:
    class_ = batch.collect()
    rows, lines = list_rows(class_)
    files = {"grades.csv": write_grades(rows, batch.grading)}
    if form is not None:
        files[f"{form}.csv"] = write_upload(rows, batch.grading, form)
    if against is not None:
        files["moved.csv"], moves = write_moves(rows, Store(against))
        lines += moves
    files["report.html"] = write_report(batch.grading, class_, rows)
    for name, text in files.items():
        _write(batch.out / name, BYTE_ORDER_MARK * (name in READ) + text)
    failed = [graded for graded in class_ if graded.problem]
    lines += [f"{graded.name}: {graded.problem}" for graded in failed if graded.problem != WAITING]
    lines += [
        f"{graded.name}: {missing} checks not judged, the machine was too busy: run again with --resume when it is not"
        for graded in class_
        if (missing := count_not_judged(graded.results))
    ]
    lines.append(f"{len(class_) - len(failed)} of {len(class_)} graded: {batch.out}: {', '.join(files)}")
    _print_lines(console, lines)


def _write(path: Path, text: str) -> None:
    try:
        replace_file(path, text)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}: make room, then run with --resume") from None


def _print_lines(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        console.print(Text(clean_line(line)), soft_wrap=True)  # a Text has no markup and no :emoji: in it
