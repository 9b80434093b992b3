"""The files of a folder or of a zip, which is never unpacked: nothing of it can land outside."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.errors import UserError, show_name
from autograder.upload import BROKEN_ZIP, MAX_BYTES, find_fault


@dataclass(frozen=True)
class File:
    """One file of a class.

    Attributes:
        place: where it lies within the folder or zip
        source: the file itself, or the zip that holds it
        member: its name in that zip
        fault: why it is not opened; empty where nothing speaks against it
    """

    place: PurePosixPath
    source: Path
    member: str | None = None
    fault: str = ""

    def read(self) -> bytes:
        """Return the content; raise UserError where it is damaged, too large or not to be opened."""
        if self.fault:
            raise UserError(f"{show_name(str(self.place))}: {self.fault}")
        try:
            if self.member is None:
                with self.source.open("rb") as stream:
                    data = stream.read(MAX_BYTES + 1)
            else:
                with zipfile.ZipFile(self.source) as archive, archive.open(self.member) as member:
                    data = member.read(MAX_BYTES + 1)
        except BROKEN_ZIP as error:
            raise UserError(f"{show_name(str(self.place))}: cannot be read ({error}): download it again") from None
        if len(data) > MAX_BYTES:
            raise UserError(f"{show_name(str(self.place))}: is larger than 256 MB: clear the notebook's outputs")
        return data


def list_files(path: Path) -> tuple[list[File], list[str]]:
    """Return the files of a folder or zip in the order of their names, and a line for each that leaves the zip.

    Raises UserError for what is neither, or cannot be read at all.
    """
    refused: list[str] = []
    if path.is_dir():
        files = _list_folder(path)
    elif path.suffix.lower() == ".zip" and path.is_file():
        files, refused = _list_zip(path)
    elif path.exists():
        raise UserError(f"{path}: is one file: give a folder or Gradescope's zip, or use `grade` for one notebook")
    else:
        raise UserError(f"{path}: is not there: give the folder or the zip of the submissions")
    return sorted(files, key=lambda file: file.place), refused


def _list_folder(path: Path) -> list[File]:
    files = []
    for folder, _, names in os.walk(path):
        for file in (Path(folder) / name for name in names):
            place = PurePosixPath(file.relative_to(path).as_posix())
            odd = file.is_symlink() or not file.is_file()
            files.append(File(place, file, fault="is a link or no file: put the file itself there" if odd else ""))
    return files


def _list_zip(path: Path) -> tuple[list[File], list[str]]:
    files, refused = [], []
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
    except BROKEN_ZIP as error:
        raise UserError(f"{path}: broken zip ({error}): download it again") from None
    for member in members:
        place = PurePosixPath(member.filename.replace("\\", "/"))
        if fault := find_fault(member):
            refused.append(f"{show_name(str(place))}: {fault}: left out")
        else:
            files.append(File(place, path, member.filename))
    return files, refused
