"""Downloads of other places, told by the form of their files' names: whose a file is, when it came, whether late.

- Canvas: `lovelaceada_LATE_12345_67890_transformers.ipynb`, or `LATE_anon_x1y2z_67890_...`; a user's id, a file's
- Moodle: `Ada Lovelace_1234567_assignsubmission_file_/transformers.ipynb`, or the same without a folder
- Blackboard: `HW7_ada_attempt_2026-10-01-12-00-00_transformers.ipynb`, with a receipt without the last part, `.txt`
- nbgrader: `submitted/ada/hw7/transformers.ipynb`, beside `timestamp.txt`
- GitHub Classroom: `hw7-ada-main/transformers.ipynb`
- Google Classroom: `Ada Lovelace - transformers.ipynb`
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import takewhile
from pathlib import PurePosixPath

from autograder.batch.files import File
from autograder.batch.submitter import Submitter
from autograder.errors import UserError, show_name

FORMS = {
    "Canvas": r"(?:(?P<name>[\w-]+?)(?:_(?P<late>LATE|late))?_(?P<id>\d+)|(?:(?P<late_too>LATE)_)?anon_(?P<anon>\w+?))"
    r"_(?:\d+_[^/]+|text\.html|link\.html)",
    "Moodle": r"(?P<name>[^/]+)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_/|/|_).+",
    "Blackboard": r"(?P<head>[^/]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_[^/]+|(?P<receipt>\.txt))",
    "nbgrader": r"(?:submitted/)?(?P<name>[^/]+)/[^/]+/(?:(?P<stamp>timestamp\.txt)|.+)",
    "GitHub Classroom": r"(?P<head>[^/]+)-(?:main|master)/.+",
    "Google Classroom": r"(?P<name>[^/]+?) - (?P<title>[^/]+)",
}
PATTERNS = {form: re.compile(pattern, re.DOTALL) for form, pattern in FORMS.items()}
COPY = re.compile(r"^Copy of |\s*\(\d+\)(?=\.)")
RECEIPT = re.compile(r"\s*Name: *(?P<name>[^\n]*\S) *\((?P<id>[^\n()]+)\)")
Matches = Mapping[File, "re.Match[str]"]


@dataclass
class HandIn:
    """What one person handed in at one time.

    Attributes:
        name: of the submission
        late: whether the file's name says so
    """

    name: str
    submitter: Submitter
    files: list[File]
    handed_in: datetime | None = None
    late: bool = False


@dataclass(frozen=True)
class Download:
    """A download of one of `FORMS`, and the files that are no part of it."""

    form: str
    hand_ins: Sequence[HandIn]
    others: Sequence[File]


def read_download(files: Sequence[File], base: PurePosixPath) -> Download | None:
    """Read files below `base` as a download, if most of them are named as one of the forms has it.

    Most: what a few students name so makes no form.
    """
    for form, pattern in PATTERNS.items():
        found = {file: pattern.fullmatch(file.place.relative_to(base).as_posix()) for file in files}
        matches = {file: match for file, match in found.items() if match}
        if 2 * len(matches) > len(files) and CONDITIONS[form](matches):
            return Download(form, READERS.get(form, _read)(matches), [file for file in files if file not in matches])
    return None


def _read(matches: Matches) -> list[HandIn]:
    """One hand-in a person; Canvas and Moodle pack the last attempt alone."""
    found: dict[tuple[str, str], HandIn] = {}
    for file, match in matches.items():
        part = match.groupdict()
        name, id, anonymous = part["name"], part.get("id") or "", part.get("anon")
        if anonymous:
            submitter = Submitter(f"anonymous {anonymous}", place=f"anon_{anonymous}")
        elif match.re is PATTERNS["Canvas"]:
            submitter = Submitter(show_name(name), canvas=id)
        else:
            submitter = Submitter(show_name(name), place=f"{name}_{id}")
        title = "_".join(filter(None, [name or submitter.place, id]))
        hand_in = found.setdefault(submitter.key, HandIn(title, submitter, []))
        hand_in.files.append(file)
        hand_in.late |= bool(part.get("late") or part.get("late_too"))
        if part.get("stamp"):
            hand_in.handed_in = _read_stamp(file)
    return list(found.values())


def _read_blackboard(matches: Matches) -> list[HandIn]:
    """One hand-in an attempt; whose is what the assignment's name, common to all, leaves of the file's."""
    ids = _cut_common([match["head"] for match in matches.values()], "_")
    found: dict[tuple[str, str], HandIn] = {}
    names: dict[str, str] = {}
    for file, match in matches.items():
        id, time = ids[match["head"]], match["time"]
        hand_in = found.setdefault((id, time), HandIn(f"{id}_{time}", Submitter(id), [], _read_time(time)))
        hand_in.files.append(file)
        if match["receipt"] and (name := _read_receipt(file)):
            names[id] = name
    for (id, _), hand_in in found.items():
        hand_in.submitter = Submitter(show_name(names.get(id, id)), place=id)
    return list(found.values())


def _read_github(matches: Matches) -> list[HandIn]:
    users = _cut_common([match["head"] for match in matches.values()], "-")
    found: dict[str, HandIn] = {}
    for file, match in matches.items():
        head = match["head"]
        submitter = Submitter(show_name(users[head]), place=head)
        found.setdefault(head, HandIn(users[head], submitter, [])).files.append(file)
    return list(found.values())


def _cut_common(heads: Sequence[str], separator: str) -> dict[str, str]:
    """Each text without the words that all of them begin with; a single one as it stands."""
    different = sorted(set(heads))
    length = _begin_alike(different).rfind(separator) + 1 if len(different) > 1 else 0
    return {head: head[length:] or head for head in different}


def _begin_alike(texts: Collection[str]) -> str:
    """What all texts begin with."""
    return "".join(column[0] for column in takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False)))


def _read_receipt(file: File) -> str:
    """The name at the head of Blackboard's receipt; what a student wrote stands further down."""
    with contextlib.suppress(UserError):
        if match := RECEIPT.match(file.read()[:1000].decode("utf-8-sig", "replace")):  # bytes: its first lines
            return match["name"]
    return ""


def _read_stamp(file: File) -> datetime | None:
    with contextlib.suppress(UserError, ValueError):
        text = file.read()[:100].decode("ascii", "replace").strip()  # bytes: it is one line
        time = datetime.strptime(text[:19], "%Y-%m-%d %H:%M:%S")
        return time.replace(tzinfo=timezone.utc) if text.endswith(("UTC", "+0000")) else time
    return None


def _read_time(text: str) -> datetime | None:
    with contextlib.suppress(ValueError):
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")
    return None


def _has_stamps(matches: Matches) -> bool:
    """Whether most people's folders hold nbgrader's time stamp."""
    people = {match["name"] for match in matches.values()}
    return 2 * len({match["name"] for match in matches.values() if match["stamp"]}) > len(people)


def _has_several_heads(matches: Matches) -> bool:
    """Whether there are several repositories of one assignment."""
    heads = {match["head"] for match in matches.values()}
    return len(heads) > 1 and "-" in _begin_alike(heads)


def _has_one_title(matches: Matches) -> bool:
    """Whether there are more names before the dash than titles behind it: `HW7 - ada` is no student HW7."""
    titles = {COPY.sub("", match["title"]) for match in matches.values()}
    return len({match["name"] for match in matches.values()}) > len(titles)


CONDITIONS: dict[str, Callable[[Matches], bool]] = {
    **dict.fromkeys(FORMS, bool),
    "nbgrader": _has_stamps,
    "GitHub Classroom": _has_several_heads,
    "Google Classroom": _has_one_title,
}
READERS = {"Blackboard": _read_blackboard, "GitHub Classroom": _read_github}
