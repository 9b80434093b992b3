"""The grades as tables: one row a person, for the staff, for Canvas and for Gradescope."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from autograder.batch.gradebook import Row
from autograder.config import Grading

Format = Literal["canvas", "gradescope"]
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula


def write_grades(rows: Sequence[Row], grading: Grading) -> str:
    """`grades.csv`: ids, the points of each question, the total and flags."""
    header = ["name", "sid", "email", "submission", "handed_in", *grading.questions, "total", "flags"]
    return _write(
        header,
        (
            [
                *_who(row),
                row.graded.name,
                _when(row),
                *(row.graded.points.get(question, 0) for question in grading.questions),
                row.graded.total,
                "; ".join(row.flags),
            ]
            for row in rows
        ),
    )


def write_upload(rows: Sequence[Row], grading: Grading, form: Format) -> str:
    """The same points as Canvas imports them, or as Gradescope exports them."""
    return _write_canvas(rows, grading) if form == "canvas" else _write_gradescope(rows, grading)


def _write_canvas(rows: Sequence[Row], grading: Grading) -> str:
    """Canvas finds a student by the SIS ids; its own ID stays empty. Who could not be graded has no points there."""
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", grading.title]
    possible = ["    Points Possible", "", "", "", "", grading.total]  # so spelled, with four spaces
    return _write(header, [possible, *(_canvas_row(row) for row in rows)])


def _canvas_row(row: Row) -> list[Any]:
    name, sid, email = _who(row)
    return [name, "", sid, email, "", "" if row.graded.problem else row.graded.total]


def _write_gradescope(rows: Sequence[Row], grading: Grading) -> str:
    questions = {
        id: f"{number}: {question.title} ({question.points:g} pts)"
        for number, (id, question) in enumerate(grading.questions.items(), start=1)
    }
    header = ["Name", "SID", "Email", "Total Score", "Max Points", "Status", "Submission ID", "Submission Time"]
    return _write(
        [*header, *questions.values()],
        (
            [
                *_who(row),
                row.graded.total,
                grading.total,
                "Ungraded" if row.graded.problem else "Graded",
                row.graded.name.removeprefix("submission_"),
                _when(row),
                *(row.graded.points.get(question, 0) for question in questions),
            ]
            for row in rows
        ),
    )


def plain(row: Iterable[Any]) -> list[Any]:
    """A row of a table: numbers without noise, a stranger's text on one line that no spreadsheet will compute."""
    return [_text(value) if isinstance(value, (str, bool)) else _number(value) for value in row]


def _who(row: Row) -> list[str]:
    return [row.submitter.name, row.submitter.sid, row.submitter.email]


def _when(row: Row) -> str:
    time = row.graded.entry.handed_in
    return time.isoformat(sep=" ", timespec="seconds") if time else ""


def _text(value: Any) -> str:
    text = "".join(character if character.isprintable() else " " for character in str(value))
    return f"'{text}" if text.startswith(FORMULA) else text


def _number(number: float) -> float:
    return int(number) if number == int(number) else round(number, 5)


def _write(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(header)
    table.writerows(map(plain, rows))
    return stream.getvalue()
