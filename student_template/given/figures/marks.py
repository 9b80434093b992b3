"""The marks of a still picture: curves, dots, bars and heat maps inside a frame."""

import base64
import struct
import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from given.figures.panel import numbers

DASHES = {"dot": "2 3", "dash": "7 4", "longdash": "12 5", "dashdot": "7 3 2 3"}  # Plotly's names, in pixels


@dataclass(frozen=True)
class Frame:
    """Where a panel stands in the picture, in pixels, and which numbers its edges are (left, right; bottom, top)."""

    left: float
    top: float
    width: float
    height: float
    xrange: tuple[float, float]
    yrange: tuple[float, float]
    xlog: bool
    ylog: bool

    def squared(self) -> "Frame":
        """The largest frame inside this one in which one unit across is as long as one unit down."""
        columns, rows = abs(self.xrange[1] - self.xrange[0]), abs(self.yrange[1] - self.yrange[0])
        unit = min(self.width / columns, self.height / rows)
        width, height = unit * columns, unit * rows
        left, top = self.left + (self.width - width) / 2, self.top + (self.height - height) / 2
        return replace(self, left=left, top=top, width=width, height=height)


def place(frame: Frame, x: Any, y: Any) -> tuple[Any, Any]:
    """The pixels of a point; either coordinate is meant only where the axis can show it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = (np.log10(x) if frame.xlog else x), (np.log10(y) if frame.ylog else y)
    (x0, x1), (y0, y1) = frame.xrange, frame.yrange
    return frame.left + (x - x0) / (x1 - x0) * frame.width, frame.top + (y1 - y) / (y1 - y0) * frame.height


def draw_marks(trace: Any, frame: Frame, bars: list[Any]) -> list[str]:
    """A curve with or without dots, dots alone, or the bars of one of several sets."""
    x, y = place(frame, numbers(trace.x), numbers(trace.y))
    if trace.type == "bar":
        return _draw_bars(trace, x, y, frame, bars)
    colour = (trace.line.color if trace.line.color else trace.marker.color) or "black"
    parts = []
    if "lines" in (trace.mode or "lines"):
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in _thin(x, y, np.round(2 * x)))
        style = f"stroke='{colour}' stroke-width='{trace.line.width or 2}'{write_dash(trace)}"
        parts.append(f"<polyline points='{line}' fill='none' {style}/>")
    if "markers" in (trace.mode or ""):
        seen = _thin(x, y, np.round(x) + 1j * np.round(y))
        parts += [f"<circle cx='{a:.1f}' cy='{b:.1f}' r='3' fill='{colour}'/>" for a, b in seen]
    return parts


def write_dash(trace: Any) -> str:
    """The pattern of a curve, as an attribute; nothing for a solid one."""
    return f" stroke-dasharray='{DASHES[trace.line.dash]}'" if trace.line.dash in DASHES else ""


def _thin(x: Any, y: Any, places: Any) -> list[tuple[float, float]]:
    """The points without those that are not finite, and one of all that share a place, in their order."""
    _, first = np.unique(places, return_index=True)
    return [(x[n], y[n]) for n in sorted(first) if np.isfinite(x[n]) and np.isfinite(y[n])]


def draw_heat_map(trace: Any, frame: Frame) -> list[str]:
    """A heat map as one small picture, a pixel a cell, with the numbers that are written into cells."""
    z = np.asarray(trace.z, dtype=float)
    low, high = _find_ends(trace, z)
    stops = np.array([position for position, _ in trace.colorscale])
    colours = np.array([_read_colour(colour) for _, colour in trace.colorscale])
    share = np.clip((z - low) / (high - low or 1.0), 0, 1)
    pixels = np.stack([np.interp(share, stops, colours[:, channel]) for channel in range(3)], axis=-1)
    picture = base64.b64encode(_write_png(pixels.round().astype(np.uint8))).decode()
    parts = [
        f"<image x='{frame.left:.1f}' y='{frame.top:.1f}' width='{frame.width:.1f}' height='{frame.height:.1f}' "
        f"preserveAspectRatio='none' style='image-rendering: pixelated' href='data:image/png;base64,{picture}'/>"
    ]
    for row, texts in enumerate(trace.text if trace.text is not None else ()):
        for column, text in enumerate(texts):
            if text:
                x, y = place(frame, column, row)
                ink = "white" if share[row, column] > 0.5 else "black"
                parts.append(
                    f"<text x='{x:.1f}' y='{y + 3:.1f}' font-size='8' text-anchor='middle' "
                    f"font-family='sans-serif' fill='{ink}'>{text}</text>"
                )
    return parts


def _draw_bars(trace: Any, x: Any, y: Any, frame: Frame, bars: list[Any]) -> list[str]:
    zero = place(frame, 0, 0)[1]
    width = 0.8 * frame.width / (frame.xrange[1] - frame.xrange[0]) / len(bars)
    shift = (bars.index(trace) - len(bars) / 2) * width
    return [
        f"<rect x='{a + shift:.1f}' y='{min(b, zero):.1f}' width='{width:.1f}' height='{abs(b - zero):.1f}' "
        f"fill='{trace.marker.color}'/>"
        for a, b in zip(x, y, strict=True)
    ]


def _find_ends(trace: Any, z: Any) -> tuple[float, float]:
    """The numbers at the two ends of the colour scale."""
    if trace.zmid is not None:
        reach = float(np.abs(z - trace.zmid).max())
        return trace.zmid - reach, trace.zmid + reach
    low = float(z.min()) if trace.zmin is None else trace.zmin
    return low, float(z.max()) if trace.zmax is None else trace.zmax


def _read_colour(colour: str) -> list[float]:
    if colour.startswith("#"):
        return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]


def _write_png(pixels: Any) -> bytes:
    """An array of rows x columns x 3 bytes as a PNG, by its specification."""
    rows, columns, _ = pixels.shape
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)  # 0: no filter
    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)  # 8 bits, red green blue
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
