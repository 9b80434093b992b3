"""The preloaded process, from which every student's process is forked."""

import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from autograder.errors import UserError
from autograder.sandbox.inside.channel import Channel, Closed
from autograder.sandbox.inside.wire import WireError
from autograder.sandbox.process import FORKING, StudentProcess

HERE = Path(__file__).parent
BOOT = """
import gc, sys
gc.disable()  # imports leave no garbage, and to look for it takes a fifth of their time
sys.path.insert(0, sys.argv[1])
from inside.zygote import main
del sys.path[0]
main(int(sys.argv[2]))
"""
STARTING = 120.0  # seconds to import torch on a slow, cold disk


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
