"""The page: everything inlined, every text of a student escaped."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from autograder.batch.gradebook import Graded, Row, list_counting
from autograder.config import Grading
from autograder.printable import clean_line
from autograder.report.figures import draw_items, draw_question, draw_times, draw_totals
from autograder.report.findings import find_errors, find_mistakes, find_times
from autograder.report.items import analyse_items

HERE = Path(__file__).parent


def write_report(grading: Grading, class_: Sequence[Graded], rows: Sequence[Row]) -> str:
    """Return the page.

    Args:
        grading: the assignment
        class_: every submission
        rows: every person, with the submission that counts; figures and averages are over these submissions
    """
    counting = list_counting(rows)
    graded = [one for one in counting if not one.problem]
    items = analyse_items(graded, grading)
    templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, finalize=_show)
    return templates.get_template("page.html.j2").render(
        grading=grading,
        rows=rows,
        submissions=len(class_),
        graded=len(graded),
        failed=[one for one in class_ if one.problem],
        flagged=[row for row in rows if row.flags],
        numbers=summarise([one.total for one in graded]),
        notes=sorted({note for one in graded if (note := _read_note(one))}),
        totals=draw_totals(graded, grading),
        questions=[(id, question, draw_question(graded, id, question)) for id, question in grading.questions.items()],
        items=items,
        scatter=draw_items(items),
        mistakes=find_mistakes(graded),
        errors=find_errors(graded),
        times=find_times(graded),
        seconds=draw_times(graded),
        style=Markup((HERE / "page.css").read_text(encoding="utf-8")),
        script=Markup((HERE / "page.js").read_text(encoding="utf-8")),
        plotly=Markup(get_plotlyjs()),
    )


def _show(value: Any) -> Any:
    """A text of the page without characters that cannot be seen or that turn the order of others."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "\n".join(clean_line(line, " ") for line in value.split("\n"))


def summarise(totals: Sequence[float]) -> dict[str, float]:
    """Mean, median, quartiles and standard deviation, as far as so many totals have them."""
    if not totals:
        return {}
    numbers = {"mean": statistics.fmean(totals), "median": statistics.median(totals)}
    if len(totals) > 1:
        low, _, high = statistics.quantiles(totals, method="inclusive")
        numbers |= {"lower quartile": low, "upper quartile": high, "standard deviation": statistics.stdev(totals)}
    return numbers | {"lowest": min(totals), "highest": max(totals)}


def _read_note(graded: Graded) -> str:
    """What kept this submission's code apart less well than it could; empty where nothing is missing."""
    isolation = graded.results["extra_data"].get("isolation")
    return str(isolation.get("note") or "") if isinstance(isolation, dict) else ""
