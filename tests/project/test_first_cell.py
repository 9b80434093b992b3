"""The notebook's first cell: what it says of the machine, how to repair it, and how it starts on Google Colab."""

from __future__ import annotations

import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import nbformat
import pytest

from autograder import tree
from given import machine
from given.machine import Stop, find_problems, prepare


def complete(folder: Path, requirements: str) -> Path:
    for name in ("tests", "kit", "given"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text(requirements)
    return folder


def test_missing_files_are_told_with_their_remedy(tmp_path: Path) -> None:
    complete(tmp_path, "")
    (tmp_path / "kit").rmdir()
    lines, fatal = find_problems(tmp_path)
    assert lines == ["Missing beside the notebook: kit. Unpack the whole release again and open its notebook."]
    assert fatal


def test_a_complete_folder_with_the_right_versions_is_ready(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(complete(tmp_path, "# Python\n--option x\nnumpy>=1.0  # any\nnbformat>=4\njupyterlab>=99\n\n"))
    ready = capsys.readouterr().out
    assert ready.startswith("Ready: Python 3.")
    assert "torch 2." in ready
    assert "otter-grader 7." in ready
    assert ready.splitlines()[1].startswith("The grader has torch 2.")


def test_a_wrong_version_is_told_with_the_command_that_repairs_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(complete(tmp_path, "numpy<1.0\n"))
    wrong, repair, restart, _ = capsys.readouterr().out.splitlines()
    assert wrong.startswith("numpy <1.0 is needed, found: ")
    assert repair == f'Repair, in a terminal: "{sys.executable}" -m pip install -r "{tmp_path / "requirements.txt"}"'
    assert "Restart" in restart


def test_a_missing_package_ends_the_cell_in_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(Stop, match="no-such-package >=1 is needed, found: none") as stop:
        prepare(complete(tmp_path, "no-such-package>=1\n"))
    assert stop.value._render_traceback_()[1].startswith("Repair, in a terminal: ")


def test_a_python_that_is_too_old_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 7))
    lines, fatal = find_problems(complete(tmp_path, ""))
    assert lines[0] == "Python 3.10 or newer is needed, this is 3.9.7."
    assert fatal


def pretend(monkeypatch: pytest.MonkeyPatch, **versions: str) -> None:
    real = machine._version
    monkeypatch.setattr(machine, "_version", lambda package: versions.get(package) or real(package))


def test_what_is_newer_than_was_tried_is_told_and_does_not_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    pretend(monkeypatch, torch="2.16.0+cpu", numpy="2.5.99")
    prepare(complete(tmp_path, "torch>=2.2,<3\n"))
    ready, newer, _ = capsys.readouterr().out.splitlines()
    assert ready.startswith("Ready: ")
    assert newer.endswith(": Python 3.15.0 (tried: up to 3.14), torch 2.16.0+cpu (tried: up to 2.15).")


def test_versions_that_were_tried_are_no_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, torch="2.2.0", numpy="1.26.0")
    assert machine.find_newer() == []
    assert find_problems(complete(tmp_path, tree.REQUIREMENTS.read_text(encoding="utf-8"))) == ([], False)


@pytest.mark.parametrize(("torch", "numpy", "fatal"), [("2.2.2", "2.0.0", True), ("2.3.0", "2.0.0", False)])
def test_a_torch_that_cannot_use_numpy_2_stops_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, torch: str, numpy: str, fatal: bool
) -> None:
    pretend(monkeypatch, torch=torch, numpy=numpy)
    lines, stops = find_problems(complete(tmp_path, ""))
    assert stops == fatal
    assert [line for line in lines if line.endswith('-m pip install "numpy<2"')] == lines[1:2]


def test_a_line_of_the_requirements_for_another_machine_is_passed_over(tmp_path: Path) -> None:
    text = "numpy>=1.26\nnumpy<1 ; sys_platform == 'none'  # not here\nno-such-package ; python_version < '3'\n"
    assert machine.read_requirements(complete(tmp_path, text)) == {"numpy": ">=1.26"}


def test_the_released_requirements_are_read_whole() -> None:
    needed = machine.read_requirements(tree.ASSIGNMENT)
    assert needed["torch"].startswith(">=")
    assert set(needed) >= {"torch", "numpy", "otter-grader", "hypothesis", "plotly", "scikit-learn", "ipywidgets"}
    assert find_problems(tree.TEMPLATE) == ([], False)


def test_the_machine_is_told_without_any_package(tmp_path: Path) -> None:
    """In a bare Python, without site-packages."""
    complete(tmp_path, tree.REQUIREMENTS.read_text(encoding="utf-8"))
    shutil.copytree(tree.GIVEN, tmp_path / "given", dirs_exist_ok=True)
    code = "from given.machine import find_problems; print(*find_problems()[0], sep='\\n')"
    run = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "torch >=2.2,<3 is needed, found: none." in run.stdout
    assert "-m pip install -r" in run.stdout


@pytest.fixture
def first_cell() -> str:
    source: str = nbformat.read(tree.NOTEBOOK, as_version=4).cells[1].source
    assert source.startswith("# Run this cell first")
    return source.replace("from given.checks import Checks\n\ngrader = Checks()", "")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the notebook stands alone, in a process that knows no `given`."""
    for name in [name for name in sys.modules if name.split(".")[0] == "given"]:
        monkeypatch.delitem(sys.modules, name)
    kept = [path for path in sys.path if path and not (Path(path) / "given").is_dir()]
    monkeypatch.setattr(sys, "path", ["", *kept])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def zip_release(path: Path) -> None:
    with ZipFile(path, "w") as archive:
        for file in tree.TEMPLATE.rglob("*"):
            if "__pycache__" not in file.parts:
                archive.write(file, Path("homework") / file.relative_to(tree.TEMPLATE))


class Colab:
    """Google Colab as the first cell meets it: a module that uploads files."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.asked, self.installed = folder, 0, [[]]
        files = types.SimpleNamespace(upload=self.upload)
        google, colab = types.ModuleType("google"), types.ModuleType("google.colab")
        google.__path__ = []
        colab.files = files  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "google", google)
        monkeypatch.setitem(sys.modules, "google.colab", colab)
        monkeypatch.setattr(subprocess, "run", self.install)

    def upload(self) -> dict[str, bytes]:
        self.asked += 1
        zip_release(self.folder / "release (1).zip")
        return {"release (1).zip": (self.folder / "release (1).zip").read_bytes()}

    def install(self, command: list[str], **_: Any) -> None:
        self.installed.append(command[2:])


@pytest.fixture
def colab(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Colab:
    return Colab(alone, monkeypatch)


def test_a_notebook_alone_in_its_folder_says_what_to_unpack(first_cell: str, alone: Path) -> None:
    with pytest.raises(SystemExit, match="unpack the whole release"):
        exec(first_cell, {})


def test_on_colab_the_release_beside_the_notebook_is_found(first_cell: str, colab: Colab) -> None:
    zip_release(colab.folder / "hw.zip")
    exec(first_cell, {})
    assert colab.asked == 0
    assert Path.cwd() == colab.folder / "homework"


def test_on_colab_the_release_is_asked_for_once(
    first_cell: str, colab: Colab, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(first_cell, {})
    assert colab.asked == 1
    assert "Choose the release" in capsys.readouterr().out
    assert Path("given/machine.py").is_file()


def test_on_colab_what_is_missing_is_installed_and_what_is_there_stays(
    tmp_path: Path, colab: Colab, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = complete(tmp_path, "numpy<1.0\nno-such-package>=1\nipykernel<1\n")
    with pytest.raises(Stop) as stop:
        prepare(folder)
    assert colab.installed[-1] == ["pip", "install", "--quiet", "no-such-package>=1"]
    assert "ipykernel" not in str(stop.value), "Colab needs its own"


def test_the_repair_names_the_python_that_runs(tmp_path: Path) -> None:
    assert sys.executable in find_problems(complete(tmp_path, "numpy<1.0"))[0][-2]
