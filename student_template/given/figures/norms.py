"""Figure of training with the normalisation after or before."""

from collections.abc import Mapping

import plotly.graph_objects as go

from given.figures.style import BLUE, GREY, RED, finish, make_panels

LAST = 40  # steps that the final error is a mean of


def final_error(errors: list[float]) -> float:
    """Mean error of the last 40 steps."""
    last = errors[-LAST:]
    return sum(last) / len(last)


def draw_norms(runs: Mapping[tuple[bool, float], list[float]], shown_rate: float, marginal: float) -> go.Figure:
    """Final errors over the learning rate, and the curves at one of the rates; runs by (pre_norm, rate)."""
    figure = make_panels(["error of the last 40 steps", f"error while training at rate {shown_rate:g}"])
    rates = sorted({rate for _, rate in runs})
    steps = len(runs[False, shown_rate])
    for pre_norm, name, colour in ((False, "post-norm", RED), (True, "pre-norm", BLUE)):
        style = {"name": name, "legendgroup": name, "line_color": colour}
        finals = [final_error(runs[pre_norm, rate]) for rate in rates]
        figure.add_scatter(x=rates, y=finals, mode="lines+markers", **style, row=1, col=1)
        curve = runs[pre_norm, shown_rate]
        figure.add_scatter(x=list(range(1, steps + 1)), y=curve, showlegend=False, **style, row=1, col=2)
    for col, ends in ((1, [rates[0], rates[-1]]), (2, [1, steps])):
        line = {"name": "always the marginal", "line_color": GREY, "line_dash": "dash", "mode": "lines"}
        figure.add_scatter(x=ends, y=[marginal, marginal], showlegend=col == 1, **line, row=1, col=col)
    figure.update_xaxes(type="log", title="learning rate", tickvals=rates, exponentformat="none", row=1, col=1)
    figure.update_xaxes(title="step", row=1, col=2)
    figure.update_yaxes(title="cross entropy", rangemode="tozero")
    return finish(figure, "Counting equal tokens with 12 layers: pre-norm stands larger rates")
