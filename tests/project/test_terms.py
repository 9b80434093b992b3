"""Another term: a switch of `grading.yml` reaches all that depends on it, and last term's notebook loses just that."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from project.terms import (
    AUDIT,
    GRADE,
    LECTURE,
    ORDERS,
    OTHER,
    READ_TEXTS,
    RELEASE,
    SWITCHES,
    TOUCHES,
    list_terms,
    make_tree,
    name_term,
    run_python,
    tell,
)

from autograder import tree
from autograder.audit.subjects import IMPORTS
from autograder.config import load_grading
from solutions.term import SWITCHES as NAMES

Q06, Q11 = "q06_transformer_layer", "q11_patchify"
BUILT_ON_OTHERS = {"q12_vit", "q14_class_token_attention"}
OF_POSITIONS = {
    "six_by_six_pixels_are_right_by_hand",
    "pixels_and_whole_images_are_patches_too",
    "whole_numbers_stay_whole_numbers",
    "every_pixel_is_in_its_place",
    "a_second_call_starts_afresh",
}
# What last term's solved notebook loses when a switch is turned: by question, the cases, and the mistake that is named.
LOST: dict[str, dict[str, tuple[set[str], str]]] = {
    "rope_base": {
        "q09_rope": ({"every_value_equals_the_formula"}, "keeps_another_base"),
        "q10_rope_rotation": ({"every_entry_equals_the_formula"}, "defaults_to_another_base"),
    },
    "patch_order": {Q11: (OF_POSITIONS, "counts_patches_in_the_other_order")},
    "pixel_order": {Q11: (OF_POSITIONS, "writes_pixels_in_the_other_order")},
    "pre_norm": {
        Q06: ({"the_default_arrangement_is_that_of_the_signature"}, "defaults_to_the_other_arrangement"),
    },
}


@pytest.fixture(scope="module")
def last_term(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with the switches as in the lecture."""
    return make_tree(tmp_path_factory.mktemp("last") / "term")


@pytest.fixture(scope="module", params=SWITCHES)
def switch(request: pytest.FixtureRequest) -> str:
    """The name of the one switch that is turned."""
    return str(request.param)


@pytest.fixture(scope="module")
def new_term(switch: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with that switch turned."""
    return make_tree(tmp_path_factory.mktemp("new") / "term", **{switch: OTHER[switch]})


@pytest.fixture(scope="module")
def last_texts(last_term: Path) -> dict[str, list[str]]:
    """Last term's texts by question: stub, answer, mistakes, right answers written differently."""
    texts: dict[str, list[str]] = tell(last_term, READ_TEXTS)
    return texts


# ------------------------------------------------------------------------------------------------ what a switch touches


def test_a_switch_changes_the_texts_of_the_questions_it_touches_and_of_no_other(
    switch: str, new_term: Path, last_texts: dict[str, list[str]]
) -> None:
    texts = tell(new_term, READ_TEXTS)
    changed = {question for question in texts if texts[question] != last_texts[question]}
    assert changed == {question for question in TOUCHES if switch in TOUCHES[question]} - BUILT_ON_OTHERS
    seen = [text for question in texts for text in (*texts[question], *last_texts[question])]
    assert not [text for text in seen if "<<" in text or any(name in text for name in NAMES)]


def test_a_case_asks_for_no_switch_that_is_not_known_to_touch_its_question() -> None:
    for path in sorted(tree.QUESTIONS.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        asked = set(re.findall(r'settings\.term\["(\w+)"\]', text)) | set(ORDERS if "order_patches" in text else ())
        assert asked <= set(TOUCHES.get(path.stem, ())), path.name


def test_the_table_of_the_repository_names_every_switch() -> None:
    assert set(load_grading().term.model_dump()) == set(SWITCHES)
    assert all(re.search(rf"^  {name}: ", tree.GRADING.read_text(encoding="utf-8"), re.MULTILINE) for name in SWITCHES)


# ------------------------------------------------------------------------------------------------- last term's notebook


@pytest.mark.slow
def test_last_terms_answers_lose_the_switched_convention_and_are_told_so(
    switch: str, new_term: Path, last_texts: dict[str, list[str]], tmp_path: Path
) -> None:
    cells = tmp_path / "cells.json"
    cells.write_text(json.dumps([IMPORTS, *(answer for _, answer, *_ in last_texts.values())]), encoding="utf-8")
    questions = [question for question in TOUCHES if switch in TOUCHES[question]]
    found = {
        question: (set(lost), named) for question, (lost, named) in tell(new_term, GRADE, cells, *questions).items()
    }
    expected = {question: (cases, [mistake]) for question, (cases, mistake) in LOST[switch].items()}
    assert found == {question: expected.get(question, (set(), [])) for question in questions}


# ---------------------------------------------------------------------------------------------------------- the release


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The students' folder of a term with every switch turned, and its manifest."""
    work = tmp_path_factory.mktemp("released")
    manifest = tell(make_tree(work / "term", **OTHER), RELEASE, work)
    return work / "student", manifest


@pytest.mark.slow
def test_students_of_a_new_term_read_its_conventions_and_no_trace_of_a_switch(
    released: tuple[Path, dict[str, Any]],
) -> None:
    student, _ = released
    notebook = json.loads((student / "transformers.ipynb").read_text(encoding="utf-8"))
    sources = "\n\n".join("".join(cell["source"]) for cell in notebook["cells"])
    for text in (
        "def rope(X: Tensor, positions: Tensor | None = None, L: float = 500000.0) -> Tensor:",
        "def rope_rotation(n: int, D_k: int, L: float = 500000.0) -> Tensor:",
        "def __init__(self, D: int, H: int, pre_norm: bool = False) -> None:",
        "Patches come in column-major order (down the left column of the\n        image first), and so do the pixels",
        "Everything is **column-major**: patches down the left column of the image come first, and within a patch its",
    ):
        assert text in sources, text
    for path in student.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not [name for name in NAMES if re.search(rf"\b{name}\b", text)], path
    assert "<<" not in sources


@pytest.mark.slow
def test_the_kit_and_the_manifest_of_a_new_term_say_what_is_switched(released: tuple[Path, dict[str, Any]]) -> None:
    student, manifest = released
    assert json.loads((student / "kit" / "settings.json").read_text(encoding="utf-8"))["term"] == OTHER
    assert {name: manifest["settings"][f"term.{name}"] for name in SWITCHES} == OTHER


# ------------------------------------------------------------------------------------------------------------ the audit


@pytest.mark.slow
def test_the_gates_hold_for_a_sample_under_every_switch_at_once(tmp_path: Path) -> None:
    assert tell(make_tree(tmp_path / "term", **OTHER), AUDIT, "q10_rope_rotation", Q11) == []


TERMS = [
    pytest.param(question, term, id=f"{question} {name_term(term)}")
    for question, names in TOUCHES.items()
    for term in list_terms(*names)
    if any(term[name] != LECTURE[name] for name in names)  # the rest is the audit of the whole catalogue
]


@pytest.mark.proof
@pytest.mark.parametrize(("question", "term"), TERMS)
def test_the_gates_hold_for_a_question_under_every_combination_that_touches_it(
    question: str, term: dict[str, Any], tmp_path: Path
) -> None:
    assert tell(make_tree(tmp_path / "term", **term), AUDIT, question) == []


# ------------------------------------------------------------------------------------------------------ whole notebooks


def grade(root: Path, notebook: Path) -> set[tuple[str, str]]:
    """The cases that a notebook loses, by question, as the command grades it in a tree."""
    results = root / "results.json"
    run_python(root, "-m", "autograder", "grade", notebook, "--results", results)
    tests = json.loads(results.read_text(encoding="utf-8"))["tests"]
    return {
        (test["extra_data"]["question"], test["extra_data"]["case"])
        for test in tests
        if test["score"] < test["max_score"]
    }


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_the_new_terms_solved_notebook_loses_nothing_and_last_terms_only_the_switched_convention(
    switch: str, new_term: Path, last_term: Path, tmp_path: Path
) -> None:
    for name, root in (("last", last_term), ("new", new_term)):
        (tmp_path / name).mkdir()
        tell(root, RELEASE, tmp_path / name)
    shutil.rmtree(new_term / "student_template")
    shutil.copytree(tmp_path / "new" / "student", new_term / "student_template")
    assert grade(new_term, tmp_path / "new" / "solution.ipynb") == set()
    lost = {(question, case) for question, (cases, _) in LOST[switch].items() for case in cases}
    assert grade(new_term, tmp_path / "last" / "solution.ipynb") == lost


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_the_whole_release_of_a_new_term_proves_itself(tmp_path: Path) -> None:
    assert "this is the first release" in run_python(
        make_tree(tmp_path / "term", **OTHER), "-m", "autograder", "release"
    )
