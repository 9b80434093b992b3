"""The shapes of code that students must not get: answers, hidden cases, the oracle."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from autograder import tree
from autograder.release.cases import CaseSource
from autograder.release.master import ORACLE
from autograder.release.shape import WHOLE, count_nodes, drop_docstring, list_shapes, parse_snippets, shape
from autograder.release.source import Source
from autograder.release.stub import make_stub


@dataclass(frozen=True)
class SecretShapes:
    """What each secret shape is, and how many statements in a row make up a whole body."""

    what: dict[str, str]
    lengths: frozenset[int]

    def find(self, text: str) -> set[str]:
        """What stands in a text, in whatever layout and with whatever names."""
        shapes = (found for body in parse_snippets(text) for found in list_shapes(body, self.lengths))
        return {self.what[found] for found in shapes if found in self.what}


def list_secret_shapes(source: Source) -> SecretShapes:
    """The shapes that are searched for; a large subtree that students are given anyhow is none, a whole body is."""
    given = _read_shapes(_list_given(source))
    public = given | _read_shapes(_list_public(source))
    what: dict[str, str] = {}
    lengths: set[int] = set()
    for name, body, known in [
        *((f"the answer to {question}", body, given) for question, body in _list_answers(source)),
        *((name, body, public) for name, body in [*_list_hidden(source), *_list_oracle()]),
    ]:
        for part in list_shapes(body):
            if part not in known:
                what.setdefault(part, f"code of {name}")
        if count_nodes(body) >= WHOLE:
            what[shape(body)] = f"the whole of {name}"
            lengths.add(len(body))
    return SecretShapes(what, frozenset(lengths))


def _list_answers(source: Source) -> Iterator[tuple[str, list[ast.stmt]]]:
    for question, solution in source.solutions.items():
        for block in solution.blocks:
            yield question, ast.parse(dedent("\n".join(solution.answer(block)))).body


def _list_hidden(source: Source) -> Iterator[tuple[str, list[ast.stmt]]]:
    for question, cases in source.cases.items():
        for case in cases:
            if case.hidden:
                yield f"the hidden case {question} / {case.name}", _read_body(case)


def _list_oracle() -> Iterator[tuple[str, list[ast.stmt]]]:
    path = tree.KIT / ORACLE
    if path.exists():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"the oracle {node.name}", drop_docstring(node.body)


def _read_body(case: CaseSource) -> list[ast.stmt]:
    """A case's statements; its imports are everybody's."""
    function = ast.parse(case.source).body[0]
    body = drop_docstring(getattr(function, "body", []))
    return [statement for statement in body if not isinstance(statement, ast.Import | ast.ImportFrom)]


def _list_given(source: Source) -> Iterator[str]:
    yield from _read_files(tree.GIVEN.rglob("*.py"))
    yield from map(make_stub, source.solutions.values())
    yield from (cell.source for cell in source.cells if cell.cell_type == "code")


def _list_public(source: Source) -> Iterator[str]:
    yield from _read_files(path for path in tree.KIT.rglob("*.py") if path.name != ORACLE)
    yield from (case.source for cases in source.cases.values() for case in cases if not case.hidden)


def _read_files(paths: Iterable[Path]) -> Iterator[str]:
    return (path.read_text(encoding="utf-8") for path in sorted(paths))


def _read_shapes(texts: Iterable[str]) -> set[str]:
    return {found for text in texts for body in parse_snippets(text) for found in list_shapes(body)}
