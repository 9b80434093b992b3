"""What the notebook stands on: Python, packages and the files beside it. Its first cell calls `prepare`.

Nothing but Python's own library is imported here, so that a package that is missing can be told by name.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).parent.parent
FILES = ("tests", "kit", "given", "requirements.txt")
OLDEST, NEWEST = (3, 10), (3, 14)  # Python, by requirements.txt
SHOWN = ("torch", "numpy", "otter-grader")
OPENS_NOTEBOOKS = ("jupyterlab",)  # so do VS Code, Colab and the grader
LEFT_TO_COLAB = ("ipykernel", "ipython", "ipywidgets")  # its own notebooks need them as they are there


class Stop(Exception):
    """Ends a cell with its own words in place of a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


def prepare(folder: Path = FOLDER) -> None:
    """Say that all is ready, or what is wrong and the command that repairs it; on Colab, install what is missing.

    Raises Stop where the notebook cannot go on: a file or a package is missing, or Python is too old.
    """
    if on_colab():
        install_missing(folder)
    problems, fatal = find_problems(folder)
    if fatal:
        raise Stop("\n".join(problems))
    versions = ", ".join(f"{name} {_version(name)}" for name in SHOWN)
    print("\n".join(problems) or f"Ready: Python {_python()}, {versions}, and all files are here.")


def find_problems(folder: Path = FOLDER) -> tuple[list[str], bool]:
    """Compare what is there with what is needed; returns lines to print, and whether nothing can work like this.

    The lines end with the command that repairs what they tell.
    """
    if missing := [name for name in FILES if not (folder / name).exists()]:
        what = ", ".join(missing)
        return [f"Missing beside the notebook: {what}. Unpack the whole release again and open its notebook."], True
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        span = " to ".join(".".join(map(str, version)) for version in (OLDEST, NEWEST))
        repair = "Repair: conda create -n transformers python=3.12, then choose it as the notebook's kernel."
        return [f"Python {span} is needed, this is {_python()}.", repair], sys.version_info[:2] < OLDEST
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
    lines.append("Then: Kernel, Restart Kernel.")
    return lines, any(_version(name) is None for name, _ in wrong)


def read_requirements(folder: Path) -> dict[str, str]:
    """Read `requirements.txt`: the needed versions by package, without those that are needed elsewhere only."""
    ignored = OPENS_NOTEBOOKS + (LEFT_TO_COLAB if on_colab() else ())
    found = re.findall(r"^([A-Za-z][\w.-]*)([^#;\s]*)", (folder / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    return {name: needed for name, needed in found if name not in ignored}


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


def _python() -> str:
    return ".".join(map(str, sys.version_info[:3]))
