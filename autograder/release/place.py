"""Finished files and folders, put where the old ones are; nothing is lost on the way."""

import shutil
from pathlib import Path


def put_in_place(built: Path, names: list[str], folder: Path) -> None:
    """Move finished files and folders out of a work folder on the same disk into `folder`.

    Each is renamed, never copied; where that fails, the old one stays.
    """
    for name in names:
        new, old = built / name, folder / name
        aside = built / f"{name}.old"
        if old.is_dir():
            old.rename(aside)
        try:
            new.replace(old)
        except OSError:
            if aside.exists():
                aside.rename(old)
            raise
        shutil.rmtree(aside, ignore_errors=True)
