"""The ladder: each rung breaks on what it is for, and only then."""

import re

import numpy as np
import pytest
import torch

import kit
from kit.failure import Failure

X = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])


@pytest.fixture(autouse=True)
def tolerances(monkeypatch):
    monkeypatch.setattr(
        kit.settings,
        "tolerances",
        {
            "default": {"float32": [1e-4, 1e-5], "float64": [1e-5, 1e-7]},
            "exact": {"float32": [0.0, 0.0], "float64": [0.0, 0.0]},
            "rope": {"float32": [0.0, 1e-6], "per_position": 5e-7},
        },
    )


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (X.numpy(), "must be a plain torch.Tensor, but it is a ndarray"),
        (X.tolist(), "must be a plain torch.Tensor, but it is a list"),
        (None, "must be a plain torch.Tensor, but it is None"),
        (X.double(), "must be torch.float32, but it is torch.float64"),
        (X[0], r"must have shape \(2, 3\), but it has \(3,\)"),
        (X.mT, "the last two axes have changed places"),
        (X[None], "an axis of size 1 was added"),
        (X * float("nan"), "must be finite, but it contains nan"),
        (X * float("inf"), "must be finite, but it contains"),
        (X + 1e-3, r"Y\[\d, \d\] is off by 0.001"),
    ],
)
def test_the_first_broken_rung_is_named(got, words):
    with pytest.raises(Failure, match=words):
        kit.expect(got, X, "Y")


def test_a_subclass_of_tensor_is_not_a_plain_tensor():
    class Yes(torch.Tensor):
        pass

    with pytest.raises(Failure, match="but it is a Yes"):
        kit.expect(X.as_subclass(Yes), X, "Y")


def test_a_parameter_and_any_memory_layout_are_fine():
    kit.expect(torch.nn.Parameter(X), X, "Y")
    for layout in kit.strategies.VIEWS:
        kit.expect(kit.with_layout(X, layout), X, "Y")


def test_a_size_of_one_is_not_broadcast():
    with pytest.raises(Failure, match="must have shape"):
        kit.expect(torch.zeros(1), torch.zeros(2, 3), "Y")


def test_the_tolerance_is_that_of_the_required_dtype():
    kit.expect(X + 5e-6, X.double(), "Y", dtype=torch.float32)
    with pytest.raises(Failure, match="is off by"):
        kit.expect(X.double() + 5e-6, X.double(), "Y")


def test_what_differs_is_written_with_digits_that_differ():
    for error in (2e-5, 3.6e-5, 1.001e-4, 2e-4):
        with pytest.raises(Failure) as caught:
            kit.expect(torch.ones(2, 3, dtype=torch.float64) * (1 + error), torch.ones(2, 3), "Y", dtype=torch.float64)
        assert caught.value.got != caught.value.expected


@pytest.mark.parametrize("excess", [1.0001, 1.01, 1.1, 2.0, 1000.0])
def test_the_bound_is_never_written_above_the_error(excess):
    with pytest.raises(Failure) as caught:
        kit.expect(X.double() + excess * 3.3e-5, 0 * X.double() + X.double(), "Y", dtype=torch.float64)
    error, bound = re.search(r"off by (\S+), allowed is (\S+)\.$", caught.value.what).groups()
    assert float(bound) < float(error)


def test_exact_means_bit_for_bit():
    kit.expect(X.clone(), X, "Y", tolerance="exact")
    with pytest.raises(Failure):
        kit.expect(torch.nextafter(X, X + 1), X, "Y", tolerance="exact")


def test_the_tolerance_of_rope_grows_with_the_position():
    kit.expect(X + 3e-4, X, "Y", tolerance="rope", position=1000)
    with pytest.raises(Failure):
        kit.expect(X + 3e-4, X, "Y", tolerance="rope", position=10)


@pytest.mark.parametrize("value", [3.0, True, torch.tensor(3), np.int64(3), "3", None])
def test_only_an_int_is_an_integer(value):
    with pytest.raises(Failure, match="must be an int"):
        kit.expect_integer(value, 3, "the count")


def test_an_integer_is_compared_exactly():
    kit.expect_integer(2**60, 2**60, "the count")
    with pytest.raises(Failure, match="the count is wrong"):
        kit.expect_integer(2**60 + 1, 2**60, "the count")


@pytest.mark.parametrize("value", [X, (X,), (X, X, X), {"Y": X}, None])
def test_a_pair_is_a_tuple_or_list_of_two(value):
    assert kit.pair([X, X]) == (X, X)
    with pytest.raises(Failure, match="must return two tensors"):
        kit.pair(value)


def product(A, B):
    return A @ B


def expect_product_gradients(function):
    inputs = {"A": X, "B": X.mT.contiguous()}
    kit.expect_gradients(function, lambda A, B: (A @ B,), inputs, outputs=("Y",))


def test_right_gradients_pass():
    expect_product_gradients(product)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda A, B: (A @ B).detach(), "No gradient of Y reaches A"),
        (lambda A, B: A @ B.detach(), "No gradient of Y reaches B"),
        (lambda A, B: A @ B + (A - A.detach()).sum(), "dY/dA"),
        (lambda A, B: 2 * (A @ B), "Y"),
    ],
)
def test_a_missing_or_wrong_gradient_is_named(function, words):
    with pytest.raises(Failure, match=words):
        expect_product_gradients(function)


def test_gradients_of_listed_tensors_are_named_by_their_place():
    def reference(X, W):
        return (X @ W[0] + X @ W[1],)

    inputs = {"X": X, "W": [X.mT.contiguous(), X.mT.contiguous()]}
    kit.expect_gradients(lambda X, W: X @ W[0] + X @ W[1], reference, inputs, outputs=("Y",))
    with pytest.raises(Failure, match=r"reaches W\[1\]"):
        kit.expect_gradients(lambda X, W: X @ W[0] + X @ W[1].detach(), reference, inputs, outputs=("Y",))
