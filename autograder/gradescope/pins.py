"""What is installed on Gradescope, to the version: the lines of the two files that `setup.sh` installs."""

from __future__ import annotations

FILES = ("torch.txt", "requirements.txt")  # beside this module


def list_pins(text: str) -> list[str]:
    """The requirements of a file that pip reads, such as `numpy==2.4.6 ; python_version < '3.12'`, without hashes."""
    return [line.rstrip(" \\") for line in text.splitlines() if line and line[0] not in "# "]
