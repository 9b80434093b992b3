"""Runs probes on somebody's names and notes what can be seen: results, errors, changed arguments, gradients."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

import kit
from autograder.diagnosis.observation import EXACT, agree, observe

Probe = Callable[["Observer"], None]


class Ended(Exception):
    """The rest of a probe makes no sense, such as running a model that could not be made."""


class Observer:
    """Sees one answer, a student's or a known mistake's; both sides draw the same inputs.

    Args:
        names: the functions and classes, real ones or stand-ins
        salt: seeds the inputs
    """

    def __init__(self, names: Mapping[str, Any], salt: str) -> None:
        self._names, self._salt = names, salt
        self._draws_lots = False  # whether calls that must agree have been seen to differ
        self._seen: list[Any] = []

    def watch(self, probe: Probe) -> list[Any]:
        """Run a probe and return what was seen, in order."""
        self._seen = []
        self._probe = f"{probe.__module__}/{probe.__name__}"
        self._generator = self._make_generator()
        with contextlib.suppress(Ended), self._errors_noted():
            probe(self)
        return self._seen

    # ------------------------------------------------------------------------------------------------------ inputs

    def randn(self, *shape: int, dtype: torch.dtype = torch.float32, layout: str = "contiguous") -> torch.Tensor:
        """Return fresh normal numbers in one of the kit's memory layouts."""
        numbers = torch.randn(shape, generator=self._generator, dtype=torch.float64)
        return kit.with_layout(numbers.to(dtype), layout)

    def draw(self, first: int, last: int) -> int:
        """Return a fresh whole number."""
        return int(torch.randint(first, last + 1, (), generator=self._generator))

    # ------------------------------------------------------------------------------------------------ observations

    def note(self, fact: Any) -> None:
        """Note a value or a plain fact."""
        self._seen.append(observe(fact, not self._draws_lots))

    def call(self, function: Any, *arguments: Any, **named: Any) -> Any:
        """Call a function, by its name or itself; note the result or the error, and which arguments it changed."""
        value = self.run(function, *arguments, **named)
        self.note(value)
        return value

    def call_alike(self, functions: Sequence[Any], *arguments: Any) -> Any:
        """Call functions that must agree, such as one function twice, and note the last result.

        If they do not, something is left to chance, and only the form of results counts from here on.
        """
        values = [self.run(function, *arguments) for function in functions]
        if not all(agree(observe(value), observe(values[0])) for value in values):
            self._draws_lots = True
            self.note("the same calls give different results")
        self.note(values[-1])
        return values[-1]

    def run(self, function: Any, *arguments: Any, **named: Any) -> Any:
        """Call a function and note errors and changed arguments, but not its result."""
        function = self._names.get(function) if isinstance(function, str) else function
        before = [_copy(argument) for argument in arguments]
        with self._errors_noted():
            value = function(*arguments, **named)
            changed = [not _is_same(old, new) for old, new in zip(before, arguments, strict=True)]
            if any(changed):
                self.note(changed)
            return value
        return None

    def build(self, module_class: str, *sizes: int, seed: int = 0, **named: Any) -> Any:
        """Make a module and give it random weights; their keys and shapes are noted.

        Raises:
            Ended: if it cannot be made
        """
        model = self.run(module_class, *sizes, **named)
        if not hasattr(model, "state_dict"):
            self.note(model)
            raise Ended
        with self._errors_noted():
            state = kit.draw_weights(model, self._make_generator(seed))
            self._saved = len(state)
            self.note({key: list(value.shape) for key, value in state.items()})
            return model
        raise Ended

    def build_twins(self, module_class: str, *sizes: int, saved: int, seed: int, **named: Any) -> list[Any]:
        """Make two modules with the same weights; one serves for both if it has saved as many as the contract names.

        What a module does not save, it draws anew.
        """
        model = self.build(module_class, *sizes, seed=seed, **named)
        return [model, model if self._saved == saved else self.build(module_class, *sizes, seed=seed, **named)]

    def gradients(self, outputs: Any, inputs: Sequence[torch.Tensor]) -> None:
        """Note the gradient of each output with respect to each input, by value."""
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        for output in outputs:
            if not isinstance(output, torch.Tensor) or not output.requires_grad:
                self.note("no gradient")
                continue
            cotangent = self.randn(*output.shape).to(output.dtype)
            with self._errors_noted():
                self.note(torch.autograd.grad(output, inputs, cotangent, allow_unused=True, retain_graph=True))

    def parameter_gradients(self, output: Any, model: Any, inputs: Sequence[torch.Tensor] = ()) -> None:
        """Note the gradient of a model's output with respect to inputs and to each parameter, by the parameter's name.

        The order in which a constructor makes its parts is the student's own affair.
        """
        named = sorted((name, value) for name, value in model.named_parameters() if value.requires_grad)
        self.gradients(output, [*inputs, *(value for _, value in named)])

    def measure(
        self, function: str, right: Callable[..., torch.Tensor], *arguments: Any, allowed: float = EXACT
    ) -> None:
        """Note how far a result is off: right, as if rounded to single precision, or further."""
        value, expected = self.run(function, *arguments), right(*arguments)
        if not isinstance(value, torch.Tensor) or value.shape != expected.shape:
            return self.note(value)
        value = value.detach()
        self.note(bool((value == value.float()).all()))  # whether single precision would hold it
        error = float((value.double() - expected.double()).abs().max())
        # near position 10,000 single precision knows an angle to a thousandth
        return self.note("right" if error <= allowed else "rounded" if error < 0.02 else "wrong")

    def _make_generator(self, *place: int) -> torch.Generator:
        """Return the generator of the probe, or of one place in it; the other side makes the same."""
        text = "/".join([self._salt, self._probe, *map(str, place)])
        return torch.Generator().manual_seed(int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big"))

    @contextlib.contextmanager
    def _errors_noted(self) -> Iterator[None]:
        try:
            yield
        except Ended:
            raise
        except (Exception, SystemExit) as error:
            reason = getattr(error, "reason", "error")
            self.note(f"{reason}: {getattr(error, 'type_name', type(error).__name__)}")


def _copy(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _is_same(old: Any, new: Any) -> bool:
    if isinstance(old, torch.Tensor):
        return old.shape == new.shape and torch.allclose(old, new.detach(), rtol=0, atol=0, equal_nan=True)
    if isinstance(old, list):
        return len(old) == len(new) and all(map(_is_same, old, new))
    return True
