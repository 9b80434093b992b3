"""`build/audit.html`: a page that needs nothing else, with a matrix of mistakes and cases per question."""

from __future__ import annotations

from html import escape
from pathlib import Path

import plotly.graph_objects as go
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from autograder.audit.gates import caught_by, of_kind, read_hint
from autograder.audit.subjects import list_known
from autograder.audit.summary import QuestionSummary
from autograder.audit.trial import CaseTrial, Trial

# A cell's mark says what its colour says.
MARKS = ("", "x", "X")  # passes, fails, fails and is the case that must
COLOURS = ((0.0, "#F2F2F2"), (0.5, "#F6C9A8"), (1.0, "#D9531E"))
ROW, AROUND = 22, 230  # pixels


def write_page(
    path: Path, title: str, trials: list[Trial], summaries: list[QuestionSummary], problems: list[str], seconds: float
) -> None:
    """Write the page."""
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
    page = environment.get_template("page.html").render(
        title=title,
        trials=trials,
        summaries=summaries,
        problems=problems,
        seconds=seconds,
        plotly=Markup(get_plotlyjs()),
        figures={row.question: Markup(draw_matrix(row.question, trials)) for row in summaries},
    )
    path.write_text(page, encoding="utf-8")


def draw_matrix(question: str, trials: list[Trial]) -> str:
    """Return a heat map, a row per mistake and a column per case, as a piece of HTML."""
    mistakes = [trial for trial in of_kind(trials, "mistake") if trial.question == question]
    cases = [case.case for case in mistakes[0].cases] if mistakes else []
    levels = [[_rate(trial, case) for case in trial.cases] for trial in mistakes]
    figure = go.Figure(
        go.Heatmap(
            z=levels,
            x=cases,
            y=[trial.name for trial in mistakes],
            text=[[MARKS[number] for number in row] for row in levels],
            texttemplate="%{text}",
            hovertext=[[_describe(trial, case) for case in trial.cases] for trial in mistakes],
            hoverinfo="text",
            colorscale=COLOURS,
            zmin=0,
            zmax=2,
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    figure.update_layout(
        template="plotly_white",
        height=AROUND + ROW * len(mistakes),
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        title={"text": "x: the case fails, X: and is the one that must", "font": {"size": 13}},
    )
    figure.update_yaxes(autorange="reversed", automargin=True)
    figure.update_xaxes(side="bottom", tickangle=30, automargin=True)
    return str(figure.to_html(full_html=False, include_plotlyjs=False, config={"displaylogo": False}))


def _rate(trial: Trial, case: CaseTrial) -> int:
    """0 if the case passes, 1 if it fails, 2 if it is the one that must."""
    return case.failed * (2 if case.case == caught_by(trial) else 1)


def _describe(trial: Trial, case: CaseTrial) -> str:
    cause = next(known.cause for known in list_known(trial.question) if known.name == trial.name)
    named = "its own hint" if trial.hint == read_hint(trial) else f"hint of {trial.named}" if trial.named else "no hint"
    lines = [f"{trial.name}: {cause}", *(case.message.split("\n") if case.failed else [f"{case.case} passes"])]
    if case.error is not None:
        lines.append(f"largest error: {case.error:.2g} of what is allowed")
    return "<br>".join(escape(line) for line in [*lines, named])
