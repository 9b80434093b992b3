"""Landlock: the student's process reads the interpreter, writes its own folder and signals nobody else.

The kernel's user interface is documented in linux/landlock.h; the numbers are the same on every architecture.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls
WRITE_FILE, READ_FILE, READ_DIR, MAKE_CHAR, MAKE_BLOCK, EXECUTE, TRUNCATE = 2, 4, 8, 1 << 6, 1 << 11, 1, 1 << 14
READ = READ_FILE | READ_DIR
FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE  # what may be said about a file that is no folder
RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}  # all rights, from this version on
NETWORK = 0b11  # bind and connect TCP, from version 4
SCOPES = 0b11  # abstract sockets and signals stay within the domain, from version 6
SIGNALS = 0b10
SCOPED = 6  # the version that knows scopes

libc = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """Return the version of Landlock that this kernel offers, 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(libc.syscall(CREATE_RULESET, None, 0, 1)))


def restrict_files(readable: Sequence[str], writable: Sequence[str]) -> int:
    """Allow reading below the one list of paths, everything but execution below the other; return the version."""
    version = landlock_version()
    if not version:
        return 0
    rights = max(mask for since, mask in RIGHTS.items() if since <= version)
    attributes = struct.pack("QQQ", rights, NETWORK, SCOPES)[: 8 if version < 4 else 16 if version < SCOPED else 24]
    ruleset = checked(libc.syscall(CREATE_RULESET, attributes, len(attributes), 0))
    for path in readable:
        add_rule(ruleset, path, READ)
    for path in writable:
        add_rule(ruleset, path, rights & ~(EXECUTE | MAKE_CHAR | MAKE_BLOCK))
    enforce(ruleset)
    return version


def restrict_signals() -> None:
    """Keep this process and its children from sending a signal to any process that already is, where possible."""
    if landlock_version() >= SCOPED:
        attributes = struct.pack("QQQ", 0, 0, SIGNALS)
        enforce(checked(libc.syscall(CREATE_RULESET, attributes, len(attributes), 0)))


def add_rule(ruleset: int, path: str, rights: int) -> None:
    """Allow these rights below a path; a path that does not exist is passed over."""
    if not Path(path).exists():
        return
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not Path(path).is_dir():
        rights &= FILE_ONLY
    checked(libc.syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, fd), 0))
    os.close(fd)


def enforce(ruleset: int) -> None:
    """Put a ruleset in force for this process and all it forks."""
    checked(libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def checked(result: int) -> int:
    """Return the result of a system call; raise OSError where it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
