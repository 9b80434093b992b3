"""Figures of attention as weighted averaging."""

import plotly.graph_objects as go
from torch import Tensor

from given.figures.style import BLUE, GOLD, GREY, WEIGHTS, finish, heat_map, make_panels, put_first_row_on_top
from given.words import FEATURES

SHOWN = 0.05  # smaller weights are left blank


def draw_weights(sentences: list[list[str]], weights: list[Tensor]) -> go.Figure:
    """The weights of two sentences as heat maps: one row per query word, one column per key word."""
    figure = make_panels([f"“{' '.join(words[:5])} …”" for words in sentences], horizontal_spacing=0.12)
    for col, (words, alpha) in enumerate(zip(sentences, weights, strict=True), start=1):
        text = [[f"{a:.2f}" if a >= SHOWN else "" for a in row] for row in alpha.tolist()]
        trace = heat_map(alpha, colorscale=WEIGHTS, zmin=0, text=text, texttemplate="%{text}", textfont_size=9)
        ticks = {"tickvals": list(range(len(words))), "ticktext": words}
        figure.add_trace(trace, row=1, col=col)
        figure.update_xaxes(title="key i", tickangle=-60, col=col, **ticks)
        put_first_row_on_top(figure, col, title="query n", **ticks)
    return finish(figure, "Weight α that each word gives to each word", height=540)


def draw_bank(before: Tensor, in_river: Tensor, in_cash: Tensor) -> go.Figure:
    """The features of "bank" before attention, and after it in either sentence."""
    figure = go.Figure()
    bars = (
        ("input, the same in both", before, GREY),
        ("output, river sentence", in_river, BLUE),
        ("output, cash sentence", in_cash, GOLD),
    )
    for name, vector, colour in bars:
        figure.add_bar(name=name, x=FEATURES, y=vector.detach().numpy(), marker_color=colour)
    figure.update_xaxes(title="feature")
    figure.update_yaxes(title="value")
    return finish(figure, "“bank” before and after attention")
