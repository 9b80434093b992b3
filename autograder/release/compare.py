"""What is committed, held against what the source gives."""

from __future__ import annotations

import json

from autograder import tree
from autograder.errors import UserError
from autograder.release.leak import read_template
from autograder.release.manifest import Manifest

SHOWN = 10  # differences on one screen
REMEDY = "run `python -m autograder release` and commit it"


def check_committed(students: dict[str, bytes], manifest: Manifest) -> None:
    """Refuse a tree whose students' folder or manifest is not what its source gives.

    Raises UserError with one line for each file.
    """
    there = read_template(tree.TEMPLATE)
    problems = [
        f"{name}: {_say(name, there, students)}: {REMEDY}"
        for name in sorted({*there, *students})
        if there.get(name) != students.get(name)
    ]
    path = tree.RELEASES / f"{manifest['version']}.json"
    if not path.is_file():
        problems.append(f"{tree.RELEASES.name}/{path.name}: is not there: {REMEDY}")
    elif json.loads(path.read_text(encoding="utf-8")) != manifest:
        problems.append(f"{tree.RELEASES.name}/{path.name}: tells of another release: {REMEDY}")
    if problems:
        raise UserError("\n".join(problems[:SHOWN]))


def _say(name: str, there: dict[str, bytes], students: dict[str, bytes]) -> str:
    if name not in there:
        return "is not there"
    return "is not what the source gives" if name in students else "comes from nowhere"
