"""`autograder.zip`: Otter's files and our tree, laid out as the repository, the same bytes every time."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from autograder import tree
from autograder.release.cases import write_test_file
from autograder.release.source import Source

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can say
UNIX = 3  # the system whose permissions an entry carries, by the zip format
EXECUTABLE = ("setup.sh", "run_autograder")


def write_archive(source: Source, otter_zip: Path, template: Path, path: Path) -> None:
    """Write the autograder's zip.

    Otter's own test files give way to ours, which hold the same cases in their own words and with their names.
    """
    entries = _read_zip(otter_zip)
    for folder in (tree.ROOT / "autograder", tree.KIT, tree.SOLUTIONS, tree.GIVEN):
        entries |= _read_folder(folder, folder.relative_to(tree.ROOT))
    entries |= _read_folder(template, tree.TEMPLATE.relative_to(tree.ROOT))
    entries[tree.GRADING.name] = tree.GRADING.read_bytes()
    for question, cases in source.cases.items():
        text = write_test_file(question, cases).encode()
        entries[f"tests/{question}.py"] = entries[f"tests/questions/{question}.py"] = text
    with ZipFile(path, "w") as archive:
        for name in sorted(entries):
            archive.writestr(_describe(name), entries[name])


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
    info.external_attr = (0o100755 if name in EXECUTABLE else 0o100644) << 16  # a plain file, and its permissions
    return info
