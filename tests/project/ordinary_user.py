"""Run a command as an ordinary user, also where the interpreter lies under a closed home.

    python tests/project/ordinary_user.py UID COMMAND...

Started by root. A home of mode 0700 is opened in a mount namespace of this process alone: the interpreter is mounted
over an empty folder, nothing else of the home can be seen. Exit code 99 says that no mounts are allowed here.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

# numbers of linux/sched.h and linux/mount.h
NEW_MOUNTS, PRIVATE, RECURSIVE, BIND = 0x20000, 1 << 18, 1 << 14, 1 << 12
REFUSED = 99


def open_path(folder: Path) -> None:
    """Make a folder reachable for everybody in this process and its children."""
    top = Path("/", folder.parts[1])
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_MOUNTS) or libc.mount(b"none", b"/", None, PRIVATE | RECURSIVE, None):
        sys.exit(REFUSED)
    keep = os.open(folder, os.O_PATH)  # in the new namespace
    libc.mount(b"none", bytes(top), b"tmpfs", 0, b"mode=0755")
    folder.mkdir(parents=True)
    if libc.mount(f"/proc/self/fd/{keep}".encode(), bytes(folder), None, BIND | RECURSIVE, None):
        sys.exit(REFUSED)
    os.close(keep)


def is_open(folder: Path) -> bool:
    """Tell whether everybody may pass through all folders on the way to this one."""
    return all(path.stat().st_mode & 1 for path in (folder, *folder.parents))


def main() -> None:
    """Become the user and the command."""
    uid, command = int(sys.argv[1]), sys.argv[2:]
    interpreter = Path(sys.base_prefix).resolve()
    if not is_open(interpreter):
        open_path(interpreter)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
