"""The zip that is handed in: of the saved file, after a look at whether that is what ran, and a fresh run of it."""

from __future__ import annotations

import hashlib
import html
import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from given.machine import on_colab
from given.packages import describe_grader
from given.report import frame
from given.rerun import Rerun, rerun_apart
from given.saved import (
    Cell,
    NotSaved,
    explain_refusal,
    find_notebook,
    find_stale,
    read_cells,
    read_history,
    save_notebook,
)
from given.table import Table

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can say: equal notebooks make equal zips
NAME_IN_ZIP = "__zip_filename__"  # Otter's own graders look for it


class Export:
    """What became of an export: the zip and what is in it, or why there is none."""

    def __init__(self, problems: list[str], rerun: Rerun | None = None, zip_path: Path | None = None) -> None:
        self.problems, self.rerun, self.zip = problems, rerun, zip_path

    def headline(self) -> str:
        """Whether there is a zip to upload."""
        if self.zip is None or self.rerun is None:
            return "✗ Nothing was exported."
        table = Table(self.rerun.reports)
        score = f"{table.points:g} of {table.possible:g} public points"
        return f"✓ {self.zip.name} is ready for Gradescope: {score} in a fresh run."

    def details(self) -> str:
        """What will be graded, and the hash by which to recognise it."""
        if self.zip is None or self.rerun is None:
            return "\n".join(self.problems)
        written = sum(not report.unwritten for report in self.rerun.reports)
        return "\n".join(
            [
                *self.rerun.problems,
                f"What is graded: the code cells of {self.rerun.notebook} as it is saved now, from top to bottom, "
                f"with these public and the hidden cases; written: {written} of {len(self.rerun.reports)} questions.",
                describe_grader(),
                f"SHA-256 of the zip: {hashlib.sha256(self.zip.read_bytes()).hexdigest()}",
            ]
        )

    def __repr__(self) -> str:
        table = [repr(Table(self.rerun.reports)), ""] if self.rerun else []
        return "\n".join([self.headline(), "", *table, self.details()])

    def _repr_html_(self) -> str:
        below = ""
        if self.zip is not None and self.rerun is not None:
            name = html.escape(self.zip.name)
            below = f"<a href='{name}' download='{name}'>{name}</a>{Table(self.rerun.reports)._repr_html_()}"
        return frame("✗" if self.zip is None else "✓", self.headline(), self.details(), below)


def export_notebook(names: dict[str, Any], tests: Path, nb_path: str | None, zip_path: str | None) -> Export:
    """Save, compare, run afresh, and write the zip; without a zip where the saved file is not what ran.

    Args:
        names: the notebook's own, in which some editors note the notebook's path
        tests: the folder of test files
        nb_path, zip_path: what `grader.export` was told
    """
    try:
        notebook, data, cells = _read_saved(names, nb_path)
    except NotSaved as problem:
        return Export(str(problem).splitlines())
    rerun = rerun_apart(notebook.name, cells, tests)
    path = Path(zip_path) if zip_path else notebook.with_name(f"{notebook.stem}_submission.zip")
    write_zip(path, notebook.name, data)
    if on_colab():
        from google.colab import files

        files.download(str(path))
    return Export([], rerun, path)


def write_zip(path: Path, name: str, data: bytes) -> None:
    """Write a notebook into a zip as Otter's own export does, without its log."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for member, content in ((name, data), (NAME_IN_ZIP, path.name.encode())):
            info = ZipInfo(member, EPOCH)
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, content)


def _read_saved(names: dict[str, Any], nb_path: str | None) -> tuple[Path, bytes, list[Cell]]:
    """The notebook's path, content and cells; raises NotSaved where they are not what ran."""
    if on_colab():
        notebook, data = Path(nb_path or "transformers.ipynb"), _read_from_colab()
        return notebook, data, read_cells(data)
    notebook = find_notebook(names, nb_path)
    history = read_history()
    problems: list[str] = []
    for saved in save_notebook(notebook):
        data = notebook.read_bytes()
        try:
            cells = read_cells(data)
        except NotSaved as half:
            problems = [str(half)]
            continue
        problems = find_stale(cells, history, saved)
        if not problems:
            return notebook, data, cells
    raise NotSaved("\n".join(explain_refusal(notebook, problems, history)))


def _read_from_colab() -> bytes:
    """Colab keeps the notebook in the browser: ask for it as it is there now."""
    from google.colab import _message

    try:
        return json.dumps(_message.blocking_request("get_ipynb", timeout_sec=60)["ipynb"]).encode()
    except Exception as error:
        hint = "Use File, Download, Download .ipynb, and upload that file to Gradescope: it is graded just the same."
        raise NotSaved(f"Colab did not hand out the notebook ({type(error).__name__}).\n{hint}") from error
