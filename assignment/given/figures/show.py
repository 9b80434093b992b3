"""Show a figure wherever the notebook is read: Plotly's own, a still picture, and words."""

import json
import sys

import plotly.graph_objects as go
from IPython.display import display

from given.figures.still import draw_still
from given.figures.words import describe

INTERACTIVE = "application/vnd.plotly.v1+json"  # what JupyterLab and VS Code draw with Plotly


def show_figure(figure: go.Figure) -> None:
    """Show a figure with its twins: a reader that cannot draw it takes the picture, one without pictures the words.

    Pages on GitHub and exported HTML are of the first kind, terminals of the second.
    """
    if "google.colab" in sys.modules:  # draws with Plotly's script only
        figure.show(renderer="colab")
        return
    display(bundle(figure), raw=True)


def bundle(figure: go.Figure) -> dict[str, object]:
    """The figure in three forms, by media type."""
    return {
        INTERACTIVE: json.loads(figure.to_json()),
        "image/svg+xml": draw_still(figure),
        "text/plain": describe(figure),
    }
