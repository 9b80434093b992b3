"""What a Dask worker is told to do. It travels as code, so the worker needs nothing of this project beforehand."""

from __future__ import annotations

import importlib
import io
import os
import shutil
import sys
import tempfile
import zipfile
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

# packages that another course may have left in the process, and the one that `autograder` keeps out of it
OURS = {"autograder", "kit", "given", "solutions", "rfc3987_syntax"}


class CoursePlugin(WorkerPlugin):
    """Keeps the course's files and one preloaded sandbox on a worker.

    Args:
        data: the course's files, zipped
        on_one_core: whether the worker and all it starts keep to one core
    """

    name = "course"

    def __init__(self, data: bytes, on_one_core: bool) -> None:
        self._data, self._on_one_core = data, on_one_core

    def setup(self, worker: Worker) -> None:
        """Unpack the course, import its code and start the sandbox."""
        if self._on_one_core:
            keep_to_one_core(worker.name)
        self._path = list(sys.path)
        self._folder = tempfile.mkdtemp(prefix="course-", dir=worker.local_directory)
        zipfile.ZipFile(io.BytesIO(self._data)).extractall(self._folder)
        forget_course()
        sys.path.insert(0, self._folder)
        self.grader = importlib.import_module("autograder.batch.grader").Grader()

    def teardown(self, worker: Worker) -> None:
        """End the sandbox and leave the process as it was."""
        self.grader.close()
        sys.path[:] = self._path
        forget_course()
        shutil.rmtree(self._folder, ignore_errors=True)


def keep_to_one_core(name: object) -> None:
    """Stay on the core of this worker's number, so that grader and student, who take turns, share its caches."""
    if isinstance(name, int) and hasattr(os, "sched_setaffinity"):  # Linux
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[name % len(cores)]})


def forget_course() -> None:
    """Let the next import read the files anew."""
    for name in list(sys.modules):
        if name.split(".")[0] in OURS:
            del sys.modules[name]


async def prepare(data: bytes, on_one_core: bool, dask_worker: Worker) -> None:
    """Put a course in the place of the one that the worker holds."""
    await dask_worker.plugin_add(CoursePlugin(data, on_one_core), name=CoursePlugin.name, catch_errors=False)


async def clear(dask_worker: Worker) -> None:
    """Leave a worker as it was."""
    if CoursePlugin.name in dask_worker.plugins:
        await dask_worker.plugin_remove(name=CoursePlugin.name)


def grade(name: str, content: bytes) -> dict[str, Any]:
    """Grade one submission on the worker that this runs on."""
    plugin: Any = get_worker().plugins[CoursePlugin.name]
    results: dict[str, Any] = plugin.grader.grade(name, content)
    return results
