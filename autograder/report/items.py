"""Item analysis: how hard each case is, and whether those who know more pass it more often."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.batch.gradebook import Graded
from autograder.config import Grading

FEW = 10  # submissions; below that a correlation is mostly chance
TELLS_LITTLE = 0.2  # discrimination that Ebel and Frisbie (Essentials of Educational Measurement, 1991) call poor


@dataclass(frozen=True)
class Item:
    """A case or a whole question.

    Attributes:
        case: the case's name; empty for a question
        difficulty: the share of its points that the class got, 1 is easy
        discrimination: correlation of its points with those of everything else; None where one of them is constant
    """

    question: str
    case: str
    hidden: bool
    points: float
    difficulty: float
    discrimination: float | None

    @property
    def remark(self) -> str:
        """What the two numbers say in words."""
        if self.difficulty == 1:
            return "everybody has it"
        if self.difficulty == 0:
            return "nobody has it: is it fair?"
        if self.discrimination is None:
            return ""
        if self.discrimination < 0:
            return "below 0: look at this check"
        return "says little" if self.discrimination < TELLS_LITTLE else ""


def analyse_items(class_: Sequence[Graded], grading: Grading) -> list[Item]:
    """Each question, followed by its cases, over the submissions that could be graded."""
    return [item for id in grading.questions for item in _analyse_question(class_, grading, id)] if class_ else []


def _analyse_question(class_: Sequence[Graded], grading: Grading, id: str) -> Iterable[Item]:
    question = grading.questions[id]
    scores = [graded.points.get(id, 0.0) for graded in class_]
    yield Item(id, "", False, question.points, *_rate(class_, scores, question.points))
    for name, case in question.cases.items():
        scores = [_score(graded, id, name) for graded in class_]
        yield Item(id, name, case.hidden, case.points, *_rate(class_, scores, case.points))


def _rate(class_: Sequence[Graded], scores: Sequence[float], points: float) -> tuple[float, float | None]:
    rest = [graded.total - score for graded, score in zip(class_, scores, strict=True)]
    difficulty = statistics.fmean(scores) / points
    if len(class_) < FEW or len(set(scores)) == 1 or len(set(rest)) == 1:
        return difficulty, None
    return difficulty, statistics.correlation(scores, rest)


def _score(graded: Graded, question: str, case: str) -> float:
    return next(
        (
            float(test["score"])
            for test in graded.cases
            if (test["extra_data"]["question"], test["extra_data"]["case"]) == (question, case)
        ),
        0.0,
    )
