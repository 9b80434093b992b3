"""The same grade on every machine: what it does besides, and how slow it is, is not the student's affair."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from project import course
from project.machines import crowded_cores, share_of_core
from project.sandboxed import Limits, cells, make_given, statuses
from project.specimens.answers import make_solved
from project.specimens.classroom import put_sources
from project.specimens.three_mistakes import make_mistakes
from project.variants import load_variants

from autograder import tree
from autograder.config import load_grading
from autograder.sandbox import Sandbox, StudentError
from autograder.sandbox.meter import read_session

QUESTIONS = [id for id in load_grading().questions if (tree.SOLUTIONS / f"{id}.py").exists()]
MACHINES: dict[str, Callable[[], AbstractContextManager[Callable[[], None]]]] = {
    "a quarter of a core": lambda: share_of_core(0.25),
    "five other processes a core": lambda: crowded_cores(5),
    "half a core and 1.5 GB": lambda: share_of_core(0.5, 1_500_000_000),
}


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(make_given(tmp_path_factory.mktemp("course")), Limits(call=0.6)) as sandbox:
        yield sandbox


# ------------------------------------------------------------------------------------------------ what is charged

WORKING = """
    import os, threading, time

    def compute(seconds):
        start = time.thread_time()
        while time.thread_time() - start < seconds: pass
        return 1

    def sleep(seconds):
        time.sleep(seconds)
        return 1

    def compute_in_threads(seconds):
        threads = [threading.Thread(target=compute, args=(seconds,)) for _ in range(3)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        return 1

    def compute_in_children(seconds):
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                compute(seconds)
                os._exit(0)
            children.append(child)
        [os.waitpid(child, 0) for child in children]
        return 1
"""


@pytest.mark.parametrize("name", ["compute", "sleep", "compute_in_threads", "compute_in_children"])
def test_computing_and_sleeping_are_charged_in_every_thread_and_child(sandbox: Sandbox, name: str) -> None:
    each = 0.9 if name in ("compute", "sleep") else 0.4
    with sandbox.run(cells(WORKING)) as run, run.fork("", seconds=30) as student:
        function = student.stand_ins([name])[name]
        assert function(0.01) == 1
        with pytest.raises(StudentError, match=r"no answer after 0\.6 s of its own time"):
            function(each)


def test_waiting_for_a_processor_is_not_charged(sandbox: Sandbox) -> None:
    with crowded_cores(8), sandbox.run(cells(WORKING)) as run, run.fork("", seconds=30) as student:
        compute = student.stand_ins(["compute"])["compute"]
        for _ in range(20):
            begun = time.monotonic()
            assert compute(0.4) == 1
            if time.monotonic() - begun > 2 * 0.6:  # twice what a call may be charged
                return
        pytest.skip("this machine has processors to spare")


def test_the_kernel_tells_whether_a_session_can_run(sandbox: Sandbox) -> None:
    source = "import threading\nthreading.Thread(target=lambda: exec('while True: pass'), daemon=True).start()"
    with sandbox.run(cells("x = 1")) as run:
        session = run._attempts[-1].session
        looks = [(time.sleep(0.05), read_session(session, 0)[1])[1] for _ in range(10)]
        assert False in looks
    with sandbox.run(cells(source)) as run:
        session = run._attempts[-1].session
        first, busy = read_session(session, 0)
        time.sleep(0.5)
        assert (busy, read_session(session, 0)[0] > first) == (True, True)


COMPILING = "def f(x):\n    import torch\n    return torch._{}.is_compiling()".format("dynamo")


def test_pytorchs_compiler_is_loaded_once_for_all_copies(tmp_path: Path) -> None:
    with Sandbox(tmp_path, Limits(call=20)) as sandbox:
        for source in (COMPILING, COMPILING.replace("torch._dynamo", "getattr(torch, '_dyn' + 'amo')")):
            seconds = []
            with sandbox.run(cells(source, "check:q01")) as run:
                for _ in range(2):
                    with run.fork("q01", seconds=30) as student:
                        assert student.stand_ins(["f"])["f"](1) is False
                        seconds.append(student.cpu)
            assert seconds[-1] < 0.3, f"{source!r}: {seconds}"


def test_the_number_of_a_dead_process_stays_taken_until_its_run_is_closed(sandbox: Sandbox) -> None:
    with sandbox.run(cells("import os; os._exit(1)", "x = 1")) as run:
        first, last = [attempt.session for attempt in run._attempts]
        assert first != last
        assert os.getsid(first) == first, "nobody else can get this number"
    for session in (first, last):
        with pytest.raises(ProcessLookupError):
            os.getsid(session)


# --------------------------------------------------------------------------------------------- what is not judged


def test_a_run_that_has_no_time_to_start_is_no_fault_of_its_notebook(sandbox: Sandbox) -> None:
    with pytest.raises(TimeoutError), sandbox.run(cells("x = 1"), until=time.monotonic() - 1):
        pass
    with sandbox.run(cells("x = 1")) as run:  # the sandbox goes on
        assert statuses(run) == ["ran"]


def test_a_cell_that_the_clock_ends_is_told_apart_from_one_that_takes_too_long(tmp_path: Path) -> None:
    with (
        Sandbox(tmp_path, Limits(cell=60)) as sandbox,
        pytest.raises(TimeoutError),
        sandbox.run(cells("x = 1", "while True: pass", "y = 1"), until=time.monotonic() + 8),
    ):
        pass


# ------------------------------------------------------------------------------------------- whole grades, by command


def write_notebooks() -> dict[str, dict[str, Any]]:
    """The solved notebook, one with three mistakes, and ten of right answers that are written differently."""
    notebooks = {"solved": make_solved(), "three mistakes": make_solved()}
    make_mistakes(notebooks["three mistakes"])
    for number in range(10):
        notebooks[f"variant {number}"] = notebook = make_solved()
        for id in QUESTIONS:
            variants = load_variants(id)
            variant = variants[number % len(variants)]
            source = variant.source_code()
            put_sources(notebook, {f"{word} {name}": source for name in variant.answers() for word in ("def", "class")})
    return notebooks


def grade(path: Path, results: Path, enter: Callable[[], None]) -> dict[str, Any]:
    """Grade a notebook by the command, in a process that enters a machine first."""
    command = [sys.executable, "-m", "autograder", "grade", str(path), "--results", str(results)]
    done = subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True, preexec_fn=enter)
    assert done.returncode == 0, done.stderr
    return json.loads(results.read_text(encoding="utf-8"))


def read_verdicts(results: dict[str, Any]) -> dict[str, tuple[float, str]]:
    """Points and message of each case."""
    return {test["name"]: (test["score"], test["output"]) for test in results["tests"]}


def compare_on(machine: str, names: list[str], times: int, folder: Path) -> list[str]:
    """Grade notebooks on this machine and on a worse one; return a line for each difference, and print a table."""
    notebooks, differences = write_notebooks(), []
    for name in names:
        path = folder / f"{name}.ipynb"
        path.write_text(json.dumps(notebooks[name]), encoding="utf-8")
        here = read_verdicts(grade(path, folder / "here.json", lambda: None))
        with MACHINES[machine]() as enter:
            for _ in range(times):
                results = grade(path, folder / "there.json", enter)
                there = read_verdicts(results)
                differences += [f"{name}: {here[case]} {there[case]}" for case in here if here[case] != there[case]]
                wall, computed = results["execution_time"], results["extra_data"]["cpu_seconds"]
                print(f"{machine} | {name} | {results['score']} | {wall:.1f} s | {computed:.1f} CPU s")
    return differences


@pytest.mark.slow
def test_half_a_core_gives_the_same_grade(tmp_path: Path) -> None:
    assert compare_on("half a core and 1.5 GB", ["three mistakes"], 1, tmp_path) == []


@pytest.mark.proof
@pytest.mark.timeout(14_400)
@pytest.mark.parametrize("machine", MACHINES)
def test_every_machine_gives_the_same_grade(machine: str, tmp_path: Path) -> None:
    times = int(os.environ.get("TIMES", "10"))
    assert compare_on(machine, list(write_notebooks()), times, tmp_path) == []


@pytest.mark.proof
@pytest.mark.timeout(14_400)
def test_a_class_beside_ten_busy_processes_gets_the_same_grades(tmp_path: Path) -> None:
    for name, notebook in write_notebooks().items():
        path = tmp_path / "class" / name.replace(" ", "_") / "transformers.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")
    command = [sys.executable, "-m", "autograder", "batch", str(tmp_path / "class"), "--workers", "2", "--out"]
    found = []
    for machine in (nullcontext(), crowded_cores(5)):
        out = tmp_path / f"out-{len(found)}"
        with machine:
            subprocess.run([*command, str(out)], cwd=tree.ROOT, check=True, capture_output=True)
        results = {path.parent.name: json.loads(path.read_text("utf-8")) for path in out.glob("results/*/results.json")}
        found.append({name: read_verdicts(content) for name, content in results.items()})
    assert len(found[0]) == len(write_notebooks())
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_machine_that_can_run_nothing_says_so_in_time(toy_root: Path, tmp_path: Path) -> None:
    root = shutil.copytree(toy_root, tmp_path / "course", symlinks=True)
    table = root / "grading.yml"
    table.write_text(table.read_text("utf-8").replace("wall: 60", "wall: 10"), "utf-8")
    path, results = course.write_notebook(tmp_path / "a.ipynb", course.RIGHT), tmp_path / "results.json"
    with share_of_core(0.05) as enter:
        command = [sys.executable, "-m", "autograder", "grade", str(path), "--results", str(results)]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, preexec_fn=enter)
    assert done.returncode == 0, done.stderr
    content = json.loads(results.read_text(encoding="utf-8"))
    assert {test["extra_data"]["reason"] for test in content["tests"]} == {"not_judged"}
    assert "The grader's machine was too slow or too busy: 3 of 3 checks could not be run" in content["output"]
