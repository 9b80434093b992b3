"""One subject through the real grader: what each case said, by which margin, and which mistake was named."""

from __future__ import annotations

import math
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import torch

import kit
from autograder import tree
from autograder.audit.subjects import Subject
from autograder.audit.variants import load_variants
from autograder.config import Limits, load_grading
from autograder.diagnosis import Diagnosis, diagnose
from autograder.diagnosis.match import load_solutions
from autograder.grade import CaseResult, Grade, grade_submission
from autograder.messages import write_full_message
from autograder.questions import load_question
from autograder.sandbox import Cell, Sandbox
from autograder.submission import Submission

PATIENCE = 10  # times the limits of the table: the audit is about the tests, not about how busy its machine is


@dataclass(frozen=True)
class CaseTrial:
    """How one case ended on a subject.

    Attributes:
        error: the largest error that was compared, in units of what is allowed; None if none was
        broken: the exception of our own code, if the case itself broke
    """

    case: str
    reason: str
    message: str
    error: float | None
    seconds: float
    broken: str

    @property
    def failed(self) -> bool:
        """Whether the case gave no points."""
        return self.reason != "passed"


@dataclass(frozen=True)
class Trial:
    """What the grader made of a subject: `named` are the mistakes that the diagnosis found."""

    kind: str
    name: str
    question: str
    cases: tuple[CaseTrial, ...]
    named: tuple[str, ...]
    hint: str
    seconds: float
    remarks: tuple[str, ...]

    def find(self, case: str) -> CaseTrial:
        """Return the trial of one case."""
        return next(trial for trial in self.cases if trial.case == case)


class Bench:
    """Grades one subject after another in one sandbox."""

    def __init__(self) -> None:
        grading = load_grading()
        limits = {name: PATIENCE * seconds for name, seconds in grading.limits.model_dump().items()}
        self.grading = grading.model_copy(update={"limits": Limits.model_validate(limits)})
        self.sandbox = Sandbox(tree.GIVEN.parent, self.grading.limits, self.grading.required_layers).open_preloaded()
        self.close = Finalize(None, self.sandbox.__exit__, args=(None, None, None), exitpriority=1)

    def grade(self, subject: Subject) -> Trial:
        """Run a subject's notebook and the cases of its question."""
        grade = Grade(self.grading, [load_question(self.grading, subject.question)])
        cells = [*map(Cell, subject.cells), Cell("", subject.question)]
        submission = Submission(Path(subject.name), cells, [f"cell {number}" for number in range(len(cells))])
        errors: list[float] = []
        trials: list[tuple[CaseResult, float | None]] = []

        def tell(result: CaseResult) -> None:
            trials.append((result, max(errors, default=None)))
            errors.clear()

        kit.settings.configure(watch=lambda label, number: errors.append(number) if label != "accuracy" else None)
        grade_submission(grade, submission, self.sandbox, tell)
        found = self._diagnose(subject, [result for result, _ in trials])
        return Trial(
            subject.kind,
            subject.name,
            subject.question,
            tuple(_describe(result, error, grade.cases) for result, error in trials),
            found.mistakes if found else (),
            found.hint if found else "",
            grade.seconds,
            tuple(grade.remarks),
        )

    def _diagnose(self, subject: Subject, results: list[CaseResult]) -> Diagnosis | None:
        """What the grader found; it does not ask where nothing failed, so a right answer is asked here."""
        if subject.kind != "variant":
            return next((result.diagnosis for result in results if result.diagnosis), None)
        answers: dict[str, Any] = {}
        for question in (subject.question, "q12_vit"):
            answers |= next((v.answers() for v in load_variants(question) if v.name == subject.name), {})
        return diagnose(subject.question, load_solutions() | answers, self.grading.salt)


def _describe(result: CaseResult, error: float | None, others: list[CaseResult]) -> CaseTrial:
    broken = result.outcome.broken
    return CaseTrial(
        result.case.name,
        result.outcome.reason,
        "" if result.passed else write_full_message(result, others),
        error if error is None or math.isfinite(error) else math.inf,
        result.seconds,
        f"{type(broken).__name__}: {broken}" if broken else "",
    )


_benches: list[Bench] = []  # of this worker process


def start_worker() -> None:
    """Make a worker of the pool ready: one thread, one sandbox."""
    torch.set_num_threads(1)
    _benches.append(Bench())


def run_trial(subject: Subject) -> Trial:
    """Grade a subject in this worker."""
    return _benches[0].grade(subject)
