"""docs/contract.md names sentences that stand in docstrings and cases that there are, all of them."""

from __future__ import annotations

import re

import pytest

from autograder import tree
from autograder.config import load_grading
from solutions.term.text import fold

PAGE = (tree.ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
GRADING = load_grading()
QUESTIONS = [id for id in GRADING.questions if id != "q13_vit_accuracy"]  # it has no answer of its own


def read_rows(question: str) -> list[tuple[str, list[str]]]:
    """The sentences of a question's docstrings and the cases that test each."""
    section = PAGE.split(f"## {question}\n")[1].split("\n## ")[0]
    rows = [re.split(r"(?<!\\\\) \| ", line.strip("| ")) for line in section.splitlines() if line.startswith("| ")]
    return [(sentence.replace("\\|", "|"), re.findall(r"`(\w+)`", cases)) for sentence, cases in rows[1:]]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_sentence_of_the_table_stands_in_the_docstring(question: str) -> None:
    source = fold((tree.SOLUTIONS / f"{question}.py").read_text(encoding="utf-8"))
    text = " ".join(source.split())
    assert [sentence for sentence, _ in read_rows(question) if sentence not in text] == []


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_case_tests_a_sentence(question: str) -> None:
    named = {case for _, cases in read_rows(question) for case in cases if case != "forbidden"}
    assert named == set(GRADING.questions[question].cases)


def test_the_handout_names_the_questions_in_which_gradients_flow() -> None:
    flow = [id[:3] for id in QUESTIONS if any(case.startswith("gradients_") for case in GRADING.questions[id].cases)]
    names = ", ".join(f"`{id}`" for id in flow[:-1]) + f" and `{flow[-1]}`"
    rule = f"Let gradients flow in {names}:"
    handout = " ".join(
        (tree.ROOT / "assignment" / "handout.py").read_text(encoding="utf-8").replace("\n# ", " ").split()
    )
    assert rule in handout and f"Gradients flow in {names}," in " ".join(PAGE.split())
