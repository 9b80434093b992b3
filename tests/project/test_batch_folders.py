"""Folders of a class as people have them: everybody has a row, and a person's trouble is that person's."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from project.graded import grade
from project.handed_in import WRONG, export, metadata, notebook, write_folder, write_zip

from autograder.batch.command import grade_class
from autograder.batch.gradebook import Graded, list_rows
from autograder.batch.roster import Entry, Roster, read_roster
from autograder.choice import choose_file
from autograder.config import Grading
from autograder.errors import UserError
from autograder.gradescope.received import find_notebook

NOTEBOOK = "transformers.ipynb"


def read(tmp_path: Path, *names: str, **contents: bytes) -> Roster:
    return read_roster(write_folder(tmp_path / "class", dict.fromkeys(names, notebook()) | contents))


def tell(roster: Roster) -> dict[str, str]:
    """For each person what is graded, or what is wrong."""
    return {
        submitter.name: str(entry.file.place) if entry.file else entry.problem
        for entry in roster.entries
        for submitter in entry.submitters
    }


def entry_of(roster: Roster, name: str) -> Entry:
    return next(entry for entry in roster.entries if name in entry.submitters[0].name)


@pytest.mark.parametrize(
    ("names", "people"),
    [
        (["s/ada.zip", "s/bob.zip", "s/cleo.zip", "s/dan.ipynb"], ["s/ada", "s/bob", "s/cleo", "s/dan"]),
        (["hw/transformers.ipynb", "hw/ada/transformers.ipynb", "hw/bob/transformers.ipynb"], None),
        (["s/transformers.ipynb", "s/ada/x.ipynb", "s/bob/y.ipynb", "t/cleo/z.ipynb", "t/dan/z.ipynb"], None),
        (["ada.ipynb", "bob.pdf", "cleo.docx"], ["ada", "bob", "cleo"]),
        (["ada/transformers.ipynb", "bob/hw.pdf", "cleo/.DS_Store"], ["ada", "bob", "cleo"]),
        (["ada/student_template/transformers.ipynb", "ada/notes.txt", "bob/transformers.ipynb"], None),
        (["a/b/c/d/ada.ipynb", "a/b/c/d/bob.ipynb"], None),
        (["a.ipynb", "kit/case.py", "tests/q01.py"], ["a"]),
    ],
    ids=["zips", "stray", "stray in a section", "papers", "papers in folders", "template", "deep", "release"],
)
def test_nobody_is_left_out(tmp_path: Path, names: list[str], people: list[str] | None) -> None:
    roster = read(tmp_path, *names)
    told = tell(roster)
    if people is not None:
        assert sorted(told) == people
    notebooks = [name for name in names if name.endswith((".ipynb", ".zip"))]
    assert sorted(place for place in told.values() if place in names) == sorted(notebooks)
    assert roster.doubts == []


@pytest.mark.parametrize("second", ["alice/old/transformers.ipynb", "alice/scratch.ipynb", "alice/a/b.ipynb"])
def test_a_second_notebook_is_that_persons_trouble_alone(tmp_path: Path, second: str) -> None:
    roster = read(tmp_path, *(f"{name}/{NOTEBOOK}" for name in ("alice", "bob", "zoe")), second)
    told = tell(roster)
    assert (told["bob"], told["zoe"]) == (f"bob/{NOTEBOOK}", f"zoe/{NOTEBOOK}")
    assert "has 2 notebooks" in told["alice"]
    assert [line.partition(":")[0] for line in roster.remarks] == ["alice"]
    assert roster.doubts == []


@pytest.mark.parametrize("plant", ["eve/submission_metadata.yml", "eve/submission_7/submission_metadata.yml"])
def test_a_students_metadata_and_folders_take_nobody_over(tmp_path: Path, plant: str) -> None:
    evil = metadata({"me": ([("Eve", "", "eve@x")], ""), "submission_7": ([("Bob", "", "bob@x")], "")})
    names = [f"{name}/{NOTEBOOK}" for name in ("bob", "zoe", "eve/submission_7")]
    told = tell(read(tmp_path, *names, **{plant: evil}))
    assert sorted(told) == ["bob", "eve/submission_7", "zoe"] or sorted(told) == ["bob", "eve", "zoe"]
    assert (told["bob"], told["zoe"]) == (f"bob/{NOTEBOOK}", f"zoe/{NOTEBOOK}")


def test_metadata_inside_of_a_submission_of_an_export_mean_nothing(tmp_path: Path) -> None:
    evil = metadata({"submission_11": ([("Eve", "", "eve@x")], "")})
    path = write_zip(tmp_path / "e.zip", export(**{"submission_13/submission_metadata.yml": evil}))
    assert "Ada Lovelace" in tell(read_roster(path))


def test_what_lies_beside_an_exports_folders_has_a_row_and_a_flag(tmp_path: Path) -> None:
    roster = read_roster(write_zip(tmp_path / "e.zip", export(**{"late/transformers.ipynb": notebook()})))
    assert entry_of(roster, "late").flags == ("not in submission_metadata.yml",)


def test_names_that_look_alike_stay_two_people(tmp_path: Path) -> None:
    roster = read(tmp_path, "ada.ipynb", "ada\u200b.ipynb", "ada\u200c.ipynb")
    assert roster.people == len({entry.name for entry in roster.entries}) == 3


# ------------------------------------------------------------------------------------------------ whose folder it is

UNSURE = ["s1/ada.ipynb", "s2/bob.ipynb", "s3/a.ipynb", "s3/b.ipynb", "s3/c.ipynb"]


def test_where_a_folder_may_be_several_peoples_it_stops_and_yes_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path / "class", dict.fromkeys(UNSURE, notebook()))
    with pytest.raises(UserError, match=r"class: 5 files, 3 people: .*--yes$"):
        grade_class(folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert "s3: is it one person's, or several people's (a, b, c)?" in capsys.readouterr().out


def test_a_notebook_with_its_exports_is_one_persons(tmp_path: Path) -> None:
    names = [f"{name}/transformers{end}" for name in ("ada", "bob") for end in (".ipynb", "_2026_05.zip", "_07.zip")]
    roster = read(tmp_path, *names)
    assert tell(roster) == {"ada": "ada/transformers.ipynb", "bob": "bob/transformers.ipynb"}
    assert roster.doubts == []


# ------------------------------------------------------------------------------------------- downloads of other places


def test_canvas(tmp_path: Path) -> None:
    files = {
        "lovelaceada_12345_678_transformers-1.ipynb": notebook(),
        "lovelaceada_12345_679_notes.txt": b"",
        "wáng小明_LATE_12346_680_my_file_12_3.ipynb": notebook(WRONG),
        "smithzoe_12347_681_homework.pdf": b"%PDF",
        "leeann_12348_text.html": b"<p>",
        "LATE_anon_x1Y2z_690_transformers.ipynb": notebook(),
    }
    roster = read_roster(write_zip(tmp_path / "submissions.zip", files, top=""))
    ids = {entry.submitters[0].name: entry.submitters[0].canvas for entry in roster.entries}
    assert ids == {
        "lovelaceada": "12345",
        "wáng小明": "12346",
        "smithzoe": "12347",
        "leeann": "12348",
        "anonymous x1Y2z": "",
    }
    assert {entry.handed_in for entry in roster.entries} == {None}
    assert [entry.submitters[0].name for entry in roster.entries if entry.flags == ("late",)] == [
        "anonymous x1Y2z",
        "wáng小明",
    ]
    assert "has no notebook (found: smithzoe_12347_681_homework.pdf)" in entry_of(roster, "smithzoe").problem
    assert entry_of(roster, "leeann").file is None


@pytest.mark.parametrize("end", ["_/", "/", "_"])
def test_moodle(tmp_path: Path, end: str) -> None:
    form = f"_assignsubmission_file{end}{NOTEBOOK}"
    roster = read(tmp_path, f"Ada Lovelace_1234567{form}", f"Ada Lovelace_1234568{form}", f"Zoë_O'Neil_9{form}")
    assert [entry.name for entry in roster.entries] == ["Ada Lovelace_1234567", "Ada Lovelace_1234568", "Zoë_O'Neil_9"]
    assert [entry.submitters[0].name for entry in roster.entries] == ["Ada Lovelace", "Ada Lovelace", "Zoë_O'Neil"]
    assert roster.people == 3


def test_blackboard(toy: Grading, tmp_path: Path) -> None:
    receipt = b"Name: Ada Lovelace (ada_l)\nAssignment: HW 7\nComments:\nName: Bob (bob_l)\n"
    heads = ("HW 7_ada_l", "HW 7_bob_l")
    times = ("2026-10-01-12-00-00", "2026-10-02-08-30-00")
    names = [f"{head}_attempt_{time}_{NOTEBOOK}" for head in heads for time in times]
    roster = read(tmp_path, *names, **{f"{heads[0]}_attempt_{times[0]}.txt": receipt})
    assert roster.people == 2
    ada = [entry for entry in roster.entries if entry.submitters[0].name == "Ada Lovelace"]
    assert [entry.handed_in for entry in ada] == [datetime(2026, 10, 1, 12), datetime(2026, 10, 2, 8, 30)]
    assert {entry.submitters[0].name for entry in roster.entries} == {"Ada Lovelace", "bob_l"}
    rows, lines = list_rows([Graded(entry, grade(toy, entry.name).results) for entry in roster.entries])
    assert [row.graded.name[-19:] for row in rows] == [times[1]] * 2
    assert len(lines) == 2
    assert all(f"{times[1]} counts, being later than " in line and line.endswith(times[0]) for line in lines)


@pytest.mark.parametrize("top", ["", "submitted/", "course/submitted/"])
def test_nbgrader(tmp_path: Path, top: str) -> None:
    stamps = {f"{name}/hw7/timestamp.txt": b"2026-10-01 12:00:00.123456 UTC" for name in ("ada", "bob")}
    files = stamps | {f"{name}/hw7/{NOTEBOOK}": notebook() for name in ("ada", "bob")}
    roster = read_roster(write_folder(tmp_path / "class", {f"{top}{name}": data for name, data in files.items()}))
    assert [entry.submitters[0].name for entry in roster.entries] == (["ada", "bob"])
    assert all(entry.handed_in and entry.handed_in.hour == 12 for entry in roster.entries)


def test_github_classroom(tmp_path: Path) -> None:
    names = [f"hw-7-{user}-main/{file}" for user in ("ada-l", "bob") for file in (NOTEBOOK, "kit/case.py", "README.md")]
    assert tell(read(tmp_path, *names)) == {"ada-l": f"hw-7-ada-l-main/{NOTEBOOK}", "bob": f"hw-7-bob-main/{NOTEBOOK}"}


def test_google_classroom(tmp_path: Path) -> None:
    names = [f"Ada Lovelace - {NOTEBOOK}", f"Copy of Bob - {NOTEBOOK}", "Zoë - transformers (1).ipynb"]
    assert sorted(tell(read(tmp_path, *names))) == ["Ada Lovelace", "Copy of Bob", "Zoë"]


def test_names_that_only_look_like_a_form_are_no_form(tmp_path: Path) -> None:
    names = ["HW7 - ada.ipynb", "HW7 - bob.ipynb", "cleo_12_34_x.ipynb", "dan_attempt_2026-10-01-12-00-00_x.ipynb"]
    assert len(tell(read(tmp_path, *names))) == 4


# ------------------------------------------------------------------------------------------------------- one rule


@pytest.mark.parametrize(
    "names",
    [
        ["a.ipynb", ".b.ipynb", "__MACOSX/a.ipynb", ".x/c.ipynb", "._a.ipynb"],
        ["a.ipynb", "b.ipynb"],
        ["answers.py", "given/digits.py", "kit/case.py"],
        ["__MACOSX/a.ipynb"],
        ["a.zip", "b.zip", "c.py"],
        ["a.pdf"],
    ],
)
def test_a_batch_takes_the_same_file_as_gradescope(tmp_path: Path, names: list[str]) -> None:
    files = dict.fromkeys(names, notebook())
    class_ = {f"submission_11/{name}": data for name, data in files.items()}
    entry = read_roster(write_folder(tmp_path / "class", class_)).entries[0]
    folder = write_folder(tmp_path / "submission", files)
    try:
        taken = str(find_notebook(folder).relative_to(folder))
    except UserError as error:
        assert entry.problem == str(error).removeprefix("your upload: ")
    else:
        assert entry.file is not None
        assert str(entry.file.place) == f"submission_11/{taken}"


def test_nothing_is_chosen_of_nothing() -> None:
    with pytest.raises(UserError, match=r"has no notebook \(found: nothing\)"):
        choose_file([])
