"""Figure of what the division by sqrt(D_k) does."""

import plotly.graph_objects as go

from given.figures.style import BLUE, RED, finish, make_panels
from given.scaling import Scaling

PANELS = (  # a field of Scaling, panel title, axis title, ticks
    ("variance", "variance of a score", "variance", [1, 10, 100, 1000]),
    ("largest_weight", "largest weight of a query", "mean of the largest α", [0.1, 0.2, 0.5, 1.0]),
    ("jacobian_norm", "derivative of the softmax", "mean of ‖J‖", [0.05, 0.1, 0.2, 0.3]),
)


def draw_scaling(rows: list[Scaling]) -> go.Figure:
    """Variance of the scores, largest weight and size of the softmax's derivative over D_k."""
    figure = make_panels([title for _, title, _, _ in PANELS], horizontal_spacing=0.1)
    for scaled, name, colour in ((False, "unscaled", RED), (True, "divided by √D<sub>k</sub>", BLUE)):
        chosen = [row for row in rows if row.scaled == scaled]
        x = [row.D_k for row in chosen]
        style = {"mode": "lines+markers", "name": name, "legendgroup": name, "line_color": colour}
        for col, (field, *_) in enumerate(PANELS, start=1):
            y = [getattr(row, field) for row in chosen]
            figure.add_scatter(x=x, y=y, showlegend=col == 1, **style, row=1, col=col)
    for col, (_, _, title, ticks) in enumerate(PANELS, start=1):
        figure.update_yaxes(type="log", title=title, title_standoff=5, tickvals=ticks, exponentformat="none", col=col)
    figure.update_xaxes(type="log", title="D<sub>k</sub>", tickvals=[2, 8, 32, 128, 512], exponentformat="none")
    return finish(figure, "Why divide by √D<sub>k</sub>: unit-variance queries and keys, 200 trials")
