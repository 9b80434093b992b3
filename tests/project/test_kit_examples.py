"""Drawn inputs: the same every time, salted where hidden, shrunk where public, counted always."""

import itertools

import pytest
import torch
from hypothesis import strategies as st

import kit
from autograder.config import load_grading
from autograder.questions import load_question
from kit.case import run_case
from kit.failure import Failure
from kit.seeds import make_seed


@pytest.fixture(autouse=True)
def settings(monkeypatch):
    monkeypatch.setattr(kit.settings, "salt", "")
    monkeypatch.setattr(kit.settings, "case", "")
    monkeypatch.setattr(kit.settings, "shrink", True)
    monkeypatch.setattr(kit.settings, "tolerances", {"default": {"float32": [1e-4, 1e-5], "float64": [1e-5, 1e-7]}})


def collect(examples=8):
    seen = []

    @kit.for_all(st.fixed_dictionaries({"n": st.integers(0, 10**9)}), examples=examples)
    def check(n):
        seen.append(n)

    return seen


def test_as_many_inputs_are_tried_as_planned():
    assert len(collect(8)) == 8


def test_the_inputs_are_the_same_every_time():
    assert collect() == collect()


def test_another_salt_draws_other_inputs(monkeypatch):
    public = collect()
    monkeypatch.setattr(kit.settings, "salt", "another")
    assert collect() != public


def test_another_salt_draws_other_numbers_also_where_a_case_names_the_seed(monkeypatch):
    public = kit.randn(2, 3, seed=1)
    assert torch.equal(public, kit.randn(2, 3, seed=1))
    monkeypatch.setattr(kit.settings, "salt", "another")
    assert not torch.equal(public, kit.randn(2, 3, seed=1))


def test_a_seed_tells_nothing_of_the_seeds_of_other_cases_and_submissions(monkeypatch):
    def seed_of(salt, case, place):
        monkeypatch.setattr(kit.settings, "salt", salt)
        monkeypatch.setattr(kit.settings, "case", case)
        return make_seed(place)

    salts, cases, places = ("a/0", "a/1"), ("q01/x", "q02/x"), (0, 1)
    seeds = [seed_of(*which) for which in itertools.product(salts, cases, places)]
    assert len(set(seeds)) == 8
    # of an affine hash, such as a CRC, two submissions differ in every case by the same bits
    assert len({one ^ other for one, other in zip(seeds[:4], seeds[4:], strict=True)}) == 4
    assert seed_of("a/0", "q01/x", 0) == seeds[0]


def test_a_case_draws_under_its_own_name_in_the_notebook_as_in_the_grader():
    question = load_question(load_grading(), "q02_attention")
    for case in question.cases:
        run_case(case.body, {"attention": lambda *arguments: None})
        assert kit.settings.case == f"q02_attention/{case.name}"


def test_too_few_inputs_are_an_error_of_ours():
    with pytest.raises(RuntimeError, match="ran 2 of 8 examples"):

        @kit.for_all(st.fixed_dictionaries({"b": st.booleans()}), examples=8)
        def check(b):
            pass


def fail_from(limit):
    seen = []

    @kit.for_all(st.fixed_dictionaries({"n": st.integers(0, 10**9)}))
    def check(n):
        seen.append(n)
        kit.expect_that(n < limit, "n is too large.")

    return seen


def test_a_public_case_shows_the_smallest_input():
    with pytest.raises(Failure) as caught:
        fail_from(1000)
    assert caught.value.inputs == "n = 1000"


def test_a_hidden_case_does_not_shrink(monkeypatch):
    monkeypatch.setattr(kit.settings, "shrink", False)
    with pytest.raises(Failure) as caught:
        fail_from(1000)
    assert caught.value.inputs != "n = 1000"


@pytest.mark.parametrize("reason", ["timeout", "died", "missing"])
def test_after_a_hang_no_further_input_is_tried(reason):
    seen = []
    with pytest.raises(Failure):

        @kit.for_all(st.fixed_dictionaries({"n": st.integers(0, 10**9)}))
        def check(n):
            seen.append(n)
            raise Failure(reason, "no answer")

    assert len(seen) == 1


def test_an_answer_that_changes_from_call_to_call_is_told_so():
    calls = []
    with pytest.raises(Failure, match="different results in two calls"):

        @kit.for_all(st.fixed_dictionaries({"n": st.integers(0, 10**9)}))
        def check(n):
            calls.append(n)
            kit.expect_that(len(calls) != 3, "wrong this time only")


def test_random_numbers_of_the_student_are_the_same_for_every_input():
    drawn = []

    @kit.for_all(st.fixed_dictionaries({"n": st.integers(0, 10**9)}), examples=3)
    def check(n):
        drawn.append(torch.rand(1).item())

    assert len(set(drawn)) == 1


@pytest.mark.parametrize("strategy", [kit.queries_keys_values, kit.multi_head_inputs])
def test_sizes_that_mean_different_things_differ(strategy):
    @kit.for_all(strategy())
    def check(**inputs):
        if "Q" in inputs:
            (N, D_k), (M, D_v) = inputs["Q"].shape, inputs["V"].shape
            assert len({N, M, D_k, D_v}) == 4
        else:
            (D, D_k), D_v, H = inputs["W_q"][0].shape, inputs["W_v"][0].shape[1], len(inputs["W_q"])
            assert D not in (H * D_k, H * D_v) and D_k != D_v


def test_inputs_come_in_both_precisions_and_contiguous():
    seen = set()

    @kit.for_all(kit.tokens(), examples=40)
    def check(X):
        seen.add((X.dtype, X.is_contiguous()))

    assert seen == {(torch.float32, True), (torch.float64, True)}


def test_views_are_views_of_both_kinds_with_the_values_that_were_drawn():
    strides = set()

    @kit.for_all(kit.views(kit.multi_head_inputs()), examples=20)
    def check(X, W_q, W_k, W_v, W_o):
        for tensor in (X, *W_q, *W_k, *W_v, W_o):
            assert not tensor.is_contiguous() and torch.isfinite(tensor).all()
            strides.add("transposed" if tensor.stride(0) == 1 else "strided")

    assert strides == {"transposed", "strided"}


def test_a_message_says_which_input_is_a_strided_view():
    X = torch.ones(2, 3)
    with pytest.raises(Failure) as caught:

        @kit.for_each({"X": kit.with_layout(X, "transposed"), "W": [X.T], "V": X, "P": 2})
        def check(X, W, V, P):
            kit.expect_that(False, "No.")

    ones = "[[1, 1, 1], [1, 1, 1]]"
    written = f"X = {ones} (a strided view), W = [[[1, 1], [1, 1], [1, 1]]] (a strided view), V = {ones}, P = 2"
    assert caught.value.inputs == written


def test_a_drawn_permutation_is_not_its_own_inverse():
    @kit.for_all(st.fixed_dictionaries({"order": kit.permutations(5)}))
    def check(order):
        assert [order[i] for i in order] != list(range(5))


def test_the_strided_layout_hides_nan_between_the_numbers():
    values = kit.with_layout(torch.ones(2, 3), "strided")
    assert values.stride() == (6, 2)
    assert torch.equal(values, torch.ones(2, 3))


def test_listed_inputs_are_tried_in_order_and_the_failing_one_is_told():
    seen = []

    with pytest.raises(Failure) as raised:

        @kit.for_each({"n": 1}, {"n": 7}, {"n": 3})
        def check(n):
            seen.append(n)
            kit.expect_that(n < 5, "n is too large.")

    assert seen == [1, 7]
    assert raised.value.inputs == "n = 7"
