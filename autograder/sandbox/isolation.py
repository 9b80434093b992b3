"""Which layers a run asks for, which it got, and a plain sentence about what is missing."""

import os
import pwd
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import tree
from autograder.errors import UserError

FOLDER_SIZE = 64 << 20  # bytes; as Docker gives /dev/shm
MEMORY = 4 << 30  # bytes of address space; torch itself maps about 1
PROCESSES = 100  # of one user: a snapshot per question, and some for the student
RESERVE = 100  # processes and descriptors for copies of the state, when student code has used up its own
FIRST_UID, LAST_UID = 30_000, 59_999  # above people and services, within what a user namespace maps
SYSTEM = [
    *("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/passwd", "/etc/group"),
    *("/etc/nsswitch.conf", "/etc/mime.types", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat"),
    *("/sys/devices/system/cpu", "/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"),
]
MISSING = {
    "user": "student code runs as the same user as the grader, since that is not root",
    "landlock": "this kernel has no Landlock, so files are as open as their owner left them",
    "seccomp": "seccomp is not there (install pyseccomp and libseccomp2), so programs and sockets are not refused",
    "folder": "nothing may be mounted, so the student's folder has no size limit but is emptied once it is too large",
    "limits": "not every limit could be set",
    "memory": "the kernel may pick the grader when memory runs out",
    "privileges": "programs could gain privileges",
}
PROBE = "import importlib.util as u, sys; sys.exit(not (u.find_spec('torch') and u.find_spec('json')))"


def choose_uid() -> int | None:
    """Return a private, random user id if this process may become another user, else None."""
    if os.geteuid() != 0:
        return None
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    return random.SystemRandom().choice([uid for uid in range(FIRST_UID, LAST_UID + 1) if uid not in taken])


def is_interpreter_closed(uid: int) -> bool:
    """Tell whether another user cannot read this interpreter, as under a home of mode 0700: by trying it."""
    command = [sys.executable, "-I", "-c", PROBE]
    try:
        tried = subprocess.run(command, user=uid, group=uid, extra_groups=[], env={}, cwd="/", capture_output=True)
    except (OSError, subprocess.SubprocessError):
        return True
    return tried.returncode != 0


@dataclass(frozen=True)
class Isolation:
    """What one run is locked down with.

    Attributes:
        uid: the private user, or None to stay the same one
        closed: whether that user cannot read the interpreter
        course: the folder that holds the package `given`
        seconds: of the whole run
        required: names of layers without which nothing may run
    """

    uid: int | None
    closed: bool
    course: Path
    seconds: float
    required: tuple[str, ...]

    def options(self, home: Path) -> dict[str, Any]:
        """Return what a student's process needs to know to lock itself down."""
        rlimits = {
            "RLIMIT_AS": MEMORY,
            "RLIMIT_CPU": int(self.seconds) + 60,  # a second net below the deadlines
            "RLIMIT_FSIZE": FOLDER_SIZE,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
        }
        limits = {name: [value, value] for name, value in rlimits.items()}
        limits["RLIMIT_NOFILE"][1] += RESERVE
        limits["RLIMIT_AS"][1] += MEMORY // 8
        if self.uid is not None:  # counts per user, so only a private one can be bounded
            limits["RLIMIT_NPROC"] = [PROCESSES, PROCESSES + RESERVE]
        return {
            "home": str(home),
            "given": str(self.course),
            "uid": self.uid,
            "keep_reading": self.closed,
            "folder_size": FOLDER_SIZE,
            "rlimits": limits,
            "readable": [*interpreter_folders(), *SYSTEM, str(self.course)],
        }

    def report(self, layers: dict[str, Any]) -> dict[str, Any]:
        """Return the layers in force, with a sentence about the rest.

        Raises:
            UserError: if a required one is not in force
        """
        if any(tree.ROOT.is_relative_to(folder) for folder in interpreter_folders()):
            layers = {**layers, "landlock": 0}  # what may be read includes the tests
        missing = [name for name in MISSING if not layers.get(name)]
        for name in self.required:
            if name in missing or name not in MISSING:
                why = MISSING.get(name, f"there is no such layer, only {', '.join(MISSING)}")
                raise UserError(f"grading.yml: the sandbox layer {name!r} is required, but {why}")
        notes = [MISSING[name] for name in missing]
        if layers.get("reads_by"):
            notes.append(f"the interpreter lies under a closed home, so students keep {layers['reads_by']} to read it")
        return {**layers, "note": "; ".join(notes)}


def interpreter_folders() -> list[str]:
    """Return the folders of the interpreter and its packages."""
    return list(dict.fromkeys([sys.prefix, sys.base_prefix]))
