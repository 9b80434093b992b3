"""The preloaded process, from which every student's process is forked."""

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from autograder import tree
from autograder.errors import UserError
from autograder.sandbox.inside.channel import Channel, Closed, Wait
from autograder.sandbox.inside.wire import WireError
from autograder.sandbox.meter import is_ready
from autograder.sandbox.process import StudentProcess

HERE = Path(__file__).parent
BOOT = """
import gc, sys
gc.disable()  # imports leave no garbage, and to look for it takes a fifth of their time
sys.path[:0] = sys.argv[1:3]
from inside.zygote import main
del sys.path[:2]
main(int(sys.argv[3]))
"""
STARTING = 600.0  # seconds on the clock to import torch on a slow, cold disk, with other work on all cores
ENDING = 60.0  # seconds on the clock to kill what is left of a run


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
            [sys.executable, "-I", "-B", "-c", BOOT, str(HERE), str(tree.ASSIGNMENT), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=environment(self._folder),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()

    def wait(self, until: float | None = None) -> None:
        """Wait until everything is loaded, after a new start where it died.

        Args:
            until: when to give up, in seconds of time.monotonic()

        Raises:
            UserError: if it cannot be loaded, or is not in ten minutes where no moment is given
            TimeoutError: if it is not loaded by that moment
        """
        if self.ready and self.popen.poll() is not None:  # killed from outside, as when memory runs out
            self.channel.close()
            self._start()
        if self.ready:
            return
        try:
            self.channel.receive(wait_until(time.monotonic() + STARTING if until is None else until))
        except TimeoutError:
            if until is not None:
                raise
            raise UserError(f"the sandbox did not start within {STARTING:g} s: is this machine very busy?") from None
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
            wait = wait_until(time.monotonic() + STARTING)
            self.channel.send({"op": "preload"}, [], wait)
            self.channel.receive(wait)
        except (Closed, OSError, WireError):
            raise UserError("the sandbox ended while it imported what notebooks need: is there memory left?") from None

    def start_student(self, options: dict[str, Any], until: float) -> tuple[StudentProcess, dict[str, Any]]:
        """Fork a locked-down student process; return it and the layers in force.

        Args:
            options: how to lock it down
            until: when its run must end, in seconds of time.monotonic()

        Raises:
            UserError: if that cannot be done
            TimeoutError: if the run must end before it is done
        """
        self.wait(until)
        ours, theirs = socket.socketpair()
        wait = wait_until(until)
        try:
            self.channel.send({"op": "start", **options}, [], wait, theirs.fileno())
            pid = self.channel.receive(wait)[0]["pid"]
            student = StudentProcess(Channel(ours), pid, session=pid, until=until)
            return student, student.channel.receive(wait)[0]["layers"]
        except TimeoutError:
            ours.close()
            self._break_off()
            raise
        except (Closed, OSError, WireError):
            ours.close()
            raise UserError("the sandbox cannot fork a process for the notebook: is there memory left?") from None
        finally:
            theirs.close()

    def end_student(self, student: StudentProcess, uid: int | None) -> None:
        """Kill every process of a student's session, and of its private user where it has one."""
        wait = wait_until(time.monotonic() + ENDING)
        try:
            self.channel.send({"op": "end", "pid": student.session, "uid": uid}, [], wait)
            self.channel.receive(wait)
        except TimeoutError:
            self._break_off()
        except (Closed, OSError):
            pass  # without it there are no students

    def _break_off(self) -> None:
        """End the process, whose late answer would be taken for that to the next request; `wait` starts it again."""
        self.popen.kill()
        self.popen.wait()

    def close(self) -> None:
        """End the preloaded process, and with it all students."""
        self.channel.close()
        self.popen.kill()
        self.popen.wait()


def wait_until(deadline: float) -> Wait:
    """Return how to wait for our own process: until a moment of time.monotonic(), for it is not a student's."""

    def wait(sock: socket.socket, writing: bool) -> None:
        if not is_ready(sock, writing, deadline - time.monotonic()):
            raise TimeoutError

    return wait


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
