"""One case, run: how it ends, what it leaves alone, what a student reads."""

import random

import numpy as np
import pytest
import torch
from otter.test_files import test_case as case_of

import kit
from kit.case import read_claim


def run(check, **names):
    return kit.run_case(case_of()(check), names)


def double(x):
    return 2 * x


def test_a_case_that_raises_nothing_has_passed():
    assert run(lambda double: None, double=double) == kit.Outcome("passed")


def test_a_name_that_is_not_defined_is_missing():
    outcome = run(lambda double: None)
    assert outcome.reason == "missing"
    assert str(outcome.failure) == "double is not defined: has its cell been run?"


def test_a_misspelt_name_is_told():
    outcome = run(lambda simple_attention: None, simple_attenion=double, attention=double)
    assert str(outcome.failure).endswith("has its cell been run? You have simple_attenion.")
    assert "You have" not in str(run(lambda attention_parameters: None, attention=double).failure)


def test_a_stub_is_missing_and_says_which_question():
    def attention(Q):
        raise NotImplementedError("q02_attention: not written yet")

    outcome = run(lambda attention: kit.call(attention, 1), attention=attention)
    assert (outcome.reason, str(outcome.failure)) == ("missing", "q02_attention: not written yet")


def test_another_not_implemented_error_is_an_error():
    def attention(Q):
        raise NotImplementedError("conv")

    assert run(lambda attention: kit.call(attention, 1), attention=attention).reason == "error"


def test_an_error_shows_the_students_own_line():
    student = {}
    cell = "def attention(Q):\n    scores = Q @ Q\n    return scores\n"
    exec(compile(cell, "/cell", "exec"), student)
    outcome = run(lambda attention: kit.call(attention, torch.ones(2, 3)), attention=student["attention"])
    assert outcome.reason == "error"
    assert "your line 2" in str(outcome.failure)
    assert outcome.failure.type_name == "RuntimeError"


def test_a_wrong_number_of_arguments_is_not_blamed_on_our_line():
    outcome = run(lambda double: kit.call(double, 1, 2), double=double)
    assert str(outcome.failure).startswith("TypeError: double() takes 1 positional argument")
    assert "your line" not in str(outcome.failure)


@pytest.mark.parametrize("error", [SystemExit(0), RecursionError(), kit.Failure("wrong", "forged")])
def test_whatever_a_student_raises_is_an_error(error):
    def raises():
        raise error

    assert run(lambda raises: kit.call(raises), raises=raises).reason == "error"


def test_hypothesis_control_flow_raised_by_a_student_is_an_error():
    import hypothesis
    from hypothesis import strategies as st

    def reject(n):
        hypothesis.reject()

    def case(reject):
        @kit.for_all(st.fixed_dictionaries({"n": st.integers()}))
        def check(n):
            kit.call(reject, n)

    assert run(case, reject=reject).reason == "error"


def test_an_error_of_our_own_case_is_kept_for_staff():
    outcome = run(lambda double: 1 / 0, double=double)
    assert outcome.reason == "error"
    assert isinstance(outcome.broken, ZeroDivisionError)
    assert "tell the staff" in str(outcome.failure)


def test_a_changed_argument_is_told():
    def change(x, parts):
        parts[0] *= 2
        return x

    outcome = run(lambda change: kit.call(change, 1, [torch.ones(2)]), change=change)
    assert "changed argument 2" in str(outcome.failure)


class OnMeta(torch.nn.Linear):
    def __init__(self):
        super().__init__(2, 3, device="meta")


@pytest.mark.parametrize(
    "elsewhere", [lambda: (torch.ones(2, device="meta"), 1), lambda: {"W": torch.ones(2, device="meta")}, OnMeta]
)
def test_a_result_on_another_device_is_told_in_one_line(elsewhere):
    outcome = run(lambda answer: kit.expect_tensor(kit.call(answer), torch.ones(2), "Y"), answer=elsewhere)
    assert outcome.reason == "wrong"
    assert "gave a tensor on the device meta, but a check runs on the CPU" in str(outcome.failure)
    assert len(str(outcome.failure).splitlines()) == 1


@pytest.fixture
def meta_by_default():
    """Stands for a GPU where there is none."""
    torch.set_default_device("meta")
    yield
    torch.set_default_device(None)


@pytest.mark.usefixtures("meta_by_default")
@pytest.mark.parametrize("changes", [lambda: None, lambda: torch.set_default_device("cpu"), lambda: 1 / 0])
def test_a_check_computes_on_the_cpu_and_puts_the_default_device_back(changes):
    def answer():
        changes()
        return torch.ones(2)

    outcome = run(lambda answer: kit.expect_tensor(kit.call(answer), torch.ones(2), "Y"), answer=answer)
    assert outcome.broken is None
    assert torch.empty(0).device.type == "meta"


def test_a_device_that_a_student_chooses_during_a_check_does_not_stay():
    run(lambda answer: kit.call(answer), answer=lambda: torch.set_default_device("meta"))
    assert torch.empty(0).device.type == "cpu"


def test_within_a_device_of_the_students_own_a_check_computes_on_the_cpu():
    with torch.device("meta"):
        outcome = run(
            lambda answer: kit.expect_tensor(kit.call(answer), torch.ones(2), "Y"), answer=lambda: torch.ones(2)
        )
        assert torch.empty(0).device.type == "meta"
    assert outcome.reason == "passed"


def test_a_lengthened_list_is_a_changed_argument():
    outcome = run(lambda change: kit.call(change, [1]), change=lambda parts: parts.append(2))
    assert "changed argument 1" in str(outcome.failure)


def test_a_changed_argument_is_told_in_a_table_and_by_name_too():
    def change(state, positions=None):
        (state or {"places": positions})["places"].zero_()

    outcome = run(lambda change: kit.call(change, {"places": torch.ones(2)}), change=change)
    assert "changed argument 1" in str(outcome.failure)
    outcome = run(lambda change: kit.call(change, None, positions=torch.ones(2)), change=change)
    assert "changed argument positions" in str(outcome.failure)


def test_weights_are_compared_as_they_were_sent():
    class Zeroing(torch.nn.Linear):
        def load_state_dict(self, state, strict=True):
            for value in state.values():
                value.zero_()

    def case(Zeroing):
        kit.load_random_weights(kit.build(Zeroing, 2, 3), seed=1)

    assert "changed argument 1" in str(run(case, Zeroing=Zeroing).failure)


def test_the_reference_of_gradients_is_computed_before_the_call(monkeypatch):
    def case(turn):
        places = torch.ones(2)
        inputs = {"X": torch.ones(2)}
        kit.expect_gradients(lambda X: turn(X, places), lambda X: (X * places,), inputs, outputs=("Y",))

    def forget(X, places):
        places.zero_()
        return 0 * X

    monkeypatch.setattr(kit.settings, "tolerances", {"default": {"float32": (1e-4, 1e-5), "float64": (1e-5, 1e-7)}})
    assert run(case, turn=forget).reason == "wrong"


def read_state():
    return (
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.get_num_threads(),
        torch.get_rng_state().tolist(),
        np.random.get_state()[1].tolist(),
        random.getstate(),
    )


def test_a_case_leaves_the_process_as_it_was():
    def meddle(double):
        torch.set_default_dtype(torch.float16)
        torch.set_grad_enabled(False)
        torch.rand(1), np.random.rand(), random.random()
        raise RuntimeError

    torch.set_default_dtype(torch.float64)
    try:
        before = read_state()
        run(meddle, double=double)
        assert read_state() == before
    finally:
        torch.set_default_dtype(torch.float32)


def test_a_case_starts_with_pytorchs_defaults_and_fixed_seeds():
    seen = []
    for _ in range(2):
        with torch.no_grad():
            run(lambda double: seen.append((torch.is_grad_enabled(), torch.rand(1).item())), double=double)
    assert seen[0] == seen[1]
    assert seen[0][0] is True


def case_with_docstring(double):
    """Twice is
    twice.

    Look at the
    factor.
    """


def test_the_docstring_is_the_claim_and_where_to_look():
    assert read_claim(case_of()(case_with_docstring)) == ("Twice is twice.", "Look at the factor.")


FAILURE = kit.Failure("wrong", "Y[0] is off by 1.", got="[1]", expected="[2]", symptom="only the sign is wrong")
FAILURE.inputs = "x = 1"


def write(failure, shown="counterexample"):
    outcome = kit.Outcome(failure.reason, failure)
    return kit.write_message("q01", "doubles", 2.0, "Twice is twice.", "Look at the factor.", outcome, shown)


def test_a_message_has_at_most_eight_lines():
    assert write(FAILURE).splitlines() == [
        "q01 / doubles: 0 of 2 points",
        "Claim: Twice is twice.",
        "Y[0] is off by 1.",
        "  input:    x = 1",
        "  got:      [1]",
        "  expected: [2]",
        "It looks as if only the sign is wrong.",
        "Look at the factor.",
    ]


@pytest.mark.parametrize("shown", ["hint", "none"])
def test_a_hidden_case_tells_no_input_and_no_value(shown):
    message = write(FAILURE, shown)
    assert not any(secret in message for secret in ("x = 1", "[1]", "[2]", "off by"))


def test_a_hidden_error_tells_its_kind_but_nothing_that_the_student_can_choose():
    failure = kit.Failure("error", "ValueError: tensor([0.1, 0.2])", type_name="ValueError", line=3)
    assert write(failure, "hint").splitlines()[2:] == ["Your code raised ValueError.", "Look at the factor."]


def test_a_hidden_stub_does_not_repeat_the_students_words():
    assert "0.1" not in write(kit.Failure("missing", "tensor([0.1]): not written yet"), "hint")
