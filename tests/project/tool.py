"""The tool as a user starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def start(root: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start a command in a folder that is laid out as the repository."""
    command = [sys.executable, "-W", "error::SyntaxWarning", "-m", "autograder", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "COLUMNS": "200"}
    return subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a group of its own, as a terminal gives it
    )
