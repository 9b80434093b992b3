"""A figure in words: for those who hear it, and for wherever pictures cannot be shown."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from given.figures.panel import Panel, numbers, plain, read_panels

FEW = 6  # rows of a heat map in which a place can be named
SAME = 1e-5  # of the range: heat maps are drawn in float32


def describe(figure: go.Figure) -> str:
    """The title, then a line for each panel's axes and for each curve, set of bars and heat map in it."""
    lines = [f"Figure: {plain(figure.layout.title.text)}"]
    for panel in read_panels(figure):
        axes = [
            f"{_axis(axis)} {way}" for axis, way in ((panel.xaxis, "across"), (panel.yaxis, "upright")) if _axis(axis)
        ]
        lines.append("  " + ": ".join(part for part in (panel.title, ", ".join(axes)) if part))
        lines += [f"    {_trace(trace, panel)}" for trace in panel.traces]
    return "\n".join(line for line in lines if line.strip())


def _axis(axis: Any) -> str:
    name = plain(axis.title.text) if axis.visible is not False else ""
    return f"{name} (logarithmic)" if axis.type == "log" else name


def _trace(trace: Any, panel: Panel) -> str:
    if trace.type == "heatmap":
        return _heat_map(np.asarray(trace.z, dtype=float), panel)
    x, y = list(trace.x), numbers(trace.y)
    low, high = int(np.nanargmin(y)), int(np.nanargmax(y))
    name = plain(trace.name)
    if trace.type == "bar":
        return f"{name}: " + ", ".join(f"{place} {value:.3g}" for place, value in zip(x, y, strict=True))
    ends = f"{y[0]:.3g} at {x[0]:g}, {y[-1]:.3g} at {x[-1]:g}"
    return f"{name}: {ends}; lowest {y[low]:.3g} at {x[low]:g}, highest {y[high]:.3g} at {x[high]:g}"


def _heat_map(z: Any, panel: Panel) -> str:
    """Its size and range, and what it shows at a glance: constant diagonals, the largest of a few numbers or words."""
    rows, columns = z.shape
    text = f"heat map of {rows} x {columns} numbers from {np.nanmin(z):.2g} to {np.nanmax(z):.2g}"
    if names := panel.xaxis.ticktext:
        others = z[-1] * (np.arange(columns) < columns - 1)  # what a word gives to itself says little
        return f"{text}; in the last row, besides itself, most on “{names[int(others.argmax())]}”"
    if rows == columns > FEW and np.ptp(z) > 0 and np.abs(z[1:, 1:] - z[:-1, :-1]).max() < SAME * np.ptp(z):
        return f"{text}; the same along each diagonal"
    if rows <= FEW:
        row, column = np.unravel_index(z.argmax(), z.shape)
        return f"{text}; largest in row {row + 1}, column {column + 1}"
    return text
