"""Advice is given by the case that failed first, and a symptom only where nothing that was seen contradicts it."""

import pytest

import kit
from kit.advice import Told, choose_advice, keep_agreed_symptom

PASSED = kit.Outcome("passed")


def fail(rung="value", symptom=None, reason="wrong", early=False):
    failure = kit.Failure(reason, "It is off.", rung=rung, symptom=symptom)
    failure.early = early
    return kit.Outcome(reason, failure)


def told(*outcomes, takes=("attention",)):
    looks = ("Look at the formula.", "Look at the dtype of what you create.", "Look for a step that leaves the graph.")
    names = ("by_hand", "any_size", "gradients")
    return [Told(name, takes, look, outcome) for name, look, outcome in zip(names, looks, outcomes, strict=True)]


def advise(*outcomes, of):
    cases = told(*outcomes)
    return choose_advice(cases[of], cases)


def test_the_first_failed_case_says_where_to_look():
    assert advise(fail(), fail(), fail(), of=0) == "Look at the formula."
    assert advise(PASSED, PASSED, fail("gradient"), of=2) == "Look for a step that leaves the graph."


def test_a_later_case_points_to_the_first():
    assert advise(fail(), fail(), fail(), of=1) == "The values differ already in by_hand: start there."
    assert advise(fail("shape"), fail(), fail(), of=2) == "It goes wrong already in by_hand: start there."


def test_a_gradient_that_differs_is_told_for_its_own_sake_since_its_values_were_right():
    assert advise(PASSED, fail(), fail("gradient"), of=2) == "Look for a step that leaves the graph."


def test_values_that_differ_where_gradients_were_to_be_compared_say_nothing_of_the_graph():
    assert advise(PASSED, PASSED, fail(early=True), of=2) == ""


def test_a_wrong_type_a_changed_argument_and_an_error_speak_for_themselves():
    for outcome in (fail("type"), fail("argument"), fail(reason="error")):
        assert advise(outcome, PASSED, PASSED, of=0) == ""


def test_an_error_where_the_first_case_passes_is_about_what_the_later_case_adds():
    assert advise(PASSED, PASSED, fail(reason="error"), of=2) == "Look for a step that leaves the graph."


def test_a_wrong_dtype_gets_the_advice_that_speaks_of_dtypes():
    assert advise(fail("dtype"), PASSED, PASSED, of=0) == ""
    assert advise(PASSED, fail("dtype"), PASSED, of=1) == "Look at the dtype of what you create."


def test_a_case_of_another_function_is_not_the_place_to_start():
    cases = [*told(fail(), PASSED, PASSED), Told("counts", ("other",), "Look at the count.", fail())]
    assert choose_advice(cases[3], cases) == "Look at the count."


@pytest.mark.parametrize(
    ("symptoms", "kept"),
    [
        (("a", "a"), "a"),
        (("a", ""), "a"),  # too few numbers to tell
        (("a", "b"), None),
        (("a", None), None),
    ],
)
def test_a_symptom_is_kept_only_if_every_failure_shows_it(symptoms, kept):
    cases = told(*(fail(symptom=symptom) for symptom in symptoms), PASSED)
    keep_agreed_symptom(cases)
    assert cases[0].outcome.failure.symptom == kept


def test_a_symptom_is_kept_only_if_every_failing_input_shows_it():
    from hypothesis import strategies as st

    def check(n):
        if n > 2:
            raise kit.Failure("wrong", "off", symptom=f"it is {n}", rung="value")

    with pytest.raises(kit.Failure) as caught:
        kit.for_all(st.fixed_dictionaries({"n": st.integers(0, 99)}))(check)
    assert caught.value.symptom is None
