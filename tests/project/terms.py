"""The repository under another term: a copy of it with other switches in `grading.yml`, and what runs there."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from autograder import tree

# each with the lecture's value first
SWITCHES: dict[str, tuple[Any, Any]] = {
    "rope_base": (10000.0, 500000.0),
    "patch_order": ("rows", "columns"),
    "pixel_order": ("rows", "columns"),
    "pre_norm": (True, False),
}
LECTURE = {name: values[0] for name, values in SWITCHES.items()}
OTHER = {name: values[1] for name, values in SWITCHES.items()}
ORDERS = ("patch_order", "pixel_order")
TOUCHES = {  # which switches the answers, cases and mistakes of a question ask for, its own and those it is built on
    "q06_transformer_layer": ("pre_norm",),
    "q09_rope": ("rope_base",),
    "q10_rope_rotation": ("rope_base",),
    "q11_patchify": ORDERS,
    "q12_vit": (*ORDERS, "pre_norm"),
    "q14_class_token_attention": (*ORDERS, "pre_norm"),
}

READ_TEXTS = """
import json
from autograder.audit.subjects import list_known, read_answers, read_stubs
from autograder.audit.variants import load_variants

texts = {q: [read_stubs()[q], answer] for q, answer in read_answers().items() if q}
for q in texts:
    texts[q] += [known.source_code() + known.cause + known.hint for known in list_known(q)]
    texts[q] += [variant.source_code() for variant in load_variants(q)]
print(json.dumps(texts))
"""

AUDIT = """
import json, sys
from rich.console import Console
from autograder.audit.gates import judge
from autograder.audit.pool import run_trials
from autograder.audit.subjects import list_subjects

if __name__ == "__main__":
    print(json.dumps(judge(run_trials(list_subjects(sys.argv[1:]), Console(quiet=True)))))
"""

GRADE = """
import json, sys
from pathlib import Path
from autograder.audit.subjects import Subject
from autograder.audit.trial import Bench

bench, cells = Bench(), json.loads(Path(sys.argv[1]).read_text())
trials = [bench.grade(Subject("mistake", "handed in", question, tuple(cells))) for question in sys.argv[2:]]
print(json.dumps({t.question: [[case.case for case in t.cases if case.failed], t.named] for t in trials}))
"""

RELEASE = """
import json, sys
from pathlib import Path
from autograder import tree
from autograder.release.assign import check_assigned, run_otter_assign
from autograder.release.leak import read_template, search_leaks
from autograder.release.manifest import PINNED, make_manifest
from autograder.release.master import write_master, write_notebook
from autograder.release.solved import read_solved
from autograder.release.source import read_source
from autograder.release.template import write_template

source, work = read_source(), Path(sys.argv[1])
master = write_master(source, work / "master")
assigned = run_otter_assign(master, work / "otter")
check_assigned(source, master, assigned)
write_template(source, master, assigned, work / "student")
students = read_template(work / "student")
search_leaks(source, students)
write_notebook(read_solved(master, assigned), work / "solution.ipynb")
print(json.dumps(make_manifest(source, students, dict.fromkeys(PINNED, b""))))
"""


def list_terms(*names: str) -> list[dict[str, Any]]:
    """Every combination of the named switches."""
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*(SWITCHES[name] for name in names))]


def name_term(term: dict[str, Any]) -> str:
    """What is switched, for the name of a test."""
    return " ".join(f"{name}={value}" for name, value in term.items() if value != LECTURE[name])


def make_tree(root: Path, **switched: Any) -> Path:
    """Copy what releases and grades, with some switches of the term turned and the others as in the lecture."""
    leftovers = shutil.ignore_patterns("__pycache__", ".*")
    variants = tree.TESTS / "project" / "variants"
    for folder in (tree.TOOL, tree.SOLUTIONS, tree.ASSIGNMENT, tree.QUESTIONS, tree.KIT, tree.TEMPLATE, variants):
        shutil.copytree(folder, root / folder.relative_to(tree.ROOT), ignore=leftovers)
    shutil.copy(tree.CHANGELOG, root)
    table = tree.GRADING.read_text(encoding="utf-8")
    for name, value in (LECTURE | switched).items():
        table, count = re.subn(rf"^  {name}: \S+", f"  {name}: {json.dumps(value)}", table, flags=re.MULTILINE)
        assert count == 1, name
    (root / tree.GRADING.name).write_text(table, encoding="utf-8")
    return root


def run_python(root: Path, *arguments: str | Path) -> str:
    """Run Python in a tree, with its own modules; returns what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def tell(root: Path, code: str, *arguments: str | Path) -> Any:
    """What code that prints JSON says in a tree."""
    return json.loads(run_python(root, "-c", code, *arguments))
