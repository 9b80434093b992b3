"""Which file of all that one person handed in is graded: one rule, for a class as on Gradescope."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from autograder import tree
from autograder.errors import UserError, show_name
from autograder.upload import is_student_file

KINDS = (".ipynb", ".zip", ".py")  # a notebook goes before the zip it may lie beside, and before modules
WHAT = {".ipynb": "notebooks", ".zip": "zip files", ".py": "Python files"}
GIVEN = {tree.GIVEN.name, tree.KIT.name, tree.TESTS.name}  # folders of the release that students hand in along
SHOWN = 3  # names in a line


def choose_file(places: Sequence[PurePath]) -> PurePath:
    """The only notebook, else the only zip, else the only script that is none of the release's modules.

    Args:
        places: of the files, below the folder that is one person's; hidden files and macOS's copies do not count

    Raises UserError with what is wrong and the remedy, but without saying whose, where there is none or several.
    """
    for kind in KINDS:
        found = [place for place in places if is_candidate(place, kind)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UserError(f"has {len(found)} {WHAT[kind]} ({_name(found)}): hand in the one to be graded")
    raise UserError(f"has no notebook (found: {_name(places) or 'nothing'}): hand in the .ipynb that you filled in")


def is_candidate(place: PurePath, *kinds: str) -> bool:
    """Whether a file may be what is graded, by its name."""
    if place.suffix.lower() not in (kinds or KINDS) or not is_student_file(place):
        return False
    return place.suffix.lower() != ".py" or not GIVEN & set(place.parts[:-1])


def _name(places: Sequence[PurePath]) -> str:
    return ", ".join(show_name(str(place)) for place in places[:SHOWN]) + ", ..." * (len(places) > SHOWN)
