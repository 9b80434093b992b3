"""Hostile and broken submissions through the real command: no point gained or lost, nothing learnt or left behind."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import tabulate_hostile
from project.hostile.files import BUILT
from project.hostile_course import (
    LIMITS,
    MARGIN,
    MARK,
    ORDINARY,
    Graded,
    Submission,
    grade,
    hidden_numbers,
    make_root,
    read_submissions,
    write_submission,
)
from project.ordinary_user import is_open

from autograder import tree

SUBMISSIONS = [*read_submissions(), *BUILT]
SAMPLED = {  # one of each group, for `make test`
    "a11_relays_hidden_inputs",
    "b09_zeroes_the_graders_weights",
    "c03_garbage_on_the_wire",
    "d02_daemon_rewrites_results",
    "e02_keyed_by_call_number",
    "f01_switches_everything",
}
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
open_checkout = pytest.mark.skipif(
    not is_open(tree.ROOT), reason="an ordinary user cannot enter this checkout's folder"
)


def sample(submissions: list[Submission], sampled: set[str]) -> list[object]:
    """Mark all but a few as part of the proof."""
    return [pytest.param(s, id=s.name, marks=[] if s.name in sampled else pytest.mark.proof) for s in submissions]


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach: pytest closes its own whenever a session begins."""
    with tempfile.TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="session")
def root() -> Iterator[Path]:
    with open_folder() as folder:
        yield make_root(folder / "source")


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


def run(submission: Submission, root: Path, folder: Path, uid: int) -> Graded:
    """Write the submission's file and grade it; note for the table in the docs how it went."""
    return grade(root, write_submission(submission, root, folder), folder, uid)


def expected(submission: Submission, graded: Graded) -> set[str]:
    """`question/case` of every case that must get nothing."""
    return {
        case
        for case in graded.cases
        if any(lost == "all" or case == lost or case.startswith(f"{lost}/") for lost in submission.loses)
    }


def verify(submission: Submission, graded: Graded, who: str) -> None:
    """Hold a grade against what the submission's file says must happen."""
    everything = json.dumps(graded.results, ensure_ascii=False)
    gained = sorted(expected(submission, graded) - graded.lost)
    lost = sorted(graded.lost - expected(submission, graded))
    learnt = [word for word in {MARK, *hidden_numbers(graded.out)} if word in everything]
    learnt += [f"LOOT in {name}" for name, text in {"a hidden case": graded.texts(True)}.items() if "LOOT" in text]
    note(submission, graded, who, {"gained": gained, "lost": lost, "learnt": learnt, "left": graded.left})
    assert (gained, lost, learnt, graded.left) == ([], [], [], []), graded.out[-3000:] + graded.err[-1000:]
    assert graded.code == (2 if submission.loses == ("all",) else 0), graded.err[-1000:]
    assert graded.seconds < LIMITS["wall"] + MARGIN
    assert submission.says in everything
    assert all(character.isprintable() or character == "\n" for character in graded.out + graded.err)


def note(submission: Submission, graded: Graded, who: str, found: dict[str, list[str]]) -> None:
    """Keep the outcome for the table in docs/isolation.md."""
    folder = tree.BUILD / "hostile" / who
    folder.mkdir(parents=True, exist_ok=True)
    row = {
        "name": submission.name,
        "attack": submission.attack,
        "otter": submission.otter,
        "score": graded.results["score"],
        "possible": sum(test["max_score"] for test in graded.results["tests"]),
        "seconds": round(graded.seconds, 1),
        **found,
    }
    (folder / f"{submission.name}.json").write_text(json.dumps(row, indent=1), encoding="utf-8")


@pytest.mark.parametrize("submission", sample(SUBMISSIONS, SAMPLED))
def test_a_submission_gets_what_it_earned_and_no_more(submission: Submission, root: Path, folder: Path) -> None:
    verify(submission, run(submission, root, folder, uid=0), "root" if os.geteuid() == 0 else "user")


@root_only
@open_checkout
@pytest.mark.parametrize("submission", sample(SUBMISSIONS, {"d20_closes_folders", "b09_zeroes_the_graders_weights"}))
def test_the_same_holds_where_an_ordinary_user_grades(submission: Submission, root: Path, folder: Path) -> None:
    graded = run(submission, root, folder, uid=ORDINARY)
    assert graded.results["extra_data"]["isolation"] is None or not graded.results["extra_data"]["isolation"]["user"]
    verify(submission, graded, "user")


def test_there_are_submissions_of_every_group() -> None:
    assert len(SUBMISSIONS) >= 60
    assert {submission.group for submission in SUBMISSIONS} == set("abcdef")
    assert {name[0] for name in SAMPLED} == set("abcdef")
    assert not SAMPLED - {submission.name for submission in SUBMISSIONS}


def test_the_table_is_written_from_the_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table: begin -->\nold\n<!-- table: end -->\nafter\n", encoding="utf-8")
    monkeypatch.setattr(tabulate_hostile, "NOTES", tmp_path)
    monkeypatch.setattr(tabulate_hostile, "PAGE", page)
    held = {"name": "a01_reads", "attack": "Reads.", "otter": "wins", "score": 3.5, "possible": 4, "gained": []}
    held |= {"lost": [], "learnt": [], "left": []}
    for who, row in (("root", held), ("user", held | {"learnt": ["CANARY"]})):
        (tmp_path / who).mkdir()
        (tmp_path / who / "a01_reads.json").write_text(json.dumps(row), encoding="utf-8")
    tabulate_hostile.main()
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "Held as root: 1 of 1; as an ordinary user: 0 of 1." in text
    assert "| `a01_reads`: Reads. | attack wins | held, 3.5 of 4 | 1 learnt |" in text
