"""A notebook's cells in the sandbox: what works in Jupyter works, what breaks costs its own cell only."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from project.sandboxed import Limits, cells, make_given, statuses, student_of

from autograder.errors import UserError
from autograder.sandbox import Sandbox, StudentError
from autograder.sandbox.session import list_processes


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(make_given(tmp_path_factory.mktemp("course")), Limits()) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def patient_sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """One in which a cell may compute long enough to compile, on a slow machine too."""
    with Sandbox(make_given(tmp_path_factory.mktemp("course")), Limits(cell=30)) as sandbox:
        yield sandbox


def value_of(sandbox: Sandbox, *sources: str) -> object:
    """Run a notebook and return what it leaves under the name `x`."""
    with student_of(sandbox, *sources) as student:
        return student.stand_ins(["x"]).get("x", "undefined")


@pytest.mark.parametrize(
    "source",
    [
        "%%time\nx = 1",
        "\n\n%%time\nx = 1",
        "from __future__ import annotations\ndef f(a: nowhere): ...\nx = 1",
        "import asyncio\nawait asyncio.sleep(0)\nx = 1",
        "%matplotlib inline\nx = 1",
        "!rm -rf tests\nx = 1",
        "files = !ls\nx = 1 + len(files)",
        "%pip install einops\nx = 1",
        "import torch\nfrom einops import rearrange\nx = rearrange(torch.ones(1, 1), 'a b -> (a b)').numel()",
        "%timeit -n1 -r1 pass\nx = 1",
        "%%capture\nx = 1",
        "import otter\ngrader = otter.Notebook('transformers.ipynb')\ngrader.check('q01')\nx = 1",
        "from given.checks import grader\ngrader.check('q01').anything(3)\nx = 1",
        "from given.machine import prepare\nprepare()\nx = 1",
        "import given.training\nx = 1",
        "import gc\nx = int(gc.isenabled())",
        "import nowhere.plots as plots, nothing\nfrom nowhere import draw\nx = 1",
        "x = 1\nexit()",
        "import os\nx = 1 + len([name for name in os.environ if 'TOKEN' in name])",
        "open('notes.txt', 'w').write('mine')\nx = len(open('notes.txt').read()) - 3",
        "from IPython.display import display, HTML\ndisplay(HTML('<b>'))\nx = 1",
    ],
)
def test_what_works_in_jupyter_works_here(sandbox: Sandbox, source: str) -> None:
    assert value_of(sandbox, source) == 1


TRAINED = """
import sys
import torch
from torch import nn
model = nn.Sequential(nn.Linear(3, 3), nn.LayerNorm(3))
optimizers = [torch.optim.SGD(model.parameters(), 0.1), torch.optim.AdamW(model.parameters(), 0.1)]
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizers[1], 5)
for optimizer in optimizers:
    optimizer.zero_grad()
    model(torch.ones(2, 3)).sum().backward()
    optimizer.step()
    schedule.step()
"""


def test_training_does_not_load_pytorchs_compiler(sandbox: Sandbox) -> None:
    assert value_of(sandbox, TRAINED, "x = int('sympy' in sys.modules)") == 0


@pytest.mark.parametrize(
    "source",
    [
        "import torch._dynamo\nx = int(torch._dynamo.config.suppress_errors is False)",
        "import torch._dynamo.config as config\nx = int(config.suppress_errors is False)",
        "from torch._dynamo import config, disable\nx = disable(lambda: 1)()",
        "import torch._dynamo as d\n@d.disable()\ndef f(): d.graph_break(msg='')\nx = 1 + bool(f())",
        "import torch\nx = int(torch.compile(lambda y: y + 1, backend='eager')(torch.zeros(1)).item())",
        TRAINED + "x = int(torch.compile(lambda y: y + 1, backend='eager')(torch.zeros(1)).item())",
        "import inspect, sys\ninspect.getmodule(inspect)\nx = 1 + ('sympy' in sys.modules)",
    ],
)
def test_a_notebook_that_compiles_gets_pytorchs_compiler(patient_sandbox: Sandbox, source: str) -> None:
    assert value_of(patient_sandbox, source) == 1


def test_a_module_that_is_not_there_is_told_where_it_is_imported_and_where_it_is_used(sandbox: Sandbox) -> None:
    with sandbox.run(cells("import nowhere as here\nx = 1", "here.draw()", "import re, nowhere.x")) as run:
        first, second, third = run.outcomes
        told = "ModuleNotFoundError: nowhere is not installed in the autograder"
        assert [outcome.error for outcome in (first, second, third)] == [
            f"{told} (line 1: import nowhere as here)",
            f"{told} (line 1: here.draw())",
            f"{told} (line 1: import re, nowhere.x)",
        ]


@pytest.mark.parametrize(
    "lines",
    [
        *("%cd .", "%cd", "%cd ..", "%cd /nowhere", "%store -r", "%store -r here", "%bookmark here"),
        *(
            "%load_ext lab_black",
            "%load_ext autoreload\n%autoreload 2",
            "%no_such_magic",
            "%config InlineBackend.x = 1",
        ),
        "from google.colab import drive, files\ndrive.mount('/content/drive')\nfiles.upload()",
        "import google.colab\ngoogle.colab.output.clear()",
        "import seaborn as sns\nsns.set_theme(style='dark')",
        "import matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 120\nplt.rcParams.update({})",
        "import matplotlib.pyplot as plt\nfigure, (a, b, c) = plt.subplots(1, 3)\na.plot([1], [2])\nfor z in c: z.x()",
        "from matplotlib import pyplot as plt\nwith plt.style.context('dark'):\n    line, = plt.plot([1])",
        "from jaxtyping import Float, jaxtyped\n@jaxtyped(typechecker=None)\ndef f(a: Float['n'] | None): ...\nf(1)",
        "abs?",
        "import sys\nsys.path.append('/content')",
    ],
)
def test_a_line_above_the_imports_takes_nothing_along_and_is_no_failure(sandbox: Sandbox, lines: str) -> None:
    with sandbox.run(cells(lines + "\nimport os\nx = os.path.realpath('.') == os.environ['HOME']")) as run:
        assert run.outcomes[0].error is None
        assert "/run-" not in run.outcomes[0].output
        with run.fork("", seconds=5) as student:
            assert student.stand_ins(["x"]) == {"x": True}


def test_what_fails_in_a_cell_is_left_out_and_the_rest_runs_once_with_its_lines(sandbox: Sandbox) -> None:
    source = "n = 0\ndef f(:\n    pass\nimport re\nn += 1\n1 / 0\nreturn 3\nimport os; os.chdir('/content')\nn += 1"
    with sandbox.run(cells(source, "n += 1\nraise SystemExit\nn += 1")) as run:
        assert [(error.line, error.code, error.type_name) for error in run.outcomes[0].left_out] == [
            (2, "def f(:", "SyntaxError"),
            (6, "1 / 0", "ZeroDivisionError"),
            (7, "return 3", "SyntaxError"),
            (8, "import os; os.chdir('/content')", "FileNotFoundError"),
        ]
        with run.fork("", seconds=5) as student:
            assert student.stand_ins(["n"]) == {"n": 3}


def test_a_cell_magic_that_runs_python_leaves_out_single_statements_too(sandbox: Sandbox) -> None:
    with sandbox.run(cells("%%capture out\nprint('hello')\nnowhere\nx = 1", "y = out.stdout")) as run:
        assert [(error.line, error.code) for error in run.outcomes[0].left_out] == [(3, "nowhere")]
        with run.fork("", seconds=5) as student:
            assert student.stand_ins(["x", "y"]) == {"x": 1, "y": "hello\n"}


@pytest.mark.parametrize("line", ["!echo hello", "%%bash\necho hello", "%pip install hello", "%system hello"])
def test_a_program_is_not_started_and_the_cell_says_so(sandbox: Sandbox, line: str) -> None:
    with sandbox.run(cells(line)) as run:
        assert run.outcomes[0].status == "ran"
        assert run.outcomes[0].output.startswith("[not run by the autograder: ")


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero (line 1: 1 / 0)"),
        ("\n\n# two\nnowhere", "NameError: name 'nowhere' is not defined (line 4: nowhere)"),
        ("%%time\nnowhere", "NameError: name 'nowhere' is not defined (line 2: nowhere)"),
        ("def f(:\n    pass", "(line 1: def f(:)"),
        ("input()", "EOFError"),
        ("import sys\nsys.exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class E(Exception):\n    def __str__(self): return 1/0\nraise E", "E: (its message cannot be shown"),
        ("raise ValueError('\\x1b[31mred\\x07')", "ValueError: ?[31mred?"),
    ],
)
def test_a_cell_that_raises_is_told_with_its_line_and_the_next_one_runs(
    sandbox: Sandbox, source: str, error: str
) -> None:
    with sandbox.run(cells("x = 1", source, "x = 2")) as run:
        assert statuses(run) == ["ran", "failed", "ran"]
        assert error in str(run.outcomes[1].error)
        assert [outcome.index for outcome in run.outcomes] == [0, 1, 2]


def test_a_cell_over_its_limit_is_interrupted_and_keeps_what_it_did_before(sandbox: Sandbox) -> None:
    with sandbox.run(cells("x = 1", "x = 2\nwhile True: pass", "y = x + 1")) as run:
        assert statuses(run) == ["ran", "timeout", "ran"]
        assert run.outcomes[1].error == "interrupted after 2 s"
        with run.fork("", seconds=5) as student:
            assert student.stand_ins(["x", "y"]) == {"x": 2, "y": 3}


STUBBORN = """
    import signal
    x = 3
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True: pass
"""


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("x = 3\nimport os\nos._exit(0)", "died"),
        ("x = 3\nimport os\nos.kill(os.getpid(), 9)", "died"),
        ("x = 3\nimport os\nos.kill(0, 9)", "died"),
        ("x = 3\nimport ctypes\nctypes.string_at(0)", "died"),
        ("x = 3\nimport os\nos.closerange(3, 200)", "died"),
        (STUBBORN, "timeout"),
    ],
)
def test_a_cell_that_takes_its_process_along_is_left_out_and_the_rest_runs_again(
    sandbox: Sandbox, source: str, status: str
) -> None:
    with sandbox.run(cells("x = 1", "check:q01", source, "y = x + 1", "check:q02")) as run:
        assert statuses(run) == ["ran", "ran", status, "ran", "ran"]
        for question in ("q01", "q02"):
            with run.fork(question, seconds=5) as student:
                assert student.stand_ins(["x"]) == {"x": 1}
        with run.fork("", seconds=5) as student:
            assert student.stand_ins(["y"]) == {"y": 2}


def test_cells_that_hang_leave_time_for_those_after_them(tmp_path: Path) -> None:
    hanging = ["while True: pass"] * 4
    with (
        Sandbox(tmp_path, Limits(cell=60, run=10)) as sandbox,
        sandbox.run(cells(*hanging, "x = 1")) as run,
    ):
        assert statuses(run) == ["timeout"] * 4 + ["ran"]
        assert sum(outcome.seconds for outcome in run.outcomes) < 9


def test_output_is_cut_and_cleaned(sandbox: Sandbox) -> None:
    with sandbox.run(cells("print('\\x1b[2J' + 'a' * 10**6)\nprint('more' * 10**6)")) as run:
        assert run.outcomes[0].output.startswith("?[2Jaaa")
        assert len(run.outcomes[0].output) == 20_000


def test_runs_know_nothing_of_each_other(sandbox: Sandbox) -> None:
    assert value_of(sandbox, "x = 1\nopen('left', 'w').close()") == 1
    assert value_of(sandbox, "pass") == "undefined"
    assert value_of(sandbox, "import os\nx = os.listdir('.')") == []


@pytest.mark.parametrize("name", ["kit", "solutions", "autograder", "hypothesis", "pytest"])
def test_no_part_of_the_grader_is_in_the_student_process(sandbox: Sandbox, name: str) -> None:
    source = f"""
        import gc, sys, types
        modules = [m.__name__ for m in gc.get_objects() if isinstance(m, types.ModuleType)] + list(sys.modules)
        x = [m for m in modules if m.split('.')[0] == {name!r}]
    """
    assert value_of(sandbox, source) == []


def test_nothing_of_a_run_is_left(sandbox: Sandbox) -> None:
    source = """
        import os
        if os.fork() == 0:
            import time
            time.sleep(1000)
        x = os.getpid()
    """
    with sandbox.run(cells(source, "check:q01")) as run:
        with run.fork("q01", seconds=5) as student:
            pid = student.stand_ins(["x"])["x"]
        assert os.getsid(pid) == pid
    deadline = time.monotonic() + 5
    while session_members(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert session_members(pid) == []


def session_members(session: int) -> list[int]:
    """Return the processes of a session."""
    members = []
    for pid in list_processes():
        try:
            if os.getsid(pid) == session:
                members.append(pid)
        except OSError:
            continue
    return members


def test_a_question_that_kills_every_process_of_the_run_costs_itself_only(sandbox: Sandbox) -> None:
    source = "import os, signal\ndef f(): os.killpg(0, signal.SIGKILL)\ndef g(): return 5"
    with sandbox.run(cells(source, "check:q01")) as run:
        with run.fork("q01", seconds=5) as student:
            kill = student.stand_ins(["f"])["f"]
            with pytest.raises(StudentError) as caught:
                kill()
            assert caught.value.reason == "died"
        with run.fork("q01", seconds=5) as student:
            assert student.stand_ins(["g"])["g"]() == 5


def test_a_sandbox_that_does_not_start_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.sandbox.zygote.BOOT", "raise SystemExit")
    with (
        Sandbox(tmp_path, Limits()) as sandbox,
        pytest.raises(UserError, match=r"^the sandbox does not start: see whether `.*` works$"),
        sandbox.run(cells("x = 1")),
    ):
        pass
