"""The processes of a student's session: which they are, and the end of those that must not outlive a question."""

import contextlib
import os
import signal
import time
from pathlib import Path


def is_member(pid: int, session: int) -> bool:
    """Tell whether a process lives and belongs to a student's session, so that no claimed pid can misdirect us."""
    try:
        return pid > 1 and os.getsid(pid) == session
    except (OSError, OverflowError):
        return False


def kill_strays(session: int, keep: set[int]) -> None:
    """Kill what student code has left running in its session, except the processes to keep, and wait for their end."""
    for _ in range(200):  # a stray may fork while we look; rlimits bound how many
        strays = [pid for pid in list_processes() if pid not in keep and is_member(pid, session) and not is_zombie(pid)]
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if not strays:
            return
        time.sleep(0.001)  # seconds: a killed process needs a moment to die


def is_zombie(pid: int) -> bool:
    """Tell whether a process is dead and only waits to be buried by its parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True


def list_processes() -> list[int]:
    """Return the ids of all processes, as far as the system shows them."""
    try:
        with os.scandir("/proc") as entries:  # a Path for each would take milliseconds, 90 times a grade
            return [int(entry.name) for entry in entries if entry.name.isdigit()]
    except OSError:
        return []
