"""`grader`: runs a question's public cases in the notebook and says how it stands."""

import html
import inspect
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import otter
from otter.nbmeta_config import NBMetadataConfig
from otter.test_files import create_test_file
from packaging.requirements import InvalidRequirement, Requirement

import kit
from kit.case import Outcome, read_claim

FOLDER = Path(__file__).parent.parent
PRE = "margin: 0; white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere"  # wraps between words
NEEDED = ("tests", "kit", "given", "requirements.txt")
ANY_OTHER_WILL_DO = ("jupyterlab",)  # VS Code, Colab and the grader open notebooks too


@dataclass(frozen=True)
class CaseReport:
    """A public case: its name, points and how it ended, with the message if it failed."""

    name: str
    points: float
    outcome: Outcome
    message: str


class Report:
    """How a question's public cases ended; shown by the notebook as HTML, elsewhere as plain text."""

    def __init__(self, question: str, cases: list[CaseReport]) -> None:
        self.question, self.cases = question, cases
        self.failed = [case for case in cases if case.outcome.reason != "passed"]

    @property
    def points(self) -> float:
        """Points of the public cases that passed."""
        return sum(case.points for case in self.cases if case.outcome.reason == "passed")

    @property
    def possible(self) -> float:
        """Points of all public cases."""
        return sum(case.points for case in self.cases)

    @property
    def unwritten(self) -> bool:
        """Whether the answer is still a stub, or its cell has not been run."""
        return bool(self.failed) and all(case.outcome.reason == "missing" for case in self.failed)

    def headline(self) -> str:
        """One line: passed or failed, points, and what waits on Gradescope."""
        if self.unwritten:
            state = f"- {self.question}: not written yet"
        elif self.failed:
            state = f"✗ {self.question}: {len(self.failed)} of {len(self.cases)} public cases failed"
        else:
            state = f"✓ {self.question}: all {len(self.cases)} public cases passed"
        line = f"{state}, {self.points:g} of {self.possible:g} public points."
        waiting = kit.settings.questions.get(self.question, {})
        if hidden := waiting.get("hidden_cases"):
            cases = "1 hidden case waits" if hidden == 1 else f"{hidden} hidden cases wait"
            line += f" {cases} on Gradescope ({waiting['hidden_points']:g} points)."
        return line

    def __repr__(self) -> str:
        if self.unwritten:
            what = self.failed[0].outcome.failure.what
            return self.headline() + ("" if what.startswith(self.question) else f"\n{what}")
        return "\n\n".join([self.headline(), *(case.message for case in self.failed)])

    def _repr_html_(self) -> str:
        first, _, rest = repr(self).partition("\n")
        colour = "#B03A1A" if self.failed else "#1F6B43"  # red and green that read on white; the words say it too
        text = f"<pre style='{PRE}'>{html.escape(rest.strip())}</pre>" if rest else ""
        return f"<p style='color: {colour}; font-weight: bold'>{html.escape(first)}</p>{text}"


class Panel:
    """All questions at a glance: one line each."""

    def __init__(self, reports: list[Report]) -> None:
        self.reports = reports

    def __repr__(self) -> str:
        got, possible = sum(report.points for report in self.reports), sum(r.possible for r in self.reports)
        lines = [report.headline() for report in self.reports]
        return "\n".join([*lines, f"  public points: {got:g} of {possible:g}"])

    def _repr_html_(self) -> str:
        return f"<pre style='{PRE}'>{html.escape(repr(self))}</pre>"


class Checks(otter.Notebook):  # type: ignore[misc]
    """Otter's notebook object with our messages.

    Making one checks Python's packages and the files beside the notebook, and prints what to do if something is off.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        for line in find_problems():
            print(line)

    def check(self, question: str, global_env: dict[str, Any] | None = None) -> Any:
        """Run the public cases of a question on your own functions and classes.

        Args:
            question: its id, such as `q02_attention`
            global_env: names to check instead of the notebook's own
        """
        if global_env is None:
            frame = inspect.currentframe()
            global_env = frame.f_back.f_globals if frame and frame.f_back else {}
        if type(self)._grading_mode:  # Otter's own grader collects the results itself
            return super().check(question, global_env)
        return self._run(question, global_env)

    def check_all(self) -> Any:
        """Run the public cases of every question and show one line for each."""
        frame = inspect.currentframe()
        names = frame.f_back.f_globals if frame and frame.f_back else {}
        return Panel([self._run(path.stem, names) for path in sorted(Path(self._tests_dir).glob("q*.py"))])

    def _run(self, question: str, names: dict[str, Any]) -> Report:
        path = Path(self._tests_dir) / f"{question}.py"
        if not path.is_file():
            raise FileNotFoundError(f"There is no question {question!r}: its id stands in the cell as released.")
        cases = []
        for case in create_test_file(str(path), NBMetadataConfig()).test_cases:
            outcome = kit.run_case(case.body, names)
            claim, look = read_claim(case.body)
            message = kit.write_message(question, case.name, case.points, claim, look, outcome)
            cases.append(CaseReport(case.name, case.points, outcome, message))
        return Report(question, cases)


def find_problems(folder: Path = FOLDER) -> list[str]:
    """Return one line for each missing file and each package that is missing or of another version."""
    lines = [
        f"{name} is missing beside the notebook: unpack the release again."
        for name in NEEDED
        if not (folder / name).exists()
    ]
    if lines:
        return lines
    wrong = []
    for line in (folder / "requirements.txt").read_text("utf-8").splitlines():
        try:
            needed = Requirement(line.partition("#")[0].strip())
        except InvalidRequirement:  # a comment, an option or an empty line
            continue
        found = _version(needed.name)
        if needed.name in ANY_OTHER_WILL_DO:
            continue
        if found is None or not needed.specifier.contains(found, prereleases=True):
            wrong.append(f"{needed.name} {needed.specifier} is needed, found: {found or 'none'}.")
    if wrong:
        wrong.append(f'Repair: "{sys.executable}" -m pip install -r "{folder / "requirements.txt"}"')
    return wrong


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
