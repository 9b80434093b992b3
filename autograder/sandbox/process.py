"""The grader's end: starts the preloaded process and talks to student processes, which it interrupts and kills."""

import contextlib
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from autograder.errors import UserError
from autograder.sandbox.inside.channel import Channel, Closed
from autograder.sandbox.inside.wire import WireError
from autograder.sandbox.student_error import Reason, StudentError, read_failure

HERE = Path(__file__).parent
BOOT = """
import sys
sys.path.insert(0, sys.argv[1])
from inside.zygote import main
del sys.path[0]
main(int(sys.argv[2]))
"""
STARTING = 120.0  # seconds to import torch on a slow, cold disk
FORKING = 60.0  # seconds for a fork, a thousand times what it takes: the machine may be busy


class StudentProcess:
    """One process of a student and the channel to it. `pid` is what the student's side claims."""

    def __init__(self, channel: Channel, pid: int, session: int) -> None:
        self.channel, self.pid, self.session = channel, pid, session
        self.request = 0  # the number of the last one, random: an answer cannot be prepared
        self.dead: StudentError | None = None

    def ask(self, request: dict[str, Any], buffers: list[bytes], deadline: float) -> tuple[Any, list[bytes]]:
        """Send a request and return the reply; raise StudentError where it is an error or does not come."""
        if self.dead:
            raise self.dead.again()
        self.request = random.getrandbits(48)
        started = time.monotonic()
        try:
            self.channel.send({**request, "id": self.request}, buffers, deadline)
            reply, out = self.channel.receive(deadline)
            if type(reply) is not dict or reply.get("id") != self.request:
                raise WireError("answer to another request")
        except TimeoutError:
            raise self.end("timeout", f"no answer within {max(deadline - started, 0):.1f} s") from None
        except (Closed, OSError):
            raise self.end("died", "the process ended during this call") from None
        except WireError as error:
            raise self.end("died", f"the process sent a malformed answer: {error}") from None
        if "error" in reply:
            raise read_failure(reply["error"])
        return reply, out

    def run_cell(self, index: int, source: str, seconds: float) -> Any:
        """Run a cell; interrupt it at its limit. Raise StudentError where nothing but killing it helps."""
        if self.dead:
            raise self.dead.again()
        self.request = random.getrandbits(48)
        grace = min(seconds, 2.0)  # seconds an interrupted cell has to come back
        late = False
        try:
            self.channel.send({"op": "cell", "id": self.request, "index": index, "source": source}, [])
            late = not self._wait(seconds)
            if late:
                self.signal(signal.SIGINT)
                if not self._wait(grace / 2):
                    self.signal(signal.SIGINT)  # the first one may have been lost in a callback
            reply, _ = self.channel.receive(time.monotonic() + grace)
        except (Closed, OSError, WireError) as error:
            reason: Reason = "timeout" if isinstance(error, TimeoutError) else "died"
            raise self.end(reason, "it could not be interrupted" if late else "the process ended") from None
        if type(reply) is not dict or reply.get("id") != self.request:
            raise self.end("died", "the process sent a malformed answer")
        return reply, late

    def fork(self, deadline: float) -> "StudentProcess":
        """Return a copy of this process in the state it has now."""
        if self.dead:
            raise self.dead.again()
        self.request = random.getrandbits(48)
        ours, theirs = socket.socketpair()
        try:
            self.channel.send({"op": "fork", "id": self.request}, [], deadline, theirs.fileno())
            reply, _ = self.channel.receive(deadline)
            pid = reply.get("pid") if type(reply) is dict else None
            if type(pid) is int and is_member(pid, self.session):
                return StudentProcess(Channel(ours), pid, self.session)
        except (Closed, OSError, WireError):
            self.end("died", "the process ended")
        finally:
            theirs.close()
        ours.close()
        raise StudentError("died", "no copy of the process could be made")

    def is_alive(self) -> bool:
        """Tell whether the other end of the channel is still open and silent."""
        return self.dead is None and not self._wait(0)

    def end(self, reason: Reason, message: str) -> StudentError:
        """Kill the process and return the error that every later call raises."""
        self.dead = StudentError(reason, message)
        self.signal(signal.SIGKILL)
        self.channel.close()
        return self.dead

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, but only to a process of this run."""
        if is_member(self.pid, self.session):
            os.kill(self.pid, number)

    def _wait(self, seconds: float) -> bool:
        return bool(select.select([self.channel.sock], [], [], seconds)[0])


def is_member(pid: int, session: int) -> bool:
    """Tell whether a process lives and belongs to a student's session, so that no claimed pid can misdirect us."""
    try:
        return pid > 1 and os.getsid(pid) == session
    except (OSError, OverflowError):
        return False


class Zygote:
    """The preloaded process, freshly exec'ed with an empty environment: a fork of the grader would hold its tests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        self.channel = Channel(ours)
        self.ready = False
        self.popen = subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", BOOT, str(HERE), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=environment(self._folder),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()

    def wait(self) -> None:
        """Wait until everything is loaded, after a new start where it died; raises UserError if that fails."""
        if self.ready and self.popen.poll() is not None:  # killed from outside, as when memory runs out
            self.channel.close()
            self._start()
        if self.ready:
            return
        try:
            self.channel.receive(time.monotonic() + STARTING)
        except (Closed, OSError, WireError):
            works = f"`{sys.executable} -c 'import torch, IPython'`"
            raise UserError(f"the sandbox does not start: see whether {works} works") from None
        self.ready = True

    def preload(self) -> None:
        """Wait until everything is imported that a notebook is likely to import.

        Raises:
            UserError: if the process has ended
        """
        self.wait()
        try:
            self.channel.send({"op": "preload"}, [], time.monotonic() + STARTING)
            self.channel.receive(time.monotonic() + STARTING)
        except (Closed, OSError, WireError):
            raise UserError("the sandbox ended while it imported what notebooks need: is there memory left?") from None

    def start_student(self, options: dict[str, Any]) -> tuple[StudentProcess, dict[str, Any]]:
        """Fork a locked-down student process; return it and the layers in force.

        Raises:
            UserError: if that cannot be done
        """
        self.wait()
        ours, theirs = socket.socketpair()
        try:
            deadline = time.monotonic() + STARTING  # it may still be importing
            self.channel.send({"op": "start", **options}, [], deadline, theirs.fileno())
            pid = self.channel.receive(deadline)[0]["pid"]
            student = StudentProcess(Channel(ours), pid, session=pid)
            return student, student.channel.receive(deadline)[0]["layers"]
        except (Closed, OSError, WireError):
            ours.close()
            raise UserError("the sandbox cannot fork a process for the notebook: is there memory left?") from None
        finally:
            theirs.close()

    def end_student(self, student: StudentProcess, uid: int | None) -> None:
        """Kill every process of a student's session, and of its private user where it has one."""
        deadline = time.monotonic() + FORKING
        with contextlib.suppress(Closed, OSError):  # without it there are no students
            self.channel.send({"op": "end", "pid": student.session, "uid": uid}, [], deadline)
            self.channel.receive(deadline)

    def close(self) -> None:
        """End the preloaded process, and with it all students."""
        self.channel.close()
        self.popen.kill()
        self.popen.wait()


def environment(folder: Path) -> dict[str, str]:
    """Return the whole environment of the preloaded process: nothing is inherited."""
    home = str(folder)
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "USER": "student",
        "HOME": home,
        "TMPDIR": home,
        "IPYTHONDIR": home,
        "MPLCONFIGDIR": home,
        "MPLBACKEND": "Agg",
        "PLOTLY_RENDERER": "json",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def kill_strays(session: int, keep: set[int]) -> None:
    """Kill what student code has left running in its session, except the processes to keep, and wait for their end."""
    for _ in range(200):  # a stray may fork while we look; rlimits bound how many
        strays = [pid for pid in processes() if pid not in keep and is_member(pid, session) and not is_zombie(pid)]
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


def processes() -> list[int]:
    """Return the ids of all processes, as far as the system shows them."""
    try:
        with os.scandir("/proc") as entries:  # a Path for each would take milliseconds, 90 times a grade
            return [int(entry.name) for entry in entries if entry.name.isdigit()]
    except OSError:
        return []
