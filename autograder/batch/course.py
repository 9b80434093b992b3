"""What a worker needs to grade: the assignment's files and the tool's, sent as they are here."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder import tree

DIGITS = 32  # of a hash, hexadecimal: enough to tell courses and submissions apart


@dataclass(frozen=True)
class Course:
    """The files, zipped, and a hash of their contents; with another hash a submission may be graded otherwise."""

    key: str
    data: bytes


def pack_course() -> Course:
    """Read the files of the assignment and of the tool."""
    digest, stream = hashlib.sha256(), io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(_list_files()):
            name, data = path.relative_to(tree.ROOT).as_posix(), path.read_bytes()
            archive.writestr(name, data)
            digest.update(f"{name} {len(data)} ".encode() + data)
    return Course(digest.hexdigest()[:DIGITS], stream.getvalue())


def _list_files() -> Iterator[Path]:
    yield tree.GRADING
    if tree.NOTEBOOK.exists():
        yield tree.NOTEBOOK
    for folder in (tree.ROOT / "autograder", tree.SOLUTIONS, tree.QUESTIONS, tree.KIT, tree.GIVEN):
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix != ".pyc" and "__pycache__" not in path.parts:
                yield path


def hash_submission(kind: str, content: bytes) -> str:
    """A hash of a file and of how it is read, which its suffix says."""
    return hashlib.sha256(kind.encode() + b"\0" + content).hexdigest()[:DIGITS]
