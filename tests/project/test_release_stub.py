"""An answer's source becomes an answer cell, and a stub that gives nothing away."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from otter.assign.solutions import replace_solutions
from project.toy_repository import MEAN, SCALE

from autograder import tree
from autograder.errors import UserError
from autograder.release.stub import Solution, make_answer_cell, make_stub, read_solution, strip_marks

MEAN_STUB = '''\
def mean(numbers: list[float]) -> float:
    """The mean of a list of numbers.

    Source: everybody.
    """
    # exact for any order
    raise NotImplementedError("q01_mean: not written yet")'''


def read(tmp_path: Path, text: str) -> Solution:
    path = tmp_path / "q01_mean.py"
    path.write_text(text, encoding="utf-8")
    return read_solution("q01_mean", path)


def test_a_stub_keeps_signature_docstring_and_comments_and_raises(tmp_path: Path) -> None:
    assert make_stub(read(tmp_path, MEAN)) == MEAN_STUB


@pytest.mark.parametrize("source", [MEAN, SCALE])
def test_otter_makes_our_stub_of_the_answer_cell(tmp_path: Path, source: str) -> None:
    solution = read(tmp_path, source)
    assert "\n".join(replace_solutions(make_answer_cell(solution).split("\n"), "python")) == make_stub(solution)


@pytest.mark.parametrize("path", sorted(tree.SOLUTIONS.glob("q*.py")), ids=lambda path: path.stem)
def test_otter_makes_our_stub_of_every_real_answer_cell(path: Path) -> None:
    solution = read_solution(path.stem, path)
    assert "\n".join(replace_solutions(make_answer_cell(solution).split("\n"), "python")) == make_stub(solution)


@pytest.mark.parametrize("source", [MEAN, SCALE])
def test_an_answer_cell_without_marks_is_the_solution_as_written(tmp_path: Path, source: str) -> None:
    solution = read(tmp_path, source)
    written = [line for line in solution.lines[solution.start :] if "SOLUTION" not in line]
    assert strip_marks(make_answer_cell(solution)).splitlines() == "\n".join(written).strip("\n").splitlines()


def test_methods_raise_at_their_own_depth_and_helpers_vanish(tmp_path: Path) -> None:
    stub = make_stub(read(tmp_path, SCALE))
    names: dict[str, type] = {}
    exec(stub, names)
    assert stub.count('        raise NotImplementedError("q01_mean: not written yet")') == 2
    assert "_multiply_by_factor" not in stub
    assert names["Scale"].name(SimpleNamespace()) == "scale"  # type: ignore[attr-defined]
    with pytest.raises(NotImplementedError, match="q01_mean: not written yet"):
        names["Scale"](2.0)


def test_comments_and_imports_above_the_definition_stay_out(tmp_path: Path) -> None:
    assert make_answer_cell(read(tmp_path, MEAN)).startswith("def mean(")


@pytest.mark.parametrize(
    ("old", "new", "refusal"),
    [
        ("    # END SOLUTION\n", "", r"q01_mean.py:13: '# BEGIN SOLUTION' without its partner"),
        ("    # BEGIN SOLUTION\n", "", r"q01_mean.py:15: '# END SOLUTION' without its partner"),
        ("# BEGIN SOLUTION", "#begin solution", r"q01_mean.py:13: a mark is"),
        ("# BEGIN SOLUTION", "# BEGIN SOLUTION NO PROMPT", r"q01_mean.py:13: a mark is"),
        ("    # exact", "    # BEGIN SOLUTION\n    x = 1\n    # END SOLUTION\n    # exact", "two solution blocks"),
        (
            "    total = sum(float(number) for number in numbers)\n    return total / len(numbers)",
            "    # soon",
            "empty",
        ),
        ("def mean", "TOTAL = 1\n\n\ndef mean", r"q01_mean.py:7: an answer is functions and classes"),
        (
            "def mean",
            "def one():\n    return 1\n\n\nimport math\n\n\ndef mean",
            r"q01_mean.py:11: an answer is functions",
        ),
        ("def mean(", "def mean(:", r"q01_mean.py:7: "),
    ],
)
def test_a_solution_that_cannot_be_blanked_out_is_refused(tmp_path: Path, old: str, new: str, refusal: str) -> None:
    assert old in MEAN
    with pytest.raises(UserError, match=refusal):
        read(tmp_path, MEAN.replace(old, new))


def test_a_function_within_a_function_may_have_its_own_block(tmp_path: Path) -> None:
    inner = "    def inner():\n        # BEGIN SOLUTION\n        return 1\n        # END SOLUTION\n\n"
    stub = make_stub(read(tmp_path, MEAN.replace("    # exact", f"{inner}    # exact")))
    assert stub.count("raise NotImplementedError") == 2


def test_a_solution_without_a_mark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no answer is marked"):
        read(tmp_path, "def mean(numbers):\n    return 0\n")
