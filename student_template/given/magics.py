"""What magics do where there is no terminal, no program and no screen."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import Any

PROGRAMS = ["bash", "sh", "script", "perl", "ruby", "pypy", "python2", "python3", "python", "cmd", "system", "sx"]
INSTALLERS = ["pip", "conda", "mamba", "micromamba", "uv"]
SCREEN = ["matplotlib", "pylab", "autoreload"]  # what concerns a screen, or files that are not here
TIMING = re.compile(r"\A\s*%%time(?!\w)[^\n]*")  # not %%timeit
BLANK = re.compile(r"\A(?:[ \t]*\n)+(?=[^\s%])")


class Memory(dict[str, Any]):
    """What `%cd`, `%bookmark` and `%store` note, for as long as the notebook runs."""

    def keys(self, pattern: str = "*") -> Any:
        """The keys of a pattern."""
        return [key for key in self if fnmatch(key, pattern)]


def register_magics(shell: Any) -> None:
    """Give a shell what stands for the magics that start programs or concern a screen; `%store` as in Jupyter."""
    for name in PROGRAMS:
        shell.register_magic_function(decline_program, "line_cell", name)
    for name in INSTALLERS:
        shell.register_magic_function(decline_program, "line", name)
    for name in SCREEN:
        shell.register_magic_function(keep_quiet, "line", name)
    shell.extension_manager.load_extension("storemagic")


def decline_program(line: str = "", cell: str | None = None) -> None:
    """Say that no program is started here."""
    first = (line or cell or "").strip().split("\n")[0][:80]
    print(f"[not run by the autograder: {first}]")


def keep_quiet(line: str = "", cell: str | None = None) -> None:
    """Do nothing."""


def keep_lines(source: str) -> str:
    """Return a cell without %%time and with `#` for each empty line on top, which IPython would drop.

    So the lines of a traceback are the lines that the student sees.
    """
    return BLANK.sub(comment_out, TIMING.sub(comment_out, source))


def comment_out(match: re.Match[str]) -> str:
    """Return as many lines, each a bare comment."""
    text = match.group()
    return "#\n" * text.count("\n") + ("" if text.endswith("\n") else "#")
