"""Known mistakes are told in the words that somebody has read and found good."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from project.specimens.told import GRADING, read_messages, tell_mistake

from autograder import tree
from autograder.messages import LINES
from autograder.sandbox import Sandbox

TOLD = read_messages()


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(tree.GIVEN.parent, GRADING.limits) as opened:
        yield opened


def test_mistakes_of_every_question_are_told() -> None:
    assert len(TOLD) >= 40
    assert {question for question, _ in TOLD} == set(GRADING.questions) - {"q13_vit_accuracy"}  # it says a share


@pytest.mark.parametrize(("question", "name"), TOLD)
def test_a_mistake_is_told_word_for_word(sandbox: Sandbox, question: str, name: str) -> None:
    assert tell_mistake(sandbox, question, name) == TOLD[question, name]


def test_no_message_is_longer_than_a_student_reads() -> None:
    for text in TOLD.values():
        for message in text.split("```")[1::2]:
            assert len(message.strip().splitlines()) <= LINES
