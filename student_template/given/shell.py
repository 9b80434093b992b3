"""The shell that runs a notebook's cells: IPython without a terminal, without programs, without a history.

A statement that fails is left out and told; the rest of its cell runs. `grader.export` runs a notebook afresh in it,
and the grader runs it in the same.
"""

from __future__ import annotations

import ast
import os
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from traitlets.config import Config

from given.absent import DOES_NOTHING, say_missing, stand_in_for
from given.cells import read_cell
from given.magics import Memory, decline_program, keep_lines, register_magics

CELL = "<cell "  # how the file names of cells begin
NOT_HERE = ("%load_ext autoreload", "%config InlineBackend")  # files that change, and a screen
NOTHING = compile("pass", "<left out>", "exec")


class Failure:
    """A statement that was left out: the error, the statement's line in its cell, and how that line reads."""

    def __init__(self, error: BaseException, line: int | None, code: str) -> None:
        self.error, self.line, self.code = error, line, code


class CellCompiler(CachingCompiler):
    """Names code after the cell it stands in, so that a traceback leads there; what does not compile is left out."""

    cell = 0
    statement: ast.stmt = ast.Pass()
    leave_out: Callable[[BaseException], None]

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"{CELL}{self.cell}>"

    def __call__(self, source: Any, filename: str, symbol: str) -> types.CodeType:
        if filename.startswith(CELL) and isinstance(source, ast.Module | ast.Interactive):
            CellCompiler.statement = source.body[0]
        try:
            return super().__call__(source, filename, symbol)
        except (SyntaxError, ValueError, RecursionError) as error:  # such as `return` outside a function
            CellCompiler.leave_out(error)
            return NOTHING


class NotebookShell(InteractiveShell):
    """IPython that runs cells, magics and top-level await, and says so where it does not run a program."""

    compiler_class = CellCompiler
    home: str | None = None  # a folder that `%cd` does not leave

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.failures: list[Failure] = []
        self.lines: list[str] = []
        self.db = Memory()
        CellCompiler.leave_out = self._leave_out
        register_magics(self)

    def run_numbered(self, number: int, source: str) -> list[Failure]:
        """Run one cell; return what of it was left out."""
        CellCompiler.cell, self.failures, self.lines = number, [], source.split("\n")
        result = self.run_cell(source, store_history=False)
        if (error := result.error_before_exec or result.error_in_exec) is not None:
            self._leave_out(error)
        return sorted(self.failures, key=lambda failure: failure.line or 0)

    def run_cell(self, raw_cell: str, *args: Any, **named: Any) -> ExecutionResult:
        """Run a cell, or the cell of a magic, without the statements that are no Python."""
        reading = read_cell(raw_cell)
        lines = (reading.text if reading.broken else raw_cell).split("\n")
        for broken in reading.broken:
            if broken.error is not None:  # what is only long may well run
                end = broken.line + broken.text.count("\n")
                lines[broken.line - 1 : end] = [""] * (end - broken.line + 1)
                self._leave_out(broken.error, getattr(broken.error, "lineno", None) or broken.line)
        result: ExecutionResult = super().run_cell(keep_lines("\n".join(lines)), *args, **named)
        return result

    async def run_code(self, code_obj: Any, result: Any = None, *, async_: bool = False) -> bool:
        """Run a statement; one that raised is left out, the next one runs. An interrupt or an exit ends the cell."""
        if not await super().run_code(code_obj, result, async_=async_):
            return False
        if result is None or not isinstance(result.error_in_exec, Exception):
            return True
        error, result.error_in_exec = result.error_in_exec, None
        package, names = stand_in_for(CellCompiler.statement, error)
        self.user_ns.update(names)
        if package not in DOES_NOTHING:
            self._leave_out(ModuleNotFoundError(say_missing(package), name=package) if package else error)
        return False

    def _leave_out(self, error: BaseException, line: int | None = None) -> None:
        if line is None:
            line = find_line(error) or CellCompiler.statement.lineno
        code = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
        self.failures.append(Failure(error, line, code))

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        """Run a magic; one that is not there, or that loads what is not there, is declined as a program is."""
        told = f"%{magic_name} {line}"
        if self.find_line_magic(magic_name) is None or told.startswith(NOT_HERE):
            return decline_program(told)
        try:
            result = super().run_line_magic(magic_name, line, _stack_depth + 1)
        except ImportError:
            if magic_name not in ("load_ext", "reload_ext"):
                raise
            return decline_program(told)
        if magic_name == "cd" and self.home and not Path.cwd().is_relative_to(Path(self.home).resolve()):
            os.chdir(self.home)
        return result

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        """Run a cell magic; one that is not there is declined as a program is."""
        if self.find_cell_magic(magic_name) is None:
            return decline_program(f"%%{magic_name} {line}")
        if magic_name == "capture":
            cell = "#\n" + cell  # its own line counts
        return super().run_cell_magic(magic_name, line, cell) if cell else None

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


def open_shell() -> NotebookShell:
    """The one shell of this process, without history, colours and the folder's name after each `%cd`."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.OSMagics.cd_force_quiet = True
    shell: NotebookShell = NotebookShell.instance(config=config)
    return shell


def find_line(error: BaseException) -> int | None:
    """The line of the cell that is running from which an error came."""
    name = f"{CELL}{CellCompiler.cell}>"
    if isinstance(error, SyntaxError) and error.filename == name:
        return error.lineno
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            return trace.tb_lineno
        trace = trace.tb_next
    return None
