"""The notebook in the student's process: the shell that `grader.export` runs it in too, what it prints, its stubs."""

import io
import sys
from typing import Any

from given.absent import QuietFinder, make_quiet_module
from given.shell import Failure, open_shell

MAX_OUTPUT = 20_000  # characters of one cell that are kept


class Kept(io.TextIOBase):
    """Where a cell's text goes: the first characters are kept, the rest is dropped."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.room = MAX_OUTPUT

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.room > 0 and text:
            self.parts.append(text[: self.room])
            self.room -= len(text)
        return len(text)

    def take(self) -> str:
        """Return what was kept and begin anew."""
        text, self.parts, self.room = "".join(self.parts), [], MAX_OUTPUT
        return text


class Notebook:
    """Runs the cells of one notebook, one after the other, in one namespace."""

    def __init__(self) -> None:
        self.shell = open_shell()
        sys.meta_path.append(QuietFinder())
        self.output = Kept()

    @property
    def names(self) -> dict[str, Any]:
        """What the cells have defined."""
        names: dict[str, Any] = self.shell.user_ns
        return names

    def capture(self) -> None:
        """Send what is printed to `output` from now on."""
        sys.stdout = sys.stderr = self.output

    def run(self, index: int, source: str) -> tuple[list[Failure], str]:
        """Run one cell; return what of it was left out, and what it printed."""
        self.capture()  # again: a cell before may have put something else in its place
        return self.shell.run_numbered(index, source), self.output.take()


def stub_module(name: str) -> None:
    """Put a module in place whose every name accepts any call: checks run elsewhere."""
    sys.modules[name] = make_quiet_module(name)
