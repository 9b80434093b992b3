"""A fresh run of the saved notebook as the grader runs it, in a process of its own: `python -m given.rerun TESTS`.

The process reads cells. It has the grader's packages and shell, and an empty folder: files beside the notebook are not
handed in.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import IO, Any, cast

from tqdm.auto import tqdm

from given.absent import Quiet, QuietFinder, make_quiet_module
from given.cells import find_checks, name_cell, only_asks_grader
from given.likeness import AbsentFinder
from given.report import CaseReport, Report, run_cases
from given.saved import Cell
from given.shell import open_shell

SECONDS = 300.0  # as long as Gradescope lets a notebook run


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
        count = len({question for cell in cells for question in find_checks(cell.source)})
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
    """Run cells in a new shell; yields a dictionary for each question and each statement that was left out."""
    shell = open_shell()
    sys.modules["given.checks"] = make_quiet_module("given.checks")
    checks = [find_checks(cell.source) for cell in cells]
    last = {question: number for number, ids in enumerate(checks) for question in ids}
    for number, cell in enumerate(cells):
        if not (cell.idle or only_asks_grader(cell.source)):
            shell.user_ns["grader"] = Quiet("grader")  # the checks come afterwards
            place = name_cell(number, cell.source).capitalize()
            for failure in shell.run_numbered(number, cell.source):
                yield {"problem": f"{place}, line {failure.line}: {failure.code} left out: {_say(failure.error)}"}
        for question in checks[number]:
            if last[question] == number and (tests / f"{question}.py").is_file():
                report = run_cases(question, shell.user_ns, tests)
                yield {"question": question, "cases": [asdict(case) for case in report.cases]}


def _say(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def main() -> None:
    """Read cells, run them, and write a line of JSON for each thing to tell; what they print goes nowhere."""
    cells = [Cell(*cell) for cell in json.loads(sys.stdin.buffer.read())]
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as told, open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
        tests, folder = Path(sys.argv[1]).resolve(), Path.cwd()
        sys.meta_path.insert(0, AbsentFinder(folder))  # type: ignore[arg-type]
        sys.meta_path.append(QuietFinder())  # type: ignore[arg-type]
        with TemporaryDirectory() as empty:
            os.chdir(empty)
            for line in run_cells(cells, tests):
                print(json.dumps(line), file=told, flush=True)
            os.chdir(folder)  # Windows does not remove the folder that one is in


if __name__ == "__main__":
    main()
