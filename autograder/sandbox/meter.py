"""What a student's processes use, as the kernel counts it, and how long a request may wait for them."""

import select
import socket
import sys
import time
from pathlib import Path

from autograder.sandbox.session import is_member, list_processes

TICK = 0.1  # seconds between two looks at processes that do not answer
CLOCK_TICK = 0.01  # seconds; /proc counts in hundredths on every Linux
BUSY = ("R", "D")  # states of a thread that computes or waits for a processor or a disk, not for time to pass
COUNTS = sys.platform == "linux"  # elsewhere no kernel tells it so cheaply, and the clock on the wall is charged


class Meter:
    """Counts the seconds that one student process and whatever it starts are charged.

    Charged are CPU seconds of all threads and children, and the seconds in which nothing of the session could run,
    as while it sleeps. The time in which it waits for a processor is not charged: it is the machine's.

    Attributes:
        asleep: seconds charged without CPU time
    """

    def __init__(self, pid: int, session: int) -> None:
        self._pid, self._session = pid, session
        self.asleep = 0.0
        self._own = self._first = self._read_own()
        self._others = 0.0  # CPU seconds of further processes
        self._seen: float | None = None  # their sum at the last look
        self._looked = time.monotonic()

    def begin(self) -> None:
        """Begin a request: what others have used, or slept, until now is not on its account."""
        self._seen, self._looked = None, time.monotonic()

    @property
    def cpu(self) -> float:
        """CPU seconds since the process was forked."""
        self.stop()
        return self._own - self._first + self._others

    @property
    def charged(self) -> float:
        """All seconds charged so far."""
        return self.cpu + self.asleep

    def stop(self) -> None:
        """Read the clock a last time, before it ends with its process."""
        self._own = max(self._own, self._read_own())

    def look(self) -> None:
        """Count what has happened since the last look, if that was a while ago."""
        now = time.monotonic()
        passed = now - self._looked
        if passed < TICK:
            return
        before = self.cpu
        total, busy = read_session(self._session, self._pid) if COUNTS else (0.0, False)
        if self._seen is not None:
            self._others += max(0.0, total - self._seen)
        self._seen, self._looked = total, now
        if not busy and self.cpu - before < CLOCK_TICK:
            self.asleep += min(passed, 2 * TICK) if COUNTS else passed  # more passed only where the grader had to wait

    def _read_own(self) -> float:
        if not COUNTS:
            return 0.0
        try:
            return time.clock_gettime((~self._pid << 3) | 2)  # how Linux names the CPU clock of a process
        except OSError:  # it is gone
            return 0.0


class Allowance:
    """What one request may be charged, and when the whole run ends.

    Args:
        meter: of the process that is asked
        seconds: that it may be charged
        end: of the run, in seconds of time.monotonic()
    """

    def __init__(self, meter: Meter, seconds: float, end: float) -> None:
        meter.begin()
        self._meter, self._end = meter, end
        self._most = meter.charged + seconds

    def wait(self, sock: socket.socket, writing: bool = False) -> None:
        """Wait until a socket can be read, or written; raise TimeoutError where nothing is left."""
        while True:
            ready = is_ready(sock, writing, TICK)
            self._meter.look()
            if self.is_used_up():
                raise TimeoutError
            if ready:
                return

    def is_used_up(self) -> bool:
        """Tell whether the request has had all it may have."""
        return self._meter.charged > self._most or time.monotonic() > self._end


def is_ready(sock: socket.socket, writing: bool, seconds: float) -> bool:
    """Tell whether a socket can be read, or written, within some seconds."""
    readable, writable, _ = select.select([] if writing else [sock], [sock] if writing else [], [], max(0.0, seconds))
    return bool(readable or writable)


def read_session(session: int, pid: int) -> tuple[float, bool]:
    """Return the CPU seconds of a session's processes but those on `pid`'s own clock, and whether any can run."""
    ticks, busy = 0, False
    for member in list_processes():
        if not is_member(member, session):
            continue
        try:
            fields = Path(f"/proc/{member}/stat").read_bytes().rpartition(b")")[2].split()
            states = [Path(task, "stat").read_bytes().rpartition(b")")[2].split()[0] for task in _list_tasks(member)]
        except OSError:  # it ended meanwhile
            continue
        user, system, *of_children = map(int, fields[11:15])  # fields 14 to 17 of proc(5): utime to cstime
        ticks += sum(of_children) + (0 if member == pid else user + system)
        busy |= any(state.decode() in BUSY for state in states)
    return ticks * CLOCK_TICK, busy


def _list_tasks(pid: int) -> list[Path]:
    return list(Path(f"/proc/{pid}/task").iterdir())
