"""`grader` in a student's notebook: what it shows of one question and of all, and that it leaves all as it was."""

import importlib
import json
import os
import random
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from project.homework import copy_release

import kit
from autograder import tree
from given.checks import Checks

QUESTION = '''
from otter.test_files import test_case
OK_FORMAT = False
name = "q01_double"
points = None

@test_case(name="doubles", points=2, hidden=False)
def doubles(double):
    """Twice is <twice>.

    at the factor.
    """
    import kit
    kit.expect_integer(kit.call(double, 3), 6, "double(3)")
'''


@pytest.fixture
def grader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "q01_double.py").write_text(QUESTION)
    waiting = {"q01_double": {"title": "Double", "hidden_cases": 3, "hidden_points": 4.0}}
    monkeypatch.setattr(kit.settings, "questions", waiting)
    return Checks()


def test_a_pass_says_how_many_hidden_cases_wait(grader):
    report = grader.check("q01_double", {"double": lambda x: 2 * x})
    assert repr(report) == (
        "✓ q01_double: the public case passed, 2 of 2 public points. Waiting on Gradescope: 3 hidden cases, 4 points."
    )


def test_a_failure_shows_our_message_alone(grader):
    report = grader.check("q01_double", {"double": lambda x: x})
    assert repr(report).splitlines()[0].startswith("✗ q01_double: 1 of 1 public cases failed, 0 of 2 public points.")
    assert "Claim: Twice is <twice>." in repr(report)
    assert "Traceback" not in repr(report)


def test_the_html_is_escaped_and_says_the_same(grader):
    page = grader.check("q01_double", {"double": lambda x: object()})._repr_html_()
    assert "&lt;twice&gt;" in page
    assert "✗ q01_double" in page


def test_a_stub_says_just_that(grader):
    def double(x):
        raise NotImplementedError("q01_double: not written yet")

    report = grader.check("q01_double", {"double": double})
    assert repr(report) == (
        "- q01_double: not written yet, 0 of 2 public points. Waiting on Gradescope: 3 hidden cases, 4 points."
    )


def test_a_question_that_waits_for_another_says_for_which(grader):
    def double(x):
        raise NotImplementedError("q00_single: not written yet")

    assert repr(grader.check("q01_double", {"double": double})).splitlines()[1] == "q00_single: not written yet"


def test_a_check_reads_the_callers_own_names(grader):
    names = {"grader": grader, "double": lambda x: 2 * x}
    exec("report = grader.check('q01_double')", names)
    assert names["report"].points == 2


def read_table(page):
    """The texts of an HTML table's cells, row by row."""
    rows = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    return [[cell.strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


def test_check_all_shows_one_table_of_all_questions(grader):
    names = {"grader": grader, "double": lambda x: x}
    exec("table = grader.check_all()", names)
    rows = read_table(names["table"]._repr_html_())
    assert rows[0][1:] == ["question", "", "public cases", "points", "waiting on Gradescope"]
    failed = ["✗", "q01_double", "Double", "1 of 1 public cases failed", "0 of 2", "3 hidden cases, 4 points"]
    assert rows[1] == failed
    assert rows[-1] == ["", "total", "", "", "0 of 2", "4 points"]


def test_the_table_says_the_same_in_plain_text(grader):
    names = {"grader": grader, "double": lambda x: 2 * x}
    exec("table = grader.check_all()", names)
    words = repr(names["table"]).split()
    assert words == " ".join(text for row in read_table(names["table"]._repr_html_()) for text in row).split()
    assert "✓" in words


@pytest.fixture
def odd_state():
    """A student's own settings, none of them the default."""
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    torch.set_num_threads(2)
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")  # stands for a GPU
    torch.set_grad_enabled(False)
    torch.manual_seed(5)
    np.random.seed(5)
    random.seed(5)
    yield
    torch.set_num_threads(threads)
    torch.set_default_dtype(dtype)
    torch.set_default_device(None)
    torch.set_grad_enabled(True)


def read_state():
    return {
        "dtype": torch.get_default_dtype(),
        "device": torch.get_default_device(),
        "grad mode": torch.is_grad_enabled(),
        "threads": torch.get_num_threads(),
        "torch's seed": torch.get_rng_state().tolist(),
        "NumPy's seed": np.random.get_state()[1].tolist(),
        "Python's seed": random.getstate(),
        "folder": os.getcwd(),  # noqa: PTH109
        "paths": list(sys.path),
        "warnings": list(warnings.filters),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "print options": torch.get_printoptions() if hasattr(torch, "get_printoptions") else None,
    }


@pytest.mark.slow
def test_a_check_changes_no_global_state(odd_state, tmp_path, monkeypatch):
    importlib.import_module("sklearn.datasets")  # adds a filter of warnings when it is imported
    monkeypatch.chdir(copy_release(tmp_path / "homework").parent)
    released = json.loads((tree.TEMPLATE / "kit" / "settings.json").read_text())
    for name in ("tolerances", "vit", "term", "questions"):
        monkeypatch.setattr(kit.settings, name, released[name])
    names = {}
    for path in sorted(tree.SOLUTIONS.glob("q*.py")):
        names |= vars(importlib.import_module(f"solutions.{path.stem}"))
    before, before_names = read_state(), dict(names)
    reports = [Checks().check(path.stem, names) for path in sorted(Path("tests").glob("q*.py"))]
    after = read_state()
    assert [name for name in before if before[name] != after[name]] == []
    assert names == before_names
    assert [report.sign for report in reports] == 14 * ["✓"]


def test_an_unknown_question_is_named(grader):
    with pytest.raises(FileNotFoundError, match="no question 'q99'"):
        grader.check("q99", {})


def test_the_settings_of_a_release_are_json_that_the_kit_reads(tmp_path):
    written = {"tolerances": {"default": {"float64": [1e-5, 1e-7]}}, "vit": {}, "questions": {}}
    assert kit.Settings(**json.loads(json.dumps(written))).tolerances == written["tolerances"]
