"""An answer is found in whatever layout, under whatever names and in whatever corner; shared code is no leak."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from project.toy_repository import edit, write_toy_and_point_tree

from autograder import tree
from autograder.errors import UserError
from autograder.release.leak import choose_public, read_template, search_leaks
from autograder.release.shape import parse_snippets, shape
from autograder.release.source import read_source
from autograder.release.template import build_template

# `total = sum(float(number) for number in numbers)`, `return total / len(numbers)`, `for secret_number in ...`
RENAMED = "s = sum(float(x) for x in xs)\n{indent}return s / len(xs)"
RENAMED_LINE = "s = sum(\n    float(x)\n    for x in xs\n)"
HIDDEN = "if kit.call(average, [n]) != o.mean_by_hand([n]):\n    raise kit.Failure('wrong', 'Not the number itself.')"
ORACLE = "a, b = 0.0, 0\nfor x in xs:\n    a, b = a + x, b + 1\nreturn a / b"
ORACLE_FUNCTION = "def f(xs):\n    a: float\n    a, b = 0.0, 0\n    for x in xs: a, b = a + x, b + 1\n    return a / b"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write_toy_and_point_tree(tmp_path / "toy", monkeypatch)
    build_template(tree.TEMPLATE)
    return root


def search(extra: dict[str, str] | None = None) -> None:
    planted = {name: text.encode() for name, text in (extra or {}).items()}
    search_leaks(read_source(), read_template(tree.TEMPLATE) | planted)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"def f(xs):\n    {RENAMED.format(indent='    ')}\n", "code of the answer to q01_mean"),
        (
            f"def f(xs: list[int]) -> float:\n    {RENAMED.format(indent='    ')}\n",
            "the whole of the answer to q01_mean",
        ),
        (f"{RENAMED_LINE}\n", "code of the answer to q01_mean"),
        (indent(RENAMED_LINE, "# "), "code of the answer to q01_mean"),
        (f'HELP = """\n{RENAMED_LINE}\n"""\n', "code of the answer to q01_mean"),
        (f"We write\n\n{indent(RENAMED_LINE, '    ')}\n\nand so on.\n", "code of the answer to q01_mean"),
        ("We write `s = sum(float(x) for x in xs)` here.\n", "code of the answer to q01_mean"),
        (f"%%time\n{RENAMED_LINE}\n", "code of the answer to q01_mean"),
        (HIDDEN, "code of the hidden case q01_mean / of_one_number_alone"),
        (ORACLE, "the whole of the oracle mean_by_hand"),
        (ORACLE_FUNCTION, "code of the oracle mean_by_hand"),
    ],
    ids=[
        "body",
        "annotated",
        "line",
        "comment",
        "string",
        "indented",
        "quoted",
        "magic",
        "hidden",
        "oracle",
        "one line",
    ],
)
def test_renamed_and_laid_out_anew_it_is_still_found(root: Path, text: str, what: str) -> None:
    with pytest.raises(UserError) as refusal:
        search({"student_template/notes.txt": text})
    assert f"student_template/notes.txt: holds {what}, remove it" in str(refusal.value).splitlines()


def plant_in_notebook(change: Any) -> None:
    notebook = json.loads(tree.NOTEBOOK.read_text(encoding="utf-8"))
    change(notebook["cells"])
    tree.NOTEBOOK.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("cells 2 source", lambda cells: cells[1]["source"].append(f"\n{RENAMED_LINE}")),
        ("cells 2 metadata note", lambda cells: cells[1]["metadata"].update(note=RENAMED_LINE)),
        (
            "cells 1 attachments a.txt text/plain",
            lambda cells: cells[0].update(
                attachments={"a.txt": {"text/plain": base64.b64encode(RENAMED_LINE.encode()).decode()}}
            ),
        ),
        (
            "cells 2 outputs 1 text",
            lambda cells: cells[1]["outputs"].append(
                {"output_type": "stream", "name": "stdout", "text": RENAMED_LINE.splitlines(keepends=True)}
            ),
        ),
    ],
    ids=["source", "metadata", "attachment", "output"],
)
def test_every_corner_of_a_notebook_is_searched(root: Path, where: str, change: Any) -> None:
    plant_in_notebook(change)
    with pytest.raises(UserError, match=f"transformers.ipynb: ?{where}: holds code of the answer to q01_mean"):
        search()


def test_code_that_students_are_given_is_no_leak(root: Path) -> None:
    given = "numbers = [1]\n    s = sum(float(x) for x in numbers)\n    print(what, s)"
    edit(root, "assignment/given/plots.py", "print(what)", given)
    search({"student_template/given/plots.py": RENAMED_LINE})


def test_other_code_of_the_same_size_is_no_leak(root: Path) -> None:
    search({"student_template/notes.py": "s = max(float(x) for x in xs)\nt = sum(int(x) for x in xs)\n"})


def test_of_the_zip_only_what_lies_beside_a_notebook_is_public() -> None:
    names = [
        "files/kit/oracle.py",
        "files/kit/case.py",
        "assignment/given/plots.py",
        "solutions/q01_mean.py",
        "tests/q01.py",
    ]
    public = choose_public(dict.fromkeys(names, b""))
    assert list(public) == ["files/kit/case.py", "assignment/given/plots.py"]


def test_a_shape_keeps_what_is_called_and_forgets_what_it_is_called_with() -> None:
    def read(text: str) -> str:
        return shape(next(iter(parse_snippets(text))))

    assert read("y = torch.softmax(x / 2.0, dim=-1)") == read("alpha: Tensor = t.softmax(scores/2., dim = -1) # why")
    assert read("y = torch.softmax(x, dim=-1)") != read("y = torch.softmax(x, dim=-2)")
    assert read("y = torch.softmax(x, dim=-1)") != read("y = torch.sigmoid(x, dim=-1)")
    assert read("y = x @ x.T") != read("y = x @ z.T")
