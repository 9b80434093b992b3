"""Takes a cell or a script apart at its statements, and writes IPython's magics as the calls that they are.

All work is linear in the length of the text, and no text makes it raise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from IPython.core.inputtransformer2 import TransformerManager, classic_prompt, ipython_prompt, leading_indent

MAX_LINE = 2000  # characters of a line that IPython looks at for magics
RUNS_PYTHON = ("time", "timeit", "capture", "prun")  # cell magics whose cell is Python
ESCAPE = re.compile(r"\s*[%!?,;/]|[\s\w.,*\[\]'\"]+=\s*[%!]")  # `%cd ..`, `!ls`, `?name`, `files = !ls`
HELP = re.compile(r"[^#]*\?\s*$")  # `name?`
CELL_MAGIC = re.compile(r"\s*%%(\w+)")
PROMPT = re.compile(r"\s*(?:>>>|In \[)")
GOES_ON = re.compile(r"(?:else|elif|except|finally)\b|[)\]}]")  # a line that belongs to the statement above it
BEGINS = re.compile(r"(?:async def|def|class|import)\s")  # what cannot stand within brackets
TOKEN = re.compile(r"\"\"\"|'''|[\"'#()\[\]{}]|\\$")
ENDS = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}", re.DOTALL) for quote in ('"""', "'''", '"', "'")}


def to_python(source: str) -> str:
    """The cell with its magics as calls, each in the line where it stood; a cell of another language is empty."""
    lines = _clean(source.split("\n"))
    lines, foreign = _drop_cell_magics(lines)
    if foreign:
        return "\n" * (len(lines) - 1)
    if not any(_is_escape(line) or HELP.match(line) for line in lines):
        return "\n".join(lines)
    for first, end in _find_statements(lines):
        if _is_escape(lines[first]) or (end == first + 1 and HELP.match(lines[first][:MAX_LINE])):
            lines[first:end] = _transform(lines[first:end])
    return "\n".join(lines)


def _clean(lines: list[str]) -> list[str]:
    """The lines without the indentation that all have, and without the prompts of Python and IPython."""
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if not (lines[first][:1].isspace() or PROMPT.match(lines[first])):
        return lines
    below = [line + "\n" for line in lines[first:]]
    for clean in (leading_indent, classic_prompt, ipython_prompt):
        below = clean(below)
    return lines[:first] + [line.rstrip("\n") for line in below]


def _drop_cell_magics(lines: list[str]) -> tuple[list[str], bool]:
    """The lines without cell magics on top, and whether one of them is of another language."""
    for number, line in enumerate(lines):
        if found := CELL_MAGIC.match(line):
            if found[1] not in RUNS_PYTHON:
                return lines, True
            lines = [*lines[:number], "", *lines[number + 1 :]]
        elif line.strip() and not line.startswith("#"):
            break
    return lines, False


def _is_escape(line: str) -> bool:
    return len(line) <= MAX_LINE and ESCAPE.match(line) is not None


def _transform(lines: list[str]) -> list[str]:
    """One statement as IPython changes it, on as many lines."""
    try:
        text = "".join(TransformerManager().do_token_transforms([line + "\n" for line in lines]))
    except Exception:  # what IPython cannot change stays, and will not be parsed
        return lines
    changed = text.rstrip("\n").split("\n")
    return changed + [""] * (len(lines) - len(changed)) if len(changed) <= len(lines) else lines


def split_statements(source: str) -> list[tuple[int, str]]:
    """A cell or a script at its top-level statements: the number of each one's first line, and its lines."""
    lines = source.split("\n")
    starts, decorated = [], False
    for first, _ in _find_statements(lines):
        line = lines[first]
        if line[0].isspace() or GOES_ON.match(line):
            continue
        if not decorated:
            starts.append(first)
        decorated = line.startswith("@")
    starts = [0, *starts[1:]] if starts else [0]
    ends = [*starts[1:], len(lines)]
    return [(start + 1, "\n".join(lines[start:end])) for start, end in zip(starts, ends, strict=True)]


def _find_statements(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First line of each statement, nested ones too, and the line after its last: brackets and strings may span some.

    A statement is yielded after its last line was looked at, so that the caller may change its lines.
    """
    first, quote, depth, continued = 0, "", 0, False
    inside = False
    for number, line in enumerate(lines):
        if inside and not quote and depth and BEGINS.match(line):  # a bracket was never closed
            yield first, number
            inside, depth, continued = False, 0, False
        if not inside:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            first, inside = number, True
        if _is_escape(lines[first]):
            continued = line.endswith("\\")
        else:
            quote, depth, continued = _scan(line, quote, depth)
        if not (quote or depth or continued):
            yield first, number + 1
            inside = False
    if inside:
        yield first, len(lines)


def _scan(line: str, quote: str, depth: int) -> tuple[str, int, bool]:
    """The open quote, the number of open brackets, and whether a backslash continues, at the end of a line."""
    place = 0
    while True:
        if quote:
            end = ENDS[quote].match(line, place)
            if end is None:
                goes_on = len(quote) > 1 or line.endswith("\\")
                return (quote if goes_on else ""), depth, False
            place, quote = end.end(), ""
        token = TOKEN.search(line, place)
        if token is None or token[0] == "#":
            return "", depth, False
        place = token.end()
        if token[0] == "\\":
            return "", depth, True
        if token[0] in ENDS:
            quote = token[0]
        else:
            depth = max(0, depth + (1 if token[0] in "([{" else -1))
