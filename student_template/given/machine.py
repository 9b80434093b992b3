"""What the notebook stands on: Python, packages and the files beside it. Its first cell calls `prepare`.

Nothing but Python's own library is imported here, so that a package that is missing can be told by name.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from given.packages import NEWEST, describe_grader

FOLDER = Path(__file__).parent.parent
FILES = ("tests", "kit", "given", "requirements.txt")
OLDEST = (3, 10)  # Python
KNOWS_NUMPY_2 = (2, 3)  # the first torch that works with it
SHOWN = ("torch", "numpy", "otter-grader")
RESTART = "Then: Kernel, Restart Kernel."
OPENS_NOTEBOOKS = ("jupyterlab",)  # so do VS Code, Colab and the grader
LEFT_TO_COLAB = ("ipykernel", "ipython", "ipywidgets")  # its own notebooks need them as they are there


class Stop(Exception):
    """Ends a cell with its own words in place of a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


def prepare(folder: Path = FOLDER) -> None:
    """Say that all is ready, or what is wrong and the command that repairs it; on Colab, install what is missing.

    Raises Stop where the notebook cannot go on: a file or a package is missing, Python is too old, or two packages
    are known not to work together.
    """
    if on_colab():
        install_missing(folder)
    problems, fatal = find_problems(folder)
    if fatal:
        raise Stop("\n".join(problems))
    versions = ", ".join(f"{name} {_version(name)}" for name in SHOWN)
    print("\n".join(problems) or f"Ready: Python {_python()}, {versions}, and all files are here.")
    print("\n".join([*find_newer(), describe_grader()]))


def find_problems(folder: Path = FOLDER) -> tuple[list[str], bool]:
    """Compare what is there with what is needed; returns lines to print, and whether nothing can work like this.

    The lines end with the command that repairs what they tell.
    """
    if missing := [name for name in FILES if not (folder / name).exists()]:
        what = ", ".join(missing)
        return [f"Missing beside the notebook: {what}. Unpack the whole release again and open its notebook."], True
    if sys.version_info[:2] < OLDEST:
        repair = "Repair: conda create -n transformers python=3.12, then choose it as the notebook's kernel."
        return [f"Python {_write(OLDEST)} or newer is needed, this is {_python()}.", repair], True
    torch, numpy = _version("torch"), _version("numpy")
    if torch and numpy and _numbers(torch) < KNOWS_NUMPY_2 and _numbers(numpy) >= (2,):
        found = f"torch {torch} does not work with numpy {numpy}, but with numpy 1.26."
        return [found, f'Repair, in a terminal: "{sys.executable}" -m pip install "numpy<2"', RESTART], True
    wrong = [
        (name, f"{name} {needed} is needed, found: {found or 'none'}.")
        for name, needed in read_requirements(folder).items()
        if not _is_right(found := _version(name), needed)
    ]
    if not wrong:
        return [], False
    repair = f'"{sys.executable}" -m pip install -r "{(folder / "requirements.txt").resolve()}"'
    lines = [line for _, line in wrong]
    lines.append(f"Repair, in a terminal: {repair}")
    lines.append(RESTART)
    return lines, any(_version(name) is None for name, _ in wrong)


def find_newer() -> list[str]:
    """One line if Python or packages are newer than what this homework was tried with; nothing need be wrong."""
    found = {name: _python() if name == "Python" else _version(name) or "" for name in NEWEST}
    newer = [
        f"{name} {found[name]} (tried: up to {newest})"
        for name, newest in NEWEST.items()
        if _numbers(found[name])[:2] > _numbers(newest)
    ]
    return [f"Newer than what this homework was tried with, so look out: {', '.join(newer)}."] if newer else []


def read_requirements(folder: Path) -> dict[str, str]:
    """Read `requirements.txt`: the needed versions by package, without those that are needed elsewhere only."""
    ignored = OPENS_NOTEBOOKS + (LEFT_TO_COLAB if on_colab() else ())
    text = (folder / "requirements.txt").read_text("utf-8")
    found = re.findall(r"^([A-Za-z][\w.-]*)([^#;\s]*) *;? *([^#\n]*)", text, re.MULTILINE)
    return {name: needed for name, needed, marker in found if name not in ignored and _holds(marker)}


def install_missing(folder: Path) -> None:
    """Install the packages that are not there; those that are there keep their version."""
    wanted = [name + needed for name, needed in read_requirements(folder).items() if _version(name) is None]
    if wanted:
        print("Installing", *wanted)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *wanted], check=False)


def on_colab() -> bool:
    """Whether this is a notebook on Google Colab."""
    return "google.colab" in sys.modules


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _is_right(found: str | None, needed: str) -> bool:
    try:
        from packaging.specifiers import SpecifierSet  # itself one of the requirements
    except ImportError:
        return found is not None
    return found is not None and SpecifierSet(needed).contains(found, prereleases=True)


def _holds(marker: str) -> bool:
    """Whether a line of `requirements.txt` is for this machine."""
    try:
        from packaging.markers import Marker
    except ImportError:
        return not marker
    return not marker or Marker(marker.strip()).evaluate()


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with: (2, 15, 0) of 2.15.0+cpu."""
    return tuple(map(int, re.findall(r"\d+", re.match(r"[\d.]*", version)[0])))  # type: ignore[index]


def _python() -> str:
    return _write(sys.version_info[:3])


def _write(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
