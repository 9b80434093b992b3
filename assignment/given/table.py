"""All questions in one table."""

import html

from given.report import COLOURS, Report

HEADS = ("", "question", "", "public cases", "points", "waiting on Gradescope")


class Table:
    """How all questions stand, one row each; shown by the notebook as an HTML table, elsewhere as plain text."""

    def __init__(self, reports: list[Report]) -> None:
        self.reports = reports

    @property
    def points(self) -> float:
        """Points of all public cases that passed."""
        return sum(report.points for report in self.reports)

    @property
    def possible(self) -> float:
        """Points of all public cases."""
        return sum(report.possible for report in self.reports)

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of the table, the sum last."""
        rows = [
            (
                report.sign,
                report.question,
                report.waits.get("title", ""),
                report.state(),
                f"{report.points:g} of {report.possible:g}",
                report.waiting(),
            )
            for report in self.reports
        ]
        hidden = sum(report.waits.get("hidden_points", 0) for report in self.reports)
        return [*rows, ("", "total", "", "", f"{self.points:g} of {self.possible:g}", f"{hidden:g} points")]

    def __repr__(self) -> str:
        rows = [HEADS, *self.rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        lines.insert(-1, "")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align: left'>{name}</th>" for name in HEADS)
        rows = [f"<tr>{head}</tr>"]
        for row in self.rows():
            colour = COLOURS.get(row[0], "transparent")
            cells = "".join(f"<td style='text-align: left'>{html.escape(text)}</td>" for text in row)
            rows.append(f"<tr style='border-left: 6px solid {colour}'>{cells}</tr>")
        return f"<table style='border-collapse: collapse'>{''.join(rows)}</table>"
