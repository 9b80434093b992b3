"""The audit sees every weakness of the tests that it is there to see, and its page shows it."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console
from typer.testing import CliRunner

import kit
from autograder.__main__ import app
from autograder.audit import calibration, command
from autograder.audit.broken import Untrained, list_broken_models
from autograder.audit.gates import MISTAKE_ERROR, SOLUTION_ERROR, VARIANT_ERROR, judge
from autograder.audit.page import draw_matrix, write_page
from autograder.audit.pool import run_trials
from autograder.audit.subjects import Subject, list_known, list_subjects
from autograder.audit.summary import make_table, summarise
from autograder.audit.trial import CaseTrial, Trial

Q05, Q11 = "q05_parameters", "q11_patchify"
Change = Callable[[Trial], Trial]


@pytest.fixture(scope="module")
def trials() -> list[Trial]:
    """A sample of the audit, through the real grader: two quick questions."""
    subjects = list_subjects([Q05, Q11])
    kept = [subject for subject in subjects if subject.question == Q05 or subject.kind != "variant"]
    return run_trials(kept, Console(quiet=True))


def change(trials: list[Trial], kind: str, edit: Change, name: str = "") -> list[Trial]:
    """The trials with the first of a kind, or the one of that name, changed."""
    chosen = next(trial for trial in trials if trial.kind == kind and name in ("", trial.name))
    return [edit(trial) if trial is chosen else trial for trial in trials]


def with_case(case: str, **changes: Any) -> Change:
    """Change how one case ended."""

    def edit(trial: Trial) -> Trial:
        cases = tuple(replace(each, **changes) if each.case == case else each for each in trial.cases)
        return replace(trial, cases=cases)

    return edit


def only(trials: list[Trial]) -> str:
    """The only problem of trials."""
    (problem,) = judge(trials)
    return problem


# ----------------------------------------------------------------------------------------------------- the sample


def test_the_sample_holds_every_gate(trials: list[Trial]) -> None:
    assert judge(trials) == []


def test_every_mistake_of_the_sample_is_named_and_has_a_message(trials: list[Trial]) -> None:
    mistakes = [trial for trial in trials if trial.kind == "mistake"]
    assert len(mistakes) == len(list_known(Q05)) + len(list_known(Q11))
    for trial in mistakes:
        assert trial.named == (trial.name,)
        assert all(case.message for case in trial.cases if case.failed)


def test_errors_are_measured_in_units_of_what_is_allowed(trials: list[Trial]) -> None:
    solved = next(trial for trial in trials if (trial.kind, trial.question) == ("solved", Q11))
    assert [case.error for case in solved.cases] == [0.0] * len(solved.cases)
    wrong = [case.error for trial in trials if trial.kind == "mistake" for case in trial.cases if case.error]
    assert math.inf in wrong  # q11 allows no error at all


def test_the_kit_tells_the_largest_error_of_a_comparison() -> None:
    told: list[tuple[str, float]] = []
    before = dict(vars(kit.settings))
    try:
        kit.settings.configure(tolerances={"default": {"float32": [0.0, 0.1]}}, watch=lambda *pair: told.append(pair))
        kit.expect(torch.tensor([1.05, 2.0]), torch.tensor([1.0, 2.0]), "Y")
        with pytest.raises(kit.Failure):
            kit.expect(torch.tensor([1.0, 2.3]), torch.tensor([1.0, 2.0]), "Y")
    finally:
        kit.settings.configure(**before)
    assert [label for label, _ in told] == ["Y", "Y"]
    assert [number for _, number in told] == pytest.approx([0.5, 3.0], rel=1e-4)


def test_a_subject_is_the_solved_notebook_with_one_answer_replaced() -> None:
    subjects = {subject.name: subject for subject in list_subjects(["q13_vit_accuracy"])}
    known = list_known("q13_vit_accuracy")[0]
    different = [
        (own, solved)
        for own, solved in zip(subjects[known.name].cells, subjects["solved"].cells, strict=True)
        if own != solved
    ]
    assert len(different) == 1
    assert different[0][0] == known.source_code()
    assert different[0][1].startswith("class TinyViT")
    assert "BEGIN SOLUTION" not in "".join(subjects["solved"].cells)
    assert "not written yet" in subjects["blank"].cells[-1]


# ------------------------------------------------------------------------------------------------------- the gates


def test_a_mistake_that_its_case_lets_pass_is_a_problem(trials: list[Trial]) -> None:
    known = list_known(Q05)[0]
    edited = change(trials, "mistake", with_case(known.caught_by, reason="passed", error=None), known.name)
    assert f"{known.name} passes {known.caught_by}" in only(edited)


@pytest.mark.parametrize("kind", ["variant", "solved"])
def test_a_right_answer_that_loses_a_case_is_a_problem(trials: list[Trial], kind: str) -> None:
    case = "one_head_has_three_matrices"
    edited = change(trials, kind, with_case(case, reason="wrong", message="head\nclaim\nThe number is odd."))
    assert f"loses {case}: The number is odd." in only(edited)


def test_a_blank_notebook_that_passes_a_case_is_a_problem(trials: list[Trial]) -> None:
    edited = change(trials, "blank", with_case("one_head_has_three_matrices", reason="passed"))
    assert "one_head_has_three_matrices passes with nothing written" in only(edited)


def test_a_case_that_no_mistake_fails_is_a_problem(trials: list[Trial]) -> None:
    idle = CaseTrial("idle", "passed", "", None, 0.0, "")
    edited = [
        replace(trial, cases=(*trial.cases, replace(idle, reason="missing" if trial.kind == "blank" else "passed")))
        if trial.question == Q05
        else trial
        for trial in trials
    ]
    assert only(edited) == "q05_parameters: no known mistake fails idle: find one or remove the case"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("solved", SOLUTION_ERROR, 1.1 * SOLUTION_ERROR),
        ("variant", VARIANT_ERROR, 1.1 * VARIANT_ERROR),
        ("mistake", 1.0, 1.1),
        ("mistake", MISTAKE_ERROR, 0.9 * MISTAKE_ERROR),
    ],
)
def test_an_error_too_near_to_its_tolerance_is_a_problem(
    trials: list[Trial], kind: str, good: float, bad: float
) -> None:
    known = list_known(Q05)[0]
    name = known.name if kind == "mistake" else ""
    assert judge(change(trials, kind, with_case(known.caught_by, error=good), name)) == []
    problem = only(change(trials, kind, with_case(known.caught_by, error=bad), name))
    assert f"{known.caught_by}: its largest error is {bad:.2g} of what is allowed" in problem


def test_a_mistake_that_gets_another_ones_hint_is_a_problem(trials: list[Trial]) -> None:
    one, other = list_known(Q05)[:2]
    edited = change(trials, "mistake", lambda trial: replace(trial, hint=other.hint, named=(other.name,)), one.name)
    assert f"mistake {one.name} gets the hint of {other.name}" in only(edited)


def test_a_right_answer_that_gets_a_hint_is_a_problem(trials: list[Trial]) -> None:
    edited = change(trials, "variant", lambda trial: replace(trial, hint="Why?", named=("some",)))
    assert "gets the hint of some" in only(edited)


def test_more_than_a_few_mistakes_without_a_hint_are_a_problem(trials: list[Trial]) -> None:
    def silence(trials: list[Trial], count: int) -> list[Trial]:
        names = [trial.name for trial in trials if trial.kind == "mistake"][:count]
        return [replace(trial, hint="", named=()) if trial.name in names else trial for trial in trials]

    total = sum(trial.kind == "mistake" for trial in trials)
    few = total // 20  # 5 %
    assert judge(silence(trials, few)) == []
    assert f"{few + 1} of {total} mistakes get no hint" in only(silence(trials, few + 1))


def test_a_case_that_breaks_and_a_cell_that_does_not_run_are_problems(trials: list[Trial]) -> None:
    case = list_known(Q05)[0].caught_by
    edited = change(trials, "mistake", with_case(case, broken="IndexError: 3"), list_known(Q05)[0].name)
    assert f"{case} breaks on mistake" in only(edited)
    edited = change(trials, "variant", lambda trial: replace(trial, remarks=("cell 3 failed: NameError",)))
    assert "cell 3 failed: NameError" in only(edited)


# ------------------------------------------------------------------------------------------------------ the report


def test_the_page_needs_nothing_else_and_shows_every_mistake(trials: list[Trial], tmp_path: Path) -> None:
    summaries = [summarise(question, trials) for question in (Q05, Q11)]
    write_page(tmp_path / "audit.html", "<T>", trials, summaries, ["q05: <b>bold</b>"], 3.0)
    page = (tmp_path / "audit.html").read_text(encoding="utf-8")
    assert "<script src" not in page and "<link" not in page
    assert "&lt;T&gt;" in page and "&lt;b&gt;bold" in page
    for known in (*list_known(Q05), *list_known(Q11)):
        assert known.name in page


def test_a_cell_says_by_its_mark_what_its_colour_says(trials: list[Trial]) -> None:
    html = draw_matrix(Q05, trials)
    data = json.loads(html[html.index("[{") : html.index("}],") + 2])[0]
    for row, levels in zip(data["text"], data["z"], strict=True):
        assert [["", "x", "X"].index(mark) for mark in row] == levels
        assert 2 in levels


def test_the_summary_counts_what_one_case_alone_catches(trials: list[Trial]) -> None:
    row = summarise(Q05, trials)
    own = [trial for trial in trials if (trial.question, trial.kind) == (Q05, "mistake")]
    alone = {trial.name: [case.case for case in trial.cases if case.failed] for trial in own}
    assert row.caught_once == [name for name, cases in alone.items() if len(cases) == 1]
    assert set(row.idle_alone) == {case.case for case in own[0].cases} - {
        cases[0] for cases in alone.values() if len(cases) == 1
    }
    assert (row.caught, row.mistakes, row.passed, row.variants) == (13, 13, 5, 5)
    console = Console(record=True, width=160, quiet=True)
    console.print(make_table([row, summarise(Q11, trials)], 1.0))


def test_the_command_exits_with_1_where_a_gate_falls_short(
    trials: list[Trial], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "list_subjects", lambda questions: [])
    monkeypatch.setattr(command.tree, "BUILD", tmp_path)
    monkeypatch.setattr(command, "REPORT", tmp_path / "audit.json")
    monkeypatch.setattr(command, "PAGE", tmp_path / "audit.html")
    grading = command.load_grading()
    chosen = {id: grading.questions[id] for id in (Q05, Q11)}
    monkeypatch.setattr(command, "load_grading", lambda: grading.model_copy(update={"questions": chosen}))
    bad = change(trials, "blank", with_case("one_head_has_three_matrices", reason="passed"))
    for found, code in ((trials, 0), (bad, 1)):
        monkeypatch.setattr(command, "run_trials", lambda subjects, console, found=found: found)
        result = CliRunner().invoke(app, ["audit"])
        assert result.exit_code == code, result.output
        report = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))
        assert len(report["problems"]) == code
        assert len(report["trials"]) == len(trials)
    assert "passes with nothing written" in result.output


# ------------------------------------------------------------------------------------------------- the calibration


def test_the_tail_of_exponential_distances_is_found() -> None:
    drawn = random.Random(0)
    accuracies = [0.95 - drawn.expovariate(1 / 0.01) for _ in range(20_000)]
    tail = calibration.describe_tail(accuracies, minimum=0.80)
    assert tail["reached_by_all_but_one_in_100000"] == pytest.approx(0.95 - 0.01 * math.log(1e5), abs=0.005)
    assert tail["failures_per_submission"] == pytest.approx(math.exp(-15), rel=0.5)
    assert calibration.describe_tail(accuracies, minimum=0.95)["failures_per_submission"] == 1


def test_a_minimum_is_refused_that_right_models_miss_or_broken_ones_reach() -> None:
    def judge_minimum(minimum: float) -> list[str]:
        right = [0.93, 0.94, 0.95, 0.96] * 30
        models = [{"kind": "broken", "name": "Untrained", "accuracies": [0.1, 0.2]}]
        report = {"right": calibration.describe_tail(right, minimum), "models": models}
        return calibration._judge(report, minimum)

    assert judge_minimum(0.8) == []
    assert "a right model falls below 0.93 once in" in judge_minimum(0.93)[0]
    assert judge_minimum(0.2) == ["grading.yml: vit.minimum_accuracy: the broken model Untrained reaches 0.2"]


def test_no_gradient_reaches_a_model_that_stays_untrained() -> None:
    model = Untrained()
    model(torch.rand(3, 8, 8)).sum().backward()
    assert all(value.grad is None or not value.grad.any() for value in model.parameters())


def test_broken_models_are_built_as_the_contract_says() -> None:
    models = list_broken_models()
    assert len(models) >= 8
    for name, model_class in models.items():
        assert model_class()(torch.rand(3, 8, 8)).shape == (3, 10), name


# ------------------------------------------------------------------------------------------------------- the proof


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_every_gate_holds_for_the_whole_catalogue() -> None:
    subjects: list[Subject] = list_subjects(command.load_grading().questions)
    assert judge(run_trials(subjects, Console(quiet=True))) == []


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_the_minimum_accuracy_holds() -> None:
    assert calibration.calibrate(Console(quiet=True))
