"""Grade a submission: its cells run once, then each case meets a fresh copy of what they left."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otter.test_files import GradingResults, TestCase
from otter.test_files.abstract_test import TestCaseResult
from otter.test_files.exception_test import ExceptionTestFile

import kit
from autograder.config import Grading
from autograder.forbidden import describe_use, judge
from autograder.questions import QuestionFile, read_parameters
from autograder.sandbox import Cell, CellOutcome, Run, Sandbox, StudentError, Use
from autograder.search import search_submission
from autograder.submission import Submission
from kit.case import Outcome
from kit.failure import Failure

if TYPE_CHECKING:
    from autograder.diagnosis import Diagnosis

# The student's process has no checks: what asks `grader` between the lines of an answer gets nothing.
GRADER = Cell("class grader:\n    check = check_all = export = staticmethod(lambda *args, **named: None)")
NO_PYTHON = ("SyntaxError", "IndentationError", "TabError")  # a cell that fails so has not run
NOT_RUN = Outcome("not_run", Failure("not_run", "This check did not run."))
TOO_BUSY = "The grader's machine was too slow or too busy to run this check. That is not your fault."
NOT_JUDGED = Outcome("not_judged", Failure("not_judged", TOO_BUSY))


@dataclass
class CaseResult:
    """How one case ended; a case that nobody has run is `not_run` and worth nothing.

    Attributes:
        seconds: how long it took by the clock
        cpu_seconds: how much of that the student's processes computed
        diagnosis: the known mistake that the answer behaves like, if it failed and behaves like one
    """

    question: str
    case: TestCase
    outcome: Outcome = NOT_RUN
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    diagnosis: Diagnosis | None = None

    @property
    def passed(self) -> bool:
        """Whether the case gives its points."""
        return self.outcome.reason == "passed"

    @property
    def score(self) -> float:
        """The points that the case gives."""
        return float(self.case.points) if self.passed else 0.0


@dataclass
class Grade:
    """What is known of a submission's grade at any moment; at first every case is `not_run`.

    Attributes:
        cases: one result per case, in the order of questions and cases
        remarks: lines about the whole submission, for its author
        file: what was handed in
        cells: how each cell that had to run ended
        uses: by question, where the answer uses what is ruled out there
        unread: lines about cells whose source could not be searched, for staff
        salt: seeds the hidden inputs; it depends on the submission, so that what one has learnt of them helps no other
        isolation: what kept the student's code apart
        started: when grading began, in seconds of time.monotonic()
        seconds: how long the grading took by the clock
        cpu_seconds: how much of that the grader and the student's processes computed
    """

    grading: Grading
    questions: Sequence[QuestionFile]
    cases: list[CaseResult] = field(init=False)
    remarks: list[str] = field(default_factory=list)
    file: Path | None = None
    cells: list[CellOutcome] = field(default_factory=list)
    uses: dict[str, list[Use]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    salt: str = ""
    isolation: Any = None
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def __post_init__(self) -> None:
        self.cases = [CaseResult(question.id, case) for question in self.questions for case in question.cases]

    @property
    def flags(self) -> list[str]:
        """What staff should look at, whatever the policy: each use of what a question rules out, once."""
        lines = [f"{id}: {describe_use(use)}" for id, uses in self.uses.items() for use in uses] + self.unread
        return list(dict.fromkeys(" ".join(line.split()) for line in lines))

    @property
    def not_judged(self) -> list[CaseResult]:
        """The cases that the machine had no time for."""
        return [result for result in self.cases if result.outcome.reason == NOT_JUDGED.reason]

    def of_question(self, id: str) -> list[CaseResult]:
        """The results of one question's cases."""
        return [result for result in self.cases if result.question == id]

    def count_points(self) -> GradingResults:
        """The scores, as Otter counts them."""
        files = []
        for question in self.questions:
            file = ExceptionTestFile(question.id, question.file.path, question.cases, all_or_nothing=False)
            file.test_case_results = [
                TestCaseResult(result.case, None, result.passed) for result in self.of_question(question.id)
            ]
            files.append(file)
        return GradingResults(files)


def grade_submission(
    grade: Grade, submission: Submission, sandbox: Sandbox, tell: Callable[[CaseResult], object]
) -> None:
    """Run a submission's cells, then every case on a copy of their state, and fill in the grade.

    Args:
        grade: what is filled in; whatever stops this function, the cases that ran keep their result
        submission: the cells to run
        sandbox: where student code runs
        tell: is called after each case, for progress
    """
    grade.file, computed = submission.path, time.process_time()
    grade.salt = f"{grade.grading.salt}/{submission.digest}"
    limits = grade.grading.limits
    left = {question.id: limits.question for question in grade.questions}  # seconds of its own
    try:
        with sandbox.run([GRADER, *submission.cells], grade.started + limits.wall) as run:
            grade.isolation = run.layers
            grade.cells = _list_run_cells(submission, run)
            grade.remarks += _name_broken_cells(submission, run)
            _take_findings(grade, submission)
            for result in _order_cases(grade):
                left[result.question] -= _grade_case(grade, result, run, left[result.question])
                tell(result)
            for question in grade.questions:
                _diagnose_question(grade, question.id, run)
            grade.cpu_seconds += run.charged
    except TimeoutError:  # the clock ran out before the cells had run
        for result in grade.cases:
            result.outcome = NOT_JUDGED if result.outcome is NOT_RUN else result.outcome
    finally:
        grade.seconds = time.monotonic() - grade.started
        grade.cpu_seconds += time.process_time() - computed
    if grade.not_judged:
        grade.remarks.insert(0, _describe_busy_machine(grade))


def _order_cases(grade: Grade) -> list[CaseResult]:
    """Public cases before hidden ones: a student's words are shown only if said before any hidden input was sent."""
    return sorted(grade.cases, key=lambda result: bool(result.case.hidden))


def _grade_case(grade: Grade, result: CaseResult, run: Run, left: float) -> float:
    """Run one case with the seconds of its own that are left of its question and of the run; return what it used."""
    limits, begun, charged = grade.grading.limits, time.monotonic(), run.charged
    if run.is_over():
        result.outcome = NOT_JUDGED
    elif charged >= limits.run:
        result.outcome = _fail("not_run", f"The {limits.run:g} seconds for the whole notebook were used up.")
    elif left <= 0:
        result.outcome = _fail("timeout", f"The {limits.question:g} seconds for {result.question} were used up.")
    else:
        _configure_kit(grade, result.case)
        result.outcome = _run_case(grade, run, result, left)
    if not result.passed and run.is_over() and result.outcome.reason != "wrong":
        result.outcome = NOT_JUDGED
    result.seconds = time.monotonic() - begun
    return run.charged - charged


def _run_case(grade: Grade, run: Run, result: CaseResult, seconds: float) -> Outcome:
    forbidden = grade.grading.questions[result.question].forbidden
    try:
        with run.fork(result.question, seconds, forbidden.short_names if forbidden else ()) as student:
            outcome = kit.run_case(result.case.body, student.stand_ins(read_parameters(result.case)))
            result.cpu_seconds = student.cpu
            grade.uses[result.question] += student.used
            return judge(outcome, [*student.used, *grade.uses[result.question]], forbidden)
    except StudentError as error:
        return _fail(error.reason, f"Your notebook's process cannot go on: {error.message}")
    except Exception as error:  # the sandbox's own
        return Outcome("error", Failure("error", "The check itself broke; please tell the staff."), error)


def _diagnose_question(grade: Grade, id: str, run: Run) -> None:
    """Look for the known mistake behind a question's wrong results; without one they stand as they are."""
    failed = [result for result in grade.of_question(id) if result.outcome.reason in ("wrong", "error")]
    if not failed or run.is_over():
        return
    names = list({name for result in grade.of_question(id) for name in read_parameters(result.case)})
    found = None
    with contextlib.suppress(Exception):  # the grade does not depend on it, nor on the catalogue of mistakes
        from autograder.diagnosis import diagnose

        with run.fork(id, seconds=grade.grading.limits.question) as student:
            found = diagnose(id, student.stand_ins(names), grade.grading.salt)
    for result in failed:
        result.diagnosis = found


def _take_findings(grade: Grade, submission: Submission) -> None:
    """Note what the submission's source shows; what could not be searched is for staff to look at."""
    found = submission.found or search_submission(submission, grade.questions, grade.grading.list_forbidden())
    grade.uses = {question.id: list(found.uses.get(question.id, [])) for question in grade.questions}
    grade.remarks += found.late
    if found.problem:
        grade.unread.append(f"the source could not be searched for what is ruled out ({found.problem})")
    left_out = {cell.index for cell in grade.cells if str(cell.error).startswith(NO_PYTHON)}
    grade.unread += [
        f"{submission.places[number]} could not be searched for what is ruled out"
        for number in found.unread
        if number + 1 not in left_out  # the first cell of a run is GRADER
    ]


def _configure_kit(grade: Grade, case: TestCase) -> None:
    grading = grade.grading
    kit.settings.configure(
        tolerances=grading.tolerances,
        vit=grading.vit.model_dump(),
        term=grading.term.model_dump(),
        salt=grade.salt if case.hidden else "",
        shrink=not case.hidden,
    )


def _describe_busy_machine(grade: Grade) -> str:
    return (
        f"The grader's machine was too slow or too busy: {len(grade.not_judged)} of {len(grade.cases)} checks could "
        f"not be run within {grade.grading.limits.wall:g} s. That is not your fault: they must be graded again."
    )


def _fail(reason: str, what: str) -> Outcome:
    return Outcome(reason, Failure(reason, what))


def _list_run_cells(submission: Submission, run: Run) -> list[CellOutcome]:
    """The outcomes of the submission's cells that had anything to run; the first of all is GRADER."""
    return [cell for cell in run.outcomes if cell.index and submission.cells[cell.index - 1].source.strip()]


def _name_broken_cells(submission: Submission, run: Run) -> list[str]:
    """One line for each statement that was left out, and for each cell that did not come to its end."""
    return [
        f"{submission.places[cell.index - 1]}{line}"
        for cell in run.outcomes
        if cell.status != "ran" and cell.index  # the first is GRADER
        for line in _describe_broken(cell)
    ]


def _describe_broken(cell: CellOutcome) -> list[str]:
    if cell.status != "failed" or not cell.left_out:
        return [f" {cell.status}: {' '.join(str(cell.error).split())}"]
    return [f", line {error.line}: {error.code} left out: {' '.join(str(error).split())}" for error in cell.left_out]
