"""Figure of training with parts taken out."""

from collections.abc import Mapping

import plotly.graph_objects as go

from given.figures.style import BLUE, GOLD, GREY, PURPLE, RED, finish

LINES = ((BLUE, "solid"), (RED, "dash"), (GOLD, "dot"), (PURPLE, "dashdot"))  # told apart without their colours


def draw_training(runs: Mapping[str, list[float]], marginal: float) -> go.Figure:
    """Errors over the steps of training, a curve a run, and the error of always answering the marginal."""
    figure = go.Figure()
    for (name, errors), (colour, dash) in zip(runs.items(), LINES, strict=False):
        line = {"line_color": colour, "line_dash": dash}
        figure.add_scatter(x=list(range(1, len(errors) + 1)), y=errors, mode="lines", name=name, **line)
    steps = max(map(len, runs.values()))
    line = {"line_color": GREY, "line_dash": "longdash", "mode": "lines"}
    figure.add_scatter(x=[1, steps], y=[marginal, marginal], name="always the marginal", **line)
    figure.update_xaxes(title="step")
    figure.update_yaxes(title="cross entropy", rangemode="tozero")
    return finish(figure, "Counting equal tokens with 12 layers, a part taken out")
