"""Who handed in what: any folder, Gradescope's export, and what may be wrong with them."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest
from project.handed_in import METADATA, export, metadata, notebook, write_folder, write_zip

from autograder.batch.metadata import read_metadata
from autograder.batch.roster import Entry, Roster, read_roster
from autograder.errors import UserError

Write = Callable[[Path, dict[str, bytes]], Path]


def write_as_zip(path: Path, files: dict[str, bytes]) -> Path:
    return write_zip(path / "export.zip", files)


def write_unpacked(path: Path, files: dict[str, bytes]) -> Path:
    write_folder(path / "assignment_7_export", files)
    return path


both = pytest.mark.parametrize("write", [write_as_zip, write_unpacked])


def by_name(roster: Roster) -> dict[str, Entry]:
    return {entry.name: entry for entry in roster.entries}


@both
def test_an_export_names_everybody_of_every_submission(write: Write, tmp_path: Path) -> None:
    roster = read_roster(write(tmp_path, export()))
    entries = by_name(roster)
    assert list(entries) == ["submission_11", "submission_12", "submission_13"]
    assert [one.name for one in entries["submission_12"].submitters] == ["王 小明", "<b>Bob</b>"]
    assert entries["submission_11"].submitters[0].sid == "001"
    assert entries["submission_11"].handed_in == datetime(2026, 5, 1, 10, tzinfo=timezone.utc)
    assert [entry.file is not None and entry.file.read() for entry in roster.entries] == [
        export()[f"{name}/transformers.ipynb"] for name in entries
    ]
    assert roster.remarks == []


@both
def test_a_listed_submission_without_files_is_an_entry_with_its_problem(write: Write, tmp_path: Path) -> None:
    roster = read_roster(write(tmp_path, export(**{"submission_11/transformers.ipynb": None})))
    assert by_name(roster)["submission_11"].file is None
    assert "no file of it" in by_name(roster)["submission_11"].problem
    assert len(roster.remarks) == 1
    assert roster.remarks[0].startswith("submission_11: ")


@both
def test_a_folder_that_is_not_listed_is_graded_and_flagged(write: Write, tmp_path: Path) -> None:
    roster = read_roster(write(tmp_path, export(**{"submission_99/a b/my work.ipynb": notebook()})))
    entry = by_name(roster)["submission_99"]
    assert entry.file is not None
    assert entry.flags == (f"not in {METADATA}",)
    assert entry.submitters[0].name == "submission_99"


@both
@pytest.mark.parametrize("broken", [None, b"a: [", b"- 1", b"\xff\xfe"])
def test_without_metadata_all_are_graded_without_names(write: Write, broken: bytes | None, tmp_path: Path) -> None:
    roster = read_roster(write(tmp_path, export(**{METADATA: broken})))
    assert [entry.submitters[0].name for entry in roster.entries] == [entry.name for entry in roster.entries]
    assert "nobody's name is known" in roster.remarks[0]
    assert METADATA in roster.remarks[0]


def test_ruby_objects_are_read_as_plain_data() -> None:
    time = "!ruby/object:ActiveSupport::TimeWithZone\n    utc: &1 2019-03-01 10:00:00 Z\n    time: *1"
    text = f"submission_5:\n  :submitters:\n  - :name: Ada\n    :sid: 7\n  :created_at: {time}\n"
    record = read_metadata(text.encode())["submission_5"]
    assert record.handed_in == datetime(2019, 3, 1, 10, tzinfo=timezone.utc)
    assert record.submitters[0].sid == "7"


def test_extra_files_beside_the_notebook_do_not_matter(tmp_path: Path) -> None:
    extra = {"submission_11/notes.pdf": b"%PDF", "submission_11/model.py": b"", "submission_11/kit/case.py": b""}
    roster = read_roster(write_folder(tmp_path, export(**extra)))
    entry = by_name(roster)["submission_11"]
    assert entry.file is not None
    assert entry.file.place.name == "transformers.ipynb"


def test_two_notebooks_in_one_submission_are_told_apart_by_nobody(tmp_path: Path) -> None:
    roster = read_roster(write_folder(tmp_path, export(**{"submission_11/other.ipynb": notebook()})))
    assert "has 2 notebooks (other.ipynb, transformers.ipynb): hand in" in by_name(roster)["submission_11"].problem


def test_a_folder_of_notebooks_is_a_class(tmp_path: Path) -> None:
    files = {"ada.ipynb": notebook(), "bob.py": b"x = 1", "李 雷.zip": b"PK", "notes.txt": b"", ".git/a.ipynb": b"{}"}
    roster = read_roster(write_folder(tmp_path, files))
    assert list(by_name(roster)) == ["ada", "bob", "notes", "李 雷"]
    assert roster.remarks == ["notes: has no notebook (found: notes.txt): hand in the .ipynb that you filled in"]


def test_nested_folders_are_a_class(tmp_path: Path) -> None:
    files = {
        "a/ada/transformers.ipynb": notebook(),
        "a/ada/tests/q01.py": b"",
        "a/ada/.ipynb_checkpoints/transformers.ipynb": notebook(),
        "b/bob/my hw.ipynb": notebook(),
        "c/cleo.ipynb": notebook(),
        "c/dan.ipynb": notebook(),
        "c/kit/case.py": b"",
    }
    entries = by_name(read_roster(write_folder(tmp_path, files)))
    assert list(entries) == ["a__ada", "b__bob__my hw", "c__cleo", "c__dan"]
    assert entries["a__ada"].submitters[0].name == "a/ada"


def test_names_become_folders_of_their_own(tmp_path: Path) -> None:
    names = ["a__b.ipynb", "a/b.ipynb", "a/c.ipynb", "A__B.ipynb", f"{'é' * 120}.ipynb", "x:y?.ipynb"]
    entries = read_roster(write_folder(tmp_path, {name: notebook() for name in names})).entries
    folders = [entry.name for entry in entries]
    assert len({name.casefold() for name in folders}) == len(names)
    assert all(len(name.encode()) <= 160 and not set('/\\:?*<>|"') & set(name) for name in folders)


def test_an_empty_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no submission \(.ipynb, .py or .zip\)"):
        read_roster(tmp_path)


@pytest.mark.parametrize("content", [b"PK\x03\x04 not a zip", b""])
def test_a_corrupt_zip_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "export.zip").write_bytes(content)
    with pytest.raises(UserError, match=r"export.zip: broken zip .*: download it again$"):
        read_roster(tmp_path / "export.zip")


def test_a_damaged_member_is_told_when_it_is_read(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "export.zip", export())
    data = bytearray(path.read_bytes())
    data[data.index(b"nbformat")] ^= 0xFF
    path.write_bytes(data)
    entries = by_name(read_roster(path))
    damaged = [name for name, entry in entries.items() if not can_be_read(entry)]
    assert damaged == ["submission_11"]


def can_be_read(entry: Entry) -> bool:
    assert entry.file is not None
    try:
        entry.file.read()
    except UserError as error:
        assert "cannot be read" in str(error)
        return False
    return True


def test_a_path_outside_the_zip_is_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    bad = {"../../../etc/evil.ipynb": notebook(), "submission_11/../../x.ipynb": notebook()}
    roster = read_roster(write_zip(tmp_path / "export.zip", export() | bad))
    assert len(roster.entries) == 3
    assert [line.rpartition(": ")[0].rpartition(": ")[2] for line in roster.remarks] == ["climbs out of the zip"] * 2


def test_a_link_is_left_out(tmp_path: Path) -> None:
    write_folder(tmp_path, {"ada.ipynb": notebook()})
    (tmp_path / "passwd.ipynb").symlink_to("/etc/passwd")
    roster = read_roster(tmp_path)
    assert [name for name, entry in by_name(roster).items() if entry.file] == ["ada"]
    assert by_name(roster)["passwd"].problem.startswith("passwd.ipynb: is a link")


def test_one_file_or_no_file_is_told(tmp_path: Path) -> None:
    write_folder(tmp_path, {"ada.ipynb": notebook()})
    with pytest.raises(UserError, match="use `grade` for one notebook"):
        read_roster(tmp_path / "ada.ipynb")
    with pytest.raises(UserError, match="is not there"):
        read_roster(tmp_path / "nothing")


def test_a_name_that_is_no_text_does_not_matter(tmp_path: Path) -> None:
    write_folder(tmp_path, {"ada.ipynb": notebook()})
    (tmp_path / os.fsdecode(b"\xff\x1b[31m.ipynb")).write_bytes(notebook())
    names = [entry.name for entry in read_roster(tmp_path).entries]
    assert len(names) == 2
    assert all(name.isprintable() for name in names)


ALIASES = b"a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (n + 1, n + 1, b",".join([b"*a%d" % n] * 10)) for n in range(30)
)


@pytest.mark.parametrize(
    "data",
    [ALIASES + b"me:\n  :submitters:\n  - :name: *a30\n    :email: e@x\n", b"me: &a [*a]", b"me: {<<: {<<: {}}}"],
    ids=["aliases of aliases", "of itself", "merged"],
)
def test_an_alias_in_the_metadata_is_never_copied(data: bytes) -> None:
    tracemalloc.start()
    people = [one for record in read_metadata(data).values() for one in record.submitters]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20  # bytes: some times the file itself
    assert all(one.name == "" for one in people)


@pytest.mark.parametrize("data", [b"me: " + b"[" * 10**5, b"x" * (64 * 2**20 + 1)], ids=["deep", "large"])
def test_metadata_out_of_bounds_are_one_line(data: bytes) -> None:
    with pytest.raises(UserError, match="nobody's name is known"):
        read_metadata(data)


def test_an_id_keeps_its_zeros() -> None:
    record = read_metadata(b"submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: 007\n  :created_at: null\n")
    assert record["submission_1"].submitters[0].sid == "007"


def test_metadata_of_many_is_read_quickly() -> None:
    people = {
        f"submission_{n}": ([(f"Name {n}", str(n), f"n{n}@uni.edu")], "2026-05-01 10:00:00 Z") for n in range(800)
    }
    assert len(read_metadata(metadata(people))) == 800
