"""Who handed in what: a folder of notebooks, nested folders, or Gradescope's export as it is downloaded."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

from autograder import tree
from autograder.batch.files import File, list_files
from autograder.batch.metadata import NAME, Record, read_metadata
from autograder.batch.submitter import Submitter
from autograder.errors import UserError, show_name

KINDS = (".ipynb", ".zip", ".py")  # what is taken if a student handed in several files, first choice first
GIVEN = {tree.GIVEN.name, tree.KIT.name, tree.TESTS.name}  # folders of the release that students hand in along
EXPORTED = re.compile(r"submission_\d+")
LONGEST = 150  # bytes of a folder's name; file systems allow 255
SHOWN = 5  # files that are left out and named one by one


@dataclass(frozen=True)
class Entry:
    """One submission of a class.

    Attributes:
        name: the name of its folder below `results/`
        submitters: who handed it in
        handed_in: when, if known
        file: what is graded; None where there is nothing
        problem: why there is nothing
        flags: what staff should know of it
    """

    name: str
    submitters: tuple[Submitter, ...]
    handed_in: datetime | None
    file: File | None
    problem: str = ""
    flags: tuple[str, ...] = ()


@dataclass
class Roster:
    """The class: what can be graded, and lines for the person who asked."""

    entries: list[Entry] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read_roster(path: Path) -> Roster:
    """Read who handed in what.

    Raises UserError where nothing was handed in or the path cannot be read.
    """
    files, refused = list_files(path)
    base = _find_export(files)
    roster = _read_folders(files) if base is None else _read_export(files, base)
    roster.remarks = refused + roster.remarks
    if not roster.entries:
        found = "\n".join(["", *roster.remarks])
        raise UserError(f"{path}: holds no submission (.ipynb, .py or .zip): give the folder that does{found}")
    return roster


# ------------------------------------------------------------------------------------------------ Gradescope's export


def _find_export(files: Sequence[File]) -> PurePosixPath | None:
    """The folder of an export, which is told by its metadata or by the names of the folders in it."""
    for file in sorted(files, key=lambda file: len(file.place.parts)):
        if file.place.name == NAME:
            return file.place.parent
        for place in file.place.parents:
            if EXPORTED.fullmatch(place.name):
                return place.parent
    return None


def _read_export(files: Sequence[File], base: PurePosixPath) -> Roster:
    roster = Roster()
    records = _read_records(files, base, roster)
    inside = [file for file in files if file.place.is_relative_to(base)]
    folders: dict[str, list[File]] = {name: [] for name in records}
    for file in inside:
        name, *rest = file.place.relative_to(base).parts
        if rest and (name in records or EXPORTED.fullmatch(name)):
            folders.setdefault(name, []).append(file)
        elif name != NAME:
            roster.remarks.append(f"{show_name(str(file.place))}: belongs to no submission: left out")
    for name, found in folders.items():
        roster.entries.append(_read_exported(name, found, records.get(name), base / name))
        if roster.entries[-1].problem:
            roster.remarks.append(f"{show_name(name)}: {roster.entries[-1].problem}")
    roster.entries = _with_names(roster.entries)
    return roster


def _read_records(files: Sequence[File], base: PurePosixPath, roster: Roster) -> Mapping[str, Record]:
    file = next((file for file in files if file.place == base / NAME), None)
    if file is None:
        roster.remarks.append(f"{NAME}: is missing: nobody's name is known")
        return {}
    try:
        return read_metadata(file.read())
    except UserError as error:
        roster.remarks.append(str(error))
        return {}


def _read_exported(name: str, files: Sequence[File], record: Record | None, folder: PurePosixPath) -> Entry:
    flags = () if record and record.submitters else (f"not in {NAME}",)
    people = record.submitters if record and record.submitters else (Submitter(name),)
    try:
        if not files:
            raise UserError(f"the export lists it and has no file of it: download {show_name(name)} again")
        file, problem = choose_file(files, folder), ""
    except UserError as error:
        file, problem = None, str(error)
    return Entry(name, people, record.handed_in if record else None, file, problem, flags)


def choose_file(files: Sequence[File], folder: PurePosixPath) -> File:
    """The file that is graded of all that one student handed in, as on Gradescope: the only notebook, else the only
    zip, else the only script.

    Raises UserError where there is none, or several of a kind.
    """
    for kind in KINDS:
        found = [file for file in files if _kind(file) == kind]
        if len(found) == 1:
            return found[0]
        if found:
            raise UserError(f"{len(found)} files could be the submission ({_name(found, folder)}): keep one")
    raise UserError(f"no notebook (.ipynb, .py or .zip) was handed in, only {_name(files, folder)}")


def _name(files: Sequence[File], folder: PurePosixPath) -> str:
    return ", ".join(show_name(str(file.place.relative_to(folder))) for file in files[:SHOWN])


def _kind(file: File) -> str:
    return file.place.suffix.lower()


# --------------------------------------------------------------------------------------------------------- any folder


def _read_folders(files: Sequence[File]) -> Roster:
    """Each file is a submission, but a folder with exactly one notebook in it is one as a whole."""
    notebooks = Counter(file.place.parent for file in files if _kind(file) == ".ipynb")
    homes = {folder for folder, count in notebooks.items() if count == 1 and folder.parts}
    roster, whole = Roster(), dict[PurePosixPath, list[File]]()
    single, left_out = [], []
    for file in files:
        home = next((folder for folder in reversed(file.place.parents) if folder in homes), None)
        if home is not None:
            whole.setdefault(home, []).append(file)
        elif _kind(file) in KINDS and not GIVEN & set(file.place.parts[:-1]):
            single.append(file)
        else:
            left_out.append(f"{show_name(str(file.place))}: is no notebook (.ipynb, .py or .zip): left out")
    roster.entries = _with_names([_read_home(home, found) for home, found in whole.items()] + list(map(_read, single)))
    roster.remarks = left_out[:SHOWN]
    if len(left_out) > SHOWN:
        roster.remarks.append(f"and {len(left_out) - SHOWN} more files that are no notebook: left out")
    return roster


def _read_home(home: PurePosixPath, files: Sequence[File]) -> Entry:
    file = choose_file(files, home)
    released = file.place.stem == tree.NOTEBOOK.stem
    return _read(file, home if released else None)


def _read(file: File, place: PurePosixPath | None = None) -> Entry:
    place = place or file.place.with_suffix("")
    student = Submitter("/".join(show_name(part) for part in place.parts))
    return Entry(str(place), (student,), datetime.fromtimestamp(file.modified, timezone.utc), file)


# -------------------------------------------------------------------------------------------------------------- names


def _with_names(entries: Iterable[Entry]) -> list[Entry]:
    """Give each entry a name that is one folder on any file system, and nobody else's."""
    taken: Counter[str] = Counter()
    named = []
    for entry in sorted(entries, key=lambda entry: entry.name):
        name = _write_name(entry.name)
        taken[name.casefold()] += 1
        while taken[name.casefold()] > 1:
            name = f"{_write_name(entry.name)}-{taken[name.casefold()]}"
            taken[name.casefold()] += 1
        named.append(Entry(name, entry.submitters, entry.handed_in, entry.file, entry.problem, entry.flags))
    return named


def _write_name(name: str) -> str:
    name = unicodedata.normalize("NFC", name).replace("/", "__")
    name = "".join("_" if character in '\\<>:"|?*' or not character.isprintable() else character for character in name)
    return name.encode()[:LONGEST].decode(errors="ignore").strip(". ") or "_"
