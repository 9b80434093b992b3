"""Submissions whose file is no plain text, or is not a notebook: each is built where it is needed."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from project import course
from project.hostile_course import QUESTIONS, Submission, answer
from project.specimens.answers import IMPORTS

Build = Callable[[Path], Path]


def make_honest() -> dict[str, Any]:
    """A notebook of right answers to all questions of the course."""
    return course.make_notebook([IMPORTS, *(cell for id in QUESTIONS for cell in answer(id))])


def write_json(path: Path, content: Any) -> Path:
    """Write a notebook."""
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def leave_outputs(folder: Path) -> Path:
    notebook = make_honest()
    output = {"output_type": "stream", "name": "stdout", "text": "score: 100\n" * 10_000_000}
    notebook["cells"][1]["outputs"] = [output]
    return write_json(folder / "a.ipynb", notebook)


def forge_metadata(folder: Path) -> Path:
    notebook = make_honest()
    notebook["cells"][1]["source"] = "attention = None"
    notebook["metadata"] = {"otter": {"assignment_name": "x", "tests": {"q02_attention": {"points": 99}}}}
    notebook["metadata"] |= {"kernelspec": {"argv": ["sh", "-c", "id"], "name": "../../x"}, "score": 100}
    for cell in notebook["cells"]:
        cell["metadata"] = {"otter": {"tests": ["q02_attention"], "points": 99}, "tags": ["otter_ignore", "skip"]}
    return write_json(folder / "a.ipynb", notebook)


def write_markdown(folder: Path) -> Path:
    notebook = make_honest()
    attack = r"\input{/etc/passwd} $\input{../grading.yml}$ <script>alert(1)</script> ![x](file:///etc/passwd)"
    notebook["cells"] += [
        {"cell_type": kind, "source": attack, "metadata": {}} for kind in ("markdown", "raw", "heading")
    ]
    return write_json(folder / "a.ipynb", notebook)


def nest_deeply(folder: Path) -> Path:
    """1,500: what a search follows step by step exceeds Python's depth of calls."""
    notebook = make_honest()
    chain = ["a0 = torch", *(f"a{number + 1} = a{number}" for number in range(1499))]
    sources = "x = a" + ".b" * 1500, "\n".join(chain)
    notebook["cells"][1:1] = [{**notebook["cells"][1], "source": source} for source in sources]
    return write_json(folder / "a.ipynb", notebook)


def rename(folder: Path) -> Path:
    return write_json(folder / "final (2) \u202e[red]; rm -rf ~ copy.ipynb", make_honest())


def repeat_cells(folder: Path) -> Path:
    notebook = make_honest()
    notebook["cells"] = [cell for cell in notebook["cells"] for _ in range(2)]
    return write_json(folder / "a.ipynb", notebook)


def many_cells(folder: Path) -> Path:
    notebook = make_honest()
    notebook["cells"][1:1] = course.make_notebook([f"x = {i}\n1 / 0" for i in range(900)])["cells"]
    return write_json(folder / "a.ipynb", notebook)


def old_format(folder: Path) -> Path:
    cells = [
        {"cell_type": "code", "input": cell["source"], "metadata": {}, "outputs": [], "language": "python"}
        for cell in make_honest()["cells"]
    ]
    path = folder / "a.ipynb"
    text = json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]})
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    return path


def write_bytes(name: str, content: bytes) -> Build:
    def build(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return build


def write_zip(*members: tuple[str, bytes], link: str = "") -> Build:
    def build(folder: Path) -> Path:
        with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members:
                archive.writestr(name, content or json.dumps(make_honest()))
            if link:
                info = zipfile.ZipInfo("a.ipynb")
                info.external_attr = 0o120777 << 16
                archive.writestr(info, link)
        return folder / "a.zip"

    return build


def damage_zip(folder: Path) -> Path:
    path = folder / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.ipynb", json.dumps(make_honest()))
    data = bytearray(path.read_bytes())
    data[60:120] = bytes(60)  # of the compressed text, behind the 37 bytes of the local header
    path.write_bytes(data)
    return path


def write_number(folder: Path) -> Path:
    text = json.dumps(make_honest()).removesuffix("}")
    (folder / "a.ipynb").write_text(f'{text}, "nbformat_minor": {"9" * 10_000}}}', encoding="utf-8")
    return folder / "a.ipynb"


def link_to_results(folder: Path) -> Path:
    (folder / "a.ipynb").symlink_to("/etc/passwd")
    return folder / "a.ipynb"


def make_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "a.ipynb")
    return folder / "a.ipynb"


def built(name: str, attack: str, build: Build, loses: str = "", says: str = "", otter: str = "") -> Submission:
    """One submission."""
    return Submission(name, attack, otter, tuple(loses.split()), says, build=build)


DEEP = b'{"cells": ' + b"[" * 200_000
BUILT = [
    built("f26_odd_sources", "Has cells that a search stumbles over: 1,500 nested attributes, a chain of names.", nest_deeply),
    built("a20_latex_in_markdown", "Asks LaTeX and HTML of a report for the grader's files.", write_markdown),
    built(
        "b30_forges_metadata",
        "Claims points in the notebook's metadata and tags its cells as not to be run.",
        forge_metadata,
        loses="q02_attention",
    ),
    built(
        "d31_zip_climbs",
        "A zip whose members climb out of their folder.",
        write_zip(("a.ipynb", b""), ("../../results/results.json", b"{}")),
        "all",
        "climbs out of the zip",
    ),
    built(
        "d32_zip_bomb",
        "A zip of 1 MB that unpacks to 1 GB.",
        write_zip(("a.ipynb", b""), *((f"{i}.txt", bytes(100 << 20)) for i in range(3))),
        "all",
        "unpacks to more",
    ),
    built(
        "d33_zip_with_a_link",
        "A zip whose notebook is a link to a file of the grader.",
        write_zip(link="/autograder/source/grading.yml"),
        "all",
        "is a link",
    ),
    built(
        "d34_link", "A link to a file of the grader in the place of the notebook.", link_to_results, "all", "is a link"
    ),
    built(
        "d35_pipe",
        "A pipe in the place of the notebook: whoever reads it waits for ever.",
        make_pipe,
        "all",
        "not a file",
    ),
    built("d36_damaged_lzma", "A zip whose compressed member is damaged.", damage_zip, "all", "broken zip"),
    built("d37_endless_number", "A notebook with a number of 10,000 digits.", write_number, "all", "thousands of digits"),
    built(
        "d38_zip_of_empty_lists",
        "A zip of 50 KB whose notebook takes gigabytes once it is read.",
        write_zip(("a.ipynb", b'{"cells": [], "metadata": {"x": [' + b"[]," * (16 << 20) + b"0]}}")),
        "all",
        "GB of memory",
    ),
    built("f30_stored_outputs", "A notebook with 100 MB of stored output.", leave_outputs, otter="held"),
    built(
        "f31_not_utf8",
        "A notebook that is not UTF-8.",
        write_bytes("a.ipynb", b'{"cells": ["\xff\xfe"]}'),
        "all",
        "is not UTF-8",
        "broken",
    ),
    built(
        "f32_not_json",
        "A notebook that was cut off.",
        write_bytes("a.ipynb", b'{"cells": [{"cell_type": "co'),
        "all",
        "broken JSON",
        "broken",
    ),
    built("f33_empty", "An empty file.", write_bytes("a.ipynb", b""), "all", "is empty", "broken"),
    built("f34_deep_json", "JSON nested 200,000 levels deep.", write_bytes("a.ipynb", DEEP), "all", "a.ipynb"),
    built(
        "f35_two_notebooks",
        "A zip with two notebooks.",
        write_zip(("a.ipynb", b""), ("b.ipynb", b"")),
        "all",
        "exactly one notebook",
    ),
    built("f36_not_a_notebook", "A PDF.", write_bytes("a.pdf", b"%PDF-1.4"), "all", "not a notebook"),
    built(
        "f37_another_assignment",
        "The notebook of another assignment.",
        lambda folder: write_json(folder / "a.ipynb", course.make_notebook(["import numpy", "def lasso(): ..."])),
        "all",
        "not of this assignment",
    ),
    built("f38_odd_name", "A notebook whose name holds markup, control characters and shell words.", rename),
    built("f39_repeated_cells", "Every cell twice, as after a merge.", repeat_cells),
    built("f40_many_cells", "900 cells that fail before the first answer.", many_cells),
    built("f41_old_format", "Format 3, with a byte-order mark and Windows line ends.", old_format),
]
