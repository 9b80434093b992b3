"""A grade on the terminal: one row per question, and below it what failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.grade import CaseResult, Grade
from autograder.messages import clean, write_full_message


def print_grade(grade: Grade, console: Console) -> None:
    """Print the table of questions, remarks and every failing message, hidden ones in full: it is for staff.

    Student text goes out as `Text`, in which rich reads no markup.
    """
    points = grade.count_points()
    table = Table(title=Text(grade.grading.title), caption=f"{points.total:g} of {points.possible:g} points")
    table.add_column("question")
    for name in ("points", "public", "hidden", "seconds"):
        table.add_column(name, justify="right")
    for question in grade.questions:
        results = grade.of_question(question.id)
        table.add_row(
            question.id,
            _count(results),
            _count(result for result in results if not result.case.hidden),
            _count(result for result in results if result.case.hidden),
            f"{sum(result.seconds for result in results):.1f}",
        )
    console.print(table)
    for remark in grade.remarks:
        console.print(Text(clean(remark)), soft_wrap=True)
    for flag in grade.flags:
        console.print(Text(clean(f"flag: {flag}")), soft_wrap=True)
    console.print(Text(clean(describe_isolation(grade.isolation))), soft_wrap=True)
    for question in grade.questions:
        for message in _list_messages(grade.of_question(question.id)):
            console.print(Text("\n" + message), soft_wrap=True)


def describe_isolation(isolation: Any) -> str:
    """One plain line on what kept the student's code apart."""
    note = isolation.get("note") if isinstance(isolation, dict) else "the notebook did not run"
    return f"isolation: {note or 'every layer is in force'}"


def _list_messages(results: list[CaseResult]) -> list[str]:
    """The messages of a question's failed cases; one where all fail because the answer is missing."""
    if all(result.outcome.reason == "missing" for result in results):
        return [clean(f"{results[0].question}: {results[0].outcome.failure}")]
    return [write_full_message(result, results) for result in results if not result.passed]


def _count(results: Iterable[CaseResult]) -> str:
    """`got / possible`, or a dash where there is nothing to get."""
    pairs = [(result.score, result.case.points) for result in results]
    possible = sum(points for _, points in pairs)
    return f"{sum(score for score, _ in pairs):g} / {possible:g}" if pairs else "-"
