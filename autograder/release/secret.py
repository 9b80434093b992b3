"""What students must not get: answers, hidden cases, the oracle, the salt, and where the release was built."""

import ast
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from autograder import tree
from autograder.errors import UserError
from autograder.release.cases import CaseSource
from autograder.release.master import ORACLE
from autograder.release.source import Source
from autograder.release.stub import make_stub

# The shortest text that is searched for, in characters without blanks: `scores = X @ X.T` of an answer is a leak; in
# hidden cases and oracles so short a line says nothing; a shorter salt would be found by chance.
ANSWER, LINE, SALT = 12, 20, 8
READS_SHAPE = re.compile(r"[\w,]+=\w+\.shape(\[-?\d\])?")  # `N, D_k = X.shape` anybody writes


@dataclass(frozen=True)
class Secret:
    """`text`, squeezed, stands nowhere in a student's file, or `word` nowhere as a word of its own."""

    what: str
    text: str = ""
    word: str = ""


def squeeze(text: str) -> str:
    """A text without blanks and number signs, so that neither another layout nor a comment hides anything."""
    return re.sub(r"[\s#]+", "", text)


def strip_comments(text: str) -> str:
    """A text without the comments of Python."""
    return re.sub(r"(^|\s)#.*", "", text, flags=re.MULTILINE)


def list_secrets(source: Source) -> list[Secret]:
    """Everything that is searched for.

    A single line that students are given anyhow (in the given modules, the stubs, the public cases, the kit) is no
    secret; the whole body of an answer, of a hidden case or of an oracle is one wherever it stands.
    """
    given = _read_given(source)
    return [
        *_list_answers(source, given),
        *_list_hidden_cases(source, given + _read_public(source)),
        *_list_oracles(given + _read_public(source)),
        *_list_places(source),
    ]


def _list_answers(source: Source, given: str) -> Iterator[Secret]:
    for question, solution in source.solutions.items():
        for block in solution.blocks:
            lines = solution.answer(block)
            yield from _list_code(f"the answer to {question}", lines, given, ANSWER)


def _list_hidden_cases(source: Source, given: str) -> Iterator[Secret]:
    public = {case.name for cases in source.cases.values() for case in cases if not case.hidden}
    for question, cases in source.cases.items():
        for case in (case for case in cases if case.hidden):
            what = f"the hidden case {question} / {case.name}"
            if "_" in case.name and case.name not in public:
                yield Secret(f"the name of {what}", word=case.name)
            for paragraph in case.claim.split("\n\n"):
                text = squeeze(paragraph)
                if len(text) >= LINE and text not in given:
                    yield Secret(f"the docstring of {what}", text)
            yield from _list_code(what, _read_body(case.source), given, LINE)


def _list_oracles(given: str) -> Iterator[Secret]:
    path = tree.KIT / ORACLE
    if not path.exists():
        return
    yield Secret("an import of the oracle", squeeze("from kit import oracle"))
    yield Secret("an import of the oracle", word="kit.oracle")
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            source = "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])
            yield from _list_code(f"the oracle {node.name}", _read_body(source), given, LINE)


def _list_places(source: Source) -> Iterator[Secret]:
    salt = squeeze(source.grading.salt)
    if len(salt) < SALT:
        raise UserError(f"grading.yml: salt: make it {SALT} characters or longer, a shorter one is found by chance")
    yield Secret("the salt", salt)
    for path in sorted({tree.ROOT, Path.home(), Path(sys.prefix), Path(tempfile.gettempdir())}):
        if path != Path(path.anchor):
            yield Secret("a path of the machine that built the release", word=str(path))


def _list_code(what: str, lines: Iterable[str], given: str, shortest: int) -> Iterator[Secret]:
    """The whole, and each line of a length that matters that students are not given anyhow."""
    codes = [squeeze(strip_comments(line)) for line in lines]
    if len(whole := "".join(codes)) >= shortest:
        yield Secret(f"the whole of {what}", whole)
    for line, code in zip(lines, codes, strict=True):
        if len(code) >= shortest and code not in given and not READS_SHAPE.fullmatch(code):
            yield Secret(f"a line of {what} ({line.strip()})", code)


def _read_body(function: str) -> list[str]:
    """A function's lines without its signature and docstring."""
    text = dedent(function)
    body: list[ast.stmt] = getattr(ast.parse(text).body[0], "body", [])
    has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    first = body[1] if has_docstring and len(body) > 1 else body[0]
    return text.splitlines()[first.lineno - 1 :]


def _read_given(source: Source) -> str:
    files = sorted(tree.GIVEN.rglob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    return _squeeze_code([*texts, *map(make_stub, source.solutions.values())])


def _read_public(source: Source) -> str:
    kit = [path for path in sorted(tree.KIT.rglob("*.py")) if path.name != ORACLE]
    texts = [path.read_text(encoding="utf-8") for path in kit]
    cases: list[CaseSource] = [case for cases in source.cases.values() for case in cases if not case.hidden]
    return _squeeze_code([*texts, *(case.source for case in cases)])


def _squeeze_code(texts: Iterable[str]) -> str:
    return "\n".join(squeeze(strip_comments(text)) for text in texts)
