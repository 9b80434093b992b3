"""A failure names the known mistake that behaves exactly alike, and nothing else."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from project import variants

import kit
from autograder import tree
from autograder.audit.subjects import list_known, replace_answer
from autograder.config import load_grading
from autograder.diagnosis import Diagnosis, diagnose, match
from autograder.diagnosis.match import Rival, list_rivals, load_solutions
from autograder.diagnosis.observation import agree, observe
from autograder.diagnosis.observer import Observer
from autograder.diagnosis.probes import PROBES, read_probes
from autograder.grade import Grade, grade_submission
from autograder.messages import write_message
from autograder.questions import load_question
from autograder.results import describe_grade
from autograder.sandbox import Cell, Sandbox
from autograder.submission import Submission
from solutions.mistakes import Mistake

GRADING = load_grading()
QUESTIONS = list(GRADING.questions)
BUILT_ON = {"q13_vit_accuracy": "q12_vit"}


def find(question: str, names: dict[str, Any], salt: str = "salt") -> Diagnosis | None:
    return diagnose(question, load_solutions() | names, salt)


def hinted(known: Mistake, salt: str = "salt") -> str:
    found = find(known.question, known.answers(), salt)
    return found.hint if found else ""


# ----------------------------------------------------------------------------------------------------- the catalogue


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_known_mistake_gets_its_own_hint(question: str) -> None:
    silent = [known.name for known in list_known(question) if not hinted(known)]
    wrong = [known.name for known in list_known(question) if hinted(known) not in ("", known.hint)]
    assert (silent, wrong) == ([], [])


class NormsFirst(torch.nn.Module):
    """The layer without `batch_first`, its parts made in another order than the solution makes them."""

    def __init__(self, D: int, H: int, pre_norm: bool = True) -> None:
        super().__init__()
        self.pre_norm = pre_norm
        self.norm2, self.norm1 = torch.nn.LayerNorm(D), torch.nn.LayerNorm(D)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(D, 4 * D), torch.nn.ReLU(), torch.nn.Linear(4 * D, D))
        self.attn = torch.nn.MultiheadAttention(D, H)

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        if self.pre_norm:
            A = self.norm1(X)
            Z = X + self.attn(A, A, A)[0]
            return Z + self.mlp(self.norm2(Z))
        Z = self.norm1(X + self.attn(X, X, X)[0])
        return self.norm2(Z + self.mlp(Z))


def test_a_mistake_is_known_whatever_the_order_of_the_parts() -> None:
    found = find("q06_transformer_layer", {"TransformerLayer": NormsFirst})
    assert found is not None
    assert found.mistakes == ("takes_the_first_axis_for_tokens",)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_right_answer_gets_no_hint(question: str) -> None:
    assert find(question, {}) is None
    right = variants.load_variants(BUILT_ON.get(question, question))
    assert right
    for variant in right:
        assert find(question, variant.answers()) is None, variant.name


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_mistake_that_the_catalogue_lacked_would_get_no_other_ones_hint(question: str) -> None:
    last, rivals = len(read_probes(question)) - 1, list_rivals(question, "salt")
    seen = [[rival.watch(number) for number in range(last + 1)] for rival in rivals]
    for (one, own), (other, its) in itertools.combinations(zip(rivals, seen, strict=True), 2):
        if agree(own, its):
            assert one.known and other.known, "a mistake looks like the solution"
            assert one.known.hint == other.known.hint, (one.known.name, other.known.name)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_probes_that_end_in_different_observations(question: str) -> None:
    probes = read_probes(question)
    assert probes, f"{question} has no probes: add some in autograder/diagnosis/probes/"
    for probe in probes:
        assert Observer(load_solutions(), "salt").watch(probe), probe.__name__
        salts = [Observer(load_solutions(), salt).watch(probe) for salt in ("salt", "salt", "pepper")]
        assert agree(salts[0], salts[1]), f"{probe.__name__} is not repeatable"


def test_a_stub_gets_no_hint() -> None:
    def attention(*arguments: Any) -> None:
        raise NotImplementedError("q02_attention: not written yet")

    assert find("q02_attention", {"attention": attention}) is None
    assert find("q02_attention", {"attention": None}) is None


def test_two_mistakes_at_once_get_no_hint() -> None:
    def attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return torch.softmax(Q @ K.T, dim=0) @ V  # type: ignore[no-any-return]

    assert find("q02_attention", {"attention": attention}) is None


def test_a_known_mistake_in_other_words_gets_its_hint() -> None:
    def attention(queries: Any, keys: Any, values: Any) -> list[Any]:
        weights = torch.einsum("nd,md->nm", queries, keys).exp()
        weights = weights / weights.sum(1)[:, None]
        return [torch.einsum("nm,md->nd", weights, values), weights]

    def shifted(queries: Any, keys: Any, values: Any) -> list[Any]:
        weights = torch.nn.Softmax(-1)(torch.einsum("nd,md->nm", queries, keys))
        return [torch.einsum("nm,md->nd", weights, values), weights]

    assert find("q02_attention", {"attention": attention}) is None  # two mistakes: it also overflows
    found = find("q02_attention", {"attention": shifted})
    assert found is not None and found.mistake == "forgets_the_scale"


def test_mistakes_that_cannot_be_told_apart_give_the_thought_they_share(monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Any:
        def attention(*arguments: Any) -> int:
            return 7

        return attention

    def pretend(*hints: str) -> Diagnosis | None:
        known = [Mistake(f"m{i}", "q02_attention", "c", "cause", hint, None, make) for i, hint in enumerate(hints)]
        rivals = [Rival(mistake, PROBES["q02_attention"], "salt") for mistake in (None, *known)]
        monkeypatch.setattr(match, "list_rivals", lambda *arguments: rivals)
        return find("q02_attention", {"attention": make()})

    assert pretend("Why seven?", "Why seven?") == Diagnosis(("m0", "m1"), "Why seven?", ("c", "c"))
    assert pretend("Why seven?", "What is left of the queries?") is None
    alone = pretend("Why seven?")
    assert alone is not None and alone.mistake == "m0"


def test_a_mistake_that_no_probe_tells_from_the_solution_gives_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    right = load_solutions()["attention"]
    known = Mistake("m", "q02_attention", "c", "cause", "Why?", None, lambda: right)
    rivals = [Rival(mistake, PROBES["q02_attention"], "salt") for mistake in (None, known)]
    monkeypatch.setattr(match, "list_rivals", lambda *arguments: rivals)
    assert find("q02_attention", {}) is None


# ---------------------------------------------------------------------------------------------------- observations


def test_observations_agree_up_to_rounding_and_in_form() -> None:
    X = torch.tensor([1.0, 2.0, float("nan")])
    assert agree(observe(X), observe(X + 1e-6))
    assert agree(observe((X, 3)), observe([X, 3]))
    for other in (X + 1e-3, X.double(), X[None], X.clone().requires_grad_(), X.tolist(), None):
        assert not agree(observe(X), observe(other))
    assert not agree(observe({"a": 1}), observe({"b": 1}))
    assert not agree(observe(True), observe(1))
    assert agree(observe(object()), observe(object())) and not agree(observe(object()), observe("object"))


def see(function: Any, *probes: Any) -> list[Any]:
    observer = Observer({"f": function}, "salt")
    return [observer.watch(probe) for probe in probes]


def test_an_observer_sees_changed_arguments_errors_and_gradients() -> None:
    def probe(look: Observer) -> None:
        X = torch.tensor([1.0, 2.0], requires_grad=True)
        look.gradients(look.call("f", X), [X])

    def overflow(X: torch.Tensor) -> None:
        raise OverflowError("too large")

    right = see(lambda X: X * X, probe)
    for other in (overflow, lambda X: (X * X).detach(), lambda X: X * X.detach()):
        assert not agree(see(other, probe), right)
    assert see(overflow, probe)[0][0] == "error: OverflowError"


def test_an_observer_sees_which_argument_was_changed() -> None:
    def probe(look: Observer) -> None:
        look.call("f", look.randn(2), [look.randn(2)])

    def empty_the_list(X: torch.Tensor, W: list[torch.Tensor]) -> int:
        W.clear()
        return 7

    def clear_the_tensor(X: torch.Tensor, W: list[torch.Tensor]) -> int:
        X.zero_()
        return 7

    assert see(lambda X, W: 7, probe) == [[7]]
    assert see(empty_the_list, probe) == [[[False, True], 7]]
    assert see(clear_the_tensor, probe) == [[[True, False], 7]]


def test_of_results_that_are_left_to_chance_only_the_form_counts() -> None:
    def probe(look: Observer) -> None:
        look.call_alike(["f", "f"], look.randn(3))

    def noisy(X: torch.Tensor) -> torch.Tensor:
        return X + torch.rand(3)

    assert agree(see(noisy, probe), see(noisy, probe))
    assert not agree(see(noisy, probe), see(lambda X: X, probe))
    assert not agree(see(noisy, probe), see(lambda X: X.double() + torch.rand(3), probe))


def test_a_probe_that_cannot_go_on_has_seen_what_came_before() -> None:
    def probe(look: Observer) -> None:
        look.build("f", seed=1)
        raise AssertionError("not reached")

    assert see(lambda: 7, probe) == [[7]]
    assert len(see(lambda: torch.nn.Linear(2, 3), lambda look: look.build("f", seed=1))[0]) == 1


# ---------------------------------------------------------------------------------------------- through the grader


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(given=tree.GIVEN.parent, limits=GRADING.limits) as opened:
        yield opened


def grade(sandbox: Sandbox, question: str, name: str) -> Grade:
    """Grade the solved notebook with a known mistake in it on one question."""
    known = next(known for known in list_known(question) if known.name == name)
    subject = replace_answer("mistake", name, question, known.source_code())
    cells = [*map(Cell, subject.cells), Cell("", question)]
    started = Grade(GRADING, [load_question(GRADING, question)])
    grade_submission(started, Submission(Path("a.ipynb"), cells, [""] * len(cells)), sandbox, lambda result: None)
    return started


SAMPLE = [  # of each kind of observation one that crosses the process boundary
    ("q01_simple_attention", "treats_the_weights_as_constants"),
    ("q01_simple_attention", "overwrites_the_tokens"),
    ("q02_attention", "remembers_weights_by_shape"),
    ("q02_attention", "drops_weights_at_random"),
    ("q04_multi_head", "empties_the_callers_lists"),
    ("q05_parameters", "forgets_the_output_matrix"),
    ("q06_transformer_layer", "drops_out_in_the_mlp"),
    ("q06_transformer_layer", "keeps_the_mlp_in_a_list"),
    ("q06_transformer_layer", "detaches_the_residual"),
    ("q07_sinusoidal", "rounds_the_frequencies"),
    ("q12_vit", "makes_r_a_plain_tensor"),
    ("q14_class_token_attention", "clears_the_gradients"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "name"), SAMPLE)
def test_a_submission_with_a_known_mistake_gets_its_hint(sandbox: Sandbox, question: str, name: str) -> None:
    graded = grade(sandbox, question, name)
    entries = {entry["extra_data"]["case"]: entry for entry in describe_grade(graded)["tests"]}
    hint = next(known.hint for known in list_known(question) if known.name == name)
    assert any(not result.passed for result in graded.cases)
    for result in graded.cases:
        entry = entries[result.case.name]
        assert entry["extra_data"]["mistake"] == (None if result.passed else name)
    public, hidden = (
        [c for c in graded.cases if not c.passed and bool(c.case.hidden) == kind] for kind in (False, True)
    )
    said = [result.case.name for result in graded.cases if hint in entries[result.case.name]["output"]]
    assert said == [(public + hidden)[0].case.name]  # the same thought is said once
    for result in (public + hidden)[1:]:
        assert f"the one that {said[0]} names" in entries[result.case.name]["output"]


def fail(result_hidden: bool, feedback: str, caught_here: bool = True) -> str:
    """The message of a failed case of q02 whose mistake is known, and is the one that the case is there to catch."""
    grading = GRADING.model_copy(update={"hidden": GRADING.hidden.model_copy(update={"feedback": feedback})})
    started = Grade(grading, [load_question(grading, "q02_attention")])
    result = next(result for result in started.cases if bool(result.case.hidden) == result_hidden)
    failure = kit.Failure("wrong", "Y[0, 0] is off by 1.", got="g", expected="e", symptom="rows are columns")
    failure.inputs = "Q = 1"
    result.outcome = kit.Outcome("wrong", failure)
    caught_by = (result.case.name,) if caught_here else ("another_case",)
    result.diagnosis = Diagnosis(("forgets_the_scale",), "How large is an inner product?", caught_by)
    return write_message(result, grading)


def test_a_public_failure_ends_in_the_hint_in_place_of_the_symptom() -> None:
    lines = fail(False, "hint").split("\n")
    assert lines[2:6] == ["Y[0, 0] is off by 1.", "  input:    Q = 1", "  got:      g", "  expected: e"]
    assert lines[6] == "It behaves like a known mistake: How large is an inner product?"
    assert lines[7].startswith("Look ")
    assert len(lines) == 8


def test_a_hidden_failure_says_the_hint_and_nothing_of_the_inputs() -> None:
    lines = fail(True, "hint").split("\n")
    assert lines[2] == "A result differs from what it should be."
    assert lines[3] == "It behaves like a known mistake: How large is an inner product?"
    assert lines[4].startswith("Look ")
    assert "Q = 1" not in "".join(lines)


def test_what_a_case_warns_of_is_left_out_where_a_mistake_of_another_case_is_known() -> None:
    assert "Look " not in fail(False, "hint", caught_here=False)
    assert "Look " not in fail(True, "hint", caught_here=False)


@pytest.mark.parametrize("hidden", [True, False])
def test_the_policy_none_shows_no_hint(hidden: bool) -> None:
    assert "known mistake" not in fail(hidden, "none")
    assert "known mistake" in fail(hidden, "counterexample")


def test_a_diagnosis_that_breaks_costs_no_point(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("autograder.diagnosis.diagnose", broken)
    graded = grade(sandbox, "q05_parameters", "forgets_the_output_matrix")
    assert {result.outcome.reason for result in graded.cases} == {"passed", "wrong"}
    assert all(result.diagnosis is None for result in graded.cases)


@pytest.mark.proof
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_diagnosis_takes_less_than_three_tenths_of_a_second(sandbox: Sandbox, question: str) -> None:
    cells = [
        Cell(source) for source in replace_answer("mistake", "", question, list_known(question)[-1].source_code()).cells
    ]
    with sandbox.run(cells) as run, run.fork("", seconds=30) as student:
        names = student.stand_ins(load_question(GRADING, question).names)
        diagnose(question, names, "warm up")
        begun = time.perf_counter()
        diagnose(question, names, "salt")
        assert time.perf_counter() - begun < 0.3
