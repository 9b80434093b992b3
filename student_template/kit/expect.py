"""Compare what a student's code returned with what it should be, rung by rung, stopping at the first that breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from kit.failure import LINE, Failure, write_difference, write_value
from kit.seeds import make_generator
from kit.settings import settings
from kit.student import call
from kit.symptom import describe, describe_rows

PLAIN = (torch.Tensor, torch.nn.Parameter)


def expect(
    got: Any,
    expected: torch.Tensor,
    label: str,
    *,
    dtype: torch.dtype | None = None,
    tolerance: str = "default",
    position: float = 0.0,
) -> None:
    """Require a tensor of the right type, dtype, shape, finiteness and values.

    Args:
        got: what the student's code returned
        expected: the right values, in any floating dtype; compared in float64
        label: how the value is called in the message, such as `alpha`
        dtype: that `got` must have; that of `expected` if None
        tolerance: name in the table; `exact` compares bit for bit
        position: the largest position in tokens, for tolerances that grow with it
    Raises:
        Failure: `wrong`, naming the first rung that broke
    """
    dtype = expected.dtype if dtype is None else dtype
    expect_tensor(got, expected, label, dtype=dtype)
    rtol, atol = settings.tolerance(tolerance, dtype, position)
    _expect_close(got.detach(), expected.detach().double(), label, rtol, atol)


def expect_tensor(got: Any, like: torch.Tensor, label: str, *, dtype: torch.dtype | None = None) -> None:
    """Require what must hold before values can be compared: type, dtype, shape, finite numbers.

    Args:
        got: what the student's code returned
        like: a tensor of the right shape; its values do not matter
        label: how the value is called in the message, such as `alpha`
        dtype: that `got` must have; that of `like` if None
    Raises:
        Failure: `wrong`, naming the first rung that broke
    """
    dtype = like.dtype if dtype is None else dtype
    if type(got) not in PLAIN:
        kind = type(got).__name__
        found = "on another device, sparse, quantized or of a subclass" if kind == "Tensor" else _with_article(kind)
        what = f"{label} must be a plain torch.Tensor, but it is {found}."
        raise Failure("wrong", what, rung="type")
    if got.dtype != dtype:
        what = f"{label} must be {dtype}, but it is {got.dtype}."
        raise Failure("wrong", what, rung="dtype")
    if got.shape != like.shape:
        what = f"{label} must have shape {tuple(like.shape)}, but it has {tuple(got.shape)}."
        raise Failure("wrong", what, symptom=describe(got, like), rung="shape")
    if not torch.isfinite(got).all():
        bad = got[~torch.isfinite(got)][0].item()
        what = f"{label} must be finite, but it contains {bad}."
        raise Failure("wrong", what, got=write_value(got), rung="finite")


def expect_weights(alpha: Any, like: torch.Tensor, label: str = "alpha") -> None:
    """Require rows of weights: of the shape and dtype of `like`, none negative, each row with the sum 1."""
    expect_tensor(alpha, like, label)
    expect_that(bool((alpha >= 0).all()), f"A weight must not be negative, but {label} contains {alpha.min():.3g}.")
    sums = alpha.detach().double().sum(-1)
    rtol, atol = settings.tolerance("default", alpha.dtype)
    right = bool((sums - 1).abs().max() <= rtol + atol)
    expect_that(
        right,
        f"Each row of {label} must have the sum 1; the sums are {write_value(sums.float())}.",
        describe_rows(alpha),
    )


def _expect_close(got: torch.Tensor, expected: torch.Tensor, label: str, rtol: float, atol: float) -> None:
    dtype, got = got.dtype, got.double()
    settings.tell(label, _measure_error(got, expected, rtol, atol))
    try:
        torch.testing.assert_close(got, expected, rtol=rtol, atol=atol)
        return
    except AssertionError:
        pass
    error = (got - expected).abs()
    excess = (error - atol - rtol * expected.abs()).flatten()
    index = [int(i) for i in torch.unravel_index(excess.argmax(), got.shape)]
    row = tuple(index[:-1])  # a whole row says more than one number
    place, rows = _write_place(label, index), f"{_write_place(label, [*row])} = " if row else ""
    allowed = float(atol + rtol * expected[tuple(index)].abs())
    written = _write_rows(got[row], expected[row])
    raise Failure(
        "wrong",
        f"{place} is off by {_write_error(float(error[tuple(index)]), allowed)}.",
        got=rows + written[0],
        expected=rows + written[1],
        symptom=describe(got, expected, allowed=atol + rtol * float(expected.abs().max()), dtype=dtype),
        rung="value",
    )


def _write_error(error: float, allowed: float) -> str:
    """Write an error and its bound with as many digits as it takes to see which is larger."""
    if not allowed:
        return f"{error:.2g}, and must be exact"
    digits = next((digits for digits in range(1, 17) if float(f"{allowed:.{digits}g}") < float(f"{error:.2g}")), 2)
    return f"{error:.2g}, allowed is {allowed:.{digits - 1}e}"


def _write_rows(got: torch.Tensor, expected: torch.Tensor) -> tuple[str, str]:
    """Write two rows with digits in which they differ; long ones by the numbers around the largest difference."""
    pair = write_difference(got.tolist(), expected.tolist())
    if max(map(len, pair)) <= LINE:
        return pair
    short = write_value(got.float()), write_value(expected.float())
    if short[0] != short[1]:
        return short
    at = int((got - expected).abs().argmax())
    one = write_difference(float(got[at]), float(expected[at]))
    return f"[..., {one[0]}, ...]", f"[..., {one[1]}, ...]"


def _measure_error(got: torch.Tensor, expected: torch.Tensor, rtol: float, atol: float) -> float:
    """The largest error in units of what is allowed; infinite where nothing is allowed and something is off."""
    error = (got - expected).abs()
    return float(torch.where(error == 0, 0.0, error / (atol + rtol * expected.abs())).max()) if error.numel() else 0.0


def _write_place(label: str, index: list[int]) -> str:
    """Write `Y[2, 0]`, or `the layer's output at [2, 0]` for a label in words."""
    if not index:
        return label
    return f"{label} at {index}" if " " in label else f"{label}{index}"


def expect_that(holds: bool | torch.Tensor, what: str, symptom: str | None = None) -> None:
    """Require a plain fact, told as a full sentence that says what was seen."""
    if not bool(holds):
        raise Failure("wrong", what, symptom=symptom)


def expect_integer(got: Any, expected: int, label: str) -> None:
    """Require an exact `int`: counts of parameters are whole numbers, however large."""
    if type(got) is not int:
        raise Failure("wrong", f"{label} must be an int, but it is {_with_article(type(got).__name__)}.")
    if got != expected:
        raise Failure("wrong", f"{label} is wrong.", got=str(got), expected=str(expected), rung="value", symptom="")


def pair(value: Any) -> tuple[Any, Any]:
    """Take `(Y, alpha)` apart; any tuple or list of two is fine."""
    if not isinstance(value, (tuple, list)):
        name = _with_article(type(value).__name__)
        raise Failure("wrong", f"The function must return two tensors (Y, alpha), but it returned {name}.", rung="type")
    if len(value) != 2:
        what = f"The function must return two tensors (Y, alpha), but it returned {len(value)}."
        raise Failure("wrong", what, rung="type")
    return value[0], value[1]


def expect_gradients(
    function: Any,
    reference: Callable[..., tuple[torch.Tensor, ...]],
    inputs: dict[str, Any],
    *,
    outputs: tuple[str, ...],
    tolerance: str = "default",
) -> None:
    """Require the gradient of every output with respect to every input, by value.

    The scalar is `sum_o <C_o, output_o>` with fixed random `C_o`, one output at a time, so that no output can hide
    behind another.

    Args:
        function: the student's; called with the values of `inputs` in order
        reference: takes the same values in float64 and returns the outputs as a tuple
        inputs: tensors, or lists of tensors, by the name a message uses
        outputs: names of the outputs; with one name `function` returns a tensor, with several a tuple
    Raises:
        Failure: `wrong`, naming the output and the input where the gradient is missing or differs
    """
    own = {name: _leaves(value, None) for name, value in inputs.items()}
    exact = {name: _leaves(value, torch.float64) for name, value in inputs.items()}
    expected = reference(*exact.values())  # first: what the student changes in place must not reach it
    got = call(function, *own.values())
    got = (got,) if len(outputs) == 1 else pair(got)
    flat, exact_flat = _flatten(own), _flatten(exact)
    for name, value, right in zip(outputs, got, expected, strict=True):
        with _before_gradients():
            expect(value, right, name, dtype=flat[0][1].dtype, tolerance=tolerance)
        cotangent = torch.randn(right.shape, dtype=torch.float64, generator=make_generator("cotangent", name))
        gradients = call(_gradients, value, [leaf for _, leaf in flat], cotangent)
        exact_gradients = _gradients(right, [leaf for _, leaf in exact_flat], cotangent)
        for (label, leaf), gradient, exact_gradient in zip(flat, gradients, exact_gradients, strict=True):
            title = f"d{name}/d{label}"
            if gradient is None and exact_gradient is not None:
                what = f"No gradient of {name} reaches {label}: the way back is cut somewhere."
                raise Failure("wrong", what, rung="gradient")
            if exact_gradient is not None:
                expect_gradient(gradient, exact_gradient, title, dtype=leaf.dtype, tolerance=tolerance)


def expect_gradient(got: Any, expected: torch.Tensor, label: str, **how: Any) -> None:
    """Require a gradient as `expect` does a value; a failure says that it is the gradient that differs."""
    try:
        expect(got, expected, label, **how)
    except Failure as failure:
        failure.rung = "gradient"
        raise


@contextmanager
def _before_gradients() -> Iterator[None]:
    """Mark a failure of the values, which says nothing of the gradients that the case is about."""
    try:
        yield
    except Failure as failure:
        failure.early = True
        raise


def _gradients(
    value: torch.Tensor, leaves: list[torch.Tensor], cotangent: torch.Tensor
) -> tuple[torch.Tensor | None, ...]:
    if not value.requires_grad:
        return (None,) * len(leaves)
    return torch.autograd.grad(value, leaves, cotangent.to(value.dtype), allow_unused=True, retain_graph=True)


def _leaves(value: Any, dtype: torch.dtype | None) -> Any:
    if isinstance(value, list):
        return [_leaves(item, dtype) for item in value]
    return value.detach().clone().to(dtype or value.dtype).requires_grad_()


def _flatten(inputs: dict[str, Any]) -> list[tuple[str, torch.Tensor]]:
    return [
        (f"{name}[{i}]" if isinstance(value, list) else name, leaf)
        for name, value in inputs.items()
        for i, leaf in enumerate(value if isinstance(value, list) else [value])
    ]


def _with_article(name: str) -> str:
    return "None" if name == "NoneType" else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
