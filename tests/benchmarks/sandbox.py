"""What isolation costs: one call, one grade of the solved notebook, memory. Medians and ratios, measured side by side.

    python tests/benchmarks/sandbox.py [ROUNDS]

Compare ratios, not seconds: both sides of a ratio are measured in turn, so that a busy machine slows both.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "assignment")]

import torch  # noqa: E402
from project import open_sandbox  # noqa: E402
from project.specimens.answers import make_solved  # noqa: E402

from autograder import tree  # noqa: E402
from autograder.config import load_grading  # noqa: E402
from autograder.grade import Grade, grade_submission  # noqa: E402
from autograder.questions import load_questions  # noqa: E402
from autograder.sandbox import Cell, Sandbox  # noqa: E402
from autograder.submission import read_submission  # noqa: E402

CALLS = 1000  # of each kind; the median settles after some hundred
LONG = "q13_vit_accuracy"  # trains in the student's process, where isolation costs nothing
FUNCTIONS = """
import torch
def double(x): return 2 * x
def attention(Q, K, V):
    alpha = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return alpha @ V, alpha
"""


def median_milliseconds(function: Callable[[], object]) -> float:
    """The median time of a call."""
    times = []
    for _ in range(CALLS):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times)


def measure_calls(sandbox: Sandbox) -> None:
    """Print what a call takes in this process and through the sandbox."""
    own: dict[str, Any] = {}
    exec(FUNCTIONS, own)
    Q, K, V = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 6)
    kinds = {
        "an int": ("double", [3]),
        "a 4 x 4 tensor": ("double", [torch.randn(4, 4)]),
        "attention of small tensors": ("attention", [Q, K, V]),
        "attention of small tensors with gradients": ("attention", [x.requires_grad_() for x in (Q, K, V)]),
    }
    with sandbox.run([Cell(FUNCTIONS)]) as run, run.fork("", seconds=600) as student:
        names = student.stand_ins(["double", "attention"])
        for title, (name, arguments) in kinds.items():
            here = median_milliseconds(lambda name=name, arguments=arguments: own[name](*arguments))
            there = median_milliseconds(lambda name=name, arguments=arguments: names[name](*arguments))
            print(f"a call with {title}: {there:.3f} ms isolated, {here:.3f} ms in process")


def measure_grades(sandbox: Sandbox, rounds: int) -> None:
    """Print what the cases of the solved notebook take in one process and isolated, in turn."""
    grading = load_grading()
    vit = grading.vit.model_copy(update={"minimum_accuracy": 0.0})  # one round of training, whatever the first weights
    grading = grading.model_copy(update={"vit": vit})
    questions = load_questions(grading)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "solved.ipynb"
        path.write_text(json.dumps(make_solved()), encoding="utf-8")
        submission = read_submission(path, questions)
        seconds: dict[str, list[dict[str, float]]] = {"in one process": [], "isolated": []}
        for _ in range(rounds):
            for where, place in (("in one process", open_sandbox.Sandbox()), ("isolated", sandbox)):
                grade = Grade(grading, questions)
                grade_submission(grade, submission, place, lambda result: None)  # type: ignore[arg-type]
                assert grade.count_points().total == grading.total
                spent = {LONG: 0.0, "others": 0.0, "whole": grade.seconds}
                for result in grade.cases:
                    spent[LONG if result.question == LONG else "others"] += result.seconds
                seconds[where].append(spent)
    for part in ("others", LONG, "whole"):
        one, two = ([spent[part] for spent in seconds[where]] for where in ("in one process", "isolated"))
        ratio = statistics.median(b / a for a, b in zip(one, two, strict=True))
        print(
            f"solved notebook, {part}: {statistics.median(two):.2f} s isolated, {statistics.median(one):.2f} s in one "
            f"process, ratio {ratio:.2f} (median of {rounds})"
        )


def measure_memory() -> None:
    """Print the largest memory of one grade by the command: all its processes, shared pages counted once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "solved.ipynb"
        path.write_text(json.dumps(make_solved()), encoding="utf-8")
        command = [sys.executable, "-m", "autograder", "grade", str(path), "--results", f"{folder}/results.json"]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        peak, parts = 0.0, {}
        while process.poll() is None:
            now = {pid: megabytes(pid) for pid in descendants(process.pid)}
            if sum(now.values()) > peak:
                peak, parts = sum(now.values()), now
            time.sleep(0.05)
    print(f"memory of one grade at most: {peak:.0f} MB in {len(parts)} processes")


def descendants(pid: int) -> list[int]:
    """A process and all below it."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_bytes().rpartition(b")")[2].split()[1])
        except OSError:
            continue
    found = [pid]
    for parent in found:
        found += [child for child, above in parents.items() if above == parent]
    return found


def megabytes(pid: int) -> float:
    """The proportional memory of a process; where it cannot be read, what it shares with nobody's files."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(text.split("\nPss:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        pass
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError):
        return 0.0


def main() -> None:
    """Measure all."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    torch.set_num_threads(1)
    with Sandbox(tree.GIVEN.parent, load_grading().limits) as sandbox:
        measure_calls(sandbox)
        measure_grades(sandbox, rounds)
    measure_memory()


if __name__ == "__main__":
    main()
