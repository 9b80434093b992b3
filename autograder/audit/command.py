"""The audit from its trials to its report."""

from __future__ import annotations

import json
import time
from dataclasses import asdict

from rich.console import Console

from autograder import tree
from autograder.audit.gates import judge
from autograder.audit.page import write_page
from autograder.audit.pool import run_trials
from autograder.audit.subjects import list_subjects
from autograder.audit.summary import make_table, summarise
from autograder.config import load_grading

REPORT, PAGE = tree.BUILD / "audit.json", tree.BUILD / "audit.html"


def audit(console: Console) -> bool:
    """Grade every known mistake and valid variant, report, and tell whether every gate holds."""
    start = time.monotonic()
    grading = load_grading()
    trials = run_trials(list_subjects(grading.questions), console)
    seconds = time.monotonic() - start
    problems = judge(trials)
    summaries = [summarise(question, trials) for question in grading.questions]
    tree.BUILD.mkdir(exist_ok=True)
    report = {
        "version": grading.version,
        "seconds": round(seconds, 1),
        "problems": problems,
        "questions": list(map(asdict, summaries)),
        "trials": list(map(asdict, trials)),
    }
    REPORT.write_text(json.dumps(report, indent=1), encoding="utf-8")
    write_page(PAGE, grading.title, trials, summaries, problems, seconds)
    console.print(make_table(summaries, seconds))
    for problem in problems:
        console.print(problem, markup=False, soft_wrap=True)
    console.print(f"report: {PAGE} and {REPORT.name}", markup=False, soft_wrap=True)
    return not problems
