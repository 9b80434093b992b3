"""A bare Debian root: made once by debootstrap, copied for each use."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

from autograder import tree
from autograder.dry_run.pip_settings import PipSettings
from autograder.errors import UserError

SUITE = "bookworm"
PACKAGES = "python3,ca-certificates"  # all that is added to Debian's smallest root
FOLDER = tree.BUILD / "bare-root"
BARE, USED = FOLDER / SUITE, FOLDER / "gradescope"
NEEDED = ("debootstrap", "unshare", "setpriv", "chroot")


def find_obstacle() -> str:
    """Why no root can be made here; empty where one can."""
    if os.geteuid() != 0:
        return "only root can make a bare root: run it with sudo"
    if missing := [name for name in NEEDED if shutil.which(name) is None]:
        return f"{missing[0]} is not installed: apt-get install debootstrap util-linux"
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True).returncode:
        return "this machine does not let root mount anything (an ordinary container): use a virtual machine"
    return ""


def make_root(archive: Path, submission: Path, settings: PipSettings) -> Path:
    """Make a fresh root with `/autograder` in it as Gradescope has it; the last one is deleted.

    Raises UserError where that is not possible here.
    """
    if obstacle := find_obstacle():
        raise UserError(f"the dry run: {obstacle}")
    _make_bare()
    shutil.rmtree(USED, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", str(BARE), str(USED)], check=True)
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile(f"/etc/{name}", USED / "etc" / name)
    settings.copy_files(USED)
    _lay_out(USED / "autograder", archive, submission)
    return USED


def measure_disk(root: Path) -> int:
    """The bytes that a root's files take up on its disk."""
    out = subprocess.run(["du", "--summarize", "--block-size=1", str(root)], capture_output=True, text=True, check=True)
    return int(out.stdout.split()[0])


def _make_bare() -> None:
    """Run debootstrap, unless it has been run."""
    if BARE.exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = FOLDER / f".{SUITE}"
    shutil.rmtree(made, ignore_errors=True)
    log = FOLDER / "debootstrap.log"
    with log.open("w") as stream:
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(made)]
        done = subprocess.run(["unshare", "--mount", *command], stdout=stream, stderr=subprocess.STDOUT)
    if done.returncode:
        raise UserError(f"the dry run: debootstrap failed, {log} says why")
    shutil.rmtree(made / "var" / "cache" / "apt", ignore_errors=True)
    made.rename(BARE)


def _lay_out(folder: Path, archive: Path, submission: Path) -> None:
    """`/autograder` as Gradescope makes it, with metadata such as it gives."""
    for name in ("source", "submission", "results"):
        (folder / name).mkdir(parents=True)
    with ZipFile(archive) as zipped:
        for member in zipped.infolist():
            path = Path(zipped.extract(member, folder / "source"))
            path.chmod((member.external_attr >> 16) & 0o777)  # the upper half holds the Unix mode
    shutil.copy(folder / "source" / "run_autograder", folder / "run_autograder")
    shutil.copy(submission, folder / "submission")
    (folder / "submission_metadata.json").write_text(METADATA, encoding="utf-8")


METADATA = """\
{
 "id": 1,
 "created_at": "2026-10-01T12:00:00.000000-07:00",
 "submission_method": "upload",
 "assignment": {"id": 1, "title": "Homework", "course_id": 1, "total_points": "100.0"},
 "users": [{"id": 1, "email": "oski@example.edu", "name": "Oski Bear"}],
 "previous_submissions": []
}
"""
