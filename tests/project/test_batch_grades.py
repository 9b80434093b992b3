"""The tables of grades, who moves, and what is kept on the disk."""

from __future__ import annotations

import csv
import errno
import io
import json
from pathlib import Path
from typing import Any

import pytest
from project.graded import grade, person

from autograder import results as module
from autograder.batch.gradebook import list_rows
from autograder.batch.grades import write_grades, write_upload
from autograder.batch.moves import write_moves
from autograder.batch.store import Store
from autograder.batch.submitter import Submitter
from autograder.config import Grading
from autograder.errors import UserError

WRONG: dict[str, dict[str, Any]] = {"doubles_negatives": {"output": "A result differs."}}


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_each_person_has_one_row_whose_points_are_those_of_the_results(toy: Grading) -> None:
    group = grade(toy, "submission_2", person("Ada", "001"), person("王 小明", "002"), failed=WRONG)
    rows = read(write_grades(list_rows([grade(toy, "submission_1", person("Zoe")), group])[0], toy))
    assert [row["name"] for row in rows] == ["Ada", "Zoe", "王 小明"]
    ada = rows[0]
    assert (ada["sid"], ada["submission"], ada["q01_double"], ada["q02_greet"]) == ("001", "submission_2", "1", "2")
    assert float(ada["total"]) == group.results["score"] == 3
    assert float(rows[1]["total"]) == toy.total


def test_fractions_of_points_add_up_to_the_cent(toy: Grading) -> None:
    graded = grade(toy, "submission_1", person("Ada"))
    for test, score in zip(graded.results["tests"], (0.1, 0.2, 0.0), strict=True):
        test["score"] = score
    graded.results["score"] = 0.3
    row = read(write_grades(list_rows([graded])[0], toy))[0]
    assert (row["q01_double"], row["total"]) == ("0.3", "0.3")


def test_of_several_submissions_the_latest_counts_and_it_is_said(toy: Grading) -> None:
    ada, bob = person("Ada"), person("Bob")
    class_ = [
        grade(toy, "submission_9", ada, bob, hour=9),
        grade(toy, "submission_3", ada, hour=11, failed=WRONG),
        grade(toy, "submission_5", ada, hour=10),
    ]
    rows, lines = list_rows(class_)
    assert {row.submitter.name: row.graded.name for row in rows} == {"Ada": "submission_3", "Bob": "submission_9"}
    assert lines == ["Ada: submission_3 counts, being later than submission_9, submission_5"]
    assert "handed in 3 times, the latest counts" in rows[0].flags
    assert rows[1].flags == ()


def test_without_a_time_the_higher_number_is_the_later_submission(toy: Grading) -> None:
    ada = person("Ada")
    rows, _ = list_rows([grade(toy, "submission_100", ada), grade(toy, "submission_99", ada)])
    assert rows[0].graded.name == "submission_100"


def test_a_name_in_other_letters_or_capitals_of_the_email_is_the_same_person(toy: Grading) -> None:
    class_ = [
        grade(toy, "submission_1", person("Ada L", email="ada@uni.edu")),
        grade(toy, "submission_2", person("Ada Lovelace", email="ADA@uni.edu")),
    ]
    assert len(list_rows(class_)[0]) == 1


def test_flags_tell_what_staff_should_look_at(toy: Grading) -> None:
    slow = grade(toy, "submission_1", person("Ada"), failed={"doubles": {"reason": "timeout"}})
    twin = [grade(toy, f"submission_{n}", person(f"P{n}"), submission="same") for n in (2, 3)]
    lost = grade(toy, "submission_4", person("Zoe"), problem="broken JSON")
    broken = grade(toy, "submission_5", person("Eve"), failed={"greets": {"broken": True}})
    forged = grade(toy, "submission_6", person("Fay"), failed={"greets": {"output": "The check itself broke; tell"}})
    used = grade(toy, "submission_7", person("Gus"), flags=["q01_double: x is ruled out: sum(x)  # 9 checks: broke"])
    class_ = [slow, *twin, lost, broken, forged, used]
    flags = {row.submitter.name: list(row.flags) for row in list_rows(class_)[0]}
    assert flags == {
        "Ada": ["1 check: took too long"],
        "P2": ["the same file as submission_3"],
        "P3": ["the same file as submission_2"],
        "Zoe": ["not graded: broken JSON"],
        "Eve": ["1 check: broke itself"],
        "Fay": [],
        "Gus": ["uses what is ruled out: q01_double"],
    }


def test_no_name_becomes_a_formula_or_a_second_row(toy: Grading) -> None:
    evil = person('=HYPERLINK("http://x")\n+1', email="@SUM(A1)")
    text = write_grades(list_rows([grade(toy, "submission_1", evil)])[0], toy)
    row = read(text)[0]
    assert row["name"] == '\'=HYPERLINK("http://x") +1'
    assert row["email"] == "'@SUM(A1)"
    assert len(text.splitlines()) == 2


@pytest.mark.parametrize("cell", ["=1", "a;=1", "a, +1", "x|@f", "\uff1d1", ' "=1', "a;\u200b-1", "\ufeff=1"])
def test_no_formula_begins_behind_any_separator_or_in_full_width(toy: Grading, cell: str) -> None:
    row = read(write_grades(list_rows([grade(toy, "submission_1", person(cell, email="a@b"))])[0], toy))[0]
    sign = next(character for character in row["name"] if character in "=+-@\uff1d")
    assert row["name"][row["name"].index(sign) - 1] == "'"


@pytest.mark.parametrize("unseen", ["\u200b", "\u202e", "\u3164", "\ufe0f", "\u2066", "\x1b"])
def test_names_that_differ_only_in_what_cannot_be_seen_stay_two_people(toy: Grading, unseen: str) -> None:
    people = [Submitter("Ada", place="ada.ipynb"), Submitter(f"Ada{unseen}", place=f"ada{unseen}.ipynb")]
    text = write_grades(list_rows([grade(toy, f"s{n}", one) for n, one in enumerate(people)])[0], toy)
    assert len(read(text)) == 2
    assert unseen not in text


def test_nobody_is_taken_for_another_whose_email_is_their_name(toy: Grading) -> None:
    class_ = [
        grade(toy, "submission_1", person("Ada", email="ada@uni.edu")),
        grade(toy, "submission_2", Submitter("ada@uni.edu")),
    ]
    assert len(list_rows(class_)[0]) == 2


def test_what_was_not_graded_or_judged_is_empty_and_has_a_word(toy: Grading) -> None:
    lost = grade(toy, "1", person("Ada"), problem="broken JSON")
    open_ = grade(toy, "2", person("Bob"), failed={"greets": {"reason": "not_judged"}})
    rows = list_rows([lost, open_])[0]
    ada, bob = read(write_grades(rows, toy))
    assert (ada["q01_double"], ada["q02_greet"], ada["total"], ada["status"]) == ("", "", "", "not graded")
    assert (bob["q01_double"], bob["q02_greet"], bob["total"], bob["status"]) == ("4", "", "", "not judged in full")
    ada, bob = read(write_upload(rows, toy, "gradescope"))
    assert (ada["Total Score"], bob["Total Score"], ada["Status"], bob["Status"]) == ("", "", "Ungraded", "Ungraded")
    assert [line[-1] for line in write_upload(rows, toy, "canvas").splitlines()[2:]] == [",", ","]


def test_canvas_reads_ids_and_points_and_nothing_where_nothing_was_graded(toy: Grading) -> None:
    class_ = [
        grade(toy, "1", person("Ada", "001"), failed=WRONG),
        grade(toy, "2", person("Zoe", "002"), problem="lost"),
        grade(toy, "3", Submitter("eve", canvas="8123")),
    ]
    lines = write_upload(list_rows(class_)[0], toy, "canvas").splitlines()
    assert lines == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Toy",
        "    Points Possible,,,,,6",
        "Ada,,001,ada@uni.edu,,3",
        "eve,8123,,,,6",
        "Zoe,,002,zoe@uni.edu,,",
    ]


def test_gradescopes_table_has_a_column_a_question(toy: Grading) -> None:
    row = read(write_upload(list_rows([grade(toy, "submission_7", person("Ada", "001"))])[0], toy, "gradescope"))[0]
    assert row["Submission ID"] == "7"
    assert row["1: Twice a number (4 pts)"] == "4"
    assert (row["Total Score"], row["Max Points"], row["Status"]) == ("6", "6", "Graded")


@pytest.fixture
def old(tmp_path: Path) -> Store:
    return Store(tmp_path / "old")


def test_who_moves_is_told_with_the_case_and_the_reason(toy: Grading, old: Store) -> None:
    names = ("submission_1", "submission_2", "submission_3", "submission_4")
    people = [person(f"P{name[-1]}") for name in names]
    mistake = {"doubles_negatives": {"mistake": "adds_two", "output": "A result differs."}}
    for name, failed in zip(names[:3], (mistake, None, None), strict=True):
        old.write(name, grade(toy, name, failed=failed).results, "c", name)
    new = [
        grade(toy, names[0], people[0]),
        grade(toy, names[1], people[1], failed={"greets": {"reason": "timeout", "output": "No answer."}}),
        grade(toy, names[2], people[2]),
        grade(toy, names[3], people[3]),
    ]
    text, lines = write_moves(list_rows(new)[0], old)
    up, down = read(text)
    assert (up["name"], up["case"], up["before"], up["after"], up["difference"]) == (
        "P1",
        "doubles_negatives",
        "0",
        "3",
        "3",
    )
    assert up["why"] == "passes now, before: wrong (adds_two): A result differs."
    assert (up["total_before"], up["total_after"]) == ("3", "6")
    assert (down["name"], down["difference"]) == ("P2", "-2")
    assert down["why"] == "passed before, now: timeout: No answer."
    assert lines[:2] == ["2 of 4 move: 1 up, 1 down, 0 with the same total", "1 were not there before"]


def test_new_points_gone_cases_and_other_files_are_told_as_such(toy: Grading, old: Store) -> None:
    before = grade(toy, "submission_1").results
    before["tests"][0] |= {"score": 4, "max_score": 4}
    before["tests"][1]["extra_data"]["case"] = "of_old"
    old.write("submission_1", before, "c", "another")
    rows = read(write_moves(list_rows([grade(toy, "submission_1", person("Ada"))])[0], old)[0])
    other = "another file was handed in; "
    assert {row["case"]: row["why"] for row in rows} == {
        "doubles": f"{other}the case had 4 points and has 1",
        "doubles_negatives": f"{other}the case is new",
        "of_old": f"{other}the case is gone",
    }


def test_only_results_of_the_same_course_and_file_are_done(toy: Grading, old: Store) -> None:
    content = grade(toy, "submission_1").results
    old.write("submission_1", content, "course", "file")
    assert old.is_done("submission_1", "course", "file")
    assert not old.is_done("submission_1", "another course", "file")
    assert not old.is_done("submission_1", "course", "another file")
    assert not old.is_done("submission_2", "course", "file")
    old.write("submission_1", content, None, "file")
    assert not old.is_done("submission_1", "course", "file")


def test_a_full_disk_leaves_the_old_results_and_no_debris(
    toy: Grading, old: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old.write("submission_1", grade(toy, "submission_1").results, "course", "file")

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module.os, "fsync", fail)
    with pytest.raises(UserError, match=r"No space left on device: make room, then run again with --resume"):
        old.write("submission_1", grade(toy, "submission_1", failed=WRONG).results, "new", "file")
    files = list((tmp_path / "old" / "results" / "submission_1").iterdir())
    assert [file.name for file in files] == ["results.json"]
    assert json.loads(files[0].read_text(encoding="utf-8"))["score"] == 6


def test_who_was_not_judged_or_waited_for_processors_is_flagged(toy: Grading) -> None:
    busy = grade(toy, "submission_1", person("Ada"), failed={"doubles": {"reason": "not_judged"}}, cpu_seconds=0.5)
    quiet = grade(toy, "submission_2", person("Bob"), cpu_seconds=1.5)
    assert busy.flags == [
        "1 check: not judged, the machine was too busy",
        "the machine was busy: 2.0 s for 0.5 s of computing",
    ]
    assert quiet.flags == []
