"""A course of four real questions for hostile submissions, its secrets marked, and what is read off a grade."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from project import course
from project.ordinary_user import REFUSED
from project.specimens.answers import IMPORTS, OF_OTHER_ANSWERS

from autograder import tree
from solutions.term.text import fold

HOSTILE = Path(__file__).parent / "hostile"
QUESTIONS = {
    "q02_attention": ["attention"],
    "q05_parameters": ["attention_parameters", "multi_head_parameters", "dense_parameters"],
    "q06_transformer_layer": ["TransformerLayer"],
    "q09_rope": ["rope"],
}
LIMITS = {
    "cell": 10,
    "call": 5,
    "question": 40,
    "run": 200,
    "wall": 400,
}  # seconds: cells have less time than in the real table
MARK = "CANARY"  # stands in everything that a student must not learn
PLANTED = "planted-by-a-student"  # part of the name of every file that a submission tries to leave
ORDINARY = 12_345  # an ordinary user
MARGIN = 60  # seconds to start, to import PyTorch twice and to write, on a busy machine


@dataclass(frozen=True)
class Submission:
    """A hostile or broken submission.

    Attributes:
        name: of its file
        attack: what it does, in one line
        otter: what plain Otter-Grader makes of it, as measured; empty where it was not
        loses: questions, or `question/case`, that must get no points; every other case must be full
        says: what a student must read somewhere in the results
        cells: sources of its code cells
        build: writes its file into a folder, where that is not a notebook of these cells
    """

    name: str
    attack: str
    otter: str
    loses: tuple[str, ...]
    says: str
    cells: tuple[str, ...] = ()
    build: Callable[[Path], Path] | None = None

    @property
    def group(self) -> str:
        """The letter of its group."""
        return self.name[0]


def read_submissions() -> list[Submission]:
    """Read all submissions that are text."""
    return [read_submission(path) for path in sorted(HOSTILE.glob("[a-f][0-9]*.py"))]


def read_submission(path: Path) -> Submission:
    """Read one: comments on top (`# key: value`, the first line is the attack), then cells."""
    head, *cells = re.split(r"^# %%.*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    first, *lines = [line.removeprefix("#").strip() for line in head.strip().splitlines()]
    told = dict(line.split(": ", 1) for line in lines)
    loses = () if told["loses"] == "nothing" else tuple(told["loses"].split())
    return Submission(path.stem, first, told.get("otter", ""), loses, told.get("says", ""), tuple(cells))


def answer(question: str) -> list[str]:
    """The cells of an honest answer and its check."""
    source = fold((tree.SOLUTIONS / f"{question}.py").read_text(encoding="utf-8"))
    return [OF_OTHER_ANSWERS.sub("", source), f'grader.check("{question}")']


def write_cells(submission: Submission, root: Path, results: Path) -> list[str]:
    """The code cells of a notebook: what the attacker knows, the attack, and honest answers to all other questions.

    After the last cell that defines an answer stands its check; honest answers follow, or replace a cell `HONEST`.
    """
    known = f"ROOT, RESULTS, MARK, PLANTED = {str(root)!r}, {str(results)!r}, {MARK!r}, {PLANTED!r}"
    text = "\n".join(submission.cells)
    own = {id for id, names in QUESTIONS.items() if re.search(rf"^(def|class) ({'|'.join(names)})\b", text, re.M)}
    honest = [cell for id in QUESTIONS if id not in own for cell in answer(id)]
    cells = [IMPORTS + "\n" + known]
    placed = False
    for source in submission.cells:
        if source.strip() == "HONEST":
            cells += honest
            placed = True
            continue
        cells.append(source)
        cells += [f'grader.check("{id}")' for id in sorted(own) if _defines(source, id)]
    return cells if placed else cells + honest


def _defines(source: str, question: str) -> bool:
    return bool(re.search(rf"^(def|class) ({'|'.join(QUESTIONS[question])})\b", source, re.M))


def make_root(root: Path) -> Path:
    """Lay the course out as the repository, every secret file with a mark in it."""
    ignored = shutil.ignore_patterns("__pycache__", "mypy_cache")
    for folder in (tree.ROOT / "autograder", tree.SOLUTIONS, tree.KIT, tree.GIVEN):
        shutil.copytree(folder, root / folder.relative_to(tree.ROOT), ignore=ignored)
    (root / "tests" / "questions").mkdir()
    for id in QUESTIONS:
        shutil.copy(tree.QUESTIONS / f"{id}.py", root / "tests" / "questions")
    for path in [*(root / "tests").rglob("*.py"), *(root / "solutions").rglob("*.py")]:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"# {MARK} {path.stem}\n")
    (root / "grading.yml").write_text(yaml.safe_dump(make_table(), sort_keys=False), encoding="utf-8")
    (root / "submission_metadata.json").write_text(json.dumps({"users": [f"{MARK} metadata"]}), encoding="utf-8")
    for path in [root, *root.rglob("*")]:  # the worst place: everybody may read it
        open_to_all(path)
    open_way(root)
    return root


def open_to_all(path: Path) -> None:
    """Let everybody read a file or a folder."""
    mode = path.stat().st_mode
    wanted = mode | (0o055 if path.is_dir() else 0o044)
    if mode != wanted:
        path.chmod(wanted)


def open_way(folder: Path) -> None:
    """Let everybody reach a folder: pytest closes its own."""
    for path in (folder, *folder.parents):
        open_to_all(path)


def make_table() -> dict[str, Any]:
    """The real table with these questions only."""
    table: dict[str, Any] = yaml.safe_load(tree.GRADING.read_text(encoding="utf-8"))
    table["questions"] = {id: table["questions"][id] for id in QUESTIONS}
    table["total"] = sum(question["points"] for question in table["questions"].values())
    table["salt"], table["limits"] = f"{MARK} salt", LIMITS
    return table


@dataclass
class Graded:
    """What a run of the command left."""

    code: int
    out: str
    err: str
    seconds: float
    results: dict[str, Any]
    left: list[str] = field(default_factory=list)

    @property
    def lost(self) -> set[str]:
        """`question/case` of every case without points."""
        tests = self.results["tests"]
        return {f"{t['extra_data']['question']}/{t['extra_data']['case']}" for t in tests if t["status"] != "passed"}

    @property
    def cases(self) -> set[str]:
        """`question/case` of every case."""
        return {f"{t['extra_data']['question']}/{t['extra_data']['case']}" for t in self.results["tests"]}

    def texts(self, hidden: bool) -> str:
        """What a student reads of the hidden or of the public cases."""
        return "\n".join(t["output"] for t in self.results["tests"] if t["extra_data"]["hidden"] is hidden)


def grade(root: Path, file: Path, folder: Path, uid: int = 0) -> Graded:
    """Grade a file by the real command, as root or as an ordinary user; note what is left behind.

    Args:
        root: of the course, as `make_root` lays it out
        file: what was handed in
        folder: for the results and the temporary files of the run
        uid: of the user who grades
    """
    results, temporary, home = folder / "results.json", folder / "tmp", folder / "home"
    for path in (temporary, home):
        path.mkdir(mode=0o755)
    open_way(folder)
    if uid:
        for path in (folder, temporary, home):
            os.chown(path, uid, uid)
    command = [sys.executable, "-m", "autograder", "grade", str(file), "--results", str(results)]
    if uid:
        command = [sys.executable, str(Path(__file__).with_name("ordinary_user.py")), str(uid), *command]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(temporary), "OMP_NUM_THREADS": "1"}
    environment |= {"COLUMNS": "200", "GRADER_TOKEN": f"{MARK} token", "PYTHONDONTWRITEBYTECODE": "1", "USER": "tester"}
    before, started = list_files(root), time.monotonic()
    done = subprocess.run(command, cwd=root, env=environment, text=True, capture_output=True, timeout=300)
    seconds = time.monotonic() - started
    if uid and done.returncode == REFUSED:
        pytest.skip("the interpreter lies under a closed home, and no mounts are allowed here")
    left = [f"process {line}" for line in list_processes(root)]
    left += [f"file {path}" for path in temporary.iterdir()]
    left += [f"file {path}" for path in sorted(list_files(root) ^ before)]
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/etc", "/root", sys.prefix, str(home), str(folder), "/"):
        left += [str(path) for path in Path(place).glob(f"*{PLANTED}*")]
    return Graded(
        done.returncode, done.stdout, done.stderr, seconds, json.loads(results.read_text(encoding="utf-8")), left
    )


def list_files(root: Path) -> set[tuple[str, int, int]]:
    """Path, size and mode of every file below a folder, but for the caches that Python and Hypothesis keep."""
    return {
        (str(path), path.stat().st_size if path.is_file() else 0, path.stat().st_mode)
        for path in root.rglob("*")
        if not {"__pycache__", ".hypothesis"} & set(path.parts)
    }


def list_processes(root: Path) -> list[str]:
    """The processes that run this course's sandbox."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (path / "stat").read_bytes().rpartition(b")")[2].split()[0]
        except OSError:
            continue
        if str(root / "autograder" / "sandbox") in line and state not in (b"Z", b"X"):
            found.append(f"{path.name}: {line[-80:]}")
    return found


def hidden_numbers(out: str) -> set[str]:
    """The numbers of hidden inputs, as the staff's output of a grade shows them."""
    numbers: set[str] = set()
    for block in out.split("\n\n"):
        if "(hidden)" in block.split("\n", 1)[0]:
            for line in block.splitlines():
                if line.strip().startswith("input:"):
                    numbers |= set(re.findall(r"-?\d+\.\d{3,}", line))
    return numbers


def write_submission(submission: Submission, root: Path, folder: Path) -> Path:
    """Write the file of a submission into a folder; its results will stand in `results.json` beside it."""
    if submission.build:
        return submission.build(folder)
    return course.write_notebook(folder / "transformers.ipynb", write_cells(submission, root, folder / "results.json"))
