"""Figures of positional encodings and of scores that depend on the offset alone."""

import plotly.graph_objects as go
from torch import Tensor

from given.figures.style import (
    BLUE,
    GOLD,
    SIGNED,
    finish,
    heat_map,
    make_panels,
    put_first_row_on_top,
    signed_heat_map,
)
from given.offsets import pairs_by_offset


def draw_encoding(r: Tensor) -> go.Figure:
    """The encodings of N positions as a heat map, one row per position."""
    figure = go.Figure(signed_heat_map(r, 1.0, showscale=True, colorbar_title="r"))
    figure.update_xaxes(title="feature i")
    figure.update_yaxes(title="position n", autorange="reversed")
    return finish(figure, f"Sinusoidal encoding of {len(r)} positions", height=480)


def draw_offsets(scores: Tensor, formula: Tensor, title: str, score: str, every: int = 1) -> go.Figure:
    """Scores of positions n and m as a heat map, and over m - n with a formula on top.

    formula holds one value per offset from 1 - N to N - 1.
    """
    N = len(scores)
    figure = make_panels(["all pairs of positions", "the same numbers over m − n"], horizontal_spacing=0.16)
    bar = {"x": 0.43, "thickness": 12}
    figure.add_trace(heat_map(scores, colorscale=SIGNED, zmid=0, showscale=True, colorbar=bar), row=1, col=1)
    figure.update_xaxes(title="position m", row=1, col=1)
    put_first_row_on_top(figure, 1, title="position n")
    offsets, values = pairs_by_offset(scores, every)
    dots = {"mode": "markers", "marker": {"color": GOLD, "size": 7}, "name": score}
    figure.add_scatter(x=offsets.numpy(), y=values.float().numpy(), **dots, row=1, col=2)
    line = {"mode": "lines", "line": {"color": BLUE, "width": 1.5}, "name": "formula"}
    figure.add_scatter(x=list(range(1 - N, N)), y=formula.float().numpy(), **line, row=1, col=2)
    figure.update_xaxes(title="offset m − n", row=1, col=2)
    figure.update_yaxes(title=score, row=1, col=2)
    return finish(figure, title, height=440)


def draw_matrices(matrices: dict[str, Tensor], title: str) -> go.Figure:
    """Matrices side by side on one colour scale from -1 to 1."""
    figure = make_panels(list(matrices), horizontal_spacing=0.1)
    for col, matrix in enumerate(matrices.values(), start=1):
        figure.add_trace(signed_heat_map(matrix, 1.0, showscale=col == len(matrices)), row=1, col=col)
        figure.update_xaxes(title="feature of r[n]", col=col)
        put_first_row_on_top(figure, col, title="feature of r[n + 5]")
    return finish(figure, title, height=460)


def draw_decay(scores: Tensor, means: Tensor) -> go.Figure:
    """Expected score over the offset, on a logarithmic axis, with its running mean; from offset 1 on."""
    figure = go.Figure()
    offsets = list(range(1, len(scores)))
    curves = (("2 Σ cos(d θ<sub>i</sub>)", scores, GOLD, 1), ("mean over the nearest tenth of offsets", means, BLUE, 3))
    for name, values, colour, width in curves:
        line = {"color": colour, "width": width}
        figure.add_scatter(x=offsets, y=values[1:].float().numpy(), mode="lines", name=name, line=line)
    figure.update_xaxes(type="log", title="offset d", dtick=1, exponentformat="none", separatethousands=True)
    figure.update_yaxes(title="expected score when k = q")
    return finish(figure, "With RoPE, attention prefers what is near")
