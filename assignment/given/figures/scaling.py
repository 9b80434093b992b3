"""Figure of what the division by sqrt(D_k) does."""

import plotly.graph_objects as go

from given.figures.style import BLUE, RED, finish, make_panels
from given.scaling import Scaling


def draw_scaling(rows: list[Scaling]) -> go.Figure:
    """Variance of the scores, largest weight and size of the softmax's derivative over D_k."""
    panels = {
        "variance": "variance of a score",
        "largest_weight": "largest weight",
        "jacobian_norm": "derivative of the softmax, ‖J‖",
    }
    figure = make_panels(list(panels.values()), horizontal_spacing=0.09)
    for scaled, name, colour in ((False, "unscaled", RED), (True, "divided by √D<sub>k</sub>", BLUE)):
        chosen = [row for row in rows if row.scaled == scaled]
        for col, field in enumerate(panels, start=1):
            figure.add_scatter(
                x=[row.D_k for row in chosen],
                y=[getattr(row, field) for row in chosen],
                mode="lines+markers",
                name=name,
                legendgroup=name,
                showlegend=col == 1,
                line_color=colour,
                row=1,
                col=col,
            )
    figure.update_xaxes(type="log", title="D<sub>k</sub>", tickvals=[2, 8, 32, 128, 512], exponentformat="none")
    figure.update_yaxes(type="log", dtick=1, exponentformat="power")
    figure.update_yaxes(title="mean over 200 trials", col=1)
    for col, ticks in ((2, [0.1, 0.2, 0.5, 1.0]), (3, [0.05, 0.1, 0.2, 0.3])):
        figure.update_yaxes(tickvals=ticks, dtick=None, exponentformat="none", col=col)
    return finish(figure, "Why divide by √D<sub>k</sub>: unit-variance queries and keys")
