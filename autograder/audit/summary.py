"""The audit in numbers: one row per question, what catches nothing alone, what hangs on one case."""

from __future__ import annotations

from dataclasses import dataclass

from rich import box
from rich.table import Table

from autograder.audit.gates import caught_by, of_kind, read_hint
from autograder.audit.trial import Trial


@dataclass(frozen=True)
class QuestionSummary:
    """One question's totals.

    Attributes:
        failures: of mistakes x cases, how many failed
        solved_error, variant_error: the largest error of right answers in units of what is allowed
        mistake_error: the smallest error by which a tolerance caught a mistake that it must catch
        idle_alone: cases that are not the only one to catch some mistake
        caught_once: mistakes that a single case catches
    """

    question: str
    cases: int
    mistakes: int
    caught: int
    hinted: int
    variants: int
    passed: int
    failures: int
    solved_error: float
    variant_error: float
    mistake_error: float | None
    idle_alone: list[str]
    caught_once: list[str]


def summarise(question: str, trials: list[Trial]) -> QuestionSummary:
    """Count one question's trials."""
    own = [trial for trial in trials if trial.question == question]
    mistakes, variants, solved = (of_kind(own, kind) for kind in ("mistake", "variant", "solved"))
    catches = {trial.name: [case.case for case in trial.cases if case.failed] for trial in mistakes}
    alone = {cases[0] for cases in catches.values() if len(cases) == 1}
    names = [case.case for case in own[0].cases]
    margins = [trial.find(caught_by(trial)).error or 0.0 for trial in mistakes]
    return QuestionSummary(
        question,
        cases=len(names),
        mistakes=len(mistakes),
        caught=sum(trial.find(caught_by(trial)).failed for trial in mistakes),
        hinted=sum(trial.hint == read_hint(trial) for trial in mistakes),
        variants=len(variants),
        passed=sum(not any(case.failed for case in trial.cases) for trial in variants),
        failures=sum(map(len, catches.values())),
        solved_error=_largest_error(solved),
        variant_error=_largest_error(variants),
        mistake_error=min((error for error in margins if error > 1), default=None),
        idle_alone=[name for name in names if name not in alone],
        caught_once=[name for name, cases in catches.items() if len(cases) == 1],
    )


def _largest_error(trials: list[Trial]) -> float:
    return max((case.error or 0.0 for trial in trials for case in trial.cases), default=0.0)


def make_table(summaries: list[QuestionSummary], seconds: float) -> Table:
    """Return the table that the command prints."""
    table = Table(
        title="Known mistakes and right answers against every case of their question",
        caption="The last three in units of what is allowed: how far solution and variants are\n"
        "off at most, and a mistake that must be caught at least.\n"
        f"{sum(row.cases for row in summaries)} cases, {seconds:.0f} seconds",
        box=box.HORIZONTALS,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.add_column("question", no_wrap=True)
    for heading in ("caught", "hints", "variants", "solution", "variant", "mistake"):
        table.add_column(heading, justify="right")
    for row in summaries:
        table.add_row(row.question, *_write_row([row]))
    table.add_section()
    table.add_row("all", *_write_row(summaries))
    return table


def _write_row(rows: list[QuestionSummary]) -> list[str]:
    caught = [row.mistake_error for row in rows if row.mistake_error is not None]
    return [
        f"{sum(row.caught for row in rows)}/{sum(row.mistakes for row in rows)}",
        str(sum(row.hinted for row in rows)),
        f"{sum(row.passed for row in rows)}/{sum(row.variants for row in rows)}",
        f"{max(row.solved_error for row in rows):.2f}",
        f"{max(row.variant_error for row in rows):.2f}",
        f"{min(caught):.0f}" if caught else "-",
    ]
