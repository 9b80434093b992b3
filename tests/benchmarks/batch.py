"""A class graded side by side: a loop of `otter run`, this tool with one worker, and with one per core; then growth.

    python -m autograder release && python tests/benchmarks/batch.py [COUNT] [MANY]

COUNT notebooks (40) for the comparison: right, partly right and broken ones, the same for both sides, whose unchanged
experiments neither side runs. MANY (200) for growth: without the questions that train, so that it takes minutes.
CPU seconds are the system's count for all processes of a side, also those that are gone; on a busy machine compare them
rather than the clock. They need root and Linux's cpuacct.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from project.specimens.classroom import make_class, put_sources, solve_release  # noqa: E402

ZIP = ROOT / "build" / "autograder.zip"
ACCOUNTS = Path("/sys/fs/cgroup/cpuacct")
TRAINED = ("class TinyViT", "def class_token_attention")
FIRST = 25  # submissions that the growth is measured against
MEGABYTE = 2**20
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


@dataclass
class Side:
    """One way to grade a class: how long it took, by the clock and in CPU seconds."""

    name: str
    count: int
    seconds: float = 0.0
    cpu: float | None = None
    scores: dict[str, float] = field(default_factory=dict)


class Account:
    """Counts the CPU seconds of everything started inside; None where the system does not."""

    def __init__(self) -> None:
        self._folder = ACCOUNTS / f"benchmark-{os.getpid()}-{time.monotonic_ns()}"
        with contextlib.suppress(OSError):
            self._folder.mkdir()

    def enter(self) -> None:
        """Called in the new process."""
        with contextlib.suppress(OSError):
            (self._folder / "cgroup.procs").write_text(str(os.getpid()))

    def read(self) -> float | None:
        """The CPU seconds so far."""
        try:
            return int((self._folder / "cpuacct.usage").read_text()) / 1e9
        except OSError:
            return None

    def close(self) -> None:
        """Take the account away; the system needs a moment to forget the last process."""
        for _ in range(50):
            with contextlib.suppress(OSError):
                self._folder.rmdir()
            time.sleep(0.1 * self._folder.exists())


@contextlib.contextmanager
def measure(side: Side) -> Iterator[Account]:
    """Fill in the seconds of a side."""
    account, begun = Account(), time.monotonic()
    yield account
    side.seconds, side.cpu = time.monotonic() - begun, account.read()
    account.close()


def run_otter(notebooks: Sequence[Path]) -> Side:
    """`otter run` on one notebook after the other."""
    side = Side("otter run, in a loop", len(notebooks))
    with measure(side) as account, tempfile.TemporaryDirectory() as work:
        for notebook in notebooks:
            out = Path(work) / notebook.stem
            out.mkdir()
            shutil.copy(notebook, out / "transformers.ipynb")  # Otter finds a notebook by its name only
            command = [sys.executable, "-m", "otter", "run", "-a", str(ZIP), "-o", str(out), "transformers.ipynb"]
            subprocess.run(command, cwd=out, env=ENVIRONMENT, capture_output=True, preexec_fn=account.enter)
            with contextlib.suppress(OSError):
                results = json.loads((out / "results.json").read_text(encoding="utf-8"))
                side.scores[notebook.stem] = sum(test.get("score") or 0 for test in results["tests"])
    return side


def run_batch(folder: Path, out: Path, workers: int, account: Account) -> subprocess.Popen[bytes]:
    """Start this tool on a folder."""
    command = [sys.executable, "-m", "autograder", "batch", str(folder), "--out", str(out), "--workers", str(workers)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=account.enter,
    )


def read_results(out: Path) -> dict[str, dict[str, Any]]:
    """The results that are done."""
    found = {}
    for path in out.glob("results/*/results.json"):
        with contextlib.suppress(ValueError, OSError):
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["extra_data"].get("course"):
                found[path.parent.name] = content
    return found


def compare(count: int, work: Path) -> None:
    """Print both sides' throughput and where this one's time goes."""
    notebooks = write_class(work / "class", make_class(solve_release(), count))
    cores = len(os.sched_getaffinity(0))
    sides = [run_otter(notebooks)]
    for workers in dict.fromkeys((1, cores)):
        side, out = Side(f"batch, {workers} worker{'s' * (workers > 1)}", count), work / f"out-{workers}"
        with measure(side) as account:
            run_batch(work / "class", out, workers, account).wait()
        results = read_results(out)
        side.scores = {name: content["score"] for name, content in results.items()}
        sides.append(side)
    print(f"{count} notebooks, {cores} cores, load {os.getloadavg()[0]:.1f}")
    for side in sides:
        cpu = f"{side.cpu / count:7.2f} CPU s each" if side.cpu is not None else ""
        ratio = f"{sides[0].seconds / side.seconds:5.2f} x otter"
        print(f"  {side.name:24}{side.seconds:8.1f} s {side.seconds / count:7.2f} s each {cpu} {ratio}")
    if len(sides) > 2:
        print(f"  {cores} workers are {sides[1].seconds / sides[2].seconds:.2f} x one")
    differ = [name for name, score in sides[-1].scores.items() if sides[1].scores.get(name) != score]
    print(f"  scores that differ between one and several workers: {differ or 'none'}")
    print_places(list(results.values()))


def print_places(results: Sequence[dict[str, Any]]) -> None:
    """Print what one submission spends where, on average."""
    spent: dict[str, float] = {}
    for content in results:
        for test in content["tests"]:
            facts = test["extra_data"]
            spent[facts["question"]] = spent.get(facts["question"], 0.0) + facts["seconds"]
    spent["cells, snapshots, diagnosis"] = sum(content["execution_time"] for content in results) - sum(spent.values())
    for place, seconds in sorted(spent.items(), key=lambda found: -found[1]):
        print(f"    {seconds / len(results):6.2f} s  {place}")


def grow(count: int, work: Path) -> None:
    """Print how time and memory of a long batch compare with those of its first submissions."""
    solved = solve_release()
    put_sources(solved, dict.fromkeys(TRAINED, "# left out"))
    write_class(work / "long", make_class(solved, count))
    out, account, begun = work / "out-long", Account(), time.monotonic()
    process, marks = run_batch(work / "long", out, len(os.sched_getaffinity(0)), account), []
    while process.poll() is None:
        done = len(read_results(out))
        if done > FIRST * len(marks) or (done == count and marks[-1][0] < count):
            marks.append((done, time.monotonic() - begun, account.read(), read_memory(process.pid)))
        time.sleep(1)
    account.close()
    print(f"growth over {count} submissions, load {os.getloadavg()[0]:.1f}")
    steps = []
    for (done, seconds, cpu, _), (more, later, spent, memory) in pairwise(marks):
        steps.append(((spent or later) - (cpu or seconds)) / (more - done))
        sizes = ", ".join(f"{name} {size:.0f}" for name, size in memory.items())
        clock = (later - seconds) / (more - done)
        print(f"  {done:4} to {more:4}: {clock:6.2f} s each, {steps[-1]:6.2f} CPU s each; MB then: {sizes}")
    print(f"  the last ones take {steps[-1] / steps[0] - 1:+.0%} against the first ones")


def read_memory(pid: int) -> dict[str, float]:
    """The resident megabytes of each lasting process: the tool, Dask's workers, their sandboxes."""
    memory: dict[str, float] = {}
    with contextlib.suppress(psutil.Error):
        tool = psutil.Process(pid)
        memory["tool"] = tool.memory_info().rss / MEGABYTE
        workers = [worker for forge in tool.children() for worker in forge.children()]
        for number, worker in enumerate(workers, start=1):
            for child in worker.children():
                memory[f"sandbox {number}"] = child.memory_info().rss / MEGABYTE
                memory[f"worker {number}"] = worker.memory_info().rss / MEGABYTE
    return memory


def write_class(folder: Path, students: Sequence[dict[str, Any]]) -> list[Path]:
    """Write the notebooks without their stored outputs, as both sides read them anyway."""
    folder.mkdir()
    paths = [folder / f"student_{number:03}.ipynb" for number in range(1, len(students) + 1)]
    for path, student in zip(paths, students, strict=True):
        for cell in student["cells"]:
            cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
        path.write_text(json.dumps(student), encoding="utf-8")
    return paths


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]] + [40, 200][len(sys.argv) - 1 :]
    with tempfile.TemporaryDirectory() as place:
        if numbers[0]:
            compare(numbers[0], Path(place))
        if numbers[1]:
            grow(numbers[1], Path(place))
