"""Colours, sizes and the parts that the figures share."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

BLUE, GOLD, RED = "#002676", "#C79100", "#D9531E"
GREEN, PURPLE, GREY = "#2E8B57", "#6C3BAA", "#7F7F7F"

WEIGHTS = [[0.0, "#FFFFFF"], [1.0, BLUE]]  # colour scale of what is never negative
SIGNED = "RdBu"  # red below zero, blue above

WIDTH = 840  # fits beside the file browser of JupyterLab on a screen of 1280 pixels


def make_panels(titles: list[str], rows: int = 1, **options: object) -> go.Figure:
    """An empty figure with panels in reading order, one per title."""
    figure = make_subplots(rows=rows, cols=len(titles) // rows, subplot_titles=titles, **options)
    figure.update_annotations(font_size=14)
    return figure


def finish(figure: go.Figure, title: str, height: int = 400) -> go.Figure:
    """Give the figure its title, its size, and a legend below the panels."""
    figure.update_layout(
        template="plotly_white",
        title={"text": title, "x": 0.02, "font_size": 18},
        width=WIDTH,
        height=height,
        margin={"l": 70, "r": 30, "t": 90, "b": 60},
        legend={"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.2, "yanchor": "top"},
    )
    return figure


def heat_map(values: Tensor, **options: object) -> go.Heatmap:
    """A heat map of a matrix, one row of it per row of the picture, without a colour bar unless asked for."""
    return go.Heatmap(z=values.detach().float().numpy(), **{"showscale": False, **options})


def signed_heat_map(values: Tensor, largest: float, **options: object) -> go.Heatmap:
    """A heat map whose white is zero and whose colours end at plus and minus the largest value."""
    return heat_map(values, colorscale=SIGNED, zmin=-largest, zmax=largest, **options)


def put_first_row_on_top(figure: go.Figure, col: int, **options: object) -> None:
    """Let the rows of a heat map run downwards, as those of a matrix do, with square cells."""
    figure.update_yaxes(autorange="reversed", scaleanchor=f"x{col if col > 1 else ''}", col=col, **options)
    figure.update_xaxes(constrain="domain", col=col)
    figure.update_yaxes(constrain="domain", col=col)
