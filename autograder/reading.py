"""Reads a submission in a process of its own, within limits: a small file can ask for any amount of memory and time.

The grader takes over plain data from that process, which decodes, unpacks and parses what was handed in, runs nothing
of it, and is the first to be killed when memory runs out.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from autograder import tree
from autograder.cell import Cell, Use
from autograder.errors import UserError, show_name
from autograder.search import Found, search_submission
from autograder.submission import Question, Submission, read_submission

MEMORY = 1 << 30  # bytes of address space: a notebook of 256 MB, the most that is taken, needs three times its size
SECONDS = 30  # of CPU: the solved notebook takes 0.2, one of 256 MB takes 3
PATIENCE = 600.0  # seconds of wall time, for a machine that is twenty times as busy
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from autograder.reading import main; main()"


class Asked(NamedTuple):
    """A question as the reading process knows it."""

    id: str
    names: list[str]


def read_within_limits(path: Path, questions: Sequence[Question], forbidden: Mapping[str, Sequence[str]]) -> Submission:
    """Read and search a submission; a search that does not come to its end has found nothing.

    Args:
        path: the file
        questions: with the names of their answers
        forbidden: by question, the last parts of the names that it rules out

    Raises UserError as `read_submission` does, and where the file asks for more memory or time than the limits.
    """
    order = {"path": str(path), "questions": [(q.id, q.names) for q in questions]}
    command = [sys.executable, "-I", "-c", BOOT, str(tree.ROOT)]
    text = json.dumps({**order, "forbidden": {id: list(names) for id, names in forbidden.items()}})
    try:
        done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", timeout=PATIENCE)
        lines = done.stdout.splitlines()
    except subprocess.TimeoutExpired:
        lines = []
    if not lines:
        raise UserError(
            f"{show_name(path)}: takes more than {MEMORY >> 30} GB of memory or {SECONDS} s to read: "
            "clear the notebook's outputs, remove what is not part of the assignment, and save it"
        )
    told = json.loads(lines[0])
    if "problem" in told:
        raise UserError(told["problem"])
    found = read_found(json.loads(lines[1])) if len(lines) > 1 else Found(problem="memory or time")
    return Submission(path, [Cell(*row) for row in told["cells"]], told["places"], found)


def read_found(told: dict[str, Any]) -> Found:
    """What the reading process has found."""
    return Found(**{**told, "uses": {id: [Use(**use) for use in uses] for id, uses in told["uses"].items()}})


# -------------------------------------------------------------------------------------------------- the other process


def main() -> None:
    """Read what standard input asks for; print the cells in one line, what was found in the next."""
    limit(MEMORY, SECONDS)
    order = json.load(sys.stdin)
    questions = [Asked(*row) for row in order["questions"]]
    try:
        submission = read_submission(Path(order["path"]), questions)
    except MemoryError:
        return  # as if it had been killed
    except UserError as error:
        tell({"problem": str(error)})
        return
    except Exception as error:
        name = show_name(Path(order["path"]))
        tell({"problem": f"{name}: cannot be read ({type(error).__name__}): open it in Jupyter and save it again"})
        return
    tell({"cells": [dataclasses.astuple(cell) for cell in submission.cells], "places": submission.places})
    tell(dataclasses.asdict(search_submission(submission, questions, order["forbidden"])))


def limit(memory: int, seconds: int) -> None:
    """Bound this process, as far as the system does, and offer it first when memory runs out."""
    for name, value in (("RLIMIT_AS", memory), ("RLIMIT_CPU", seconds), ("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", 0)):
        with contextlib.suppress(AttributeError, ValueError, OSError):  # a lower limit may stand already
            resource.setrlimit(getattr(resource, name), (value, value))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # the largest value there is; only Linux has it


def tell(row: dict[str, Any]) -> None:
    """Print a line of JSON."""
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()
