"""Texts that instructors write."""

from __future__ import annotations

from pathlib import Path

from autograder.errors import UserError


def read_text(path: Path) -> str:
    """Read a text, without the byte-order mark that Windows' editors put before it.

    Raises UserError with one line where it cannot be read or is not UTF-8.
    """
    try:
        data = path.read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise UserError(f"{path.name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path.name}:{line}: is not UTF-8 text: save it as UTF-8") from None
