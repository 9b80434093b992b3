"""Locks a freshly forked process down, before any student code is in it."""

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
    uid = options["uid"]
    layers: dict[str, Any] = {
        "folder": uid is not None and mount_folder(options["home"], options["folder_size"], uid),
        "memory": prefer_to_be_killed(),
    }
    os.umask(0o077)
    layers["limits"] = set_limits(options["rlimits"])
    layers["reads_by"] = become_user(uid, options["keep_reading"]) if uid is not None else ""
    layers["user"] = uid is not None
    layers["privileges"] = give_up_privileges()
    linux = sys.platform == "linux"
    layers["landlock"] = restrict_files(options["readable"], [options["home"], "/dev/null"]) if linux else 0
    kept_in = layers["user"] or layers["landlock"] >= SCOPED
    layers["seccomp"] = linux and restrict_calls(with_signals=not kept_in)
    return layers


def close_output() -> None:
    """Send what is written past Python to nowhere: the grader's own output is not for students."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    os.close(nowhere)
