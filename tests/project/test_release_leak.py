"""Whatever gives something away to students stops a release, and the place is named."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from project.toy_repository import edit, write_toy_and_point_tree

from autograder import tree
from autograder.errors import UserError
from autograder.release.leak import read_template, search_leaks
from autograder.release.source import read_source
from autograder.release.template import build_template

ANSWER_LINE = "total = sum(float(number) for number in numbers)"
HIDDEN_LINE = "for secret_number in (5.0, 7.25, -3.0):"
ORACLE_LINE = "result, count = result + number, count + 1"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write_toy_and_point_tree(tmp_path / "toy", monkeypatch)
    build_template(tree.TEMPLATE)
    return root


def search() -> None:
    search_leaks(read_source(), read_template(tree.TEMPLATE))


def plant(name: str, text: str) -> None:
    path = tree.TEMPLATE / name
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")


def change_notebook(change: Any) -> None:
    notebook = json.loads(tree.NOTEBOOK.read_text(encoding="utf-8"))
    change(notebook)
    tree.NOTEBOOK.write_text(json.dumps(notebook), encoding="utf-8")


def test_an_honest_template_gives_nothing_away(root: Path) -> None:
    search()


@pytest.mark.parametrize(
    "text",
    [
        ANSWER_LINE,
        f"# {ANSWER_LINE}",
        "total=sum( float(number)\n    for number in numbers )",
        f"{ANSWER_LINE}  # the answer",
        "total = sum(  # first\n  float(number) for number  # then\n  in numbers)",
        "# total = sum(\n#     float(number) for number in numbers\n# )",
    ],
    ids=["as it is", "comment", "laid out anew", "with a comment", "comments in between", "comments"],
)
def test_a_line_of_an_answer_is_found_however_it_is_laid_out(root: Path, text: str) -> None:
    plant("given/plots.py", f"\n{text}\n")
    with pytest.raises(UserError, match=r"student_template/given/plots.py: holds a line of the answer to q01_mean"):
        search()


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("cells 1 source", lambda nb: nb["cells"][0]["source"].append(f"\n`{ANSWER_LINE}`")),
        ("cells 2 metadata note", lambda nb: nb["cells"][1]["metadata"].update(note=ANSWER_LINE)),
        ("metadata otter hint", lambda nb: nb["metadata"]["otter"].update(hint=[ANSWER_LINE, ""])),
        (
            f"metadata {ANSWER_LINE}".replace("(", r"\(").replace(")", r"\)"),
            lambda nb: nb["metadata"].update({ANSWER_LINE: 1}),
        ),
        (
            "cells 2 outputs 1 data text/plain",
            lambda nb: nb["cells"][1]["outputs"].append(
                {"output_type": "display_data", "data": {"text/plain": ["x\n", ANSWER_LINE]}, "metadata": {}}
            ),
        ),
    ],
    ids=["prose", "cell metadata", "metadata", "metadata key", "output"],
)
def test_a_notebook_is_searched_in_every_corner(root: Path, where: str, change: Any) -> None:
    change_notebook(change)
    with pytest.raises(UserError, match=f"transformers.ipynb: {where}: holds a line of the answer to q01_mean"):
        search()


def test_an_answer_of_one_short_line_is_found_as_a_whole(root: Path) -> None:
    edit(
        root,
        "solutions/q01_mean.py",
        f"    {ANSWER_LINE}\n    return total / len(numbers)",
        "    return sum(numbers) / 2",
    )
    plant("given/plots.py", "\n# return sum(numbers)/2\n")
    with pytest.raises(UserError, match=r"given/plots.py: holds the whole of the answer to q01_mean"):
        search()


def test_a_line_that_only_reads_a_shape_is_no_leak(root: Path) -> None:
    edit(root, "solutions/q01_mean.py", f"    {ANSWER_LINE}", f"    N, D = numbers.shape\n    {ANSWER_LINE}")
    plant("given/plots.py", "\nN, D = numbers.shape\n")
    search()


def test_a_line_that_the_given_code_shares_is_no_leak(root: Path) -> None:
    edit(root, "assignment/given/plots.py", "print(what)", f"numbers = [1]\n    {ANSWER_LINE}\n    print(what, total)")
    plant("given/plots.py", ANSWER_LINE)
    search()


def test_a_whole_answer_in_the_given_code_is_a_leak(root: Path) -> None:
    edit(root, "assignment/given/plots.py", "print(what)", f"{ANSWER_LINE}\n    return total / len(numbers)")
    plant("given/plots.py", f"{ANSWER_LINE}\nreturn total / len(numbers)")
    with pytest.raises(UserError, match=r"given/plots.py: holds the whole of the answer to q01_mean"):
        search()


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("kit/notes.py", "of_one_number_alone", "the name of the hidden case q01_mean / of_one_number_alone"),
        ("tests/of_one_number_alone.py", "", "the name of the hidden case"),
        ("kit/notes.py", HIDDEN_LINE, "a line of the hidden case q01_mean"),
        ("kit/notes.py", "A single number is its own mean\nand nothing else.", "the docstring of the hidden case"),
        ("kit/notes.py", "Look at short lists, they are easily forgotten.", "the docstring of the hidden case"),
        ("kit/notes.py", ORACLE_LINE, "a line of the oracle mean_by_hand"),
        ("kit/notes.py", "from kit import oracle", "an import of the oracle"),
        ("kit/notes.py", "import kit.oracle", "an import of the oracle"),
        ("kit/settings.json", "pepper and salt", "the salt"),
        ("kit/settings.json", "{root}/grading.yml", "a path of the machine"),
        ("kit/settings.json", f"{sys.prefix}/bin", "a path of the machine"),
        ("kit/settings.json", f"{tempfile.gettempdir()}/x", "a path of the machine"),
        ("kit/settings.json", f"{Path.home()}/x", "a path of the machine"),
    ],
)
def test_hidden_cases_oracle_salt_and_paths_are_found(root: Path, name: str, text: str, what: str) -> None:
    plant(name, "\n" + text.format(root=root) + "\n")
    with pytest.raises(UserError, match=f"student_template/{name}: holds {what}"):
        search()


def test_the_repository_is_found_wherever_temporary_files_go(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/elsewhere")
    plant("kit/settings.json", f"{root}/grading.yml")
    with pytest.raises(UserError, match="holds a path of the machine"):
        search()


def test_the_oracle_itself_is_found_by_its_name(root: Path) -> None:
    plant("kit/oracle.py", "")
    with pytest.raises(UserError, match=r"student_template/kit/oracle.py: the oracle is not for students"):
        search()


def test_the_body_of_an_oracle_in_the_public_kit_is_a_leak(root: Path) -> None:
    body = (tree.KIT / "oracle.py").read_text(encoding="utf-8").split('right."""')[1]
    for folder in (tree.KIT, tree.TEMPLATE / "kit"):
        (folder / "notes.py").write_text(f"def other():\n{body}", encoding="utf-8")
    with pytest.raises(UserError, match=r"kit/notes.py: holds the whole of the oracle mean_by_hand"):
        search()


def test_a_salt_too_short_to_search_for_is_refused(root: Path) -> None:
    edit(root, "grading.yml", "pepper and salt", "salt")
    with pytest.raises(UserError, match=r"grading.yml: salt: make it 8 characters or longer"):
        search()


def test_a_leak_from_the_source_is_found_in_what_is_built(root: Path) -> None:
    edit(root, "assignment/handout.py", "# ## The mean", f"# ## The mean\n# Try `{ANSWER_LINE}`.")
    build_template(root / "leaky")
    with pytest.raises(UserError, match=r"transformers.ipynb: cells 3 source: holds a line of the answer to q01_mean"):
        search_leaks(read_source(), read_template(root / "leaky"))
