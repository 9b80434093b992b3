"""Figure of one word's output in two sentences of the same words."""

import plotly.graph_objects as go
from torch import Tensor

from given.figures.style import BLUE, GOLD, finish, make_panels


def draw_good(without: tuple[Tensor, Tensor], with_positions: tuple[Tensor, Tensor]) -> go.Figure:
    """The output vector of "good" in both sentences, without positions (left) and with them (right)."""
    figure = make_panels(["without positions", "with positions"], shared_yaxes=True, horizontal_spacing=0.05)
    names = ("“… good not bad …”", "“… bad not good …”")
    for col, vectors in enumerate((without, with_positions), start=1):
        for name, vector, colour in zip(names, vectors, (BLUE, GOLD), strict=True):
            y = vector.detach().numpy()
            style = {"marker_color": colour, "legendgroup": name, "showlegend": col == 1}
            figure.add_bar(name=name, x=list(range(len(y))), y=y, **style, row=1, col=col)
    figure.update_xaxes(title="feature")
    figure.update_yaxes(title="output of the layer", col=1)
    return finish(figure, "What the layer makes of “good”")
