"""The autograder's zip holds what grades, laid out as the repository, in the same bytes every time."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from zipfile import ZipFile

import pytest
from otter.test_files import ExceptionTestFile
from project.toy_repository import edit, write_toy_and_point_tree

from autograder.errors import UserError
from autograder.release.archive import read_entries, write_archive
from autograder.release.assign import run_otter_assign
from autograder.release.master import write_master
from autograder.release.place import put_in_place
from autograder.release.source import read_source
from autograder.release.template import write_template


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write_toy_and_point_tree(tmp_path / "toy", monkeypatch)
    for name in ("tree.py", "release/steps.py", "gradescope/setup.sh", "gradescope/run_autograder"):
        (root / "autograder" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "autograder" / name).write_text("SECONDS_AT_MOST=540\n", encoding="utf-8")
    return root


def make_zip(work: Path) -> Path:
    source = read_source()
    master = write_master(source, work / "master")
    assigned = run_otter_assign(master, work / "otter")
    write_template(source, master, assigned, work / "template")
    write_archive(read_entries(source, assigned.zip, work / "template"), work / "autograder.zip")
    return work / "autograder.zip"


def test_two_zips_made_at_different_times_are_equal(root: Path, tmp_path: Path) -> None:
    once = make_zip(tmp_path / "once").read_bytes()
    time.sleep(2.1)  # a zip's clock ticks every 2 seconds
    for path in root.rglob("*.py"):
        path.touch()
    assert make_zip(tmp_path / "twice").read_bytes() == once


def test_the_zip_is_laid_out_as_the_repository(root: Path, tmp_path: Path) -> None:
    (root / "solutions" / "__pycache__").mkdir()
    (root / "solutions" / "__pycache__" / "q01_mean.pyc").write_bytes(b"")
    with ZipFile(make_zip(tmp_path)) as archive:
        names = archive.namelist()
    assert names == sorted(set(names))
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    assert not [name for name in names if name.startswith("autograder/release") or name == "environment.yml"]
    assert set(names) >= {
        "grading.yml",
        "autograder/tree.py",
        "assignment/given/plots.py",
        "solutions/q01_mean.py",
        "student_template/transformers.ipynb",
        "student_template/kit/settings.json",
        "tests/kit/oracle.py",
        "tests/questions/q01_mean.py",
        "tests/q01_mean.py",  # from here on Otter's own
        "files/given/plots.py",
        "files/kit/oracle.py",
        "files/kit/settings.json",
        "otter_config.json",
        "run_autograder",
        "setup.sh",
    }


def test_a_run_that_gradescope_would_stop_is_refused(root: Path, tmp_path: Path) -> None:
    edit(root, "grading.yml", "wall: 120}", "wall: 481}")
    with pytest.raises(UserError, match=r"grading.yml: limits.wall: 481 s do not fit into the 540 s .* make it 480"):
        make_zip(tmp_path)


def test_the_autograder_gets_every_case_with_name_points_and_visibility(root: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(make_zip(tmp_path), tmp_path / "unpacked")
    for folder in ("tests", "tests/questions"):
        file = ExceptionTestFile.from_file(str(tmp_path / "unpacked" / folder / "q01_mean.py"))
        assert [(case.name, case.points, case.hidden) for case in file.test_cases] == [
            ("of_two_numbers", 2, False),
            ("of_one_number_alone", 4, True),
        ]


def test_what_is_put_in_place_replaces_files_and_folders(tmp_path: Path) -> None:
    for name, text in (("built", "new"), ("place", "old")):
        (tmp_path / name / "folder").mkdir(parents=True)
        (tmp_path / name / "folder" / text).write_text(text, encoding="utf-8")
        (tmp_path / name / "file").write_text(text, encoding="utf-8")
    put_in_place(tmp_path / "built", ["folder", "file"], tmp_path / "place")
    assert [path.name for path in (tmp_path / "place" / "folder").iterdir()] == ["new"]
    assert (tmp_path / "place" / "file").read_text(encoding="utf-8") == "new"


def test_an_old_folder_stays_where_the_new_one_cannot_be_put(tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    (tmp_path / "place" / "folder").mkdir(parents=True)
    with pytest.raises(FileNotFoundError):
        put_in_place(tmp_path / "built", ["folder"], tmp_path / "place")
    assert (tmp_path / "place" / "folder").is_dir()
