"""A toy course of two questions, small enough to grade in a moment, and notebooks that answer it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GRADING = """\
assignment: toy
title: Toy
version: 1.2.3
salt: pepper
total: 6
hours: "1"
limits: {cell: 5, call: 2, question: 4, run: 20, wall: 60}
hidden: {feedback: hint, visibility: visible}
tolerances:
  default: {float32: [1.0e-4, 1.0e-5], float64: [1.0e-5, 1.0e-7]}
vit: {epochs: 1, epochs_between_checks: 1, batch: 64, learning_rate: 3.0e-3, minimum_accuracy: 0.5}
questions:
  q01_double:
    title: Twice a number
    points: 4
    cases:
      doubles: {points: 1}
      doubles_negatives: {points: 3, hidden: true}
  q02_greet:
    title: A greeting
    points: 2
    cases:
      greets: {points: 2}
"""

QUESTIONS = {
    "q01_double": '''\
from otter.test_files import test_case

OK_FORMAT = False
name = "q01_double"
points = None


@test_case()
def doubles(double):
    """double(x) is twice x.

    Look at the factor (eq. 1.1).
    """
    import kit

    kit.expect_that(kit.call(double, 4) == 8, "double(4) is not 8.")


@test_case()
def doubles_negatives(double):
    """double(x) is twice x for negative x."""
    import kit

    kit.expect_that(kit.call(double, -73) == -146, "double(-73) is not -146.")
''',
    "q02_greet": '''\
from otter.test_files import test_case

OK_FORMAT = False
name = "q02_greet"
points = None


@test_case()
def greets(greet):
    """greet() says hello."""
    import kit

    kit.expect_that(kit.call(greet) == "hello", "greet() does not say hello.")
''',
}

DOUBLE = "def double(x):\n    return 2 * x"
GREET = "def greet():\n    return 'hello'"
RIGHT = [DOUBLE, 'grader.check("q01_double")', GREET, 'grader.check("q02_greet")']


def make_notebook(sources: list[str], **metadata: Any) -> dict[str, Any]:
    """A notebook of the current format whose code cells have these sources."""
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        for source in sources
    ]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


def write_notebook(path: Path, sources: list[str]) -> Path:
    """Write a notebook whose code cells have these sources."""
    path.write_text(json.dumps(make_notebook(sources)), encoding="utf-8")
    return path
