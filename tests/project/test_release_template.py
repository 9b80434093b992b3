"""The students' folder is what the source says, and Otter loses nothing in silence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from otter.test_files import ExceptionTestFile
from project.toy_repository import edit, write_toy_and_point_tree

from autograder import tree
from autograder.errors import UserError
from autograder.release import assign
from autograder.release.cases import CaseSource, check_loads, write_test_file
from autograder.release.template import build_template


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_toy_and_point_tree(tmp_path / "toy", monkeypatch)


def read_folder(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_committed_template_is_what_the_source_gives(tmp_path: Path) -> None:
    build_template(tmp_path / "template")
    fresh, committed = read_folder(tmp_path / "template"), read_folder(tree.TEMPLATE)
    committed = {name: data for name, data in committed.items() if "__pycache__" not in name}
    assert sorted(fresh) == sorted(committed)
    changed = [name for name in fresh if fresh[name] != committed[name]]
    assert not changed, f"run `python -m autograder release`: {changed}"


def test_two_builds_give_the_same_bytes(root: Path) -> None:
    build_template(root / "once")
    build_template(root / "twice")
    assert read_folder(root / "once") == read_folder(root / "twice")


def test_students_get_notebook_public_tests_kit_and_given_modules(root: Path) -> None:
    build_template(tree.TEMPLATE)
    names = set(read_folder(tree.TEMPLATE))
    assert names >= {
        "transformers.ipynb",
        "requirements.txt",
        "given/plots.py",
        "kit/__init__.py",
        "kit/settings.json",
        "tests/q01_mean.py",
        "tests/q02_scale.py",
    }
    assert not any("oracle" in name or "pycache" in name for name in names)


def test_prose_is_rendered_with_the_numbers_of_the_table(root: Path) -> None:
    build_template(tree.TEMPLATE)
    opening = nbformat.read(tree.NOTEBOOK, as_version=4).cells[0].source
    assert opening.splitlines() == [
        "# A toy, version 1.0.0",
        "About 1 hours, 10 points.",
        "- The mean: 6, 2 in public",
        "- Scaling: 4, 4 in public",
        "",
        "Work alone.",
    ]


def test_an_answer_without_a_solution_is_refused(root: Path) -> None:
    (root / "solutions" / "q02_scale.py").unlink()
    with pytest.raises(UserError, match=r"handout.py: solutions/q02_scale.py is missing"):
        build_template(tree.TEMPLATE)


def test_every_answer_is_followed_by_its_check(root: Path) -> None:
    build_template(tree.TEMPLATE)
    sources = [cell.source for cell in nbformat.read(tree.NOTEBOOK, as_version=4).cells]
    for question, start in (("q01_mean", "def mean("), ("q02_scale", "class Scale:")):
        answers = [number for number, source in enumerate(sources) if source.startswith(start)]
        assert len(answers) == 1
        assert sources[answers[0] + 1] == f'grader.check("{question}")'


def test_a_question_may_have_a_check_and_no_answer(root: Path) -> None:
    (root / "solutions" / "q02_scale.py").unlink()
    edit(root, "assignment/handout.py", "# ANSWER q02_scale", "# CHECK q02_scale")
    build_template(tree.TEMPLATE)
    sources = [cell.source for cell in nbformat.read(tree.NOTEBOOK, as_version=4).cells]
    assert 'grader.check("q02_scale")' in sources
    assert not any("class Scale" in source for source in sources)


def test_cells_that_otter_adds_need_not_run(root: Path) -> None:
    build_template(tree.TEMPLATE)
    cells = [cell for cell in nbformat.read(tree.NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    ignored = {cell.source for cell in cells if "otter_ignore" in cell.metadata.get("tags", [])}
    assert {'grader.check("q01_mean")', 'grader.check("q02_scale")', 'describe("mean")'} == ignored
    assert not any(source.startswith(("def ", "class ", "from ")) for source in ignored)


def test_cell_ids_come_from_content_and_are_unique(root: Path) -> None:
    edit(
        root,
        "assignment/handout.py",
        '# %% tags=["otter_ignore"]',
        '# %%\ndescribe("mean")\n\n# %% tags=["otter_ignore"]',
    )
    build_template(root / "before")
    edit(root, "assignment/handout.py", "## The mean", "## The arithmetic mean")
    build_template(root / "after")
    before, after = (
        nbformat.read(root / name / "transformers.ipynb", as_version=4).cells for name in ("before", "after")
    )
    assert len({cell.id for cell in before}) == len(before)
    assert [a.id == b.id for a, b in zip(before, after, strict=True)].count(False) == 1


def test_public_tests_keep_their_own_words_and_get_name_and_points(root: Path) -> None:
    build_template(tree.TEMPLATE)
    path = tree.TEMPLATE / "tests" / "q01_mean.py"
    assert "import kit  # stands inside, since Otter copies functions" in path.read_text(encoding="utf-8")
    (case,) = ExceptionTestFile.from_file(str(path)).test_cases
    assert (case.name, case.points, case.hidden) == ("of_two_numbers", 2, False)


def test_a_case_that_otter_does_not_load_is_refused(tmp_path: Path) -> None:
    cases = [CaseSource(name, f"def {name}():\n    pass", points=1, hidden=False) for name in ("first", "second")]
    path = tmp_path / "q01_mean.py"
    path.write_text(write_test_file("q01_mean", cases[:1]), encoding="utf-8")
    with pytest.raises(UserError, match=r"tests/q01_mean.py: Otter does not load the case second"):
        check_loads(path, cases)


def test_the_kit_is_told_what_waits_but_no_salt_and_no_hidden_name(root: Path) -> None:
    build_template(tree.TEMPLATE)
    text = (tree.TEMPLATE / "kit" / "settings.json").read_text(encoding="utf-8")
    assert json.loads(text)["questions"]["q01_mean"] == {
        "title": "The mean",
        "public_points": 2,
        "hidden_cases": 1,
        "hidden_points": 4,
    }
    assert "pepper" not in text
    assert "of_one_number_alone" not in text


@pytest.mark.parametrize(
    ("name", "old", "new", "refusal"),
    [
        ("assignment/handout.py", "<< hours >>", "<< ours >>", r"handout.py: cell 1 '# << title.*'ours' is undefined"),
        ("assignment/handout.py", "# ANSWER q02_scale", "pass", "q02_scale has no place"),
        ("assignment/handout.py", "# ANSWER q02_scale", "# ANSWER q01_mean", "q01_mean stands here twice"),
        (
            "assignment/handout.py",
            "# ANSWER q02_scale",
            "# ANSWER q02_scales",
            "grading.yml lacks q02_scales",
        ),
        ("assignment/handout.py", "# ANSWER q02_scale", "# ANSWER q02_scale\npass", "cell 6: .* alone in its cell"),
        ("assignment/handout.py", "# ANSWER q02_scale", "# CHECK q02_scale", "solutions/q02_scale.py has no place"),
        (
            "tests/questions/q02_scale.py",
            "@test_case()",
            "LIMIT = 2\n\n\n@test_case()",
            "q02_scale.py:9: Otter would lose",
        ),
        (
            "tests/questions/q02_scale.py",
            "@test_case()",
            "def helper():\n    pass\n\n\n@test_case()",
            "q02_scale.py:9: Otter would lose",
        ),
    ],
)
def test_a_source_that_does_not_fit_together_is_refused(
    root: Path, name: str, old: str, new: str, refusal: str
) -> None:
    edit(root, name, old, new)
    with pytest.raises(UserError, match=refusal):
        build_template(tree.TEMPLATE)
    assert not tree.TEMPLATE.exists()


def change_otter(monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]) -> None:
    """Let Otter Assign go wrong: `change` is applied to the folder that it made."""
    honest = assign.otter_assign

    def otter_assign(master: str, result: str, **options: bool) -> None:
        honest(master, result, **options)
        change(Path(result))

    monkeypatch.setattr(assign, "otter_assign", otter_assign)


def rewrite(name: str, pattern: str, new: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert re.search(pattern, text, re.DOTALL)
        (folder / name).write_text(re.sub(pattern, new, text, flags=re.DOTALL), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (lambda folder: (folder / "autograder/tests/q02_scale.py").unlink(), "q02_scale.py: doubles: went missing"),
        (rewrite("autograder/tests/q01_mean.py", r"@test_case\(points=4.*", ""), "of_one_number_alone: went missing"),
        (rewrite("autograder/tests/q01_mean.py", "7.25", "7.5"), "of_one_number_alone: changed"),
        (rewrite("autograder/tests/q01_mean.py", "points=4", "points=5"), "of_one_number_alone: changed"),
        (rewrite("autograder/tests/q01_mean.py", "hidden=True", "hidden=False"), "of_one_number_alone: changed"),
        (
            lambda folder: (folder / "student/tests/q01_mean.py").write_bytes(
                (folder / "autograder/tests/q01_mean.py").read_bytes()
            ),
            "q01_mean.py: of_one_number_alone: does not belong",
        ),
        (rewrite("student/transformers.ipynb", r"grader.check\(..q01_mean..\)", "pass"), "q01_mean: its check cell"),
        (rewrite("student/transformers.ipynb", "exact for any order", ""), "q01_mean: Otter Assign made another stub"),
    ],
)
def test_what_otter_loses_or_changes_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object], refusal: str
) -> None:
    change_otter(monkeypatch, change)
    with pytest.raises(UserError, match=refusal):
        build_template(tree.TEMPLATE)


def test_a_master_that_otter_refuses_is_refused_in_its_words(root: Path) -> None:
    edit(
        root,
        "assignment/handout.py",
        "# %%\n# ANSWER q02_scale",
        "# %% [raw]\n# # BEGIN TESTS\n\n# %%\n# ANSWER q02_scale",
    )
    with pytest.raises(UserError, match="Otter Assign refuses the master: Found a begin tests cell outside a question"):
        build_template(tree.TEMPLATE)
