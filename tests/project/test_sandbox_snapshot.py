"""The state a question is graded on: right after its check cell, with the defaults put back, a fresh copy each time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from project.sandboxed import Limits, cells, make_given, student_of

from autograder.sandbox import Run, Sandbox, StudentError


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(make_given(tmp_path_factory.mktemp("course")), Limits()) as sandbox:
        yield sandbox


STATES = ("x = 1", "check:q01", "x = 2", "check:q02", "x = 3", "check:q01", "x = 4")


@pytest.fixture(scope="module")
def run(sandbox: Sandbox) -> Iterator[Run]:
    with sandbox.run(cells(*STATES)) as run:
        yield run


@pytest.mark.parametrize(("question", "x"), [("q02", 2), ("q01", 3), ("q14", 4)])
def test_a_question_sees_the_state_after_its_last_check_cell_or_the_final_one(run: Run, question: str, x: int) -> None:
    with run.fork(question, seconds=5) as student:
        assert student.stand_ins(["x", "y"]) == {"x": x}


def test_what_one_case_breaks_another_does_not_see(sandbox: Sandbox) -> None:
    source = "import torch\nstate = []\ndef f():\n    state.append(1)\n    torch.softmax = None\n    return len(state)"
    with sandbox.run(cells(source, "check:q01")) as run:
        for _ in range(2):
            with run.fork("q01", seconds=5) as student:
                assert student.stand_ins(["f"])["f"]() == 1


SWITCHES = {
    "torch.set_default_dtype(torch.float64)": "torch.zeros(1).dtype == torch.float32",
    "torch.set_default_device('meta')": "torch.zeros(1).device.type == 'cpu'",
    "torch.set_grad_enabled(False)": "torch.is_grad_enabled()",
    "torch.set_num_threads(8)": "torch.get_num_threads() == 1",
    "torch._C._set_num_threads(8)": "torch.get_num_threads() == 1",
    "torch.autograd.set_detect_anomaly(True)": "not torch.is_anomaly_enabled()",
    "torch.set_deterministic_debug_mode('error')": "not torch.are_deterministic_algorithms_enabled()",
    "np.seterr(all='raise')": "np.geterr()['divide'] == 'warn'",
    "warnings.simplefilter('error')": "warnings.warn('!') is None",
    "sys.setrecursionlimit(150)": "sys.getrecursionlimit() >= 1000",
    "os.mkdir('elsewhere')\nos.chdir('elsewhere')": "os.getcwd().split('/')[-1].startswith('home')",
}


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_is_put_back_before_each_question(sandbox: Sandbox, switch: str) -> None:
    imports = "import os, sys, warnings\nimport numpy as np\nimport torch"
    with student_of(sandbox, imports, switch, f"def f(): return {SWITCHES[switch]}", "check:q01", question="q01") as s:
        assert s.stand_ins(["f"])["f"]() is True


def test_random_numbers_are_the_same_in_every_copy(sandbox: Sandbox) -> None:
    source = """
        import random, torch
        import numpy as np
        def f(): return random.random(), float(np.random.rand()), torch.rand(1).item()
        torch.manual_seed(7); random.random(); np.random.rand()
    """
    with sandbox.run(cells(source, "check:q01", "f()")) as run:
        draws = []
        for question in ("q01", "q01", "q02"):
            with run.fork(question, seconds=5) as student:
                draws.append(student.stand_ins(["f"])["f"]())
    assert draws[0] == draws[1] == draws[2]


THREADS = """
    import torch
    torch.set_num_threads(8)
    torch.set_num_interop_threads(4)
    A = torch.randn(600, 600, requires_grad=True)
    (A @ A).softmax(-1).sum().backward()
    def f():
        torch.set_num_threads(4)
        x = torch.randn(600, 600, requires_grad=True)
        (x @ x).softmax(-1).sum().backward()
        return tuple(x.grad.shape)
"""


@pytest.mark.parametrize("extra", ["", "torch._C._set_num_threads(4)\n(A @ A).softmax(-1).exp()"])
def test_a_notebook_that_computed_on_many_threads_does_not_hang(sandbox: Sandbox, extra: str) -> None:
    with student_of(sandbox, THREADS, extra, "check:q01", question="q01") as student:
        assert student.stand_ins(["f"])["f"]() == (600, 600)


def test_background_threads_and_workers_do_no_harm(sandbox: Sandbox) -> None:
    source = """
        import threading, time, torch
        threading.Thread(target=lambda: [time.sleep(0.001) for _ in range(10**6)], daemon=True).start()
        loader = torch.utils.data.DataLoader(list(range(8)), batch_size=4, num_workers=2)
        x = [batch.tolist() for batch in loader]
    """
    with student_of(sandbox, source, "check:q01", question="q01") as student:
        assert student.stand_ins(["x"])["x"] == [[0, 1, 2, 3], [4, 5, 6, 7]]


LATE = "import time\ncalls = 0\ndef f(s):\n    time.sleep(s)\n    return 1"


def test_after_a_time_out_every_later_call_fails_at_once_with_the_same_reason(sandbox: Sandbox) -> None:
    with sandbox.run(cells(LATE)) as run:
        with run.fork("", seconds=30) as student:
            f = student.stand_ins(["f"])["f"]
            for longest in (1.5, 0.01):
                started = time.monotonic()
                with pytest.raises(StudentError, match=r"no answer after 1\.0 s of its own time") as caught:
                    f(60)
                assert caught.value.reason == "timeout"
                assert time.monotonic() - started < longest
        with run.fork("", seconds=30) as student:
            assert student.stand_ins(["f"])["f"](0) == 1


def test_calls_just_under_the_limit_end_with_the_seconds_of_the_question(sandbox: Sandbox) -> None:
    with sandbox.run(cells(LATE)) as run, run.fork("", seconds=1) as student:
        f = student.stand_ins(["f"])["f"]
        with pytest.raises(StudentError) as caught:
            for _ in range(3):
                f(0.6)
        assert caught.value.reason == "timeout"


def test_nothing_runs_beyond_the_seconds_of_the_whole_run(tmp_path: Path) -> None:
    with (
        Sandbox(tmp_path, Limits(run=6, call=5)) as sandbox,  # a busy machine takes seconds to run the cell
        sandbox.run(cells(LATE)) as run,
        run.fork("", seconds=30) as student,
    ):
        with pytest.raises(StudentError) as caught:
            for _ in range(4):
                student.stand_ins(["f"])["f"](2.5)
        assert caught.value.reason == "timeout"
