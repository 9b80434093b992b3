"""A student may upload anything; exactly one file of it is graded, or it is said why none is."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.errors import UserError
from autograder.gradescope.received import find_notebook


def upload(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["my homework (1).ipynb"], "my homework (1).ipynb"),
        (["deep/down/HW.IPYNB"], "deep/down/HW.IPYNB"),
        (["a.ipynb", "export.zip", "given/digits.py", ".OTTER_LOG", "a.pdf"], "a.ipynb"),
        (["a.ipynb", ".ipynb_checkpoints/a-checkpoint.ipynb", "__MACOSX/a.ipynb", "._a.ipynb"], "a.ipynb"),
        (["export.zip", "notes.txt"], "export.zip"),
        (["answers.py", "notes.txt"], "answers.py"),
    ],
    ids=["any name", "any folder", "export", "copies", "zip", "script"],
)
def test_the_only_notebook_is_taken_else_the_only_zip_else_the_only_script(
    tmp_path: Path, names: list[str], taken: str
) -> None:
    assert find_notebook(upload(tmp_path, *names)) == tmp_path / taken


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a.ipynb", "b/a.ipynb"], "your upload: has 2 notebooks (a.ipynb, b/a.ipynb): hand in the one to be graded"),
        ([f"{n}.py" for n in range(5)], "has 5 Python files (0.py, 1.py, 2.py, ...)"),
        (["a.pdf"], "has no notebook (found: a.pdf): hand in the .ipynb that you filled in"),
        ([], "has no notebook (found: nothing)"),
        ([f"{n}.txt" for n in range(1001)], "has more than 1000 files"),
        (["a\x1b[31m.ipynb", "b.ipynb"], "(a?[31m.ipynb, b.ipynb)"),
    ],
    ids=["two", "modules", "no notebook", "nothing", "too many", "odd name"],
)
def test_what_is_not_one_notebook_is_refused_in_one_line(tmp_path: Path, names: list[str], why: str) -> None:
    with pytest.raises(UserError) as refusal:
        find_notebook(upload(tmp_path, *names))
    assert why in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1


def test_a_folder_behind_a_link_is_not_entered(tmp_path: Path) -> None:
    upload(tmp_path / "elsewhere", "secret.ipynb")
    upload(tmp_path / "submission", "a.ipynb")
    (tmp_path / "submission" / "link").symlink_to(tmp_path / "elsewhere")
    assert find_notebook(tmp_path / "submission").name == "a.ipynb"
