"""Dask's workers: started here, one process per core, or found at a scheduler's address."""

from __future__ import annotations

import contextlib
import logging
import queue
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import cloudpickle
import dask
from dask.system import CPU_COUNT
from distributed import Client, Future, LocalCluster
from packaging.version import Version

from autograder.batch import worker as on_worker
from autograder.batch.course import Course
from autograder.batch.forge import start_forge
from autograder.batch.interrupts import postpone_interrupts
from autograder.batch.queue import Ended, Job
from autograder.errors import UserError

ANSWER = 10  # seconds that a scheduler has to answer
RULING = ("torch", "hypothesis", "otter-grader", "distributed")  # another version may send or score otherwise
QUIET = {
    "distributed.scheduler.http.routes": [],  # no pages: the port stays silent
    "distributed.comm.timeouts.connect": f"{ANSWER}s",
    "distributed.comm.retry.count": 0,
    "distributed.admin.large-graph-warning-threshold": "1GB",  # a notebook with its plots is no large graph
    "distributed.admin.tick.interval": "1s",  # looks 50 times a second otherwise, 2 % of a core in each process
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,  # giving memory back costs 0.1 s a submission
    "distributed.worker.multiprocessing-method": "forkserver",  # from the forge
    "distributed.worker.profile.enabled": False,  # it keeps the stacks of an hour, 5 MB a submission
    "distributed.admin.low-level-log-length": 1,  # messages kept for developers, each with a notebook; 1000 otherwise
    "distributed.diagnostics.computations.max-history": 1,  # 100 otherwise, each with a notebook too
    "distributed.worker.memory.terminate": False,  # students' processes have their own bounds
    "distributed.worker.memory.pause": False,
}
logger = logging.getLogger("distributed")


class DaskWorkers:
    """The workers of a scheduler that have our versions, each holding the course.

    Args:
        client: connected to the scheduler
        course: what is put on every worker before its first submission
        at_most: how many workers to use; None for all
        one_core_each: whether every worker keeps to a core of its own
    """

    def __init__(self, client: Client, course: Course, at_most: int | None = None, one_core_each: bool = False) -> None:
        self._client, self._course, self._at_most = client, course, at_most
        self._one_core_each = one_core_each
        self._ready: list[str] = []
        self._refused: set[str] = set()
        self._ended: queue.SimpleQueue[tuple[str, Future[Any]]] = queue.SimpleQueue()
        self._running: dict[str, Future[Any]] = {}
        self.remarks: list[str] = []

    def list(self) -> Sequence[str]:
        """Return the workers that hold the course; new ones are given it.

        Raises UserError where the scheduler is gone.
        """
        with _scheduler_asked():
            alive = self._client.nthreads()
            self._ready = [address for address in self._ready if address in alive]
            wanted = len(alive) if self._at_most is None else self._at_most
            fresh = [address for address in alive if address not in [*self._ready, *self._refused]]
            if fresh and len(self._ready) < wanted:
                self._admit(fresh, wanted - len(self._ready))
        return self._ready

    def start(self, worker: str, job: Job, content: bytes) -> None:
        """Let a worker grade a submission."""
        with _scheduler_asked():
            future = self._client.submit(
                on_worker.grade, job.file, content, workers=[worker], allow_other_workers=False, pure=False
            )
        self._running[worker] = future
        future.add_done_callback(lambda done: self._ended.put((worker, done)))

    def collect(self, seconds: float) -> Iterator[Ended]:
        """Return what has ended, after waiting for it that long."""
        with contextlib.suppress(queue.Empty):
            while True:
                worker, future = self._ended.get(timeout=seconds)
                if self._running.get(worker) is future:
                    yield self._read(worker, self._running.pop(worker))
                seconds = 0

    def abandon(self, worker: str, restart: bool) -> None:
        """Forget what a worker does; make a new process of it if it hangs."""
        with _scheduler_asked():
            if future := self._running.pop(worker, None):
                future.cancel()
            if restart:
                self._ready = [address for address in self._ready if address != worker]
                with contextlib.suppress(ValueError, TimeoutError):  # gone already, or nobody watches over it
                    self._client.restart_workers([worker], timeout=ANSWER, raise_for_error=False)

    def close(self) -> None:
        """Take the course from the workers."""
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._client.run(on_worker.clear, workers=self._ready, on_error="ignore")

    def _admit(self, fresh: Sequence[str], wanted: int) -> None:
        versions: Any = self._client.get_versions(packages=RULING)
        ours = versions["client"]
        for address in fresh:
            theirs = versions["workers"].get(address)
            if theirs and (difference := _compare(ours, theirs)):
                self._refused.add(address)
                self.remarks.append(f"worker {address}: {difference}: not used, install our versions there")
        fit = [address for address in fresh if address not in self._refused][:wanted]
        for address, answer in self._prepare(fit).items():
            if isinstance(answer, BaseException):
                self._refused.add(address)
                self.remarks.append(f"worker {address}: cannot be made ready: {_describe(answer)}: not used")
            else:
                self._ready.append(address)

    def _prepare(self, workers: Sequence[str]) -> dict[str, Any]:
        """Give workers the course; return what each of them says."""
        if not workers:
            return {}
        told = on_worker.prepare, self._course.data, self._one_core_each
        answers: dict[str, Any] = self._client.run(*told, workers=list(workers), on_error="return")
        return answers

    def _read(self, worker: str, future: Future[Any]) -> Ended:
        if future.status == "finished":
            return Ended(worker, future.result())
        error = future.exception(timeout=ANSWER) if future.status == "error" else None
        return Ended(worker, None, f"the worker failed: {_describe(error) if error else 'it lost the submission'}")


@contextlib.contextmanager
def open_workers(course: Course, scheduler: str | None, count: int | None) -> Iterator[DaskWorkers]:
    """Start workers on this machine, or use those of a scheduler.

    Args:
        course: what the workers need
        scheduler: its address; None for workers on this machine
        count: how many; None for one per core, or all that the scheduler has

    Raises UserError where the scheduler does not answer.
    """
    cloudpickle.register_pickle_by_value(on_worker)
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set(QUIET))
        logger.setLevel(logging.CRITICAL)  # what dies is told in our own words
        with postpone_interrupts():  # Dask cannot close what it has not opened
            client = _connect(stack, scheduler, count)
        crowded = scheduler is None and (count or CPU_COUNT) >= CPU_COUNT > 1
        workers = DaskWorkers(client, course, count, one_core_each=crowded)
        stack.callback(workers.close)
        yield workers


def _connect(stack: contextlib.ExitStack, scheduler: str | None, count: int | None) -> Client:
    address, security = scheduler, None
    if scheduler is None:
        cluster = stack.enter_context(_start_cluster(stack, count or CPU_COUNT))
        address, security = cluster.scheduler_address, cluster.security
    try:
        client: Client = stack.enter_context(Client(address, timeout=ANSWER, security=security, set_as_default=False))
    except (OSError, TimeoutError, ValueError) as error:
        why = " ".join(str(error).split())
        raise UserError(f"{scheduler}: no Dask scheduler answers ({why}): check the address, or start one") from None
    return client


def _start_cluster(stack: contextlib.ExitStack, count: int) -> LocalCluster:
    start_forge()
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="batch-", ignore_cleanup_errors=True))
    return LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        security=True,  # student code must not be able to talk to the scheduler, even where sockets are not refused
        dashboard_address="127.0.0.1:0",  # any free port; with None Dask asks for one and the same
        scheduler_kwargs={"dashboard": False},
        memory_limit=None,
        local_directory=folder,
        silence_logs=logging.CRITICAL,
    )


@contextlib.contextmanager
def _scheduler_asked() -> Iterator[None]:
    try:
        yield
    except (OSError, TimeoutError, RuntimeError) as error:
        raise UserError(f"the scheduler is gone ({_describe(error)}): run again with --resume") from None


def _compare(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """How a worker's versions differ; empty where they agree."""
    pairs = [("Python", *(".".join(side["host"]["python"].split(".")[:2]) for side in (ours, theirs)))]
    pairs += [(name, *(_public(side["packages"].get(name)) for side in (ours, theirs))) for name in RULING]
    return ", ".join(f"has {name} {there}, not {here}" for name, here, there in pairs if here != there)


def _public(version: str | None) -> str:
    """A version without what names only its build, such as +cpu."""
    return Version(version).public if version else "missing"


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
