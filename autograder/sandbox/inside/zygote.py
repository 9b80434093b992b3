"""The preloaded process: imports once, then forks one student process per run. No student code runs in it."""

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

from .channel import Channel, Closed
from .compiler import postpone_compiler
from .lockdown import lock_down
from .pages import collapse_pages
from .privileges import adopt_orphans
from .restore import pin_threads
from .service import serve_student
from .shell import Notebook, stub_module

# not scikit-learn: its 850 areas of memory make a fork 3 ms dearer
LIKELY = ["IPython.core.logger", "plotly.graph_objects", "plotly.subplots", "tqdm.auto"]


def serve_grader(channel: Channel, notebook: Notebook) -> None:
    """Fork a student process for each request; end, with all of them, when the grader is gone.

    A student's process is buried when its run is over and not before: until then nobody else can get its number, nor
    a session of that number, by which the grader knows whom it may kill.
    """
    students: set[int] = set()
    signal.signal(signal.SIGCHLD, lambda *_: bury_orphans(students))
    while True:
        try:
            request, _, fd = channel.receive_with_fd()
        except (Closed, OSError):
            break
        if request["op"] == "end":
            end_student(request["pid"], request["uid"])
            students.discard(request["pid"])
            with contextlib.suppress(ChildProcessError):
                os.waitpid(request["pid"], 0)
            channel.send({"ended": True}, [])
            continue
        if request["op"] == "preload":
            preload()
            channel.send({"loaded": True}, [])
            continue
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])  # one that dies at once must not be buried unknown
        pid = os.fork()
        if pid == 0:
            channel.close()
            become_student(fd, notebook, request)
        students.add(pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        os.close(fd)
        channel.send({"pid": pid}, [])
    for pid in students:
        end_student(pid, None)


def end_student(pid: int, uid: int | None) -> None:
    """Kill a student's process group, then every process of its user, from a process that can hit no other."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # not buried yet, so the number is its own
    if uid is None:
        return
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    with contextlib.suppress(ChildProcessError):  # the handler may have buried it
        os.waitpid(pid, 0)


def bury_orphans(students: set[int]) -> None:
    """Bury what has died and is no student of a run that goes on."""
    for pid in list_children():
        if pid not in students:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def list_children() -> list[int]:
    """Return this process's children, adopted ones included."""
    try:
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:  # not every kernel has this list; then they are buried when this process ends
        return []


def become_student(fd: int, notebook: Notebook, request: dict[str, Any]) -> None:
    """Lock this process down and serve the notebook; never returns."""
    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        home = request["home"]
        sys.path[:0] = [home, request["given"]]
        os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR"), home))
        tempfile.tempdir = None  # look again
        layers = lock_down(request)
        os.chdir(home)
        notebook.shell.home = home
        serve_student(socket.socket(fileno=fd), notebook, home, layers)
    finally:
        os._exit(1)


def preload(channel: Channel | None = None) -> None:
    """Import what notebooks are likely to import; with a channel only as long as the grader asks for nothing."""
    for name in LIKELY:
        if channel and select.select([channel.sock], [], [], 0)[0]:
            break
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a collection in a fork would touch, and so copy, every page of what is loaded
    gc.enable()  # it was off during the imports
    collapse_pages()


def main(fd: int) -> None:
    """Load what every notebook needs, then serve the grader on the inherited socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's to handle
    adopt_orphans()
    pin_threads()
    for name in [name for name in sys.modules if name.partition(".")[0] == "given"]:
        del sys.modules[name]  # our own copy: students import the one beside their notebook
    for name in ("otter", "given.machine", "given.checks"):
        stub_module(name)
    postpone_compiler()
    notebook = Notebook()
    channel = Channel(socket.socket(fileno=fd))
    channel.send({"ready": True}, [])
    preload(channel)
    serve_grader(channel, notebook)
