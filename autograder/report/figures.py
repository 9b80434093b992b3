"""The figures of the report. Each comes with its numbers as a table, and no colour means anything by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from markupsafe import Markup
from plotly.io import to_html

from autograder.batch.gradebook import Graded
from autograder.config import Grading, Question
from autograder.report.items import Item

BLUE, ORANGE = "#1f5a8c", "#b3541e"
BINS = 20
SHARES = ["0", "< 25", "< 50", "< 75", "< 100", "100"]  # percent of a question's points
CONFIG = {"displayModeBar": False, "responsive": True}
FONT = {"family": "system-ui, sans-serif", "size": 13, "color": "#1b1b1b"}


@dataclass(frozen=True)
class Figure:
    """A figure: what it shows in a sentence, how it is drawn, and its numbers."""

    label: str
    html: Markup
    header: Sequence[str]
    rows: Sequence[Sequence[str | int]]


def draw_totals(class_: Sequence[Graded], grading: Grading) -> Figure:
    """The distribution of the totals."""
    label = f"Distribution of the totals of {len(class_)} submissions, in steps of {grading.total / BINS:g} points"
    return _draw_histogram("totals", label, [graded.total for graded in class_], grading.total, "points")


def draw_question(class_: Sequence[Graded], id: str, question: Question) -> Figure:
    """The distribution of one question's points, as shares of what it is worth."""
    counts = [0] * len(SHARES)
    for graded in class_:
        share = graded.points.get(id, 0.0) / question.points
        counts[0 if share == 0 else len(SHARES) - 1 if share == 1 else 1 + min(int(share * 4), 3)] += 1
    label = f"{id}: how many submissions got which share of its {question.points:g} points"
    bars = go.Bar(x=SHARES, y=counts, marker={"color": BLUE}, hovertemplate="%{x} %: %{y}<extra></extra>")
    figure = _lay_out(go.Figure(bars), "% of its points", "", 190)
    figure.update_xaxes(type="category", tickangle=0, tickfont={"size": 10})
    return Figure(label, _write(figure, id), ("% of its points", "submissions"), list(zip(SHARES, counts, strict=True)))


def draw_items(items: Sequence[Item]) -> Figure:
    """Difficulty and discrimination of the cases that have both."""
    cases = [item for item in items if item.case and item.discrimination is not None]
    figure = go.Figure()
    for hidden, name, symbol, colour in ((False, "public", "circle", BLUE), (True, "hidden", "diamond-open", ORANGE)):
        some = [item for item in cases if item.hidden is hidden]
        figure.add_scatter(
            x=[item.difficulty for item in some],
            y=[item.discrimination for item in some],
            text=[f"{item.question}<br>{item.case}" for item in some],
            hovertemplate="%{text}<br>share that has it %{x:.0%}<br>discrimination %{y:.2f}<extra></extra>",
            mode="markers",
            name=name,
            marker={"symbol": symbol, "color": colour, "size": 9},
        )
    figure.add_hline(y=0, line={"color": "#555", "width": 1})
    figure = _lay_out(figure, "share of the class that has it (hard → easy)", "discrimination", 380)
    figure.update_xaxes(range=[-0.03, 1.03], tickformat=".0%")
    figure.update_layout(legend={"orientation": "h", "y": 1.12, "x": 0}, showlegend=True)
    label = "Each check's difficulty and discrimination; the table below has the same numbers"
    return Figure(label, _write(figure, "items"), (), ())


def draw_times(class_: Sequence[Graded]) -> Figure:
    """The distribution of the seconds that a submission took."""
    seconds = [float(graded.results.get("execution_time") or 0) for graded in class_]
    longest = max([*seconds, 1.0])
    label = f"How long the grading of a submission took, in steps of {longest / BINS:.2g} seconds"
    return _draw_histogram("times", label, seconds, longest, "seconds")


def _draw_histogram(id: str, label: str, values: Sequence[float], largest: float, unit: str) -> Figure:
    """A histogram of values between 0 and the largest one, which falls into the last bin."""
    width, counts = largest / BINS, [0] * BINS
    for value in values:
        counts[min(max(int(value / width), 0), BINS - 1)] += 1
    names = [f"{k * width:.3g} to {(k + 1) * width:.3g}" for k in range(BINS)]
    bars = go.Bar(
        x=[(k + 0.5) * width for k in range(BINS)],
        y=counts,
        width=0.92 * width,
        text=names,
        textposition="none",
        marker={"color": BLUE},
        hovertemplate="%{text}: %{y}<extra></extra>",
    )
    figure = _lay_out(go.Figure(bars), unit, "submissions", 300)
    figure.update_xaxes(range=[0, largest])
    rows = [(name, count) for name, count in zip(names, counts, strict=True) if count]
    return Figure(label, _write(figure, id), (unit, "submissions"), rows)


def _lay_out(figure: go.Figure, x: str, y: str, height: int) -> go.Figure:
    margin = {"l": 48, "r": 20, "t": 24, "b": 48}  # r: half of the last label lies there
    figure.update_layout(template="plotly_white", font=FONT, height=height, margin=margin, dragmode=False, bargap=0.08)
    figure.update_xaxes(title=x, automargin=True, fixedrange=True)
    figure.update_yaxes(title=y, automargin=True, fixedrange=True, nticks=5)
    if figure.data[0].type == "bar":
        figure.update_yaxes(rangemode="tozero", tickformat="d")
    return figure


def _write(figure: go.Figure, id: str) -> Markup:
    return Markup(to_html(figure, config=CONFIG, full_html=False, include_plotlyjs=False, div_id=f"figure-{id}"))
