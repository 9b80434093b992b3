"""What a class hands in: folders and Gradescope's export, made by hand."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from project import course

METADATA = "submission_metadata.yml"
WRONG = ["def double(x):\n    return 3 * x", *course.RIGHT[1:]]
PEOPLE = {
    "submission_11": ([("Ada Lovelace", "001", "ada@uni.edu")], "2026-05-01 10:00:00.000000000 Z"),
    "submission_12": (
        [("王 小明", "002", "wang@uni.edu"), ("<b>Bob</b>", "003", "bob@uni.edu")],
        "2026-05-01 11:00:00 Z",
    ),
    "submission_13": ([("Zoë O'Neil / Smith", "", "zoe@uni.edu")], "2026-05-01 12:00:00 Z"),
}


def notebook(sources: Sequence[str] = course.RIGHT) -> bytes:
    """The bytes of a notebook."""
    return json.dumps(course.make_notebook(list(sources))).encode()


def metadata(people: Mapping[str, tuple[Sequence[tuple[str, str, str]], str]] = PEOPLE) -> bytes:
    """What Gradescope writes beside the folders: keys as Ruby writes them."""
    table: dict[str, Any] = {
        folder: {
            ":submitters": [{":name": name, ":sid": sid, ":email": email} for name, sid, email in submitters],
            ":created_at": time,
            ":score": 3.0,
            ":results": {"tests": [{"name": "1.1", "output": "- {'a': 1}"}]},
        }
        for folder, (submitters, time) in people.items()
    }
    return yaml.safe_dump(table, allow_unicode=True).encode()


def export(**changes: bytes | None) -> dict[str, bytes]:
    """The files of an export with three submissions; a change of None takes a file away."""
    files: dict[str, bytes | None] = {METADATA: metadata()}
    files |= {f"{folder}/transformers.ipynb": notebook() for folder in PEOPLE}
    files["submission_12/transformers.ipynb"] = notebook(WRONG)
    files["submission_12/given/plots.py"] = b"x = 1"
    return {name: data for name, data in (files | changes).items() if data is not None}


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files below a folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def write_zip(path: Path, files: Mapping[str, bytes], top: str = "assignment_7_export/") -> Path:
    """Write files into a zip, below one folder as Gradescope does."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(top + name, data)
    return path
