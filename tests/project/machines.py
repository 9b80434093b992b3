"""Machines worse than this one: a share of a core, little memory, other work on every core."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CGROUPS = Path("/sys/fs/cgroup")
PERIOD = 100_000  # microseconds, the kernel's own


@contextmanager
def share_of_core(cores: float, memory: int | None = None) -> Iterator[Callable[[], None]]:
    """Make a control group that gets a share of a core, and so many bytes; yield what puts a process into it.

    Without the right to make control groups the test is skipped.
    """
    wanted = {"cpu": {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": int(cores * PERIOD)}}
    if memory is not None:
        wanted["memory"] = {"memory.limit_in_bytes": memory}
    groups = []
    try:
        for kind, values in wanted.items():
            group = CGROUPS / kind / f"homework-{os.getpid()}-{len(list((CGROUPS / kind).glob('homework-*')))}"
            group.mkdir()
            groups.append(group)
            for name, value in values.items():
                (group / name).write_text(str(value))
    except OSError as error:
        pytest.skip(f"control groups cannot be made here: {error}")

    def enter() -> None:
        for group in groups:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    try:
        yield enter
    finally:
        for group in groups:
            group.rmdir()


@contextmanager
def crowded_cores(per_core: int) -> Iterator[Callable[[], None]]:
    """Keep every core busy with so many other processes; yield what need not be done to a process."""
    busy = [
        subprocess.Popen(
            [sys.executable, "-c", "while True: pass"], start_new_session=True
        )  # else they share one's time
        for _ in range(per_core * (os.cpu_count() or 1))
    ]
    try:
        yield lambda: None
    finally:
        for process in busy:
            process.kill()
            process.wait()
