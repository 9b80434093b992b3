"""Who handed in what: Gradescope's export, another place's download, or any folder."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder import tree
from autograder.batch.downloads import Download, read_download
from autograder.batch.files import File, list_files
from autograder.batch.folders import Unit, find_people
from autograder.batch.metadata import NAME, Record, read_metadata
from autograder.batch.submitter import Submitter
from autograder.choice import choose_file, is_candidate
from autograder.errors import UserError, show_name
from autograder.printable import clean_line
from autograder.upload import is_student_file

EXPORTED = re.compile(r"submission_\d+")
LONGEST = 150  # bytes of a folder's name; file systems allow 255


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
    """The class.

    Attributes:
        entries: one a submission
        remarks: lines for the person who asked
        doubts: lines on what may be several people's and was taken for one's
        files: how many were seen, hidden ones aside
    """

    entries: list[Entry] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    files: int = 0

    @property
    def people(self) -> int:
        """How many people handed something in."""
        return len({submitter.key for entry in self.entries for submitter in entry.submitters})


def read_roster(path: Path) -> Roster:
    """Read who handed in what.

    Raises UserError where nothing was handed in or the path cannot be read.
    """
    files, refused = list_files(path)
    base = _find_base(files)
    exported = _is_export(files, base)
    roster = Roster(remarks=refused, files=sum(is_student_file(file.place) for file in files))
    if exported:
        _read_export(roster, files, base)
    else:
        seen = [file for file in files if is_student_file(file.place)]
        download = read_download(seen, PurePosixPath()) or read_download(seen, base)
        if download:
            _read_download(roster, download)
        _read_folders(roster, download.others if download else files)
    if not any(is_candidate(file.place) for file in files) and not exported:
        found = "\n".join(["", *roster.remarks])
        raise UserError(f"{path}: holds no submission (.ipynb, .py or .zip): give the folder that does{found}")
    roster.entries = _with_names(roster.entries)
    roster.remarks += [f"{entry.name}: {entry.problem}" for entry in roster.entries if entry.problem]
    return roster


def _find_base(files: Sequence[File]) -> PurePosixPath:
    """The top, or the one folder that all there is lies in, as archives and downloads have it."""
    seen = [file.place for file in files if is_student_file(PurePosixPath(file.place.parts[0]))]
    tops = {place.parts[0] for place in seen}
    inside = len(tops) == 1 and all(len(place.parts) > 1 for place in seen)
    return PurePosixPath(*(top for top in tops if inside and not EXPORTED.fullmatch(top)))


# ------------------------------------------------------------------------------------------------ Gradescope's export


def _is_export(files: Sequence[File], base: PurePosixPath) -> bool:
    """Whether it is an export: Gradescope's names of folders, most of them where metadata lie beside, else all.

    Whatever lies deeper is a student's, and makes no export of a class.
    """
    inside = [file.place.relative_to(base).parts for file in files if file.place.is_relative_to(base)]
    folders = {parts[0] for parts in inside if len(parts) > 1 and is_student_file(PurePosixPath(parts[0]))}
    exported = sum(bool(EXPORTED.fullmatch(name)) for name in folders)
    beside = any(file.place == base / NAME for file in files)
    return bool(folders) and (2 * exported >= len(folders) if beside else exported == len(folders))


def _read_export(roster: Roster, files: Sequence[File], base: PurePosixPath) -> None:
    records = _read_records(files, base, roster)
    folders: dict[str, list[File]] = {name: [] for name in records}
    others = []
    for file in files:
        name, *rest = file.place.relative_to(base).parts if file.place.is_relative_to(base) else file.place.parts
        if rest and (name in records or EXPORTED.fullmatch(name)):
            folders.setdefault(name, []).append(file)
        elif name != NAME:
            others.append(file)
    for name, found in folders.items():
        record = records.get(name)
        flags = () if record and record.submitters else (f"not in {NAME}",)
        people = record.submitters if record and record.submitters else (Submitter(name, place=name),)
        when = record.handed_in if record else None
        roster.entries.append(_read_entry(Entry(name, people, when, None, "", flags), found, base / name))
    listed = len(roster.entries)
    _read_folders(roster, others)
    roster.entries[listed:] = [replace(entry, flags=(f"not in {NAME}",)) for entry in roster.entries[listed:]]


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


# ------------------------------------------------------------------------------------ other downloads, and any folder


def _read_download(roster: Roster, download: Download) -> None:
    roster.remarks.append(f"read as a download from {download.form}, by the names of its files")
    for hand_in in download.hand_ins:
        flags = ("late",) if hand_in.late else ()
        entry = Entry(hand_in.name, (hand_in.submitter,), hand_in.handed_in, None, "", flags)
        roster.entries.append(_read_entry(entry, hand_in.files, PurePosixPath()))


def _read_folders(roster: Roster, files: Sequence[File]) -> None:
    people = find_people(files)
    roster.remarks += people.remarks
    roster.doubts += people.doubts
    for unit in people.units:
        entry = _read_entry(Entry(str(unit.place), (), None, None), unit.files, unit.place)
        place = _name_place(unit, entry.file)
        submitter = Submitter("/".join(map(show_name, place.parts)), place=str(place))
        roster.entries.append(replace(entry, name=str(place), submitters=(submitter,)))


def _name_place(unit: Unit, file: File | None) -> PurePosixPath:
    """What names a person: the folder, with the file's own name unless it is the release's."""
    if file is None or file.place.with_suffix("") == unit.place or file.place.stem.startswith(tree.NOTEBOOK.stem):
        return unit.place
    return file.place.with_suffix("")


def _read_entry(entry: Entry, files: Sequence[File], folder: PurePosixPath) -> Entry:
    """Choose what is graded of a submission's files, or say what is wrong with them."""
    places = {_shorten(file.place, folder): file for file in files}
    usable = [place for place, file in places.items() if not file.fault]
    try:
        if not files:
            raise UserError(f"the export lists it and has no file of it: download {show_name(entry.name)} again")
        if not usable:
            raise UserError(f"{show_name(str(files[0].place))}: {files[0].fault}")
        return replace(entry, file=places[PurePosixPath(choose_file(usable))])
    except UserError as error:
        return replace(entry, problem=str(error))


def _shorten(place: PurePosixPath, folder: PurePosixPath) -> PurePosixPath:
    return place.relative_to(folder) if place.is_relative_to(folder) else PurePosixPath(place.name)


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
        named.append(replace(entry, name=name))
    return named


def _write_name(name: str) -> str:
    name = clean_line(unicodedata.normalize("NFC", name).replace("/", "__"), "_")
    name = "".join("_" if character in '\\<>:"|?*' else character for character in name)
    return name.encode()[:LONGEST].decode(errors="ignore").strip(". ") or "_"
