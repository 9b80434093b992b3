"""Who grades what: one submission a worker at a time, so that it is known which one a worker died of."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from autograder.errors import UserError

ATTEMPTS = 3  # the first, and twice elsewhere
PATIENCE = 600.0  # seconds to wait for a worker; a cluster's own queue may be long
TICK = 1.0  # seconds between two looks at the workers


@dataclass
class Job:
    """A submission to grade.

    Attributes:
        name: of the submission
        file: the name of its file
        read: returns the file's content
        failures: why it could not be graded so far
        tried: the workers that failed on it
        partial: results in which not every case was judged, since the machine was too busy
    """

    name: str
    file: str
    read: Callable[[], bytes]
    failures: list[str] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)
    partial: dict[str, Any] | None = None


@dataclass(frozen=True)
class Ended:
    """A worker has done with a job: its results, or what went wrong."""

    worker: str
    results: dict[str, Any] | None
    problem: str = ""


class Workers(Protocol):
    """Processes, here or elsewhere, that grade one submission at a time."""

    def list(self) -> Sequence[str]:
        """Return those that can be given work, and those at work."""

    def start(self, worker: str, job: Job, content: bytes) -> None:
        """Let a worker grade a submission."""

    def collect(self, seconds: float) -> Iterable[Ended]:
        """Return what has ended, after waiting for it that long."""

    def abandon(self, worker: str, restart: bool) -> None:
        """Forget what a worker does; make a new process of it if it hangs."""


Record = Callable[[Job, "dict[str, Any] | None"], object]


@dataclass
class Queue:
    """Grades jobs until none is left; those that a busy machine could not judge in full once more, after all others.

    Args:
        workers: who grades
        seconds: what one submission may take at most
        record: is called once for every job, with its results, or None where three workers failed on it
    """

    workers: Workers
    seconds: float
    record: Record
    waiting: deque[Job] = field(default_factory=deque)
    running: dict[str, tuple[Job, float]] = field(default_factory=dict)  # by worker, with the time it began
    postponed: list[Job] = field(default_factory=list)

    def grade(self, jobs: Iterable[Job]) -> None:
        """Grade all jobs; raise UserError where no worker is left."""
        self.waiting.extend(jobs)
        seen = time.monotonic()
        while self.waiting or self.running or self.postponed:
            if not (self.waiting or self.running):  # now each has a core of its own
                self.waiting.extend(self.postponed)
                self.postponed.clear()
            alive = self.workers.list()
            seen = time.monotonic() if alive else seen
            if time.monotonic() - seen > PATIENCE:
                raise UserError(f"no worker has come for {PATIENCE:g} s: start some, then run again with --resume")
            self._take_from_the_dead(alive)
            for worker in alive:
                self._give_work(worker, alive)
            for ended in self.workers.collect(TICK):
                self._end(ended)

    def _take_from_the_dead(self, alive: Sequence[str]) -> None:
        for worker, (_, begun) in list(self.running.items()):
            late = time.monotonic() - begun > self.seconds
            if worker not in alive or late:
                self.workers.abandon(worker, restart=late)
                why = f"hung for more than {self.seconds:g} s" if late else "was killed"
                self._end(Ended(worker, None, f"the worker process {why} while it graded this"))

    def _give_work(self, worker: str, alive: Sequence[str]) -> None:
        if worker in self.running:
            return
        job = next((job for job in self.waiting if worker not in job.tried or job.tried.issuperset(alive)), None)
        if job is None:
            return
        self.waiting.remove(job)
        try:
            content = job.read()
        except UserError as error:  # it could be read when the batch began
            job.failures.append(str(error))
            self.record(job, None)
            return
        self.running[worker] = job, time.monotonic()
        self.workers.start(worker, job, content)

    def _end(self, ended: Ended) -> None:
        job, _ = self.running.pop(ended.worker, (None, 0.0))
        if job is None:  # it was given up before it ended
            return
        if ended.results is None:
            job.failures.append(ended.problem)
            job.tried.add(ended.worker)
            if len(job.failures) < ATTEMPTS:
                self.waiting.append(job)  # last: what can be graded goes before what may kill again
                return
        elif count_not_judged(ended.results) and job.partial is None:
            job.partial = ended.results
            self.postponed.append(job)
            return
        found = [results for results in (ended.results, job.partial) if results]
        self.record(job, min(found, key=count_not_judged, default=None))


def count_not_judged(results: dict[str, Any]) -> int:
    """Return how many cases of a submission the machine had no time for."""
    return int(results.get("extra_data", {}).get("not_judged", 0))
