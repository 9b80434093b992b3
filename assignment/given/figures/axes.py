"""The axes of a still picture: their spans, ticks and texts."""

from html import escape
from typing import Any

import numpy as np

from given.figures.marks import Frame, place
from given.figures.panel import Panel, numbers

FONT = "font-family='sans-serif' fill='#2A3F5F'"  # the colour of Plotly's white template


def find_range(axis: Any, traces: Any, key: str) -> tuple[float, float]:
    """The span of an axis: all that is drawn along it, with a little room, and zero under bars."""
    if traces[0].type == "heatmap":
        return -0.5, np.asarray(traces[0].z).shape[key == "x"] - 0.5
    values = np.concatenate([numbers(trace[key]) for trace in traces])
    values = np.log10(values) if axis.type == "log" else values
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    bars = traces[0].type == "bar"
    if key == "y" and (bars or axis.rangemode == "tozero"):
        low, high = min(low, 0.0), max(high, 0.0)
    room = 0.6 if bars and key == "x" else 0.05 * (high - low or 1.0)
    return low - room, high + room


def draw_ticks(axis: Any, frame: Frame, across: bool, names: list[str] | None = None) -> list[str]:
    """The ticks of an axis: where it says, else at round numbers."""
    below = frame.top + frame.height
    low, high = sorted(frame.xrange if across else frame.yrange)
    log = axis.type == "log"
    marks = list(axis.tickvals) if axis.tickvals is not None else _round_steps(low, high, log)
    if names:
        marks = list(range(len(names)))
    elif axis.ticktext is not None:
        names = list(axis.ticktext)
    else:
        names = [f"{mark:g}" for mark in marks]
    parts = []
    for mark, name in zip(marks, names, strict=True):
        if low <= (np.log10(mark) if log else mark) <= high:
            x, y = place(frame, mark, mark)
            if not across:
                parts.append(write_text(name, frame.left - 5, y + 4, 10, anchor="end"))
            elif axis.tickangle:
                parts.append(write_text(name, x + 3, below + 10, 10, anchor="end", turn=axis.tickangle))
            else:
                parts.append(write_text(name, x, below + 15, 10))
    return parts


def write_text(text: str, x: float, y: float, size: int, anchor: str = "middle", turn: float = 0) -> str:
    """A text at a place, turned about it by so many degrees."""
    turned = f" transform='rotate({turn} {x:.1f} {y:.1f})'" if turn else ""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' {FONT}{turned}>{escape(text)}</text>"
    )


def find_names(panel: Panel) -> list[str] | None:
    """What stands under bars that have names in place of numbers."""
    x = panel.traces[0].x
    return list(x) if x is not None and isinstance(x[0], str) else None


def _round_steps(low: float, high: float, log: bool) -> list[float]:
    if log:
        powers = np.arange(np.ceil(low), high + 1e-9)
        return list(10.0 ** powers[:: max(1, len(powers) // 6)])
    step = 10 ** np.floor(np.log10(high - low))
    step *= next(factor for factor in (0.2, 0.5, 1.0, 2.0) if (high - low) / (step * factor) <= 7)  # at most 8 ticks
    return list(np.arange(np.ceil(low / step), high / step + 1e-9) * step + 0.0)  # no minus zero
