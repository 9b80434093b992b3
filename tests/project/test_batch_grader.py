"""One submission after the other on a worker: what they share, and what is told of those that cannot be graded."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import course
from project.handed_in import notebook

from autograder import tree
from autograder.batch import grader as module
from autograder.batch.grader import Grader
from autograder.config import Grading
from autograder.errors import UserError
from autograder.questions import QuestionFile
from autograder.sandbox import Cell, Sandbox
from autograder.sandbox.zygote import Zygote

LOADED = """
import sys
missing = {"IPython.core.logger", "plotly.subplots", "tqdm.auto"} - set(sys.modules)
if missing:
    raise ImportError(missing)
"""


@pytest.fixture(scope="module")
def grader(toy: Grading, toy_questions: list[QuestionFile]) -> Iterator[Grader]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "load_grading", lambda: toy)
        patch.setattr(module, "load_questions", lambda _: toy_questions)
        grader = Grader()
    yield grader
    grader.close()


def test_no_submission_pays_for_an_import(toy: Grading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "load_grading", lambda: toy)
    monkeypatch.setattr(module, "load_questions", lambda _: [])
    fresh = Grader()
    with contextlib.closing(fresh), fresh._sandbox.run([Cell(LOADED)]) as run:
        assert [cell.error for cell in run.outcomes] == [None]


def test_a_sandbox_that_cannot_load_leaves_nothing(
    toy: Grading, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Zygote, "wait", lambda zygote: zygote.popen.kill())
    with pytest.raises(UserError, match="the sandbox ended while it imported"):
        Sandbox(tree.GIVEN.parent, toy.limits).open_preloaded()
    assert [*tmp_path.iterdir()] == []


def test_one_after_the_other_is_graded_the_same(grader: Grader) -> None:
    first, second = (grader.grade("a.ipynb", notebook()) for _ in range(2))
    assert first["score"] == second["score"] == 6
    assert first["extra_data"]["problem"] is None
    assert json.dumps(first["tests"][0]["output"]) == json.dumps(second["tests"][0]["output"])


@pytest.mark.parametrize(("name", "data"), [("a.ipynb", b"{"), ("a.ipynb", b""), ("a.zip", b"PK"), ("a.py", b"x = 1")])
def test_what_cannot_be_graded_says_why_and_has_no_points(grader: Grader, name: str, data: bytes) -> None:
    results = grader.grade(f"some/where/{name}", data)
    assert results["extra_data"]["problem"].startswith(f"{name}")
    assert results["extra_data"]["problem"] in results["output"]
    assert {(test["score"], test["extra_data"]["reason"]) for test in results["tests"]} == {(0, "not_run")}


@pytest.mark.parametrize("name", ["\u1110\u1173" * 100 + ".ipynb", "a\0b.ipynb", "x" * 4000 + ".IPYNB"])
def test_a_name_that_no_disk_takes_costs_nothing_and_is_told(grader: Grader, name: str) -> None:
    assert grader.grade(name, notebook())["score"] == 6
    problem = grader.grade(name, b"{")["extra_data"]["problem"]
    assert problem.startswith(name.replace("\0", "?") + ":1:2: broken JSON")


def test_a_broken_sandbox_is_told_and_the_next_submission_has_another(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_: object) -> None:
        raise UserError("the sandbox cannot fork")

    monkeypatch.setattr(grader._sandbox._zygote, "start_student", break_down)
    with pytest.raises(Exception, match="sandbox"):
        grader.grade("a.ipynb", notebook())
    assert grader.grade("a.ipynb", notebook(course.RIGHT))["score"] == 6
