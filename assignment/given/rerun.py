"""A fresh run of the saved notebook, in a process of its own: `python -m given.rerun TESTS`, which reads cells."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Timer
from typing import IO, Any, cast

from tqdm.auto import tqdm

from given.report import CaseReport, Report, run_cases
from given.saved import CHECK, MAGIC, Cell

SECONDS = 300.0  # as long as Gradescope lets a notebook run
MAKES_GRADER = re.compile(r"^grader = ", re.MULTILINE)
ONLY_ASKS = re.compile(r"\s*grader\.\w+\([^()]*\)\s*")


@dataclass
class Rerun:
    """What a fresh run gave: a report for each question that is checked, a line for each cell that failed."""

    notebook: str
    reports: list[Report] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def rerun_apart(notebook: str, cells: list[Cell], tests: Path) -> Rerun:
    """Run a notebook's cells in a new process, and each question's public cases right after its check cell."""
    result = Rerun(notebook)
    command = [sys.executable, "-m", "given.rerun", str(tests)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    ) as process:
        watch = Timer(SECONDS, process.kill)
        watch.start()
        told_to, told_by = cast(IO[str], process.stdin), cast(IO[str], process.stdout)
        told_to.write(json.dumps(cells))
        told_to.close()
        count = len({question for cell in cells for question in CHECK.findall(cell.source)})
        with tqdm(total=count, desc="fresh run", leave=False) as bar:
            for line in told_by:
                told = json.loads(line)
                if "question" in told:
                    bar.update()
                    bar.set_postfix_str(told["question"])
                    result.reports.append(Report(told["question"], [CaseReport(**case) for case in told["cases"]]))
                else:
                    result.problems.append(told["problem"])
        watch.cancel()
    if process.returncode:
        result.problems.append("The fresh run did not come to its end: does a cell hang, or end the process?")
    return result


def run_cells(cells: list[Cell], tests: Path) -> Any:
    """Run cells in a new IPython; yields a dictionary for each question and each cell that failed."""
    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.history_load_length = 0
    shell = InteractiveShell.instance()
    last = {question: number for number, cell in enumerate(cells) for question in CHECK.findall(cell.source)}
    for number, cell in enumerate(cells):
        if not (cell.idle or MAKES_GRADER.search(cell.source) or ONLY_ASKS.fullmatch(cell.source)):
            shell.user_ns["grader"] = Silent()
            if error := _run(shell, cell.source):
                yield {"problem": f"Code cell {number + 1} ({_first_line(cell.source)}) failed: {error}"}
        for question in CHECK.findall(cell.source):
            if last[question] == number and (tests / f"{question}.py").is_file():
                report = run_cases(question, shell.user_ns, tests)
                yield {"question": question, "cases": [asdict(case) for case in report.cases]}


class Silent:
    """Stands for `grader` between the lines of an answer: the checks come afterwards."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def _run(shell: Any, source: str) -> str:
    result = shell.run_cell(source, store_history=False)
    error = result.error_before_exec or result.error_in_exec
    return "" if error is None else f"{type(error).__name__}: {' '.join(str(error).split())}"


def _first_line(source: str) -> str:
    lines = (line.strip() for line in MAGIC.sub("", source).splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")[:60]  # enough to find the cell


def main() -> None:
    """Read cells, run them, and write a line of JSON for each thing to tell; what they print goes nowhere."""
    cells = [Cell(*cell) for cell in json.loads(sys.stdin.buffer.read())]
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as told, open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
        for line in run_cells(cells, Path(sys.argv[1])):
            print(json.dumps(line), file=told, flush=True)


if __name__ == "__main__":
    main()
