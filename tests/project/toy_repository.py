"""A small assignment of two questions, laid out as the repository, to make releases of."""

import shutil
from pathlib import Path

import pytest

from autograder import tree

GRADING = """\
assignment: toy
title: A toy
version: 1.0.0
salt: "pepper and salt"
total: 10
hours: "1"
limits: {cell: 20, call: 5, question: 10, run: 60, wall: 120}
hidden: {feedback: hint, visibility: visible}
tolerances:
  default: {float64: [1.0e-5, 1.0e-7]}
vit: {epochs: 1, epochs_between_checks: 1, batch: 1, learning_rate: 0.1, minimum_accuracy: 0.5}
questions:
  q01_mean:
    title: The mean
    points: 6
    cases:
      of_two_numbers: {points: 2}
      of_one_number_alone: {points: 4, hidden: true}
  q02_scale:
    title: Scaling
    points: 4
    cases:
      doubles: {points: 4}
"""

HANDOUT = """\
# %% [markdown]
# # << title >>, version << version >>
# About << hours >> hours, << total >> points.
# <% for question in questions %>
# - << question.title >>: << question.points >>, << question.public_points >> in public
# <% endfor %>
#
# << rules >>

# %%
from given.plots import describe
import otter

grader = otter.Notebook()

# %% [markdown]
# ## The mean

# %%
# ANSWER q01_mean

# %% tags=["otter_ignore"]
describe("mean")

# %%
# ANSWER q02_scale
"""

MEAN = '''\
# Read by the test of the release.
"""q01: the mean."""

from math import fsum


def mean(numbers: list[float]) -> float:
    """The mean of a list of numbers.

    Source: everybody.
    """
    # exact for any order
    # BEGIN SOLUTION
    total = sum(float(number) for number in numbers)
    return total / len(numbers)
    # END SOLUTION
'''

SCALE = '''\
"""q02: scaling."""


class Scale:
    """Multiplies by a factor."""

    def __init__(self, factor: float) -> None:
        """Remember the factor."""
        super().__init__()
        # BEGIN SOLUTION
        self.factor = factor
        # END SOLUTION

    # BEGIN SOLUTION
    def _multiply_by_factor(self, number: float) -> float:
        return self.factor * number

    # END SOLUTION
    def __call__(self, number: float) -> float:
        """The number times the factor."""
        # BEGIN SOLUTION
        if number == 0:
            return 0.0

        return self._multiply_by_factor(number)
        # END SOLUTION

    def name(self) -> str:
        """Given."""
        return "scale"
'''

MEAN_CASES = '''\
"""Notes for us."""

from otter.test_files import test_case

OK_FORMAT = False

name = "q01_mean"
points = None


@test_case()
def of_two_numbers(mean):
    """The mean of 1 and 3 is 2.

    Look at what you divide by.
    """
    import kit  # stands inside, since Otter copies functions

    if kit.call(mean, [1.0, 3.0]) != 2.0:
        raise kit.Failure("wrong", "The mean of 1 and 3 is not 2.")


# only we read this
@test_case()
def of_one_number_alone(mean):
    """A single number is its own mean and nothing else.

    Look at short lists, they are easily forgotten.
    """
    import kit
    from kit import oracle

    for secret_number in (5.0, 7.25, -3.0):
        if kit.call(mean, [secret_number]) != oracle.mean_by_hand([secret_number]):
            raise kit.Failure("wrong", "Not the number itself.")
'''

SCALE_CASES = '''\
from otter.test_files import test_case

OK_FORMAT = False

name = "q02_scale"
points = None


@test_case()
def doubles(Scale):
    """A scale of 2 doubles."""
    import kit

    scale = kit.call(Scale, 2.0)
    if [kit.call(scale, 3.0), kit.call(scale, 0.0)] != [6.0, 0.0]:
        raise kit.Failure("wrong", "Not twice the number.")
'''

PLOTS = '''\
"""Plots."""


def describe(what: str) -> None:
    """Say it."""
    print(what)
'''

ORACLE = '''\
"""Right answers."""


def mean_by_hand(numbers):
    """Slow and right."""
    result, count = 0.0, 0
    for number in numbers:
        result, count = result + number, count + 1
    return result / count
'''

FILES = {
    "grading.yml": GRADING,
    "assignment/handout.py": HANDOUT,
    "CHANGELOG.md": "# Changelog\n\n## 1.0.0\n\n- handout: all.\n- tests: all.\n",
    "assignment/rules.md": "Work alone.\n",
    "assignment/requirements.txt": "otter-grader\n",
    "assignment/given/__init__.py": '"""Given."""\n',
    "assignment/given/plots.py": PLOTS,
    "solutions/__init__.py": '"""Answers."""\n',
    "solutions/q01_mean.py": MEAN,
    "solutions/q02_scale.py": SCALE,
    "tests/questions/q01_mean.py": MEAN_CASES,
    "tests/questions/q02_scale.py": SCALE_CASES,
    "tests/kit/oracle.py": ORACLE,
}


READERS = ("absent", "cells", "magics", "shell", "statements")  # given modules by which the tool reads and runs cells


def write_toy(root: Path, with_tool: bool = False) -> Path:
    """Write the toy into a folder, with our kit, and with our `autograder/` if a command is to run there."""
    leftovers = shutil.ignore_patterns("__pycache__")
    shutil.copytree(tree.KIT, root / "tests" / "kit", ignore=leftovers)
    shutil.copytree(tree.SOLUTIONS / "term", root / "solutions" / "term", ignore=leftovers)
    if with_tool:
        shutil.copytree(tree.ROOT / "autograder", root / "autograder", ignore=leftovers)
        (root / "assignment" / "given").mkdir(parents=True)
        for name in READERS:
            shutil.copy(tree.GIVEN / f"{name}.py", root / "assignment" / "given")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def write_toy_and_point_tree(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the toy and let every place of `autograder.tree` be in it."""
    write_toy(root)
    ours = tree.ROOT
    for name, path in vars(tree).copy().items():
        if name.isupper():
            monkeypatch.setattr(tree, name, root / path.relative_to(ours))
    return root


def edit(root: Path, name: str, old: str, new: str) -> None:
    """Replace text that stands in one of the toy's files."""
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{name} has no {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")
