"""The grades as tables: one row a person, for the staff, for Canvas and for Gradescope."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from autograder.batch.gradebook import Row
from autograder.config import Grading
from autograder.printable import clean_line

Format = Literal["canvas", "gradescope"]
# What a spreadsheet takes for the beginning of a formula, in either width, wherever it may begin a cell
FORMULA = re.compile(r"""(^|[,;|])([\s"']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])""")


def write_grades(rows: Sequence[Row], grading: Grading) -> str:
    """`grades.csv`: ids, the points of each question, the total, what it is worth, and flags.

    What was not graded is empty, and no 0.
    """
    header = ["name", "sid", "email", "submission", "handed_in", *grading.questions, "total", "status", "flags"]
    return _write(
        header,
        (
            [
                *_who(row),
                row.graded.name,
                _when(row),
                *_points(row, grading.questions),
                _total(row),
                row.graded.status,
                "; ".join(row.flags),
            ]
            for row in rows
        ),
    )


def write_upload(rows: Sequence[Row], grading: Grading, form: Format) -> str:
    """The same points as Canvas imports them, or as Gradescope exports them."""
    return _write_canvas(rows, grading) if form == "canvas" else _write_gradescope(rows, grading)


def _write_canvas(rows: Sequence[Row], grading: Grading) -> str:
    """Canvas finds a student by its own ID, where a download told it, or by the SIS ids. What is open has no points."""
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", grading.title]
    possible = ["    Points Possible", "", "", "", "", grading.total]  # so spelled, with four spaces
    return _write(header, [possible, *(_canvas_row(row) for row in rows)])


def _canvas_row(row: Row) -> list[Any]:
    name, sid, email = _who(row)
    return [name, row.submitter.canvas, sid, email, "", _total(row)]


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
                _total(row),
                grading.total,
                "Ungraded" if row.graded.is_open else "Graded",
                row.graded.name.removeprefix("submission_"),
                _when(row),
                *_points(row, questions),
            ]
            for row in rows
        ),
    )


def plain(row: Iterable[Any]) -> list[Any]:
    """A row of a table: numbers without noise, a stranger's text on one line that no spreadsheet will compute."""
    return [_text(value) if isinstance(value, (str, bool)) else _number(value) for value in row]


def _who(row: Row) -> list[str]:
    return [row.submitter.name, row.submitter.sid, row.submitter.email]


def _points(row: Row, questions: Iterable[str]) -> list[Any]:
    return [row.graded.known_points.get(question, "") for question in questions]


def _total(row: Row) -> Any:
    return "" if row.graded.is_open else row.graded.total


def _when(row: Row) -> str:
    time = row.graded.entry.handed_in
    return time.isoformat(sep=" ", timespec="seconds") if time else ""


def _text(value: Any) -> str:
    return FORMULA.sub(r"\1\2'", clean_line(str(value), " "))


def _number(number: float) -> float:
    return int(number) if number == int(number) else round(number, 5)


def _write(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(header)
    table.writerows(map(plain, rows))
    return stream.getvalue()
