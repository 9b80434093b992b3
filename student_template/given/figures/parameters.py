"""Figure of parameter counts."""

import plotly.graph_objects as go

from given.figures.style import BLUE, RED, finish


def draw_parameters(N: list[int], multi_head: list[int], dense: list[int], D: int) -> go.Figure:
    """Parameters of multi-head attention and of a dense layer over the number of tokens."""
    figure = go.Figure()
    for name, counts, colour in (("dense layer", dense, RED), ("multi-head attention", multi_head, BLUE)):
        # as floats: a picture needs no more, and JavaScript has no integers this large
        y = [float(count) for count in counts]
        figure.add_scatter(x=N, y=y, mode="lines+markers", name=name, line_color=colour)
    figure.update_xaxes(type="log", title="tokens N", tickvals=[1, 4, 16, 64, 256, 1024, 4096], exponentformat="none")
    figure.update_yaxes(type="log", title="parameters", dtick=2, exponentformat="power")
    return finish(figure, f"Parameters for N tokens of D = {D} features")
