"""The cases of a question: read from their source, written as Otter test files, compared with Otter's own."""

import ast
from dataclasses import dataclass
from pathlib import Path

from otter.test_files import ExceptionTestFile

from autograder import tree
from autograder.errors import UserError
from autograder.questions import QuestionFile
from autograder.release.stub import name_place

TEST_FILE = """\
from otter.test_files import test_case

OK_FORMAT = False

name = "{question}"
points = None
"""


@dataclass(frozen=True)
class CaseSource:
    """One case: its function's source, without the decorator, and what `grading.yml` says of it."""

    name: str
    source: str
    points: float
    hidden: bool

    @property
    def claim(self) -> str:
        """The docstring: what is claimed, and where to look when it fails."""
        function = ast.parse(self.source).body[0]
        return ast.get_docstring(function) or "" if isinstance(function, ast.FunctionDef) else ""


def read_cases(question: QuestionFile) -> list[CaseSource]:
    """The sources of a question's cases, in their order.

    Raises UserError, with file and line, for what is neither a case nor the file's header: Otter copies single
    functions and would lose it in silence.
    """
    text = question.file.source
    table = {case.name: case for case in question.cases}
    cases = []
    for node in ast.parse(text).body:
        if _is_header(node):
            continue
        if not isinstance(node, ast.FunctionDef) or not _is_case(node):
            place = name_place(Path(question.file.path), node.lineno)
            raise UserError(f"{place}: Otter would lose this, move it into a @test_case() function or the kit")
        source = "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])
        entry = table[node.name]
        cases.append(CaseSource(node.name, source, entry.points, entry.hidden))
    return cases


def write_test_file(question: str, cases: list[CaseSource]) -> str:
    """An Otter test file that keeps each case's own text, with its name, points and visibility filled in."""
    parts = [TEST_FILE.format(question=question)]
    parts += [
        f'@test_case(name="{case.name}", points={case.points:g}, hidden={case.hidden})\n{case.source}\n'
        for case in cases
    ]
    return "\n\n".join(parts)


def compare_with_otter(question: str, cases: list[CaseSource], otter_file: Path) -> None:
    """Refuse unless Otter's test file holds these cases, in this order, with equal syntax trees.

    Raises UserError naming the question and the first case that went missing, changed, or was added.
    """
    found = _read_otter_file(otter_file) if otter_file.is_file() else []
    for number, case in enumerate(cases):
        place = f"{name_place(tree.QUESTIONS / f'{question}.py')}: {case.name}"
        if number >= len(found) or found[number][0] != case.name:
            raise UserError(f"{place}: went missing on the way through Otter Assign")
        if found[number] != (case.name, _dump(case.source), case.points, case.hidden):
            raise UserError(f"{place}: changed on the way through Otter Assign, write it more simply")
    if len(found) > len(cases):
        raise UserError(f"tests/{otter_file.name}: {found[len(cases)][0]}: does not belong into this file")


def check_loads(path: Path, cases: list[CaseSource]) -> None:
    """Refuse a written test file in which Otter does not find every case."""
    loaded = [case.name for case in ExceptionTestFile.from_file(str(path)).test_cases]
    if lost := [case.name for case in cases if case.name not in loaded]:
        raise UserError(f"tests/{path.name}: Otter does not load the case {lost[0]}")


def _is_header(node: ast.stmt) -> bool:
    """`from otter.test_files import test_case`, `OK_FORMAT`, `name`, `points`, or the file's docstring."""
    if isinstance(node, ast.ImportFrom):
        return node.module == "otter.test_files"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id in ("OK_FORMAT", "name", "points")
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_case(node: ast.FunctionDef) -> bool:
    return [ast.unparse(decorator) for decorator in node.decorator_list] == ["test_case()"]


def _read_otter_file(path: Path) -> list[tuple[str, str, float, bool]]:
    """Name, syntax tree, points and visibility of the cases in a test file that Otter wrote."""
    text = path.read_text(encoding="utf-8")
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            keywords = getattr(node.decorator_list[0], "keywords", [])
            values = {key.arg: ast.literal_eval(key.value) for key in keywords}
            function = "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])
            found.append((node.name, _dump(function), values["points"], values["hidden"]))
    return found


def _dump(function: str) -> str:
    return ast.dump(ast.parse(function))
