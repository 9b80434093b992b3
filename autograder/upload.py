"""What was handed in, read as data: a notebook, a script or Otter's zip becomes a list of code cells.

Only the sources of code cells are taken. Outputs, metadata and neighbouring files are dropped unread.
"""

from __future__ import annotations

import json
import lzma
import re
import stat
import zipfile
import zlib
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from autograder.errors import UserError, show_name
from given.statements import split_statements

MAX_BYTES = 256 * 2**20  # a notebook with 100 MB of stored plots is honest
MAX_SOURCE = 2**20  # characters in all code cells; the solved notebook has about 40,000
MAX_CELLS = 1000
LEFT_BY_TOOLS = {"__MACOSX", "__pycache__"}
MAX_MEMBERS = 1000  # files in a zip

PERCENT = re.compile(r"^#[ \t]*%%(?:[ \t].*|\[.*)?$", re.MULTILINE)  # `# %%time` is a magic, no mark
NBCONVERT = re.compile(r"^# In\s?\[[\s\d*]*\]:\s*$", re.MULTILINE)
# as Colab's download writes a cell with %%time: the magic and all below it as comments
COMMENTED = re.compile(r"^# Commented out IPython magic .*\n((?:# %%(?:time|capture)\b.*\n)(?:#.*\n)*)", re.MULTILINE)
FENCED = re.compile(r"^```\s*(?:python\b|ipython3\b|\{code-cell\}).*\n((?:(?!```).*\n)*)```", re.MULTILINE)
TEXT_CELL = re.compile(r"\[(markdown|md|raw)\]")
EXPORT = "hand in the zip that grader.export makes"
BROKEN_ZIP = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError),
    *(zlib.error, lzma.LZMAError),
)


def read_code(path: Path) -> list[str]:
    """Read the sources of the code cells of an `.ipynb`, a `.py`, a `.md` or a `.zip` that holds one notebook.

    Raises UserError with one line for a file that is none of these, or damaged, or too large.
    """
    data = _read_bytes(path)
    kind = path.suffix.lower()
    if kind == ".zip":
        sources = _split_notebook(path, _decode(path, _open_zip(path)))
    elif kind == ".ipynb":
        sources = _split_notebook(path, _decode(path, data))
    elif kind == ".py":
        sources = split_script(_decode(path, data))
    elif kind == ".md":
        sources = split_markdown(_decode(path, data))
    else:
        raise UserError(f"{show_name(path)}: not a notebook: hand in the .ipynb, a .py, or the .zip of grader.export")
    sources = [source.encode("utf-8", "replace").decode("utf-8") for source in sources]
    if not any(source.strip() for source in sources):
        raise UserError(f"{show_name(path)}: has no code: save the notebook and hand it in again")
    if len(sources) > MAX_CELLS or sum(map(len, sources)) > MAX_SOURCE:
        raise UserError(
            f"{show_name(path)}: has more than {MAX_CELLS} code cells or {MAX_SOURCE:,} characters of code: "
            "remove what is not part of the assignment"
        )
    return sources


def split_markdown(text: str) -> list[str]:
    """The Python cells of a notebook that jupytext has written as Markdown or MyST."""
    return [cell[1] for cell in FENCED.finditer(text)]


def split_script(text: str) -> list[str]:
    """Take a script apart at its cell marks (percent format, or nbconvert's `# In[3]:`), else by statements."""
    text = COMMENTED.sub(lambda found: re.sub(r"^# ?", "", found[1], flags=re.MULTILINE), text)
    marks = list(NBCONVERT.finditer(text)) or list(PERCENT.finditer(text))
    if not marks:
        return [source for source in split_script_without_marks(text) if _has_code(source)]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    sources = [text[: marks[0].start()]]
    for mark, end in zip(marks, ends, strict=True):
        if not TEXT_CELL.search(mark.group()):
            sources.append(text[mark.end() : end].strip("\n"))
    return [source for source in sources if _has_code(source)]


def _read_bytes(path: Path) -> bytes:
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            raise UserError(f"{show_name(path)}: is a link: hand in the file itself")
        if not stat.S_ISREG(status.st_mode):
            raise UserError(f"{show_name(path)}: is not a file: hand in one .ipynb, .py or .zip")
        if status.st_size > MAX_BYTES:
            raise UserError(f"{show_name(path)}: is larger than 256 MB: clear the notebook's outputs and save it")
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"{show_name(path)}: cannot be read: {error.strerror}: check the path") from None
    if not data.strip():
        raise UserError(f"{show_name(path)}: is empty: save the notebook and hand it in again")
    return data


def _decode(path: Path, data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{show_name(path)}:{line}: is not UTF-8 text: open it in Jupyter and save it again") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _split_notebook(path: Path, text: str) -> list[str]:
    try:
        notebook = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{show_name(path)}:{error.lineno}:{error.colno}"
        raise UserError(f"{place}: broken JSON ({error.msg}): open it in Jupyter and save it again") from None
    except ValueError:  # a number of more digits than Python reads
        raise UserError(
            f"{show_name(path)}: holds a number of thousands of digits: open it in Jupyter and save it again"
        ) from None
    except RecursionError:
        raise UserError(f"{show_name(path)}: is nested too deeply to be a notebook: hand in the notebook") from None
    cells = _find_cells(notebook)
    if cells is None:
        raise UserError(f"{show_name(path)}: is JSON but not a notebook: hand in the notebook that you filled in")
    return [
        _join_source(path, number, cell)
        for number, cell in enumerate(cells, start=1)
        if not isinstance(cell, dict) or cell.get("cell_type") == "code"
    ]


def _find_cells(notebook: Any) -> list[Any] | None:
    """The cells of a notebook of format 4, or of format 3, which keeps them in worksheets."""
    if not isinstance(notebook, dict):
        return None
    if isinstance(notebook.get("cells"), list):
        return list(notebook["cells"])
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list) or not all(isinstance(sheet, dict) for sheet in sheets):
        return None
    parts = [sheet.get("cells", []) for sheet in sheets]
    return [cell for part in parts for cell in part] if all(isinstance(part, list) for part in parts) else None


def _join_source(path: Path, number: int, cell: Any) -> str:
    source = cell.get("source", cell.get("input", "")) if isinstance(cell, dict) else None
    lines = [source] if isinstance(source, str) else source
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise UserError(f"{show_name(path)}: cell {number} is damaged: open it in Jupyter and save it again")
    return "".join(lines).replace("\r\n", "\n").replace("\r", "\n")


def _open_zip(path: Path) -> bytes:
    """The one notebook of a zip; nothing is unpacked to the disk."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            _refuse_members(path, members)
            notebooks = [member for member in members if _is_notebook(PurePosixPath(member.filename))]
            if len(notebooks) != 1:
                found = ", ".join(show_name(member.filename) for member in notebooks[:3]) or "none"
                raise UserError(f"{show_name(path)}: must hold exactly one notebook, has {len(notebooks)} ({found})")
            with archive.open(notebooks[0]) as stream:
                data = stream.read(MAX_BYTES + 1)
    except BROKEN_ZIP as error:
        raise UserError(f"{show_name(path)}: broken zip ({error}): export the notebook again") from None
    if len(data) > MAX_BYTES or not data.strip():
        raise UserError(f"{show_name(path)}: its notebook is empty or larger than 256 MB: export the notebook again")
    return data


def _refuse_members(path: Path, members: list[zipfile.ZipInfo]) -> None:
    for member in members:
        if fault := find_fault(member):
            raise UserError(f"{show_name(path)}: {show_name(member.filename)} {fault}: {EXPORT}")
    if len(members) > MAX_MEMBERS or sum(member.file_size for member in members) > MAX_BYTES:
        raise UserError(f"{show_name(path)}: unpacks to more than 256 MB or {MAX_MEMBERS} files: {EXPORT}")


def find_fault(member: zipfile.ZipInfo) -> str:
    """Why a member of a zip is not to be touched; empty where nothing speaks against it."""
    place = PurePosixPath(member.filename.replace("\\", "/"))
    if stat.S_ISLNK(member.external_attr >> 16):  # the upper half holds the Unix mode
        return "is a link"
    if place.is_absolute() or ".." in place.parts or re.match("[A-Za-z]:", member.filename):
        return "climbs out of the zip"
    return ""


def is_student_file(place: PurePath) -> bool:
    """Whether a file is the student's, not hidden, nor a copy that Jupyter or macOS put beside it."""
    return not any(part.startswith(".") or part in LEFT_BY_TOOLS for part in place.parts)


def _is_notebook(place: PurePath) -> bool:
    return place.suffix.lower() == ".ipynb" and is_student_file(place)


def split_script_without_marks(text: str) -> list[str]:
    """Each statement of a script is a cell, so that one that hangs leaves the others standing; some, if many."""
    statements = [statement for _, statement in split_statements(text)]
    each = len(statements) // (MAX_CELLS // 2)
    cells: list[list[str]] = [[]]
    for statement in statements:
        cells[-1].append(statement)
        if len(cells[-1]) > each or "grader.check(" in statement:
            cells.append([])
    return ["\n".join(cell) for cell in cells]


def _has_code(source: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in source.split("\n"))
