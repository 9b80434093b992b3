"""A submission is read as data: whatever form it has, its code cells come out, and nothing else does."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

import pytest
from project import course

from autograder.errors import UserError
from autograder.questions import QuestionFile
from autograder.submission import Submission, find_late_answers, read_submission
from autograder.upload import MAX_BYTES, MAX_SOURCE
from given.cells import MAX_PARSED

PERCENT = """\
# ---
# jupyter:
#   kernelspec: {name: python3}
# ---

# %% [markdown]
# # The answers
# def not_code(): pass

# %%
def double(x):
    return 2 * x

# %% tags=["check"]
grader.check("q01_double")

# %% [raw]
raw text without a comment sign

# %% [md]
'''
def double(x): text
'''

#%%
# %%time
def greet():
    return 'hello'

# %%
grader.check("q02_greet")
"""

NBCONVERT = """\
#!/usr/bin/env python
# coding: utf-8

# # The answers

# In[3]:


import math
def double(x):
    return 2 * x


# Some words in between.

# In[ ]:


grader.check("q01_double")


# In[*]:


def greet():
    return 'hello'


# In[12]:


grader.check("q02_greet")
"""

PLAIN = """\
import otter

grader = otter.Notebook()

@staticmethod
def double(x):
    return 2 * x

grader.check("q01_double")
def greet():
    return 'hello'
grader.check("q02_greet")
"""


@pytest.fixture
def read(toy_questions: list[QuestionFile], tmp_path: Path):
    """Read a file of the given name and content with the toy's questions."""

    def read(name: str, content: str | bytes | list[str], release: Path = tmp_path / "none") -> Submission:
        path = tmp_path / name
        if isinstance(content, list):
            content = json.dumps(course.make_notebook(content))
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_submission(path, toy_questions, release)

    return read


def refuse(read, name: str, content: str | bytes | list[str]) -> str:
    """Read what must be refused, and return the line that says why."""
    with pytest.raises(UserError) as caught:
        read(name, content)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(name)
    return line


def list_checks(submission: Submission) -> list[tuple[str, str]]:
    """For each question its id and the code that runs before its check, each source without its line ends."""
    code, found = "", []
    for cell in submission.cells:
        code += " ".join(cell.source.split())
        if cell.check:
            found.append((cell.check, code))
    return found


BOTH = [
    ("q01_double", "def double(x): return 2 * x"),
    ("q02_greet", "def double(x): return 2 * xdef greet(): return 'hello'"),
]


def test_a_question_is_checked_after_its_check_cell(read) -> None:
    assert list_checks(read("any name.ipynb", course.RIGHT)) == BOTH


@pytest.mark.parametrize("name", ["a.ipynb", "Transformers (1).IPYNB", "ÄÖ 3.ipynb"])
def test_the_name_of_the_file_does_not_matter(read, name: str) -> None:
    assert list_checks(read(name, course.RIGHT)) == BOTH


def test_kernel_outputs_and_other_metadata_are_ignored(read) -> None:
    notebook = course.make_notebook(course.RIGHT, kernelspec={"name": "my_gpu", "language": "R"}, otter=["x"])
    notebook["cells"][0]["outputs"] = [{"output_type": "stream", "text": "grader.check('q02_greet')" * 1000}]
    notebook["cells"].insert(0, {"cell_type": "markdown", "source": "def double(x): pass"})
    notebook["cells"].insert(0, {"cell_type": "raw", "source": ["def double(x): pass"]})
    assert list_checks(read("a.ipynb", json.dumps(notebook))) == BOTH


def test_sources_may_be_lists_of_lines(read) -> None:
    notebook = course.make_notebook(course.RIGHT)
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    assert list_checks(read("a.ipynb", json.dumps(notebook))) == BOTH


def test_the_old_notebook_format_is_read(read) -> None:
    cells = [{"cell_type": "code", "input": source, "outputs": [], "language": "python"} for source in course.RIGHT]
    notebook = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}
    assert list_checks(read("a.ipynb", json.dumps(notebook))) == BOTH


@pytest.mark.parametrize("text", [PERCENT, NBCONVERT, json.dumps(course.make_notebook(course.RIGHT), indent=1)])
def test_a_byte_order_mark_and_crlf_change_nothing(read, text: str) -> None:
    name = "a.ipynb" if text.startswith("{") else "a.py"
    plain, marked = read(name, text), read(name, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert marked.cells == plain.cells


@pytest.mark.parametrize("text", [PERCENT, NBCONVERT], ids=["percent", "nbconvert"])
def test_a_script_is_taken_apart_at_its_cell_marks(read, text: str) -> None:
    submission = read("a.py", text)
    code = [
        [line for line in source.splitlines() if line.strip() and not line.startswith("#")]
        for source in (cell.source for cell in submission.cells)
    ]
    code[0] = [line for line in code[0] if line != "import math"]
    assert code == [course.DOUBLE.splitlines(), [], course.GREET.splitlines(), []]
    assert [cell.check for cell in submission.cells] == [None, "q01_double", None, "q02_greet"]


def test_a_script_without_marks_is_taken_apart_at_its_statements(read) -> None:
    submission = read("a.py", PLAIN)
    assert [cell.check for cell in submission.cells] == [None, None, None, "q01_double", None, "q02_greet"]
    assert submission.cells[2].source.strip() == "@staticmethod\ndef double(x):\n    return 2 * x"


def test_code_before_the_first_mark_is_a_cell(read) -> None:
    assert read("a.py", "double = abs\n" + PERCENT).cells[0].source.startswith("double = abs")


def test_a_zip_as_otter_exports_it_is_read(read, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("transformers.ipynb", json.dumps(course.make_notebook(course.RIGHT)))
        archive.writestr(".ipynb_checkpoints/transformers-checkpoint.ipynb", "old")
        archive.writestr("__MACOSX/._transformers.ipynb", b"\x00")
        archive.writestr(".OTTER_LOG", b"not read")
        archive.writestr("__zip_filename__", "a.zip")
    assert list_checks(read("a.zip", path.read_bytes())) == BOTH


def make_zip(tmp_path: Path, members: dict[str, bytes], mode: int = stat.S_IFREG | 0o644) -> bytes:
    """A zip with these members, the first of the given Unix mode."""
    path = tmp_path / "made"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, content) in enumerate(members.items()):
            info = zipfile.ZipInfo(name)
            info.external_attr = (mode if number == 0 else stat.S_IFREG | 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path.read_bytes()


NOTEBOOK = json.dumps(course.make_notebook(course.RIGHT)).encode()


@pytest.mark.parametrize(
    ("members", "mode", "why"),
    [
        ({"a.ipynb": NOTEBOOK, "b.ipynb": NOTEBOOK}, stat.S_IFREG, "exactly one notebook, has 2"),
        ({"a.txt": b"x"}, stat.S_IFREG, "exactly one notebook, has 0"),
        ({"link": b"/etc/passwd", "a.ipynb": NOTEBOOK}, stat.S_IFLNK | 0o777, "link is a link"),
        ({"a.ipynb": b"../tests/x.ipynb"}, stat.S_IFLNK | 0o777, "a.ipynb is a link"),
        ({"../a.ipynb": NOTEBOOK}, stat.S_IFREG, "climbs out of the zip"),
        ({"/tmp/a.ipynb": NOTEBOOK}, stat.S_IFREG, "climbs out of the zip"),
        ({"x\\..\\..\\a.ipynb": NOTEBOOK}, stat.S_IFREG, "climbs out of the zip"),
        ({"C:/a.ipynb": NOTEBOOK}, stat.S_IFREG, "climbs out of the zip"),
        ({"a.ipynb": NOTEBOOK, "bomb": bytes(MAX_BYTES + 1)}, stat.S_IFREG, "unpacks to more than 256 MB"),
        ({"a.ipynb": NOTEBOOK, **{f"{i}": b"" for i in range(1000)}}, stat.S_IFREG, "or 1000 files"),
        ({"a.ipynb": b""}, stat.S_IFREG, "notebook is empty"),
        ({"a.ipynb": b"{"}, stat.S_IFREG, "broken JSON"),
    ],
)
def test_a_zip_that_is_not_an_export_is_refused(
    read, tmp_path: Path, members: dict[str, bytes], mode: int, why: str
) -> None:
    assert why in refuse(read, "a.zip", make_zip(tmp_path, members, mode))


def test_a_zip_that_lies_about_its_sizes_is_refused(read, tmp_path: Path) -> None:
    data = make_zip(tmp_path, {"a.ipynb": bytes(10 * 2**20)})
    assert "broken zip" in refuse(read, "a.zip", data.replace((10 * 2**20).to_bytes(4, "little"), b"\x00\x01\x00\x00"))


def test_a_zip_with_a_damaged_lzma_member_is_refused(read, tmp_path: Path) -> None:
    path = tmp_path / "made"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.ipynb", NOTEBOOK * 20)
    data = bytearray(path.read_bytes())
    data[60:120] = bytes(60)
    assert "broken zip" in refuse(read, "a.zip", bytes(data))


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.zip", b"PK\x03\x04 not really", "broken zip"),
        ("a.ipynb", "", "is empty"),
        ("a.ipynb", " \n", "is empty"),
        ("a.ipynb", [], "has no code"),
        ("a.ipynb", ["", " \n"], "has no code"),
        ("a.ipynb", json.dumps(course.make_notebook(course.RIGHT))[:-5], "broken JSON"),
        ("a.ipynb", "{\n  nonsense", "a.ipynb:2:3: broken JSON"),
        ("a.ipynb", "<html>a page</html>", "a.ipynb:1:1: broken JSON"),
        ("a.ipynb", "[1, 2]", "JSON but not a notebook"),
        ("a.ipynb", '{"cells": 3}', "JSON but not a notebook"),
        ("a.ipynb", '{"worksheets": [3]}', "JSON but not a notebook"),
        ("a.ipynb", "[" * 200_000, "nested too deeply"),
        ("a.ipynb", f'{{"nbformat_minor": {"9" * 10_000}}}', "a number of thousands of digits"),
        ("a.ipynb", '{"cells": [{"cell_type": "code", "source": 3}]}', "cell 1 is damaged"),
        ("a.ipynb", '{"cells": [null]}', "cell 1 is damaged"),
        ("a.ipynb", b"{}\n\xff\xfe", "a.ipynb:2: is not UTF-8"),
        ("a.ipynb", ["print('hello')"], "not of this assignment"),
        ("a.ipynb", ["grader.check('q99_other')", "def other(): pass"], "not of this assignment"),
        ("a.ipynb", ["# def double(x):", "doubled = 3"], "not of this assignment"),
        ("a.ipynb", ["x = 1", 'grader.check("q01_double")'], "no answer cell is left"),
        ("a.ipynb", [course.DOUBLE, "#" * MAX_SOURCE], "characters of code"),
        ("a.ipynb", [course.DOUBLE] * 1001, "1000 code cells"),
        ("a.py", "x = (", "not of this assignment"),
        ("a.pdf", b"%PDF", "not a notebook"),
        ("noending", "x", "not a notebook"),
    ],
)
def test_what_cannot_be_graded_is_refused_in_one_line(
    read, name: str, content: str | bytes | list[str], why: str
) -> None:
    assert why in refuse(read, name, content)


def test_links_folders_and_missing_files_are_refused(toy_questions: list[QuestionFile], tmp_path: Path) -> None:
    real = course.write_notebook(tmp_path / "real.ipynb", course.RIGHT)
    (tmp_path / "link.ipynb").symlink_to(real)
    (tmp_path / "folder.ipynb").mkdir()
    for name, why in {
        "link.ipynb": "is a link",
        "folder.ipynb": "is not a file",
        "none.ipynb": "cannot be read",
    }.items():
        with pytest.raises(UserError, match=f"^{name}: {why}"):
            read_submission(tmp_path / name, toy_questions)


def test_a_larger_file_than_256_mb_is_refused_unread(toy_questions: list[QuestionFile], tmp_path: Path) -> None:
    path = tmp_path / "large.ipynb"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)  # a hole, no room on the disk
    with pytest.raises(UserError, match="larger than 256 MB"):
        read_submission(path, toy_questions)


@pytest.mark.parametrize(
    "source",
    [
        'grader.check("q01_double")',
        "%%time\ngrader.check('q01_double')",
        'result = grader.check("q01_double")\nresult',
        'print(grader.check("q01_double"))',
        "!ls\nx = 1\ngrader.check('q01_double')  # again",
    ],
)
def test_a_check_is_found_in_the_syntax_tree(read, source: str) -> None:
    assert read("a.ipynb", [course.DOUBLE, source]).cells[1].check == "q01_double"


@pytest.mark.parametrize(
    "source",
    [
        '# grader.check("q01_double")',
        "'grader.check(\"q01_double\")'",
        'other.check("q01_double")  # not grader',
        'grader.check("q99_more")',
        "grader.check(question)",
        'grader.check("q01_double"',
        "x = '" + "x" * MAX_PARSED + "'; grader.check('q01_double')",
    ],
)
def test_what_only_looks_like_a_check_is_none(read, source: str) -> None:
    assert read("a.ipynb", [course.DOUBLE, source]).cells[1].check is None


def test_the_last_check_of_a_question_counts(read) -> None:
    check = course.RIGHT[1]
    cells = read("a.ipynb", [check, course.DOUBLE, check, "double = None"]).cells
    assert [cell.check for cell in cells] == [None, None, "q01_double", None]


def test_a_cell_may_check_two_questions(read) -> None:
    submission = read("a.ipynb", [course.DOUBLE, course.GREET, course.RIGHT[1] + "\n" + course.RIGHT[3]])
    assert [cell.check for cell in submission.cells] == [None, None, "q01_double", "q02_greet"]
    assert len(submission.places) == len(submission.cells)


def test_a_cell_that_only_checks_need_not_run_and_one_with_an_answer_does(read) -> None:
    merged = course.DOUBLE + "\ngrader.check('q01_double')"
    assert [cell.source for cell in read("a.ipynb", [merged, course.RIGHT[3]]).cells] == [merged, ""]


@pytest.mark.parametrize("source", ["grader.check_all()", "grader.export(pdf=False)\ngrader.check('q01_double')"])
def test_a_cell_that_only_asks_grader_need_not_run(read, source: str) -> None:
    assert read("a.ipynb", [course.DOUBLE, source]).cells[1].source == ""


def test_the_released_cell_that_makes_grader_need_not_run(read, tmp_path: Path) -> None:
    make = "from given.checks import Checks\n\ngrader = Checks()"
    course.write_notebook(tmp_path / "release.ipynb", [make])
    cells = read("a.ipynb", [make, make + "\nx = 1", course.DOUBLE], tmp_path / "release.ipynb").cells
    assert [bool(cell.source) for cell in cells] == [False, True, True]


def test_given_cells_run_only_when_they_were_edited(read, tmp_path: Path) -> None:
    release = course.make_notebook(["plot(1)\n\nshow()", "import torch"])
    release["cells"][0]["metadata"]["tags"] = ["otter_ignore"]
    (tmp_path / "release.ipynb").write_text(json.dumps(release), encoding="utf-8")
    sources = ["plot(1)  \nshow()\n", "plot(2)\n\nshow()", "import torch", course.DOUBLE]
    cells = read("a.ipynb", sources, tmp_path / "release.ipynb").cells
    assert [cell.source for cell in cells] == ["", *sources[1:]]


def test_a_place_names_the_cell_by_its_number_and_first_line(read) -> None:
    places = read("a.ipynb", ["# intro\n%%time\n" + course.DOUBLE, ""]).places
    assert places == ["code cell 1 (def double(x):)", "code cell 2 ()"]


def test_an_answer_with_a_syntax_error_is_still_an_answer(read) -> None:
    assert read("a.ipynb", ["def double(x)\n    return 2 * x"]).cells[0].source


def test_lone_surrogates_become_plain_text(read) -> None:
    source = read("a.ipynb", [course.DOUBLE + "  # \ud800"]).cells[0].source
    assert source.encode("utf-8")


@pytest.mark.parametrize("size", [MAX_PARSED - 100, MAX_SOURCE // 2])
@pytest.mark.parametrize("piece", ["(", "-", "1+", "a.", "not ", "lambda:", "f(", "\0"])
def test_nested_code_does_not_stop_the_reader(read, piece: str, size: int) -> None:
    source = "grader\n" + piece * (size // len(piece)) + "1"
    assert len(read("a.ipynb", [source, course.DOUBLE]).cells) == 2


def test_a_submission_is_told_by_what_runs_of_it(read) -> None:
    one, other = read("a.ipynb", course.RIGHT), read("b.py", PERCENT)
    assert one.digest == read("c.ipynb", course.RIGHT).digest
    assert one.digest != read("a.ipynb", [*course.RIGHT, "x = 1"]).digest
    assert len(other.digest) == 64


def test_an_answer_that_is_defined_again_below_its_check_is_told(read, toy_questions: list[QuestionFile]) -> None:
    assert find_late_answers(read("a.ipynb", course.RIGHT), toy_questions) == []
    late = read("a.ipynb", [*course.RIGHT, "x = 1\n" + course.DOUBLE])
    (line,) = find_late_answers(late, toy_questions)
    assert "defines double again below the check of q01_double" in line
