"""Small honest files as people's tools write them: each keeps its points, and says what of it was left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder import tree
from autograder.config import Grading
from autograder.grade import Grade, grade_submission
from autograder.questions import QuestionFile
from autograder.sandbox import Sandbox
from autograder.submission import read_submission

CORPUS = Path(__file__).parent / "corpus"
ROWS: dict[str, dict[str, Any]] = yaml.safe_load((CORPUS / "corpus.yml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sandbox(toy: Grading) -> Iterator[Sandbox]:
    sandbox = Sandbox(tree.GIVEN.parent, toy.limits).open_preloaded()
    yield sandbox
    sandbox.__exit__()


def test_the_table_names_every_file() -> None:
    assert set(ROWS) == {path.name for path in CORPUS.iterdir()} - {"corpus.yml"}
    assert len(ROWS) >= 60


@pytest.mark.parametrize("name", ROWS)
def test_an_honest_file_gets_its_points_and_its_remark(
    name: str, sandbox: Sandbox, toy: Grading, toy_questions: list[QuestionFile]
) -> None:
    grade = Grade(toy, toy_questions)
    grade_submission(grade, read_submission(CORPUS / name, toy_questions), sandbox, lambda _: None)
    told = "\n".join(grade.remarks)
    assert (sum(result.score for result in grade.cases), told) == (ROWS[name]["points"], told)
    assert ROWS[name]["remark"] in told
    assert bool(told) == bool(ROWS[name]["remark"]), told
