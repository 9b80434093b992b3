"""The processes of a student's session: which they are, and the end of those that must not outlive a question.

A session's number stays taken as long as its first process is not buried, which the preloaded process does when a run
is closed. Until then whoever is in the session belongs to the run.
"""

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


def signal_member(pid: int, session: int, number: signal.Signals) -> None:
    """Send a signal to a process, if it belongs to a session; one that takes its pid meanwhile is not hit."""
    with contextlib.suppress(OSError, OverflowError):
        if not hasattr(os, "pidfd_open"):  # no Linux
            if is_member(pid, session):
                os.kill(pid, number)
            return
        handle = os.pidfd_open(pid)
        try:
            if is_member(pid, session):
                signal.pidfd_send_signal(handle, number)
        finally:
            os.close(handle)


def kill_strays(session: int, keep: set[int]) -> None:
    """Kill what student code has left running in its session, except the processes to keep, and wait for their end."""
    for _ in range(200):  # a stray may fork while we look; rlimits bound how many
        strays = [pid for pid in list_processes() if pid not in keep and is_member(pid, session) and not is_zombie(pid)]
        for pid in strays:
            signal_member(pid, session, signal.SIGKILL)
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
