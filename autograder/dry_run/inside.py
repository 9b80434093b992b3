"""Run a command inside a root, as a container would, and watch how much memory it takes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.dry_run.pip_settings import PipSettings

EVERY = 1.0  # seconds between two looks at the memory; a look holds up each process for some milliseconds
PSS = "Pss:"  # what a process has of its own, and its share of what it has in common: these add up
# What root may do in a container that Docker starts with its defaults.
CAPABILITIES = "-all," + ",".join(
    f"+{name}"
    for name in (
        *("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "net_bind_service"),
        *("net_raw", "sys_chroot", "mknod", "audit_write", "setfcap"),
    )
)
# In name spaces of their own, so that mounts and processes are gone when the command ends, however it ends.
MOUNT_AND_ENTER = """
set -e
root=$1; shift
mount --make-rprivate /
while [ "$1" != -- ]; do
    mkdir -p "$root$1"
    mount --bind -o ro "$1" "$root$1"
    shift
done
shift
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm"
mount -t tmpfs -o size=64m tmpfs "$root/dev/shm"
exec setpriv --bounding-set "$CAPABILITIES" chroot "$root" "$@"
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, its seconds, the most bytes that all its processes had at once."""

    code: int
    seconds: float
    memory: int


def run_inside(root: Path, command: str, settings: PipSettings, output: Path | None = None) -> Ended:
    """Run a shell command in `/autograder` of a root with an environment of its own.

    Args:
        root: the root
        command: what its shell runs
        settings: what pip may see of this machine
        output: where its output goes; None is the terminal
    """
    variables = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "TERM": "xterm"}
    environment = [f"{name}={value}" for name, value in {**variables, **settings.variables}.items()]
    shell = ["/usr/bin/env", "-i", *environment, "/bin/sh", "-c", f"cd /autograder && {command}"]
    folders = map(str, settings.folders)
    spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    start = time.monotonic()
    with output.open("wb") if output else contextlib.nullcontext() as stream:
        process = subprocess.Popen(
            [*spaces, "/bin/sh", "-c", MOUNT_AND_ENTER, "sh", str(root), *folders, "--", *shell],
            env={**os.environ, "CAPABILITIES": CAPABILITIES},
            stdout=stream,
            stderr=subprocess.STDOUT if output else None,
        )
        watch = Watch(root)
        code = process.wait()
    watch.end()
    return Ended(code, time.monotonic() - start, watch.most)


class Watch(threading.Thread):
    """Looks at the memory of all processes in a root, until it is ended."""

    def __init__(self, root: Path) -> None:
        super().__init__(daemon=True)
        self.most, self._root, self._ended = 0, root.stat(), threading.Event()
        self.start()

    def end(self) -> None:
        """Stop looking."""
        self._ended.set()
        self.join()

    def run(self) -> None:
        """Look, and keep the most."""
        while not self._ended.wait(EVERY):
            self.most = max(self.most, sum(map(_read_memory, self._find_processes())))

    def _find_processes(self) -> Iterator[Path]:
        for place in Path("/proc").glob("[0-9]*"):
            try:
                root = (place / "root").stat()
            except OSError:  # it has ended
                continue
            if (root.st_dev, root.st_ino) == (self._root.st_dev, self._root.st_ino):
                yield place


def _read_memory(place: Path) -> int:
    """The bytes of one process; 0 where it has ended."""
    try:
        lines = (place / "smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(PSS)), 0)
