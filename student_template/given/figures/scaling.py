"""Figure of what the division by sqrt(D_k) does."""

import plotly.graph_objects as go

from given.figures.style import BLUE, GOLD, RED, finish, make_panels
from given.scaling import Scaling

PANELS = (  # a field of Scaling, panel title, axis title, ticks
    ("variance", "variance of a score", "variance", [0.001, 0.01, 0.1, 1, 10, 100, 1000]),
    ("largest_weight", "largest weight of a query", "mean of the largest α", [0.05, 0.1, 0.2, 0.5, 1.0]),
    ("jacobian_norm", "derivative of the softmax", "mean of ‖J‖", [0.05, 0.1, 0.2, 0.3]),
)
CURVES = {  # by the power of D_k that scores are divided by
    0.0: {"name": "unscaled", "line_color": RED},
    0.5: {"name": "divided by √D<sub>k</sub>", "line_color": BLUE},
    1.0: {"name": "divided by D<sub>k</sub>", "line_color": GOLD, "line_dash": "dash"},
}


def draw_scaling(rows: list[Scaling]) -> go.Figure:
    """Variance of the scores, largest weight and size of the softmax's derivative over D_k."""
    figure = make_panels([title for _, title, _, _ in PANELS], horizontal_spacing=0.1)
    for power, style in CURVES.items():
        chosen = [row for row in rows if row.power == power]
        x = [row.D_k for row in chosen]
        for col, (field, *_) in enumerate(PANELS, start=1):
            if chosen:
                y = [getattr(row, field) for row in chosen]
                group = {"legendgroup": style["name"], "showlegend": col == 1, **style}
                figure.add_scatter(x=x, y=y, mode="lines+markers", **group, row=1, col=col)
    for col, (_, _, title, ticks) in enumerate(PANELS, start=1):
        figure.update_yaxes(type="log", title=title, title_standoff=5, tickvals=ticks, exponentformat="none", col=col)
    figure.update_xaxes(type="log", title="D<sub>k</sub>", tickvals=[2, 8, 32, 128, 512], exponentformat="none")
    return finish(figure, "Why divide by √D<sub>k</sub>: unit-variance queries and keys, 200 trials")
