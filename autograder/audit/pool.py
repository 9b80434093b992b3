"""Runs trials on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from dask.system import CPU_COUNT
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.audit.subjects import Subject
from autograder.audit.trial import Trial, run_trial, start_worker


def run_trials(subjects: Sequence[Subject], console: Console) -> list[Trial]:
    """Grade all subjects, the slow questions first, and return their trials in the order of the subjects."""
    slow = sorted(subjects, key=lambda subject: subject.question, reverse=True)  # training and models come last
    trials: dict[Subject, Trial] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    workers = min(CPU_COUNT, len(subjects))
    with (
        Progress(*columns, console=console, transient=True) as progress,
        ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=start_worker) as pool,
    ):
        bar = progress.add_task("audit", total=len(subjects))
        futures = {pool.submit(run_trial, subject): subject for subject in slow}
        for future in as_completed(futures):
            subject = futures[future]
            trials[subject] = future.result()
            progress.update(bar, advance=1, description=subject.question)
    return [trials[subject] for subject in subjects]
