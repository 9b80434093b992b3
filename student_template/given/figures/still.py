"""A still picture of a figure, as SVG: what is shown where Plotly's script cannot run."""

from html import escape
from typing import Any

import plotly.graph_objects as go

from given.figures.axes import FONT, draw_ticks, find_names, find_range, write_text
from given.figures.marks import Frame, draw_heat_map, draw_marks, place, write_dash
from given.figures.panel import Panel, plain, read_panels
from given.figures.words import describe


def draw_still(figure: go.Figure) -> str:
    """The figure as SVG, its description inside for those who hear it."""
    layout = figure.layout
    width, height, title = layout.width, layout.height, escape(plain(layout.title.text))
    parts = [f"<text x='14' y='26' font-size='17' {FONT}>{title}</text>"]
    for panel in read_panels(figure):
        parts += _draw_panel(panel, figure)
    parts += _draw_legend(figure)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' "
        f"role='img' aria-label='{title}'><title>{title}</title><desc>{escape(describe(figure))}</desc>"
        f"<rect width='100%' height='100%' fill='white'/>{''.join(parts)}</svg>"
    )


def _draw_panel(panel: Panel, figure: go.Figure) -> list[str]:
    frame = _find_frame(panel, figure)
    x, y, w, h = frame.left, frame.top, frame.width, frame.height
    parts = [f"<rect x='{x:.1f}' y='{y:.1f}' width='{w:.1f}' height='{h:.1f}' fill='none' stroke='#C8D4E3'/>"]
    bars = [trace for trace in panel.traces if trace.type == "bar"]
    for trace in panel.traces:
        parts += draw_heat_map(trace, frame) if trace.type == "heatmap" else draw_marks(trace, frame, bars)
    for shape in figure.layout.shapes:  # the edges of patches
        if (shape.xref or "x").split()[0] == (panel.traces[0].xaxis or "x"):
            parts.append(_draw_edge(shape, frame))
    parts.append(write_text(panel.title, x + w / 2, y - 8, 13))
    if panel.xaxis.visible is not False:
        parts += draw_ticks(panel.xaxis, frame, across=True, names=find_names(panel))
        parts.append(
            write_text(plain(panel.xaxis.title.text), x + w / 2, y + h + (58 if panel.xaxis.tickangle else 34), 12)
        )
    if panel.yaxis.visible is not False:
        parts += draw_ticks(panel.yaxis, frame, across=False) if panel.yaxis.showticklabels is not False else []
        parts.append(write_text(plain(panel.yaxis.title.text), x - 46, y + h / 2, 12, turn=-90))
    return parts


def _find_frame(panel: Panel, figure: go.Figure) -> Frame:
    layout, (left, right, bottom, top) = figure.layout, panel.domain
    margin = layout.margin
    width, height = layout.width - margin.l - margin.r, layout.height - margin.t - margin.b
    below = 40 if any(trace.showlegend is not False and trace.name for trace in figure.data) else 0
    height -= below
    ranges = [
        find_range(axis, figure.data if axis.matches else panel.traces, key)
        for axis, key in ((panel.xaxis, "x"), (panel.yaxis, "y"))
    ]
    if panel.yaxis.autorange == "reversed":
        ranges[1] = ranges[1][::-1]
    frame = Frame(
        left=margin.l + left * width,
        top=margin.t + (1 - top) * height,
        width=(right - left) * width,
        height=(top - bottom) * height,
        xrange=ranges[0],
        yrange=ranges[1],
        xlog=panel.xaxis.type == "log",
        ylog=panel.yaxis.type == "log",
    )
    return frame.squared() if panel.yaxis.scaleanchor else frame


def _draw_edge(shape: Any, frame: Frame) -> str:
    """A line across a panel, level or upright."""
    if shape.x0 == shape.x1:
        x, y0, y1 = place(frame, shape.x0, 0)[0], frame.top, frame.top + frame.height
        ends = (x, y0, x, y1)
    else:
        y = place(frame, 0, shape.y0)[1]
        ends = (frame.left, y, frame.left + frame.width, y)
    x1, y1, x2, y2 = ends
    return f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{shape.line.color}'/>"


def _draw_legend(figure: go.Figure) -> list[str]:
    shown = [trace for trace in figure.data if trace.name and trace.showlegend is not False]
    parts, y = [], figure.layout.height - 18
    for number, trace in enumerate(shown):
        x = 70 + number * (figure.layout.width - 100) / max(len(shown), 1)
        if trace.type == "scatter" and trace.line.color:
            style = f"stroke='{trace.line.color}' stroke-width='3'{write_dash(trace)}"
            parts.append(f"<line x1='{x - 8:.0f}' y1='{y - 4}' x2='{x + 18:.0f}' y2='{y - 4}' {style}/>")
        else:
            parts.append(f"<rect x='{x:.0f}' y='{y - 9}' width='18' height='8' fill='{trace.marker.color}'/>")
        parts.append(write_text(plain(trace.name), x + 24, y, 12, anchor="start"))
    return parts
