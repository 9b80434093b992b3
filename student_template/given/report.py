"""How answers stand: one question's public cases, and all questions in a table; as HTML and as plain text."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otter.nbmeta_config import NBMetadataConfig
from otter.test_files import create_test_file

import kit
from kit.advice import choose_advice, keep_agreed_symptom, tell
from kit.case import read_claim

TEXT = "margin: 4px 0; padding: 0; white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere"
COLOURS = {"✓": "#2E8B57", "✗": "#D9531E", "-": "#7F7F7F"}  # on white and on black; the words say it too


@dataclass(frozen=True)
class CaseReport:
    """A public case: its name, points and how it ended; if it failed, what was seen and the whole message."""

    name: str
    points: float
    reason: str
    what: str = ""
    message: str = ""


class Report:
    """How a question's public cases ended; shown by the notebook as HTML, elsewhere as plain text."""

    def __init__(self, question: str, cases: list[CaseReport]) -> None:
        self.question, self.cases = question, cases
        self.failed = [case for case in cases if case.reason != "passed"]
        self.waits = kit.settings.questions.get(question, {})

    @property
    def points(self) -> float:
        """Points of the public cases that passed."""
        return sum(case.points for case in self.cases if case.reason == "passed")

    @property
    def possible(self) -> float:
        """Points of all public cases."""
        return sum(case.points for case in self.cases)

    @property
    def unwritten(self) -> bool:
        """Whether the answer is still a stub, or its cell has not been run."""
        return bool(self.failed) and all(case.reason == "missing" for case in self.failed)

    @property
    def sign(self) -> str:
        """✓ passed, ✗ failed, - not written yet."""
        return "-" if self.unwritten else "✗" if self.failed else "✓"

    def state(self) -> str:
        """Passed, failed or not written yet, in words."""
        if self.unwritten:
            return "not written yet"
        count = len(self.cases)
        cases = {1: "the public case", 2: "both public cases"}.get(count, f"all {count} public cases")
        return f"{len(self.failed)} of {count} public cases failed" if self.failed else f"{cases} passed"

    def waiting(self) -> str:
        """What waits on Gradescope, empty if nothing does."""
        hidden = self.waits.get("hidden_cases")
        cases = "1 hidden case" if hidden == 1 else f"{hidden} hidden cases"
        return f"{cases}, {self.waits['hidden_points']:g} points" if hidden else ""

    def headline(self) -> str:
        """One line: passed or failed, points, and what waits on Gradescope."""
        line = f"{self.sign} {self.question}: {self.state()}, {self.points:g} of {self.possible:g} public points."
        return f"{line} Waiting on Gradescope: {self.waiting()}." if self.waiting() else line

    def __repr__(self) -> str:
        if self.unwritten:
            what = self.failed[0].what
            return self.headline() + ("" if what.startswith(self.question) else f"\n{what}")
        return "\n\n".join([self.headline(), *(case.message for case in self.failed)])

    def _repr_html_(self) -> str:
        first, _, rest = repr(self).partition("\n")
        return frame(self.sign, first, rest.strip())


def frame(sign: str, first: str, rest: str = "", below: str = "") -> str:
    """A bold line with a coloured bar on its left, plain text under it, and HTML under that."""
    text = f"<pre style='{TEXT}'>{html.escape(rest)}</pre>" if rest else ""
    bar = f"border-left: 6px solid {COLOURS[sign]}; padding: 2px 0 2px 10px"
    return f"<div style='{bar}'><b>{html.escape(first)}</b>{text}{below}</div>"


def run_cases(question: str, names: Mapping[str, Any], tests: Path) -> Report:
    """Run a question's public cases on a student's names."""
    cases = create_test_file(str(tests / f"{question}.py"), NBMetadataConfig()).test_cases
    told = [tell(case.name, case.body, kit.run_case(case.body, names)) for case in cases]
    keep_agreed_symptom(told)
    reports = []
    for case, seen in zip(cases, told, strict=True):
        message, failure = "", seen.outcome.failure
        if failure is not None:
            claim, look = read_claim(case.body)[0], choose_advice(seen, told)
            message = kit.write_message(question, case.name, case.points, claim, look, seen.outcome)
        reports.append(
            CaseReport(case.name, case.points, seen.outcome.reason, failure.what if failure else "", message)
        )
    return Report(question, reports)
