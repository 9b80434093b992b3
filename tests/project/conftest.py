"""What the project's tests share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import course

import kit
from autograder import tree
from autograder.config import Grading, load_grading
from autograder.questions import QuestionFile, load_questions


@pytest.fixture(autouse=True)
def settings_are_put_back() -> Iterator[None]:
    """What one test sets in the kit, for all cases of a process, no other meets."""
    before = dict(vars(kit.settings))
    yield
    kit.settings.configure(**before)


@pytest.fixture(scope="session")
def toy_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the toy's grading.yml and its questions."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "grading.yml").write_text(course.GRADING, encoding="utf-8")
    for id, source in course.QUESTIONS.items():
        (folder / f"{id}.py").write_text(source, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def toy(toy_folder: Path) -> Grading:
    """The toy's table."""
    return load_grading(toy_folder / "grading.yml")


@pytest.fixture(scope="session")
def toy_questions(toy: Grading, toy_folder: Path) -> list[QuestionFile]:
    """The toy's questions."""
    return load_questions(toy, toy_folder)


@pytest.fixture(scope="session")
def toy_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy course laid out as the repository, and as the zip that Gradescope unpacks."""
    root = tmp_path_factory.mktemp("root")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(tree.ROOT / "autograder", root / "autograder", ignore=ignored)
    for folder in (tree.KIT, tree.GIVEN):
        shutil.copytree(folder, root / folder.relative_to(tree.ROOT), ignore=ignored)
    (root / "solutions" / "mistakes").mkdir(parents=True)  # an empty catalogue
    for folder in (tree.SOLUTIONS, tree.MISTAKES):
        shutil.copy(folder / "__init__.py", root / folder.relative_to(tree.ROOT))
    shutil.copytree(tree.SOLUTIONS / "term", root / "solutions" / "term", ignore=ignored)
    (root / "tests" / "questions").mkdir()
    (root / "grading.yml").write_text(course.GRADING, encoding="utf-8")
    for id, source in course.QUESTIONS.items():
        (root / "tests" / "questions" / f"{id}.py").write_text(source, encoding="utf-8")
    return root
