"""`autograder.zip`: our tree, laid out as the repository, what `otter run` looks for, and the same bytes every time."""

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from autograder import tree
from autograder.errors import UserError
from autograder.release.cases import write_test_file
from autograder.release.source import Source

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can say
UNIX = 3  # the system whose permissions an entry carries, by the zip format
GRADESCOPE = ("setup.sh", "run_autograder")  # where Gradescope looks for them: at the root
OTTER = ("otter_config.json", "files/")  # what `otter run` takes from Otter's own zip, beside tests/
SECONDS_AT_MOST = re.compile(r"^SECONDS_AT_MOST=(\d+)", re.MULTILINE)
ENDING = 60  # seconds to write the results once the clock has run out, on a machine that is starved
NOT_FOR_GRADING = ("release", "dry_run", "audit", "batch", "report")  # the parts of the tool that never run there


def read_entries(source: Source, otter_zip: Path, template: Path) -> dict[str, bytes]:
    """The content of the autograder's zip by name.

    Otter's own test files give way to ours, which hold the same cases in their own words and with their names.
    """
    entries = {name: data for name, data in _read_zip(otter_zip).items() if name.startswith(OTTER)}
    for folder in (tree.TOOL, tree.KIT, tree.SOLUTIONS, tree.GIVEN):
        entries |= _read_folder(folder, folder.relative_to(tree.ROOT))
    entries |= _read_folder(template, tree.TEMPLATE.relative_to(tree.ROOT))
    entries[tree.GRADING.name] = tree.GRADING.read_bytes()
    for question, cases in source.cases.items():
        text = write_test_file(question, cases).encode()
        entries[f"tests/{question}.py"] = entries[f"tests/questions/{question}.py"] = text
    _check_limit(source.grading.limits.wall)
    for name in GRADESCOPE:
        entries[name] = (tree.TOOL / "gradescope" / name).read_bytes()
    unused = tuple(f"{tree.TOOL.name}/{part}{end}" for part in NOT_FOR_GRADING for end in ("/", ".py"))
    return {name: entries[name] for name in sorted(entries) if not name.startswith(unused)}


def write_archive(entries: dict[str, bytes], path: Path) -> None:
    """Write the autograder's zip."""
    with ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(_describe(name), data)


def _check_limit(seconds: float) -> None:
    """Refuse a run that Gradescope's own script would stop before it has come to its end."""
    script = (tree.TOOL / "gradescope" / "run_autograder").read_text(encoding="utf-8")
    most = int(SECONDS_AT_MOST.search(script)[1])  # type: ignore[index]
    if seconds + ENDING > most:
        raise UserError(
            f"{tree.GRADING.name}: limits.wall: {seconds:g} s do not fit into the {most} s of "
            f"autograder/gradescope/run_autograder: make it {most - ENDING} or less, or raise both and Gradescope's"
        )


def _read_zip(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _read_folder(folder: Path, place: Path) -> dict[str, bytes]:
    """A folder's files by their names in the zip, without what Python and editors leave in it."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {
        (place / path.relative_to(folder)).as_posix(): path.read_bytes()
        for path in files
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def _describe(name: str) -> ZipInfo:
    info = ZipInfo(name, EPOCH)
    info.compress_type = ZIP_DEFLATED
    info.create_system = UNIX
    info.external_attr = (0o100755 if name in GRADESCOPE else 0o100644) << 16  # a plain file, and its permissions
    return info
