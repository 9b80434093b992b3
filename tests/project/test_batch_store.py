"""What stays on the disk of a submission that could not be graded, of a full disk, and of a batch that cannot begin."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from project.handed_in import notebook, write_folder

from autograder.batch import command as module
from autograder.batch.command import Batch, grade_class
from autograder.batch.course import Course
from autograder.batch.queue import ATTEMPTS, Job
from autograder.config import Grading
from autograder.errors import UserError
from autograder.grade import Grade
from autograder.questions import QuestionFile

KILLED = "the worker process was killed while it graded this"


@pytest.fixture
def batch(tmp_path: Path, toy: Grading, toy_questions: list[QuestionFile]) -> Batch:
    return Batch(tmp_path, Course("course", b""), toy, Grade(toy, toy_questions), [], hashes={"ann": "hash"})


def test_a_submission_that_is_given_up_gets_zeros_and_the_reason_and_is_tried_again_on_resume(batch: Batch) -> None:
    job = Job("ann", "a.ipynb", notebook, failures=[KILLED] * ATTEMPTS)
    assert batch.record(job, None) is False
    results = batch.store.read("ann")
    assert results is not None
    assert results["extra_data"]["problem"] == f"{KILLED} (3 tries)"
    assert f"This could not be graded: {KILLED} (3 tries)" in results["output"]
    assert [test["score"] for test in results["tests"]] == [0, 0, 0]
    assert not batch.store.is_done("ann", "course", "hash")


def test_a_full_disk_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "replace_file", refuse)
    with pytest.raises(UserError) as told:
        module._write(tmp_path / "grades.csv", "new")
    why = "cannot be written: No space left on device: make room, then run with --resume"
    assert str(told.value) == f"{tmp_path}/grades.csv: {why}"


def test_a_comparison_with_no_batch_is_refused_before_anything_is_graded(tmp_path: Path) -> None:
    class_ = write_folder(tmp_path / "in", {"a.ipynb": notebook()})
    with pytest.raises(UserError, match="elsewhere: holds no batch"):
        grade_class(class_, tmp_path / "out", against=tmp_path / "elsewhere")
    assert not (tmp_path / "out").exists()
