"""What pip needs to work inside a bare root as it does here: the files and folders that its own settings name."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

INDEX = ("index-url", "extra-index-url")  # a local index's links lead to a folder beside it
EXISTING_FILE = re.compile(r"^\s*(/.*), exists: True$", re.MULTILINE)
PASSED_ON = re.compile(r"(PIP_\w+|(https?|no|all)_proxy)", re.IGNORECASE)


@dataclass(frozen=True)
class PipSettings:
    """Small files to copy to the same place, folders to show at the same place, variables to set."""

    files: list[Path]
    folders: list[Path]
    variables: dict[str, str]

    def copy_files(self, root: Path) -> None:
        """Copy the files into a root."""
        for path in self.files:
            inside = root / path.relative_to("/")
            inside.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, inside)


def read_pip_settings() -> PipSettings:
    """Ask pip for its settings, and find the local files and folders among them."""
    listed, described = _ask_pip("list"), _ask_pip("debug")
    places = {Path(name) for name in EXISTING_FILE.findall(described)}
    for line in listed.splitlines():
        option, _, value = line.partition("=")
        places |= set(_find_places(option.rpartition(".")[2], str(ast.literal_eval(value))))
    return PipSettings(
        files=sorted(path for path in places if path.is_file()),
        folders=sorted(path for path in places if path.is_dir()),
        variables={name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)},
    )


def _ask_pip(question: str) -> str:
    command = [sys.executable, "-m", "pip", "config", question]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _find_places(option: str, value: str) -> list[Path]:
    paths = [Path(word.removeprefix("file://")) for word in value.split()]
    local = [path for path in paths if path.is_absolute() and path.exists()]
    return [path.parent for path in local] if option in INDEX else local
