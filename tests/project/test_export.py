"""`grader.export()`: what it refuses, what the zip holds, and that it tells what a fresh run gives."""

from __future__ import annotations

import os
import shutil
import sys
import types
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any
from zipfile import ZipFile

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from otter.check.utils import grade_zip_file
from project.homework import copy_release, list_answers, read_mistake

from autograder import tree
from autograder.upload import read_code
from given import export, saved
from given.saved import Cell, NotSaved, find_notebook, find_stale, read_cells, save_notebook

ATTENTION = "def attention(Q, K, V):\n    return Q, K"
OTHER = "def attention(Q, K, V):\n    return K, Q"
STUB = 'def attention(Q, K, V):\n    raise NotImplementedError("q02_attention: not written yet")'


def stale(file: list[str], history: list[str], saved_now: bool = True) -> list[str]:
    return find_stale([Cell(source, False) for source in file], history, saved_now)


def test_a_saved_answer_that_ran_is_not_stale() -> None:
    assert stale([ATTENTION], ["import torch", ATTENTION]) == []


def test_comments_layout_and_magics_do_not_make_an_answer_stale() -> None:
    assert stale(["# mine\n" + ATTENTION + "  # done\n"], ["%%time\n" + ATTENTION]) == []


def test_an_edit_that_did_not_run_is_refused() -> None:
    (line,) = stale([OTHER], [ATTENTION])
    assert line.startswith(
        "q02_attention: attention in the saved file is not the one that ran last: run its cell, save"
    )


def test_the_last_run_counts() -> None:
    assert stale([OTHER], [ATTENTION, OTHER]) == []
    assert len(stale([OTHER], [OTHER, ATTENTION])) == 1


def test_an_answer_that_is_in_no_cell_of_the_file_is_refused() -> None:
    (line,) = stale(["x = 1"], [ATTENTION])
    assert "no cell of the saved file defines it" in line


def test_an_answer_that_never_ran_is_trusted_only_if_the_editor_has_saved() -> None:
    assert stale([ATTENTION], [], saved_now=True) == []
    (line,) = stale([ATTENTION], [], saved_now=False)
    assert "attention has not run since the kernel started" in line
    assert stale([STUB], [], saved_now=False) == [], "there is nothing in it to lose"


def write(path: Path, sources: list[str]) -> bytes:
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    nbformat.write(notebook, path)
    return path.read_bytes()


def test_the_notebook_is_found_as_editors_tell_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for name in ("mine.ipynb", "copy.ipynb"):
        write(Path(name), ['grader.check("q02_attention")'])
    write(Path("notes.ipynb"), ["print(1)"])
    with pytest.raises(NotSaved, match=r"There are 2 here: copy\.ipynb, mine\.ipynb"):
        find_notebook({})
    assert find_notebook({}, "copy.ipynb") == Path("copy.ipynb")
    with pytest.raises(NotSaved, match=r"There is no file cpoy\.ipynb in .*There are 2 here: copy\.ipynb, mine\.ipynb"):
        find_notebook({}, "cpoy.ipynb")
    assert find_notebook({"__vsc_ipynb_file__": str(tmp_path / "mine.ipynb")}) == tmp_path / "mine.ipynb"
    monkeypatch.setenv("JPY_SESSION_NAME", "courses/homework/mine.ipynb")
    assert find_notebook({}) == Path("mine.ipynb")
    monkeypatch.setenv("JPY_SESSION_NAME", "renamed.ipynb")
    Path("copy.ipynb").unlink()
    assert find_notebook({}) == Path("mine.ipynb")


def test_a_save_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "mine.ipynb"
    write(path, [STUB])
    os.utime(path, (1, 1))
    Timer(0.5, path.touch).start()
    assert list(save_notebook(path, seconds=5))[-1] is True


def test_waiting_for_a_save_that_does_not_come_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "mine.ipynb"
    write(path, [STUB])
    assert set(save_notebook(path, seconds=1)) == {False}


def test_a_file_that_is_just_being_written_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JupyterLab empties the file before it fills it."""
    path = tmp_path / "mine.ipynb"
    whole = write(path, [OTHER])
    path.write_bytes(b"")
    os.utime(path, (1, 1))
    Timer(0.3, path.write_bytes, [b""]).start()
    Timer(1.2, path.write_bytes, [whole]).start()
    monkeypatch.setattr(export, "read_history", lambda: [OTHER])
    assert export._read_saved({}, str(path)) == (path, whole, [Cell(OTHER, False)])


@pytest.fixture
def renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook renamed while its kernel ran, beside a fresh copy that has its old name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JPY_SESSION_NAME", "transformers.ipynb")
    monkeypatch.setattr(export, "read_history", lambda: [ATTENTION])
    monkeypatch.setattr(export, "save_notebook", lambda path: save_notebook(path, seconds=0.5))
    write(Path("transformers.ipynb"), [STUB, 'grader.check("q02_attention")'])
    write(Path("mine.ipynb"), [ATTENTION, 'grader.check("q02_attention")'])
    write(Path("old.ipynb"), [OTHER, 'grader.check("q02_attention")'])
    return tmp_path


def test_a_refusal_names_the_file_and_the_one_that_holds_what_ran(renamed: Path) -> None:
    refused = export.export_notebook({}, Path("tests"), None, None).details().splitlines()
    assert refused == [
        f"The file that was looked at is not what ran: {renamed / 'transformers.ipynb'}",
        'mine.ipynb is what ran. If that is your notebook, say so: grader.export("mine.ipynb")',
    ]


def test_the_advice_of_a_refusal_leads_to_the_notebook_that_ran(renamed: Path) -> None:
    assert export._read_saved({}, "mine.ipynb")[0] == Path("mine.ipynb")


def test_where_no_other_file_holds_what_ran_the_refusal_names_the_file_alone(renamed: Path) -> None:
    Path("mine.ipynb").unlink()
    (_, named) = export.export_notebook({}, Path("tests"), None, None).details().splitlines()
    assert named.endswith("transformers.ipynb")


def test_half_a_file_is_refused() -> None:
    for data in (b"", b'{"cells": [', b"[]"):
        with pytest.raises(NotSaved, match="not a whole notebook"):
            read_cells(data)


def test_equal_notebooks_make_equal_zips_that_the_grader_reads(tmp_path: Path) -> None:
    data = write(tmp_path / "mine.ipynb", [ATTENTION])
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        export.write_zip(tmp_path / name / "mine_submission.zip", "mine.ipynb", data)
    one, other = ((tmp_path / name / "mine_submission.zip").read_bytes() for name in ("a", "b"))
    assert one == other
    assert read_code(tmp_path / "a" / "mine_submission.zip") == [ATTENTION]
    with ZipFile(tmp_path / "a" / "mine_submission.zip") as archive:
        assert archive.namelist() == ["mine.ipynb", "__zip_filename__"]


@pytest.fixture
def fake_colab(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Google Colab, which keeps the notebook in the browser; returns what was downloaded."""
    downloaded: list[str] = []
    answer = {"ipynb": new_notebook(cells=[new_code_cell(ATTENTION)])}
    colab: Any = types.ModuleType("google.colab")
    colab._message = types.SimpleNamespace(blocking_request=lambda name, timeout_sec: answer)
    colab.files = types.SimpleNamespace(download=downloaded.append)
    google: Any = types.ModuleType("google")
    google.colab = colab
    monkeypatch.setitem(sys.modules, "google", google)
    monkeypatch.setitem(sys.modules, "google.colab", colab)
    return downloaded


def test_on_colab_the_browsers_notebook_is_exported_and_downloaded(
    fake_colab: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(export, "rerun_apart", lambda name, cells, tests: export.Rerun(name))
    made = export.export_notebook({}, Path("tests"), None, None)
    assert "ready" in made.headline()
    assert fake_colab == ["transformers_submission.zip"]
    assert read_code(Path("transformers_submission.zip")) == [ATTENTION]


def test_on_colab_without_an_answer_the_way_by_hand_is_told(
    fake_colab: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["google.colab"]._message, "blocking_request", lambda *_, **__: None)
    made = export.export_notebook({}, Path("tests"), None, None)
    assert made.headline() == "✗ Nothing was exported."
    assert "Download .ipynb" in made.details()


def test_a_fresh_run_has_what_the_grader_has_and_names_what_it_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tree.GIVEN, tree.KIT):
        shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "mine.py").touch()
    monkeypatch.chdir(tmp_path)
    lines = [
        "%cd .",
        "%load_ext nowhere",
        "import jupyterlab",
        "import mine",
        "open('mine.py')",
        "import torch",
        "helper",
    ]
    cells = [Cell("from given.checks import Checks\ngrader = Checks()", False), Cell("\n".join(lines), False)]
    problems = export.rerun_apart("mine.ipynb", cells, Path("tests")).problems
    assert [line.partition(" left out: ")[0].partition("), ")[2] for line in problems] == [
        "line 3: import jupyterlab",
        "line 4: import mine",
        "line 5: open('mine.py')",
        "line 7: helper",
    ]


SETUP = "from given.checks import Checks\ngrader = Checks()\nfrom torch import nn"


def make_homework(folder: Path, q05: str, more: list[str] | None = None) -> NotebookNode:
    """A small notebook of one question in a student's folder: set-up, answer, check, export."""
    path = copy_release(folder)
    sources = [SETUP, q05, 'grader.check("q05_parameters")', *(more or []), "grader.export()"]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, path)
    return notebook


def run(notebook: NotebookNode, folder: Path) -> str:
    """Run a notebook beside its saved file; returns what the last cell shows."""
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    shown: str = notebook.cells[-1].outputs[-1].data["text/plain"]
    return shown


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*Kernel is running over TCP")  # Otter passes on what its kernel says
def test_export_runs_the_saved_file_afresh_and_otter_reads_the_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "homework"
    notebook = make_homework(folder, list_answers()["q05_parameters"])
    shown = run(notebook, folder)
    assert "✓ transformers_submission.zip is ready" in shown
    assert ": 2 of 2 public points in a fresh run" in shown
    assert "written: 1 of 1 questions" in shown
    assert "SHA-256 of the zip: " in shown
    monkeypatch.chdir(folder)
    results = grade_zip_file("transformers_submission.zip", "transformers.ipynb", str(folder / "tests"))
    assert results.get_score("q05_parameters") == pytest.approx(2.0)


@pytest.mark.slow
def test_export_names_the_cell_that_fails_in_a_fresh_run(tmp_path: Path) -> None:
    """A helper whose cell is gone still lives in the kernel, and not in a fresh run."""
    folder = tmp_path / "homework"
    answer = list_answers()["q05_parameters"]
    notebook = make_homework(folder, answer, ["print(helper)"])
    notebook.cells.insert(1, new_code_cell("helper = 1"))
    shown = run(notebook, folder)
    assert (
        "Code cell 4 (print(helper)), line 1: print(helper) left out: NameError: name 'helper' is not defined" in shown
    )
    assert ": 2 of 2 public points" in shown


@pytest.fixture
def plain_kernel(tmp_path: Path) -> Any:
    """A kernel as VS Code starts one: no JupyterLab listens, and nobody saves."""
    make_homework(tmp_path / "homework", list_answers()["q05_parameters"])
    environment = {name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"}
    manager, client = start_new_kernel(cwd=str(tmp_path / "homework"), env=environment)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def make_runner(client: Any) -> Callable[[str], str]:
    def run_source(source: str) -> str:
        texts: list[str] = []

        def note(message: dict[str, Any]) -> None:
            if message["msg_type"] in ("execute_result", "display_data"):
                texts.append(message["content"]["data"]["text/plain"])

        client.execute_interactive(source, timeout=300, output_hook=note)
        return "\n".join(texts)

    return run_source


@pytest.mark.slow
def test_a_plain_kernel_exports_what_is_saved_and_refuses_what_is_not(plain_kernel: Any, tmp_path: Path) -> None:
    run_source = make_runner(plain_kernel)
    run_source(SETUP)
    run_source(list_answers()["q05_parameters"])
    assert "✓ q05_parameters: all 3 public cases passed, 2 of 2" in run_source('grader.check("q05_parameters")')
    assert "transformers_submission.zip is ready" in run_source("grader.export()")
    zipped = tmp_path / "homework" / "transformers_submission.zip"
    zipped.unlink()
    run_source(read_mistake("q05_parameters", sorted(list_mistakes("q05_parameters"))[0]))
    refused = run_source("grader.export()")
    assert refused.startswith("✗ Nothing was exported.")
    assert "in the saved file is not the one that ran last: run its cell, save (Ctrl+S), and export again" in refused
    assert not zipped.exists()


def list_mistakes(question: str) -> list[str]:
    from solutions.mistakes import load_mistakes

    return [mistake.name for mistake in load_mistakes() if mistake.question == question]


def test_outside_ipython_nothing_has_run() -> None:
    assert saved.read_history() == []
