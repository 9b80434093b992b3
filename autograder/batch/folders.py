"""Any folder of a class: which of its files and folders are one person's.

A folder is taken for one person's if just one notebook (or zip, or script) lies in it; where most folders beside each
other are, all are, so that a second notebook is that person's trouble. Every other folder is a class of its own, in
which each file is somebody's. Nothing depends on what files hold, and no name of a student's makes a form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from autograder import tree
from autograder.batch.files import File
from autograder.choice import GIVEN, is_candidate
from autograder.errors import show_name
from autograder.upload import is_student_file

LISTS = {".csv", ".xlsx", ".yml", ".yaml"}  # what staff keep beside submissions
DEEPEST = 20  # folders in folders that are looked into; nobody's homework lies deeper
MANY = 3  # files under other names: seldom one person's, more often a section that was taken for one


@dataclass(frozen=True)
class Unit:
    """What is one person's.

    Attributes:
        place: the folder, or the file without its suffix
        files: all that lies there
    """

    place: PurePosixPath
    files: Sequence[File]


@dataclass
class People:
    """Who is in a folder.

    Attributes:
        units: one a person
        remarks: a line for each file that is nobody's
        doubts: a line for each folder that may be several people's
    """

    units: list[Unit] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@dataclass
class _Folder:
    place: PurePosixPath
    files: list[File] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)

    @property
    def subfolders(self) -> list[_Folder]:
        """Those that may be people's."""
        mine = (name for name in self.folders if name not in GIVEN and is_student_file(PurePosixPath(name)))
        return [self.folders[name] for name in mine]

    def walk(self) -> Iterator[File]:
        yield from self.files
        for folder in self.folders.values():
            yield from folder.walk()

    def list_kind(self, kind: str) -> list[PurePosixPath]:
        return [file.place for file in self.files if is_candidate(file.place, kind)]


def find_people(files: Sequence[File]) -> People:
    """Divide the files of a folder among people."""
    root = _Folder(PurePosixPath())
    for file in files:
        folder = root
        for part in file.place.parts[:-1][:DEEPEST]:
            folder = folder.folders.setdefault(part, _Folder(folder.place / part))
        folder.files.append(file)
    people = People()
    _split(root, people)
    return people


def _split(folder: _Folder, people: People) -> None:
    """Take a folder for a class: its files are people's, and so are its folders or what lies in them."""
    for name in GIVEN & set(folder.folders):
        people.remarks.append(f"{show_name(str(folder.place / name))}: is a folder of the release: left out")
    ones = [sub for sub in folder.subfolders if _is_of_one(sub)]
    most = 2 * sum(_has_candidate(sub) for sub in ones) > len(folder.subfolders)
    for sub in folder.subfolders:
        if not most and not _holds_none(sub) and sub not in ones:
            _split(sub, people)
        else:
            _add_folder(sub, people, MANY if most else 2)
    _split_files(folder, bool(most and ones), people)


def _add_folder(folder: _Folder, people: People, many: int) -> None:
    files, place = list(folder.walk()), folder.place
    while not _has_candidate(folder) and len(folder.subfolders) == 1:
        folder = folder.subfolders[0]  # a section of one person, or a student who handed in a folder
        place = folder.place if not _holds_none(folder) else place
    people.units.append(Unit(place, files))
    names = _list_names([file.place for file in files])
    if len(names) >= many:
        shown = ", ".join(map(show_name, names[:MANY]))
        people.doubts.append(f"{show_name(str(place))}: is it one person's, or several people's ({shown})?")


def _split_files(folder: _Folder, beside_people: bool, people: People) -> None:
    by_stem: dict[str, list[File]] = {}
    for file in filter(lambda file: is_student_file(file.place), folder.files):
        by_stem.setdefault(file.place.stem, []).append(file)
    for stem, files in by_stem.items():
        shown = show_name(str(files[0].place))
        if any(is_candidate(file.place) for file in files):
            people.units.append(Unit(folder.place / stem, files))
            if beside_people:
                people.remarks.append(f"{shown}: lies beside the folders of students: a submission of its own")
        elif beside_people or files[0].place.suffix.lower() in LISTS:
            people.remarks.append(f"{shown}: is no notebook (.ipynb, .py or .zip): left out")
        else:
            people.units.append(Unit(folder.place / stem, files))


def _is_of_one(folder: _Folder) -> bool:
    """Whether a folder has what one person hands in: a notebook with its exports, else one zip, else one script."""
    notebooks, zips, scripts = (folder.list_kind(kind) for kind in (".ipynb", ".zip", ".py"))
    people = [sub for sub in folder.subfolders if _is_of_one(sub)]
    if not notebooks and not zips and not scripts:
        return len(folder.subfolders) == 1 and bool(people)
    if len(people) > 1:  # a stray file above the folders of students
        return False
    if len(notebooks) == 1:
        return len(_list_names([*notebooks, *zips])) <= 2
    return not notebooks and len(zips or scripts) == 1


def _list_names(places: Sequence[PurePosixPath]) -> list[str]:
    """The different names of notebooks and of zips that are no export of one of them."""
    notebooks = {place.stem for place in places if is_candidate(place, ".ipynb")}
    zips = {place.stem for place in places if is_candidate(place, ".zip")}
    own = (*notebooks, tree.NOTEBOOK.stem)
    return sorted(notebooks) + sorted(name for name in zips if not name.startswith(own))


def _has_candidate(folder: _Folder) -> bool:
    return any(is_candidate(file.place) for file in folder.files)


def _holds_none(folder: _Folder) -> bool:
    return not any(is_candidate(file.place) for file in folder.walk())
