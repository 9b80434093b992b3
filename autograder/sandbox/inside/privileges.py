"""Another user, no new privileges, limits: what every Unix has, and a little that only Linux has."""

import contextlib
import ctypes
import os
import resource
import signal
import struct
import sys
from pathlib import Path

# numbers of linux/prctl.h, linux/capability.h and linux/mount.h
SET_PARENT_DEATH_SIGNAL, SET_DUMPABLE, KEEP_CAPABILITIES, SET_SUBREAPER, NO_NEW_PRIVILEGES = 1, 4, 8, 36, 38
CAPABILITY_VERSION = 0x20080522
OVERRIDE, READ_SEARCH = 1 << 1, 1 << 2  # Docker leaves a container the first only
NEW_MOUNTS = 0x00020000
PRIVATE, RECURSIVE, NO_SETUID, NO_DEVICES, NO_EXEC = 1 << 18, 1 << 14, 2, 4, 8

libc = ctypes.CDLL(None, use_errno=True)


def set_limits(limits: dict[str, list[int]]) -> bool:
    """Set rlimits, each soft and hard, by name; return whether all of them could be set."""
    done = True
    for name, values in limits.items():
        try:
            _, hard = resource.getrlimit(getattr(resource, name))
            soft, hard = values if hard == resource.RLIM_INFINITY else [min(value, hard) for value in values]
            resource.setrlimit(getattr(resource, name), (soft, hard))
        except (AttributeError, ValueError, OSError):
            done = False
    return done


def adopt_orphans() -> None:
    """Become the parent of what student processes leave behind: a dead orphan that nobody buries still counts."""
    if sys.platform == "linux":
        libc.prctl(SET_SUBREAPER, 1, 0, 0, 0)


def prefer_to_be_killed() -> bool:
    """Make the kernel pick this process first when memory runs out."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")  # the largest value there is
    except OSError:
        return False
    return True


def mount_folder(home: str, size: int, uid: int) -> bool:
    """Give the private folder a file system of its own with a limited size, which ends with the last process."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    options = f"size={size},nr_inodes=4096,mode=0700,uid={uid},gid={uid}".encode()
    flags = NO_SETUID | NO_DEVICES | NO_EXEC
    return bool(
        libc.unshare(NEW_MOUNTS) == 0
        and libc.mount(b"none", b"/", None, PRIVATE | RECURSIVE, None) == 0
        and libc.mount(b"tmpfs", home.encode(), b"tmpfs", flags, options) == 0
    )


def become_user(uid: int, keep_reading: bool) -> str:
    """Become another user for good; return "" or how the interpreter stays readable.

    Args:
        uid: the user, and the only group
        keep_reading: whether to keep the capability to read everything, because the interpreter lies under a
            folder that is closed to others. Landlock then decides what can be read
    """
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    if keep_reading:
        libc.prctl(KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setresuid(uid, uid, uid)
    kept = keep_reading_capability() if keep_reading else ""
    with contextlib.suppress(PermissionError):
        os.setuid(0)
        os._exit(1)  # the way back is open: nothing of this process can be trusted
    return kept


def keep_reading_capability() -> str:
    """Keep one capability that opens files for reading, drop all others; return the name of the one kept, or ""."""
    for name, mask in (("CAP_DAC_READ_SEARCH", READ_SEARCH), ("CAP_DAC_OVERRIDE", OVERRIDE), ("", 0)):
        sets = struct.pack("IIIIII", mask, mask, 0, 0, 0, 0)  # effective, permitted, inheritable, and the upper half
        if libc.capset(struct.pack("Ii", CAPABILITY_VERSION, 0), sets) == 0:
            return name
    os._exit(1)


def give_up_privileges() -> bool:
    """Allow no new privileges, no core dumps and no life beyond the parent's."""
    if sys.platform != "linux":
        return False
    libc.prctl(SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    return int(libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)) == 0
