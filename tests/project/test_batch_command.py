"""The real command on real workers: nothing is lost when workers die, the scheduler goes, or somebody interrupts."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import LocalCluster
from project import course
from project.handed_in import export, notebook, write_folder, write_zip
from project.tool import start

from autograder import tree
from autograder.batch import cluster as module
from autograder.batch import forge
from autograder.batch import worker as on_worker
from autograder.batch.cluster import RULING, DaskWorkers, open_workers
from autograder.batch.course import Course, pack_course
from autograder.batch.queue import ATTEMPTS, Job, Queue
from autograder.errors import UserError

LARGE = 2**18  # bytes: a notebook with a plot
SLEEPS = ["import time\ntime.sleep(1.5)", *course.RIGHT]


def read_results(out: Path) -> dict[str, dict[str, Any]]:
    return {
        path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in out.glob("results/*/results.json")
    }


def problems(out: Path) -> dict[str, str | None]:
    return {name: results["extra_data"]["problem"] for name, results in read_results(out).items()}


def read_grades(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((out / "grades.csv").read_text(encoding="utf-8-sig"))))


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=400)  # a busy machine takes minutes to import torch
    return process.returncode, out, err


def wait_for(what: Callable[[], Any], seconds: float = 90.0) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come")


def test_an_export_becomes_results_grades_and_a_report(toy_root: Path, tmp_path: Path) -> None:
    """Broken files cost their own submission alone; what has not changed is not graded again."""
    strange = {"submission_13/transformers.ipynb": b"{broken", "submission_14/my / 家.py": b"x = 1"}
    strange |= {"submission_15/x.pdf": b"%PDF", "../climbs.ipynb": notebook()}
    path, out = write_zip(tmp_path / "export.zip", export(**strange)), tmp_path / "out"
    arguments = ["batch", path, "--out", out, "--workers", "1", "--format", "canvas"]
    code, said, err = finish(start(toy_root, *arguments))
    assert code == 0, err
    assert "climbs.ipynb: climbs out of the zip: left out" in said
    assert "2 of 5 graded" in said.splitlines()[-1]
    found = problems(out)
    assert (found["submission_11"], found["submission_12"]) == (None, None)
    assert "broken JSON" in str(found["submission_13"])
    assert "is not of this assignment" in str(found["submission_14"])
    assert "has no notebook (found: x.pdf)" in str(found["submission_15"])
    assert [test["extra_data"]["reason"] for test in read_results(out)["submission_13"]["tests"]] == ["not_run"] * 3
    scores = {row["name"]: (row["submission"], row["total"]) for row in read_grades(out)}
    assert scores["Ada Lovelace"] == ("submission_11", "6")
    assert scores["王 小明"] == scores["<b>Bob</b>"] == ("submission_12", "2")
    assert scores["Zoë O'Neil / Smith"] == ("submission_13", "")
    assert (out / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbfname,")
    assert (out / "canvas.csv").read_bytes().startswith(b"Student,")
    assert "Ada Lovelace,,001,ada@uni.edu,,6" in (out / "canvas.csv").read_text(encoding="utf-8")
    assert "&lt;b&gt;Bob&lt;/b&gt;" in (out / "report.html").read_text(encoding="utf-8")

    code, said, _ = finish(start(toy_root, *arguments))
    assert code == 2
    code, said, _ = finish(start(toy_root, *arguments, "--resume", "--against", out))
    assert code == 0
    assert "0 to grade" in said
    assert "0 of 6 move" in said


def test_interrupted_it_keeps_what_is_graded_and_goes_on_from_there(toy_root: Path, tmp_path: Path) -> None:
    names = [f"student_{n}" for n in range(4)]
    folder = write_folder(tmp_path / "class", {f"{name}.ipynb": notebook(SLEEPS) for name in names})
    out = tmp_path / "out"
    arguments = ["batch", folder, "--out", out, "--workers", "1"]
    process = start(toy_root, *arguments)
    wait_for(lambda: None in problems(out).values() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    code, said, err = finish(process)
    assert code == 2
    assert "interrupted: run again with --resume to grade the rest" in err
    assert "Traceback" not in err
    first = {name for name, problem in problems(out).items() if problem is None}
    assert set(problems(out)) == set(names), "who has not had a turn has results that say so"
    assert 0 < len(first) < len(names)
    times = {name: (out / "results" / name / "results.json").stat().st_mtime_ns for name in first}

    code, said, _ = finish(start(toy_root, *arguments, "--resume"))
    assert code == 0
    assert f"{len(names) - len(first)} to grade" in said
    assert set(problems(out).values()) == {None}
    assert times == {name: (out / "results" / name / "results.json").stat().st_mtime_ns for name in first}


def test_ctrl_c_while_the_workers_start_is_one_line(toy_root: Path, tmp_path: Path) -> None:
    """A terminal sends it to every process of the command."""
    folder, out = write_folder(tmp_path / "class", {"a.ipynb": notebook(), "b.ipynb": notebook()}), tmp_path / "out"
    process = start(toy_root, "batch", folder, "--out", out)
    wait_for(lambda: len(problems(out)) == 2 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)
    code, _, err = finish(process)
    assert (code, err) == (2, f"{out}: interrupted: run again with --resume to grade the rest\n")


def test_ctrl_c_while_a_cluster_opens_waits_until_it_can_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what starts the tests may have it ignored
    said: list[str] = []

    class Cluster(contextlib.AbstractContextManager["Cluster"]):
        scheduler_address = security = None

        def __init__(self, **options: Any) -> None:
            signal.raise_signal(signal.SIGINT)
            said.append("opened")

        def __exit__(self, *error: object) -> None:
            said.append("closed")

    monkeypatch.setattr(module, "LocalCluster", Cluster)
    monkeypatch.setattr(module, "Client", lambda *_, **options: contextlib.nullcontext())
    with pytest.raises(KeyboardInterrupt), open_workers(Course("", b""), None, 1):
        said.append("used")
    assert said == ["opened", "closed"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.fixture
def course_of(toy_root: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """The toy course, packed."""
    for name, path in vars(tree).copy().items():
        if name.isupper():
            monkeypatch.setattr(tree, name, toy_root / path.relative_to(Path(tree.__file__).parents[1]))
    return pack_course()


def test_a_submission_that_kills_every_worker_is_given_up_and_the_rest_is_graded(
    course_of: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grade(name: str, content: bytes, real: Any = on_worker.grade) -> dict[str, Any]:
        if name == "killer.ipynb":
            os.kill(os.getpid(), signal.SIGKILL)
        results: dict[str, Any] = real(name, content)
        return results

    monkeypatch.setattr(module.on_worker, "grade", grade)
    jobs = [Job(name, name, notebook) for name in ("a.ipynb", "killer.ipynb", "b.ipynb", "c.ipynb")]
    recorded: dict[str, Any] = {}
    with open_workers(course_of, None, 1) as workers:
        Queue(workers, 60, lambda job, results: recorded.update({job.name: results})).grade(jobs)
    assert recorded["killer.ipynb"] is None
    assert jobs[1].failures == ["the worker process was killed while it graded this"] * ATTEMPTS
    assert [recorded[name]["score"] for name in ("a.ipynb", "b.ipynb", "c.ipynb")] == [6, 6, 6]


def test_no_process_keeps_the_submissions_that_it_has_passed_on(
    course_of: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(*submission: Any) -> dict[str, Any]:
        return {"memory": psutil.Process().memory_info().rss}

    monkeypatch.setattr(module.on_worker, "grade", measure)
    memory: list[list[int]] = []  # of the tool, of the worker
    with open_workers(course_of, None, 1) as workers:
        jobs = [Job(str(number), "a.ipynb", lambda: os.urandom(LARGE)) for number in range(100)]
        Queue(workers, 60, lambda _, found: memory.append([row["memory"] for row in (measure(), found)])).grade(jobs)
    grown = [late - early for early, late in zip(memory[19], memory[-1], strict=True)]
    assert max(grown) < 40 * LARGE, "80 submissions more"


def read_cores(workers: DaskWorkers) -> list[set[int]]:
    """The cores that each worker may use, those of its sandbox too."""

    def read(dask_worker: Any) -> set[int]:
        sandbox = dask_worker.plugins["course"].grader._sandbox._zygote.popen
        return set(os.sched_getaffinity(0) | os.sched_getaffinity(sandbox.pid))

    found = workers._client.run(read, workers=workers.list())
    return sorted(found.values(), key=min)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core has room for one worker")
def test_each_of_as_many_workers_as_cores_keeps_to_its_own_also_when_it_starts_anew(
    course_of: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CPU_COUNT", 2)
    one, other, *_ = sorted(os.sched_getaffinity(0))
    with open_workers(course_of, None, 2) as workers:
        assert read_cores(workers) == [{one}, {other}]
        workers.abandon(workers.list()[0], restart=True)
        assert read_cores(workers) == [{one}, {other}]
    with open_workers(course_of, None, 1) as workers:
        assert read_cores(workers) == [os.sched_getaffinity(0)]


def test_a_worker_here_has_its_imports_before_it_starts_on_one_thread(course_of: Course) -> None:
    def look() -> tuple[bool, int]:
        return {*forge.NEEDED} <= {*sys.modules}, sys.modules["torch"].get_num_threads()

    with open_workers(course_of, None, 1) as workers:
        found = workers._client.run(look)
    assert [*found.values()] == [(True, 1)]


def with_version(packed: Course, version: str) -> Course:
    """The same course with another version in its table."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed.data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(b"1.2.3", version.encode()) if name == "grading.yml" else data)
    return Course(version, stream.getvalue())


def test_the_workers_of_a_cluster_take_one_course_after_the_other(course_of: Course) -> None:
    versions: list[str] = []
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        for version in ("2.0.0", "3.0.0"):
            with open_workers(with_version(course_of, version), cluster.scheduler_address, None) as workers:
                job = Job("a", "a.ipynb", notebook)
                Queue(workers, 60, lambda _, results: versions.append(results["extra_data"]["version"])).grade([job])
    assert versions == ["2.0.0", "3.0.0"]


def test_a_scheduler_that_goes_away_stops_the_batch_with_a_line(course_of: Course) -> None:
    jobs = [Job(name, f"{name}.ipynb", lambda: notebook(SLEEPS)) for name in "abc"]
    recorded: list[str] = []
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:

        def record(job: Job, _: Any) -> None:
            recorded.append(job.name)
            cluster.close()

        with (
            pytest.raises(UserError, match=r"the scheduler is gone \(.*\): run again with --resume"),
            open_workers(course_of, cluster.scheduler_address, None) as workers,
        ):
            Queue(workers, 60, record).grade(jobs)
    assert recorded == ["a"]


def test_a_scheduler_that_does_not_answer_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER", 1)
    with (
        pytest.raises(UserError, match=r"^tcp://127.0.0.1:9: no Dask scheduler answers \(.*\): check the address"),
        open_workers(Course("", b""), "tcp://127.0.0.1:9", None),
    ):
        pass


class Phone:
    """What a scheduler says of its workers; no call goes out."""

    def __init__(self, **versions: dict[str, Any]) -> None:
        self.versions = versions
        self.prepared: list[str] = []

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.versions, 1)

    def get_versions(self, packages: Any) -> dict[str, Any]:
        return {"client": describe(), "workers": self.versions}

    def run(self, _: Any, data: bytes, on_one_core: bool, workers: list[str], on_error: str) -> dict[str, Any]:
        self.prepared += workers
        return {worker: OSError("disk full") if worker == "full" else None for worker in workers}


def describe(python: str = "3.12.1.final.0", **other: str | None) -> dict[str, Any]:
    packages = dict.fromkeys(RULING, "2.0+cpu") | {name.replace("_", "-"): version for name, version in other.items()}
    return {"host": {"python": python}, "packages": packages}


def test_workers_of_another_version_are_told_and_not_used() -> None:
    phone: Any = Phone(
        same=describe(python="3.12.9.final.0", torch="2.0+cu130"),
        old=describe(python="3.10.2.final.0"),
        other=describe(torch="2.1", otter_grader=None),
        full=describe(),
    )
    workers = DaskWorkers(phone, Course("key", b"zip"))
    assert [*workers.list(), *workers.list()] == ["same", "same"]
    assert phone.prepared == ["same", "full"]
    assert [line.partition(": ")[2].rpartition(": ")[0] for line in workers.remarks] == [
        "has Python 3.10, not 3.12",
        "has torch 2.1, not 2.0, has otter-grader missing, not 2.0",
        "cannot be made ready: OSError: disk full",
    ]


def test_no_more_workers_are_used_than_asked_for() -> None:
    phone: Any = Phone(**{name: describe() for name in "abc"})
    workers = DaskWorkers(phone, Course("key", b"zip"), at_most=2)
    assert workers.list() == ["a", "b"]
    assert workers.list() == ["a", "b"]
