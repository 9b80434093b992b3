"""What a figure consists of, read back from Plotly: panels with their axes, title and traces."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go


@dataclass
class Panel:
    """A pair of axes, the traces drawn in it, its title, and where it stands: left, right, bottom, top from 0 to 1."""

    xaxis: Any
    yaxis: Any
    traces: list[Any]
    title: str
    domain: tuple[float, float, float, float]


def read_panels(figure: go.Figure) -> list[Panel]:
    """The panels of a figure in the order in which their first traces were drawn."""
    titles = [(note.x, plain(note.text)) for note in figure.layout.annotations if note.yref == "paper"]
    panels: dict[str, Panel] = {}
    for trace in figure.data:
        number = (trace.xaxis or "x")[1:]
        if number not in panels:
            xaxis, yaxis = figure.layout[f"xaxis{number}"], figure.layout[f"yaxis{number}"]
            domain = (*(xaxis.domain or (0.0, 1.0)), *(yaxis.domain or (0.0, 1.0)))
            middle = (domain[0] + domain[1]) / 2
            own = [title for x, title in titles if abs(x - middle) < 1e-6] if domain[3] == 1 else []  # of the top row
            panels[number] = Panel(xaxis, yaxis, [], own[0] if own else "", domain)
        panels[number].traces.append(trace)
    return list(panels.values())


def plain(text: str | None) -> str:
    """A title without markup: D<sub>k</sub> is D_k."""
    text = re.sub(r"<sub>(.*?)</sub>", r"_\1", text or "")
    return re.sub(r"<[^>]+>", " ", text).strip()


def numbers(values: Any) -> Any:
    """Coordinates as an array of floats; names are counted from 0."""
    array = np.asarray(values)
    return np.arange(len(array), dtype=float) if array.dtype.kind in "UO" else array.astype(float)
