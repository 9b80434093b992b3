"""A release tells what changed since the last one and whether scores can move, and the changelog must say it too."""

from __future__ import annotations

import copy
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project.toy_repository import edit, write_toy_and_point_tree
from rich.console import Console

from autograder import tree
from autograder.errors import UserError
from autograder.release.changelog import check_changelog, tell_changes
from autograder.release.changes import Change, list_changes
from autograder.release.compare import check_committed
from autograder.release.leak import read_template
from autograder.release.manifest import PINNED, Manifest, make_manifest, read_last_manifest, write_manifest
from autograder.release.source import read_source
from autograder.release.template import build_template

ENTRIES = {
    PINNED[0]: b"# pins\ntorch==2.13.0\n",
    PINNED[1]: b"numpy==2.2.6 \\\n    --hash=sha256:12\n",
    "tests/kit/case.py": b"1",
    "solutions/mistakes/q01.py": b"1",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write_toy_and_point_tree(tmp_path / "toy", monkeypatch)
    build_template(tree.TEMPLATE)
    return root


def make(entries: dict[str, bytes] = ENTRIES) -> Manifest:
    return make_manifest(read_source(), read_template(tree.TEMPLATE), entries)


def test_a_manifest_counts_cases_and_points_and_hashes_what_is_shipped(root: Path) -> None:
    manifest = make()
    assert manifest["version"] == "1.0.0"
    assert (manifest["public"], manifest["hidden"]) == ({"cases": 2, "points": 6}, {"cases": 1, "points": 4})
    assert manifest["questions"]["q01_mean"]["cases"]["of_one_number_alone"]["points"] == 4
    assert set(manifest["students"]) == set(read_template(tree.TEMPLATE))
    assert set(manifest["autograder"]) == set(ENTRIES)
    assert manifest["packages"] == ["torch==2.13.0", "numpy==2.2.6"]
    assert "pepper" not in json.dumps(manifest)


def test_equal_sources_give_equal_manifests(root: Path, tmp_path: Path) -> None:
    write_manifest(make(), tmp_path / "one.json")
    write_manifest(make(), tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def change_points(root: Path) -> None:
    edit(
        root,
        "grading.yml",
        "points: 4\n    cases:\n      doubles: {points: 4}",
        "points: 5\n    cases:\n      doubles: {points: 5}",
    )
    edit(root, "grading.yml", "total: 10", "total: 11")


CHANGES: list[tuple[Callable[[Path], None], list[str], bool]] = [
    (change_points, ["q02_scale: 4 -> 5", "q02_scale / doubles: 4 -> 5"], True),
    (
        lambda root: edit(root, "tests/questions/q02_scale.py", "[6.0, 0.0]", "[6.0, 0]"),
        ["q02_scale / doubles: checks something else"],
        True,
    ),
    (
        lambda root: edit(root, "tests/questions/q02_scale.py", "A scale of 2 doubles.", "It doubles."),
        ["q02_scale / doubles: claims it in other words"],
        False,
    ),
    (lambda root: edit(root, "grading.yml", "pepper and salt", "salt and pepper"), ["salt: another"], True),
    (
        lambda root: edit(root, "grading.yml", 'hours: "1"', 'hours: "1"\nterm: {rope_base: 1000.0, pre_norm: false}'),
        ["term.rope_base: 10000.0 -> 1000.0", "term.pre_norm: True -> False"],
        True,
    ),
    (lambda root: edit(root, "grading.yml", "title: Scaling", "title: Factors"), ["q02_scale: now 'Factors'"], False),
    (lambda root: edit(root, "grading.yml", "feedback: hint", "feedback: none"), ["hidden: "], False),
    (
        lambda root: edit(root, "assignment/handout.py", "# ## The mean", "# ## The average"),
        ["the notebook, no longer: ## The mean", "the notebook, now: ## The average"],
        False,
    ),
    (
        lambda root: edit(root, "assignment/handout.py", "# ## The mean\n", "# ## The mean\n#\n# It lies between.\n"),
        ["the notebook, changed below: ## The mean"],
        False,
    ),
]


@pytest.mark.parametrize(
    ("change", "said", "moves"),
    CHANGES,
    ids=["points", "check", "claim", "salt", "term", "title", "feedback", "prose", "more"],
)
def test_each_change_is_told_with_whether_scores_can_move(
    root: Path, tmp_path: Path, change: Callable[[Path], None], said: list[str], moves: bool
) -> None:
    old = make()
    change(root)
    tree.TEMPLATE.rename(tmp_path / "old")
    build_template(tree.TEMPLATE)
    changes = list_changes(old, make())
    for text in said:
        assert [found for found in changes if found.what.startswith(text)], (text, changes)
    assert any(found.moves for found in changes) is moves


def test_packages_and_code_that_grades_move_scores_and_code_that_speaks_does_not(root: Path) -> None:
    old = make()
    for name, data, moves in (
        (PINNED[0], b"torch==2.14.0\n", True),
        ("tests/kit/case.py", b"2", True),
        ("autograder/sandbox/new.py", b"2", True),
        ("solutions/mistakes/q01.py", b"2", False),
    ):
        assert any(change.moves for change in list_changes(old, make({**ENTRIES, name: data}))) is moves, name


def test_a_question_or_case_that_comes_or_goes_is_told(root: Path) -> None:
    old, new = make(), make()
    del new["questions"]["q02_scale"]
    del new["questions"]["q01_mean"]["cases"]["of_two_numbers"]
    assert [change.what for change in list_changes(old, new)] == ["q01_mean / of_two_numbers: gone", "q02_scale: gone"]
    assert [change.what for change in list_changes(new, old)] == ["q01_mean / of_two_numbers: new", "q02_scale: new"]


POINTS = Change("points", "q02_scale: 4 -> 5", True, "q02_scale")
PROSE = Change("text", "the notebook, now: x", False)


@pytest.mark.parametrize(
    ("section", "changes", "why"),
    [
        ("## 0.9.0\n\n- tests: q02_scale\n", [], "CHANGELOG.md: has no section '## 1.0.0'"),
        (
            "## 1.0.0\n\n- handout: more\n",
            [POINTS],
            "1.0.0: has no '- tests:' entry, but scores can move (q02_scale: 4",
        ),
        ("## 1.0.0\n\n- tests: stricter\n", [POINTS], "no '- tests:' entry names q02_scale"),
        ("## 1.0.0\n\n- tests: q02_scale\n", [PROSE], "has no '- handout:' entry, but students read something else"),
        ("## 1.0.0\n\n- tool: x\n\n## 0.9.0\n\n- tests: q02_scale\n", [POINTS], "has no '- tests:' entry"),
    ],
    ids=["no section", "no entry", "no name", "no handout", "entry of another version"],
)
def test_a_changelog_that_keeps_a_change_to_itself_is_refused(
    root: Path, section: str, changes: list[Change], why: str
) -> None:
    tree.CHANGELOG.write_text(section, encoding="utf-8")
    with pytest.raises(UserError) as refusal:
        check_changelog("1.0.0", changes, same=False)
    assert why in str(refusal.value)


def test_a_changelog_that_says_it_is_accepted(root: Path) -> None:
    text = "## 1.0.0\n\n- tests: doubling counts more,\n  in q02_scale.\n- handout: its points.\n"
    tree.CHANGELOG.write_text(text, encoding="utf-8")
    check_changelog("1.0.0", [POINTS, PROSE], same=False)


def tell(manifest: Manifest) -> str:
    stream = io.StringIO()
    tell_changes(Console(file=stream, width=120), manifest)
    return stream.getvalue()


def commit(root: Path) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.edu"]
        subprocess.run(["git", "-C", str(root), *identity, *command], check=True)


def test_the_last_manifest_is_the_committed_one_of_the_highest_version(root: Path) -> None:
    tree.RELEASES.mkdir()
    for version in ("1.2.0", "1.10.0"):
        (tree.RELEASES / f"{version}.json").write_text(json.dumps({"version": version}), encoding="utf-8")
    commit(root)
    (tree.RELEASES / "1.10.0.json").write_text("{}", encoding="utf-8")
    (tree.RELEASES / "1.11.0.json").write_text("{}", encoding="utf-8")
    assert read_last_manifest() == ("releases/1.10.0.json", {"version": "1.10.0"})


def test_a_release_says_what_changed_since_the_last_one(root: Path) -> None:
    assert "this is the first release" in tell(make())
    tree.RELEASES.mkdir()
    write_manifest(make(), tree.RELEASES / "1.0.0.json")
    assert "nothing changed since releases/1.0.0.json" in tell(make())
    change_points(root)
    edit(root, "grading.yml", "version: 1.0.0", "version: 1.1.0")
    with pytest.raises(UserError, match=r"CHANGELOG.md: has no section '## 1.1.0'"):
        tell(make())
    tree.CHANGELOG.write_text("## 1.1.0\n\n- tests: q02_scale counts more.\n", encoding="utf-8")
    lines = tell(make()).splitlines()
    assert lines[:3] == [
        "changed since releases/1.0.0.json:",
        "  points    q02_scale: 4 -> 5",
        "  points    q02_scale / doubles: 4 -> 5",
    ]
    assert lines[-1] == "earlier scores can move (q02_scale)"


def test_a_tree_that_holds_another_release_is_refused_with_each_file(root: Path) -> None:
    students, manifest = read_template(tree.TEMPLATE), make()
    tree.RELEASES.mkdir()
    write_manifest(manifest, tree.RELEASES / "1.0.0.json")
    check_committed(students, manifest)
    other: dict[str, Any] = copy.deepcopy(manifest)
    other["settings"]["salt"] = "x"
    (tree.TEMPLATE / "requirements.txt").write_text("other\n", encoding="utf-8")
    (tree.TEMPLATE / "notes.txt").write_text("", encoding="utf-8")
    with pytest.raises(UserError) as refusal:
        check_committed(students, other)
    remedy = "run `python -m autograder release` and commit it"
    assert str(refusal.value).splitlines() == [
        f"student_template/notes.txt: comes from nowhere: {remedy}",
        f"student_template/requirements.txt: is not what the source gives: {remedy}",
        f"releases/1.0.0.json: tells of another release: {remedy}",
    ]
