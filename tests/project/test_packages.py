"""One list of what the grader has: the students' page, the first cell and the pinned versions say the same."""

from __future__ import annotations

import re

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from autograder import tree
from autograder.gradescope.pins import FILES, list_pins
from given.machine import read_requirements
from given.packages import NEWEST, THERE, describe_grader

PINS = [
    Requirement(pin)
    for name in FILES
    for pin in list_pins((tree.TOOL / "gradescope" / name).read_text(encoding="utf-8"))
]


def read_table() -> dict[str, list[str]]:
    page = (tree.ROOT / "docs" / "students.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z-]+) \| ([^|]*) ?\| ([^|]*) ?\| ([^|]+) \|$", page, re.MULTILINE)
    return {name: [cell.strip() for cell in cells] for name, *cells in rows if name != "package"}


@pytest.mark.parametrize("package", THERE)
def test_what_the_list_says_the_grader_has_is_what_is_pinned(package: str) -> None:
    versions = sorted(Version(str(pin.specifier).removeprefix("==")) for pin in PINS if pin.name == package)
    assert THERE[package] == " to ".join(dict.fromkeys(map(str, (versions[0], versions[-1]))))


def test_the_students_page_says_what_the_list_and_the_requirements_say() -> None:
    needed = read_requirements(tree.ASSIGNMENT)
    told = {name: re.sub(r">=([\d.]+),<(\d+)", r"\1 or newer, below \2", needed.get(name, "")) for name in THERE}
    assert read_table() == {name: [told[name], NEWEST.get(name, ""), THERE[name]] for name in THERE}


def test_the_newest_python_that_was_tried_is_the_last_that_the_project_supports() -> None:
    major, minor = map(int, NEWEST["Python"].split("."))
    assert f'requires-python = ">=3.10,<{major}.{minor + 1}"' in (tree.ROOT / "pyproject.toml").read_text("utf-8")


def test_the_versions_that_were_tried_are_the_bounds() -> None:
    """The last table of `make versions` goes with the requirements and with what the first cell tells."""
    page = (tree.ROOT / "docs" / "versions.md").read_text(encoding="utf-8")
    rows = {
        row.split(" | ")[0]: row.split(" | ")[2:5] for row in re.findall(r"^\| ((?:oldest|newest) .*) \|$", page, re.M)
    }
    needed = read_requirements(tree.ASSIGNMENT)
    for place, name in enumerate(("torch", "numpy", "scikit-learn")):
        assert needed[name].startswith(f">={rows['oldest'][place].removesuffix('.0')},")
        assert rows["newest"][place].startswith(f"{NEWEST[name]}.")


def test_one_line_tells_them_all() -> None:
    line = describe_grader()
    assert "\n" not in line
    assert all(f"{name} {version}" in line for name, version in THERE.items())
