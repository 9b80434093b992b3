"""The notebook's shell: IPython without a terminal, without programs and without a history."""

import ast
import io
import re
import sys
import types
from collections.abc import Callable
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from traitlets.config import Config

from .failure import CELL

MAX_OUTPUT = 20_000  # characters of one cell that are kept
PROGRAMS = ["bash", "sh", "script", "perl", "ruby", "pypy", "python2", "python3", "python", "cmd", "system", "sx"]
TIMING = re.compile(r"\A\s*%%time(?!\w)[^\n]*")  # not %%timeit
BLANK = re.compile(r"\A(?:[ \t]*\n)+(?=[^\s%])")


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


class CellCompiler(CachingCompiler):
    """Names code after the cell it stands in, so that a traceback leads there."""

    cell = 0

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"{CELL}{self.cell}>"


class NotebookShell(InteractiveShell):
    """IPython that runs cells, magics and top-level await, and says so where it does not run a program."""

    compiler_class = CellCompiler

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing: the error of a cell is reported as data."""

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing: the error of a cell is reported as data."""

    def system(self, cmd: str) -> None:
        decline_program(cmd)

    system_raw = system_piped = system

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        decline_program(cmd)
        return [] if split else ""


class GoOnWithoutModule(ast.NodeTransformer):
    """An import at the top of a cell that finds no module, such as a plotting library, does not end the cell."""

    def visit_Module(self, cell: ast.Module) -> ast.Module:
        cell.body = [self._guard(node) if isinstance(node, ast.Import | ast.ImportFrom) else node for node in cell.body]
        return cell

    def _guard(self, statement: ast.Import | ast.ImportFrom) -> ast.stmt:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            return statement
        said = f"[not installed in the autograder: {ast.unparse(statement)}]"
        tell = ast.parse(f"__import__('builtins').print({said!r})").body
        missing = ast.ExceptHandler(ast.Name("ModuleNotFoundError", ast.Load()), None, tell)
        guarded = ast.Try([statement], [missing], [], [])
        return ast.fix_missing_locations(ast.copy_location(guarded, statement))


def decline_program(line: str = "", cell: str | None = None) -> None:
    """Say that no program is started here."""
    first = (line or cell or "").strip().split("\n")[0][:80]
    print(f"[not run by the autograder: {first}]")


def keep_quiet(line: str = "", cell: str | None = None) -> None:
    """Do nothing: the magic only concerns a screen."""


class Notebook:
    """Runs the cells of one notebook, one after the other, in one namespace."""

    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        self.shell = NotebookShell.instance(config=config)
        register: Any = self.shell.register_magic_function
        for name in PROGRAMS:
            register(decline_program, "line_cell", name)
        for name in ("pip", "conda", "mamba", "uv"):
            register(decline_program, "line", name)
        register(keep_quiet, "line", "matplotlib")
        self.shell.ast_transformers.append(GoOnWithoutModule())
        self.output = Kept()

    @property
    def names(self) -> dict[str, Any]:
        """What the cells have defined."""
        names: dict[str, Any] = self.shell.user_ns
        return names

    def capture(self) -> None:
        """Send what is printed to `output` from now on."""
        sys.stdout = sys.stderr = self.output

    def run(self, index: int, source: str) -> tuple[BaseException | None, str]:
        """Run one cell; return its error, where it has one, and what it printed."""
        CellCompiler.cell = index
        self.capture()  # again: a cell before may have put something else in its place
        run_cell: Callable[..., ExecutionResult] = self.shell.run_cell
        result = run_cell(keep_lines(source), store_history=False)
        return result.error_before_exec or result.error_in_exec, self.output.take()


def keep_lines(source: str) -> str:
    """Return a cell without %%time and with `#` for each empty line on top, which IPython would drop.

    So the lines of a traceback are the lines that the student sees.
    """
    return BLANK.sub(comment_out, TIMING.sub(comment_out, source))


def comment_out(match: re.Match[str]) -> str:
    """Return as many lines, each a bare comment."""
    text = match.group()
    return "#\n" * text.count("\n") + ("" if text.endswith("\n") else "#")


class Quiet:
    """Accepts any call and any attribute: the place of `grader` in a notebook that is being graded."""

    def __repr__(self) -> str:
        return "(the autograder checks this elsewhere)"

    def __call__(self, *args: Any, **kwargs: Any) -> "Quiet":
        return self

    def __getattr__(self, name: str) -> "Quiet":
        if name.startswith("__"):
            raise AttributeError(name)
        return self


def stub_module(name: str) -> None:
    """Put a module in place whose every name accepts any call."""
    module = types.ModuleType(name, "Checks run elsewhere: this module accepts everything and does nothing.")
    quiet = Quiet()

    def find(attribute: str) -> Quiet:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return quiet

    module.__getattr__ = find  # type: ignore[method-assign]
    sys.modules[name] = module
