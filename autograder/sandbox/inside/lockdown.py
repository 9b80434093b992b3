"""Locks a freshly forked process down, before any student code is in it."""

import contextlib
import os
import sys
from typing import Any

from .landlock import SCOPED, restrict_files
from .privileges import become_user, give_up_privileges, mount_folder, prefer_to_be_killed, set_limits
from .syscalls import restrict_calls


def lock_down(options: dict[str, Any]) -> dict[str, Any]:
    """Put every layer in force that this system offers; return what each has become.

    Args:
        options: `home`, `folder_size`, `uid` (None to stay the same user), `keep_reading`, `rlimits`, `readable`

    Returns:
        `folder`, `limits`, `memory`, `user`, `reads_by` (a capability, or ""), `privileges`, `landlock` (its version
        or 0), `seccomp`
    """
    close_output()
    os.umask(0o077)
    home, uid = options["home"], options["uid"]
    layers: dict[str, Any] = {"folder": False, "user": False, "reads_by": "", "landlock": 0, "seccomp": False}
    layers["memory"] = prefer_to_be_killed()
    layers["limits"] = set_limits(options["rlimits"])
    with contextlib.suppress(OSError):  # a layer that cannot be had is reported; the grader decides
        if uid is not None:
            layers["folder"] = mount_folder(home, options["folder_size"], uid)
            layers["reads_by"] = become_user(uid, options["keep_reading"])
            layers["user"] = True
    layers["privileges"] = give_up_privileges()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            layers["landlock"] = restrict_files(options["readable"], [home, "/dev/null"])
        kept_in = layers["user"] or layers["landlock"] >= SCOPED
        with contextlib.suppress(OSError):
            layers["seccomp"] = restrict_calls(with_signals=not kept_in, as_owner=not layers["user"])
    return layers


def close_output() -> None:
    """Send what is written past Python to nowhere: the grader's own output is not for students."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    os.close(nowhere)
