"""The questions: Otter's test files, their points and visibility taken from `grading.yml`."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from otter.test_files import TestCase
from otter.test_files.exception_test import ExceptionTestFile

from autograder import tree
from autograder.config import Grading, Question
from autograder.errors import UserError


@dataclass(frozen=True)
class QuestionFile:
    """A question's test file, its cases in the order of the file."""

    id: str
    title: str
    file: ExceptionTestFile

    @property
    def cases(self) -> list[TestCase]:
        """Otter's cases: `name`, `points`, `hidden`, and `body`, which calls the check."""
        cases: list[TestCase] = self.file.test_cases
        return cases

    @property
    def names(self) -> list[str]:
        """The student's names that the cases take, each once."""
        return list(dict.fromkeys(name for case in self.cases for name in read_parameters(case)))


def read_parameters(case: TestCase) -> list[str]:
    """The student's names that a case takes."""
    return list(inspect.signature(case.body.test_func).parameters)


def load_questions(grading: Grading, folder: Path = tree.QUESTIONS) -> list[QuestionFile]:
    """Load every question's test file, in the order of `grading.yml`.

    Raises UserError with one line for each thing that the table has and the files lack, or the reverse.
    """
    questions, problems = [], []
    for id in grading.questions:
        try:
            questions.append(load_question(grading, id, folder))
        except UserError as error:
            problems.append(str(error))
    problems += [
        f"{path.name}: grading.yml has no question {path.stem}: add it there or remove the file"
        for path in sorted(folder.glob("*.py"))
        if path.stem not in grading.questions
    ]
    if problems:
        raise UserError("\n".join(problems))
    return questions


def load_question(grading: Grading, id: str, folder: Path = tree.QUESTIONS) -> QuestionFile:
    """Load one question's test file with its points and visibility; raises as `load_questions` does."""
    path = folder / f"{id}.py"
    question = grading.questions[id]
    file = _read_test_file(path)
    cases = {case.body.test_func.__name__: case for case in file.test_cases}
    if problems := _compare(path, file, cases, question):
        raise UserError("\n".join(problems))
    file.test_cases = [
        replace(case, name=name, points=question.cases[name].points, hidden=question.cases[name].hidden)
        for name, case in cases.items()
    ]
    return QuestionFile(id, question.title, file)


def _read_test_file(path: Path) -> ExceptionTestFile:
    try:
        source = path.read_text(encoding="utf-8")
        functions = Counter(node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
        file = ExceptionTestFile.from_string(source, path=str(path))
    except FileNotFoundError:
        raise UserError(f"{path.name}: not there, but grading.yml has the question {path.stem}: write it") from None
    except SyntaxError as error:
        raise UserError(f"{path.name}:{error.lineno}: {error.msg}") from None
    except Exception as error:  # the file's own code, run by Otter
        raise UserError(f"{path.name}: cannot be loaded: {type(error).__name__}: {error}") from error
    if repeated := [name for name, count in functions.items() if count > 1]:
        raise UserError(f"{path.name}: {repeated[0]} is defined twice, Otter would drop the first: rename one")
    return file


def _compare(path: Path, file: ExceptionTestFile, cases: dict[str, TestCase], question: Question) -> list[str]:
    problems = []
    if file.name != path.stem:
        problems.append(f"{path.name}: name is {file.name!r}: make it {path.stem!r}, as the file's")
    for name in question.cases:
        if name not in cases:
            near = "".join(f", did you mean {case!r}?" for case in difflib.get_close_matches(name, cases, n=1))
            what = f"{path.name} has no such case{near or ': write it, or take the line out'}"
            problems.append(f"grading.yml: questions.{path.stem}.cases.{name}: {what}")
    for name, case in cases.items():
        if name not in question.cases:
            problems.append(f"{path.name}: {name}: grading.yml has no points for it: add it or remove the case")
        if not inspect.getdoc(case.body.test_func):
            problems.append(f"{path.name}: {name}: no docstring: say what it claims")
    return problems
