"""Figure of what the vision transformer looks at."""

from collections.abc import Callable

import plotly.graph_objects as go
import torch
from torch import Tensor

from given.figures.style import GOLD, WEIGHTS, finish, heat_map, make_panels


def draw_looks(
    images: Tensor,
    labels: Tensor,
    predictions: Tensor,
    attention: Tensor,
    patchify: Callable[[Tensor, int], Tensor],
    P: int,
) -> go.Figure:
    """Digits with their patches marked (above), and the class token's weight on each patch (below).

    Your `patchify` tells where in the image each patch stands.
    """
    B, S = images.shape[:2]
    G = S // P  # patches along an edge
    first = patchify(torch.arange(1.0 * S * S).reshape(1, S, S), P)[0].amin(dim=1).long()  # of each patch's pixels
    places = first // S // P * G + first % S // P
    titles = [f"{label}, read as {guess}" for label, guess in zip(labels.tolist(), predictions.tolist(), strict=True)]
    figure = make_panels(titles + [""] * B, rows=2, horizontal_spacing=0.015, vertical_spacing=0.06)
    largest = attention.max().item()
    for col in range(1, B + 1):
        figure.add_trace(heat_map(images[col - 1], colorscale="gray_r", zmin=0, zmax=1), row=1, col=col)
        for edge in range(0, S + 1, P):
            line = {"line": {"color": GOLD, "width": 1.5}, "row": 1, "col": col}
            figure.add_hline(edge - 0.5, **line)
            figure.add_vline(edge - 0.5, **line)
        weights = torch.zeros(G * G).scatter(0, places, attention[col - 1]).reshape(G, G)
        figure.add_trace(heat_map(weights, colorscale=WEIGHTS, zmin=0, zmax=largest), row=2, col=col)
    figure.update_xaxes(visible=False, constrain="domain")
    figure.update_yaxes(visible=False, constrain="domain", autorange="reversed")
    for number in range(1, 2 * B + 1):
        axis = str(number) if number > 1 else ""
        figure.update_layout({f"yaxis{axis}_scaleanchor": f"x{axis}"})
    for row, name in ((1, f"image, {P} x {P} patches"), (2, "attention of class token")):
        figure.update_yaxes(visible=True, showticklabels=False, showgrid=False, title=name, row=row, col=1)
    return finish(figure, "What the class token looks at in the last layer", height=410).update_layout(margin_b=20)
