"""Nothing is lost: whatever becomes of workers, every submission comes to an end and is recorded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from autograder.batch import queue as module
from autograder.batch.queue import ATTEMPTS, Ended, Job, Queue
from autograder.errors import UserError


class Office:
    """Workers that grade at once, except that some submissions do something to them."""

    def __init__(self, workers: Sequence[str], **does: str) -> None:
        self.alive, self.does = list(workers), does
        self.doing: dict[str, Job] = {}
        self.seen: list[tuple[str, str]] = []
        self.restarted: list[str] = []

    def list(self) -> Sequence[str]:
        return self.alive

    def start(self, worker: str, job: Job, content: bytes) -> None:
        assert worker not in self.doing, "one submission a worker at a time"
        self.seen.append((worker, job.name))
        self.doing[worker] = job

    def collect(self, seconds: float) -> Iterable[Ended]:
        for worker, job in list(self.doing.items()):
            what = self.does.get(job.name)
            if what == "kills":
                self.alive.remove(worker)
                self.alive.append(f"{worker}'")  # what watches over it starts another one
                del self.doing[worker]
            elif what == "fails":
                del self.doing[worker]
                yield Ended(worker, None, "it broke")
            elif what == "is not judged":
                del self.doing[worker]
                yield Ended(worker, BUSY)
            elif what != "hangs":
                del self.doing[worker]
                yield Ended(worker, {"score": 1})

    def abandon(self, worker: str, restart: bool) -> None:
        self.doing.pop(worker, None)
        if restart:
            self.restarted.append(worker)


def run(office: Office, names: Iterable[str], seconds: float = 60.0) -> dict[str, tuple[Any, list[str]]]:
    recorded: dict[str, tuple[Any, list[str]]] = {}

    def record(job: Job, results: Any) -> None:
        assert job.name not in recorded
        recorded[job.name] = results, job.failures

    Queue(office, seconds, record).grade([Job(name, name, lambda: b"") for name in names])
    return recorded


def test_every_submission_is_graded_once() -> None:
    recorded = run(Office(["one", "two"]), "abcdefg")
    assert {name: results for name, (results, _) in recorded.items()} == {name: {"score": 1} for name in "abcdefg"}


def test_a_submission_that_kills_workers_is_given_up_after_three_and_stops_nobody() -> None:
    office = Office(["one", "two"], b="kills")
    recorded = run(office, "abcd")
    assert recorded["b"][0] is None
    assert recorded["b"][1] == ["the worker process was killed while it graded this"] * ATTEMPTS
    assert all(recorded[name][0] for name in "acd")
    assert all(recorded[name][1] == [] for name in "acd"), "who waits for a worker is not blamed for its death"
    assert [name for _, name in office.seen if name == "b"] == ["b"] * ATTEMPTS


def test_a_failed_submission_is_tried_on_another_worker() -> None:
    office = Office(["one", "two", "three"], b="fails")
    run(office, "ab")
    assert len({worker for worker, name in office.seen if name == "b"}) == ATTEMPTS


def test_the_only_worker_gets_it_again() -> None:
    assert run(Office(["one"], b="fails"), "ab")["b"] == (None, ["it broke"] * ATTEMPTS)


def test_two_workers_that_both_fail_on_it_get_a_last_try() -> None:
    office = Office(["one", "two"], b="fails")
    recorded = run(office, "abc")
    assert recorded["b"] == (None, ["it broke"] * ATTEMPTS)
    assert {worker for worker, name in office.seen if name == "b"} == {"one", "two"}


def test_a_submission_that_hangs_is_ended_with_its_worker() -> None:
    office = Office(["one"], a="hangs")
    recorded = run(office, "ab", seconds=0.0)
    assert "hung for more than 0 s" in recorded["a"][1][0]
    assert office.restarted[0] == "one"


BUSY = {"score": 1, "extra_data": {"not_judged": 2}}


def test_a_submission_that_was_not_judged_is_graded_once_more_after_all_others() -> None:
    office = Office(["one"], a="is not judged")
    recorded = run(office, "abc")
    assert [name for _, name in office.seen] == ["a", "b", "c", "a"]
    assert recorded["a"] == (BUSY, [])


def test_the_try_that_judged_more_counts() -> None:
    recorded: list[Any] = []
    queue = Queue(Office([]), 60, lambda job, results: recorded.append(results))
    for not_judged in (1, 5):
        queue.running["one"] = (queue.postponed or [Job("a", "a", lambda: b"")])[0], 0.0
        queue._end(Ended("one", {"extra_data": {"not_judged": not_judged}}))
    assert recorded == [{"extra_data": {"not_judged": 1}}]


def test_what_cannot_be_read_any_more_is_recorded_and_stops_nobody() -> None:
    def read() -> bytes:
        raise UserError("gone")

    recorded: dict[str, Any] = {}
    jobs = [Job("a", "a", read), Job("b", "b", lambda: b"")]
    Queue(Office(["one"]), 60, lambda job, results: recorded.update({job.name: (results, job.failures)})).grade(jobs)
    assert recorded == {"a": (None, ["gone"]), "b": ({"score": 1}, [])}


def test_without_a_worker_the_batch_stops_and_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with pytest.raises(UserError, match="no worker has come for 0 s: start some, then run again with --resume"):
        run(Office([]), "a")


def test_a_late_answer_of_a_worker_that_was_given_up_is_dropped() -> None:
    office, recorded = Office(["one"]), []
    queue = Queue(office, 60, lambda job, results: recorded.append(job.name))
    queue._end(Ended("one", {"score": 1}))
    assert recorded == []
