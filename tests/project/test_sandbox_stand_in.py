"""Stand-ins: a case cannot tell them from a student's own function, class or module."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from project.sandboxed import Limits, cells, make_given

from autograder.sandbox import Run, Sandbox, StudentError

NOTEBOOK = """
    import collections, sys, types
    import numpy as np
    import torch

    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
        return alpha @ V, alpha

    def same(*args, **kwargs):
        return (*args, *kwargs.values())

    def strides(x):
        return x.stride(), x.is_contiguous(), x.storage_offset(), x.requires_grad, x.is_leaf

    def zero(x):
        x.zero_()

    def exchange(x):
        x.data = x.data.mT + 1

    def change_list(items):
        items[0] = items[0] * 2
        items.append(7)
        items.reverse()

    def change_dict(table):
        table["new"] = table.pop("old")

    def detached(x):
        return (x * 2).detach(), x * 3

    class Off(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(3))

        def forward(self, x):
            return self.weight * x

        @property
        def off(self):
            torch.set_grad_enabled(False)
            return 1

    def is_loaded(name):
        return name in sys.modules

    def grad_mode():
        return torch.is_grad_enabled()

    def fail(kind):
        class UnsatisfiedAssumption(BaseException): pass
        class Skipped(BaseException): pass
        raise {"value": ValueError("two\\nlines \\x07"), "exit": SystemExit(0), "interrupt": KeyboardInterrupt(),
               "assume": UnsatisfiedAssumption(), "skip": Skipped("skip"), "stop": StopIteration(),
               "generator": GeneratorExit(), "timeout": TimeoutError("no answer")}[kind]

    class Yes(int):
        def __eq__(self, other): return True
        __hash__ = int.__hash__

    class Sub(torch.Tensor): pass
    Pair = collections.namedtuple("Pair", "Y alpha")
    class Evil:
        __class__ = torch.Tensor
        def __getattr__(self, name): raise SystemExit
    Named = type("Na\\x1b[31mme", (), {})

    foreign = {
        "array": lambda: np.zeros(3), "scalar": lambda: np.int64(3), "half": lambda: np.float64(0.5),
        "yes": lambda: Yes(3), "sub": lambda: torch.zeros(2).as_subclass(Sub),
        "sparse": lambda: torch.eye(2).to_sparse(),
        "meta": lambda: torch.zeros(2, device="meta"), "evil": Evil, "named": lambda: Named(),
        "quantised": lambda: torch.quantize_per_tensor(torch.zeros(2), 0.1, 0, torch.qint8),
        "set": lambda: {1}, "bytes": lambda: b"", "module": lambda: torch,
    }
    def make(name): return foreign[name]()
    def is_same(a, b): return a is b

    class Net(torch.nn.Module):
        def __init__(self, D, width=5):
            super().__init__()
            self.layers = torch.nn.ModuleList([torch.nn.Linear(D, width), torch.nn.Linear(width, D)])
            self.scale = torch.nn.Parameter(torch.ones(()))
            self.register_buffer("seen", torch.zeros(1))

        def hidden(self, x):
            return self.layers[0](x)

        def forward(self, x):
            return self.scale * self.layers[1](self.hidden(x).relu())

    def norm(model, x):
        return (model(x) ** 2).sum()

    def freeze(model):
        model.eval()
        with torch.no_grad():
            model.scale.fill_(3.0)
        model.scale.grad = None

    def stop_training(model):
        for parameter in model.layers.parameters():
            parameter.requires_grad_(not parameter.requires_grad)

    number, text, words = 3, "text", ["a", {"b": (1.5, None, True)}]
    huge = lambda: torch.zeros(1).expand(10**10)
    long = lambda: list(range(10**6))
    def deep():
        x = []
        for _ in range(10**4): x = [x]
        return x
    def loop():
        x = []
        x.append(x)
        return x
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    given = make_given(tmp_path_factory.mktemp("course"))
    with Sandbox(given, Limits()) as sandbox, sandbox.run(cells("# nothing", NOTEBOOK)) as run:
        assert [outcome.error for outcome in run.outcomes] == [None, None]
        yield run


class Names:
    """The student's names as attributes."""

    def __init__(self, student: Any) -> None:
        self._student = student

    def __getattr__(self, name: str) -> Any:
        return self._student.stand_ins([name])[name]


@pytest.fixture
def names(run: Run) -> Iterator[Names]:
    with run.fork("", seconds=30) as student:
        yield Names(student)


# ------------------------------------------------------------------------------------------------------------- values


def test_plain_names_are_values_and_undefined_ones_are_absent(run: Run) -> None:
    with run.fork("", seconds=5) as student:
        found = student.stand_ins(["number", "text", "words", "nowhere"])
    assert found == {"number": 3, "text": "text", "words": ["a", {"b": (1.5, None, True)}]}


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(10**30),
        1.5,
        float("inf"),
        "é\x00",
        [],
        (),
        {},
        [1, [2, (3,)]],
        {"a": [1], 2: (None,)},
        1j,
    ],
)
def test_a_plain_value_comes_back_with_its_exact_type(names: Names, value: object) -> None:
    (back,) = names.same(value)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int64", "uint8", "bool", "complex64"])
def test_a_tensor_comes_back_with_its_dtype_shape_and_values(names: Names, dtype: str) -> None:
    x = (torch.randn(2, 3, 0 + 4) * 3).to(getattr(torch, dtype))
    for value in (x, x[0, 0, 0], x[:, :0]):
        (back,) = names.same([value])[0]
        assert torch.equal(back, value)
        assert back.dtype == value.dtype


def test_special_values_survive(names: Names) -> None:
    x = torch.tensor([float("nan"), float("inf"), -0.0, 1e-45])
    back = names.same([x])[0][0]
    assert torch.equal(back.view(torch.int32), x.view(torch.int32))


@pytest.mark.parametrize(
    "x",
    [
        torch.randn(4, 6).mT,
        torch.randn(4, 6)[:, ::2],
        torch.randn(4, 6)[1:, 2:5],
        torch.randn(4, 1).expand(4, 3),
        torch.randn(2, 3, 4).permute(2, 0, 1),
    ],
)
def test_arguments_arrive_with_their_strides(names: Names, x: torch.Tensor) -> None:
    stride, contiguous, offset, _, _ = names.strides(x)
    assert (stride, contiguous, offset) == (x.stride(), x.is_contiguous(), 0)
    assert torch.equal(names.same([x])[0][0], x)


@pytest.mark.parametrize(
    ("name", "type_name"),
    [
        ("array", "ndarray"),
        ("scalar", "int64"),
        ("half", "float64"),
        ("yes", "Yes"),
        ("sub", "Sub"),
        ("sparse", "Tensor"),
        ("meta", "Tensor"),
        ("quantised", "Tensor"),
        ("evil", "Evil"),
        ("set", "set"),
        ("bytes", "bytes"),
        ("module", "module"),
        ("named", "Na__31mme"),
    ],
)
def test_anything_else_is_an_opaque_object_with_the_name_of_its_type(names: Names, name: str, type_name: str) -> None:
    thing = names.make(name)
    assert type(thing).__name__ == type_name
    assert not isinstance(thing, (torch.Tensor, int, float))
    assert thing != 3
    assert names.is_same(thing, thing) is True


@pytest.mark.parametrize("name", ["huge", "long", "deep", "loop"])
def test_a_value_too_large_for_the_wire_is_an_error_and_the_next_call_works(names: Names, name: str) -> None:
    with pytest.raises(StudentError, match=r"cannot be sent|too large") as caught:
        getattr(names, name)()
    assert caught.value.reason == "error"
    assert names.same(1) == (1,)


def test_what_is_no_plain_value_cannot_be_sent(names: Names) -> None:
    with pytest.raises(TypeError, match="a set cannot be sent"):
        names.same({1})


# --------------------------------------------------------------------------------------------------------- arguments


def test_a_change_in_place_reaches_the_callers_tensor(names: Names) -> None:
    for x in (torch.ones(3), torch.ones(4, 6)[:, ::2]):
        names.zero(x)
        assert torch.equal(x, torch.zeros_like(x))


def test_exchanged_data_reaches_the_callers_tensor(names: Names) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    expected = x.mT + 1
    names.exchange(x)
    assert torch.equal(x, expected)


def test_a_changed_list_or_dict_reaches_the_caller_with_the_same_objects_in_it(names: Names) -> None:
    x, y = torch.ones(2), torch.zeros(2)
    items, table = [x, y], {"old": y}
    names.change_list(items)
    names.change_dict(table)
    assert items[0] == 7
    assert items[1] is y
    assert torch.equal(items[2], 2 * x)
    assert list(table) == ["new"]
    assert table["new"] is y


def test_an_argument_that_is_returned_is_the_same_object(names: Names) -> None:
    x, items = torch.ones(2), [1]
    back = names.same(x, x, items)
    assert back[0] is x
    assert back[1] is x
    assert back[2] is items


# --------------------------------------------------------------------------------------------------------- gradients


def test_gradients_pass_through_as_in_the_grader(names: Names) -> None:
    Q, K, V = (torch.randn(n, d, dtype=torch.float64, requires_grad=True) for n, d in ((3, 4), (5, 4), (5, 2)))
    Y, alpha = names.attention(Q, K, V)
    expected = torch.softmax(Q @ K.mT / 2, dim=-1)
    loss = (Y**3).sum() + alpha[0, 1]
    other = ((expected @ V) ** 3).sum() + expected[0, 1]
    for got, right in zip(torch.autograd.grad(loss, [Q, K, V]), torch.autograd.grad(other, [Q, K, V]), strict=True):
        torch.testing.assert_close(got, right)


def test_gradients_reach_what_the_inputs_were_made_from(names: Names) -> None:
    W = torch.randn(4, 4, requires_grad=True)
    X = torch.randn(3, 4)
    Y, _ = names.attention(X @ W, X, X)
    Y.sum().backward()
    assert W.grad is not None
    assert W.grad.abs().sum() > 0


def test_one_output_of_two_may_be_differentiated_and_twice(names: Names) -> None:
    x = torch.randn(3, requires_grad=True)
    cut, kept = names.detached(x)
    assert (cut.requires_grad, kept.requires_grad) == (False, True)
    for _ in range(2):
        (gradient,) = torch.autograd.grad(kept.sum(), x, retain_graph=True)
        assert torch.equal(gradient, torch.full((3,), 3.0))


def test_a_gradient_over_there_imports_nothing(names: Names) -> None:
    x = torch.randn(3, 4, requires_grad=True)
    sum(output.sum() for output in names.attention(x, x, x)).backward()
    assert x.grad is not None
    assert not names.is_loaded("torch.fx.experimental.symbolic_shapes"), "500 modules, in every copy anew"


def test_a_gradient_is_there_also_where_student_code_has_switched_gradients_off(names: Names) -> None:
    module, x = names.Off(), torch.randn(3, requires_grad=True)
    output = module(x)
    assert module.off == 1
    output.sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, torch.ones(3))


def test_grad_mode_of_the_caller_holds_over_there(names: Names) -> None:
    x = torch.randn(3, requires_grad=True)
    assert names.grad_mode() is True
    with torch.no_grad():
        assert names.grad_mode() is False
        assert names.detached(x)[1].requires_grad is False
    assert names.strides(x)[3:] == (True, True)


def test_graphs_that_nobody_holds_are_freed(run: Run) -> None:
    with run.fork("", seconds=30) as student:
        requests, freed = [], student._freed
        attention = student.stand_ins(["attention"])["attention"]
        x = torch.randn(3, 4, requires_grad=True)
        for _ in range(5):
            attention(x, x, x)
            requests.append(student._process.request)
        assert freed == requests[-1:]  # the others have been told


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("kind", "type_name"),
    [
        ("value", "ValueError"),
        ("exit", "SystemExit"),
        ("interrupt", "KeyboardInterrupt"),
        ("assume", "UnsatisfiedAssumption"),
        ("skip", "Skipped"),
        ("stop", "StopIteration"),
        ("generator", "GeneratorExit"),
        ("timeout", "TimeoutError"),
    ],
)
def test_whatever_a_student_raises_is_one_plain_error_with_its_line(names: Names, kind: str, type_name: str) -> None:
    with pytest.raises(StudentError) as caught:
        names.fail(kind)
    error = caught.value
    assert type(error).__mro__[1] is Exception
    assert (error.reason, error.type_name) == ("error", type_name)
    lines = NOTEBOOK.split("\n")
    assert error.line is not None
    assert lines[error.line - 1].strip() == error.code


def test_a_message_is_cleaned_and_cut(names: Names) -> None:
    with pytest.raises(StudentError) as caught:
        names.fail("value")
    assert caught.value.message == "two\nlines ?"


# ------------------------------------------------------------------------------------------------------------ modules


def test_a_module_is_built_called_and_read(names: Names) -> None:
    model = names.Net(3, width=4)
    assert type(model).__name__ == "Net"
    assert list(model.state_dict()) == [
        "scale",
        "seen",
        *(f"layers.{i}.{n}" for i in (0, 1) for n in ("weight", "bias")),
    ]
    x = torch.randn(2, 3)
    assert model(x).shape == (2, 3)
    torch.testing.assert_close(model.hidden(x), model.get_submodule("layers.0")(x))
    torch.testing.assert_close(model.hidden(x), model.layers[0](x))
    assert len(model.layers) == 2
    assert [type(layer).__name__ for layer in model.layers] == ["Linear", "Linear"]
    assert model.training is True
    assert model.eval() is model
    assert model.training is False
    assert model.train().training is True
    assert model.layers[0].in_features == 3
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'nowhere'"):
        _ = model.nowhere
    assert not hasattr(names.attention, "state_dict")


def test_loaded_weights_are_used(names: Names) -> None:
    model, twin = names.Net(3), names.Net(3)
    x = torch.randn(2, 3)
    assert not torch.equal(model(x), twin(x))
    twin.load_state_dict(model.state_dict())
    assert torch.equal(model(x), twin(x))
    with pytest.raises(StudentError, match="Missing key") as caught:
        twin.load_state_dict({})
    assert caught.value.type_name == "RuntimeError"


def test_gradients_with_respect_to_parameters_are_those_of_a_real_module(names: Names) -> None:
    model = names.Net(3)
    state = model.state_dict()
    x = torch.randn(2, 3, requires_grad=True)
    found = torch.autograd.grad(model(x).pow(2).sum(), [x, *model.parameters()])
    leaves = {key: value.requires_grad_() for key, value in state.items() if key != "seen"}
    hidden = (x @ leaves["layers.0.weight"].mT + leaves["layers.0.bias"]).relu()
    real = leaves["scale"] * (hidden @ leaves["layers.1.weight"].mT + leaves["layers.1.bias"])
    expected = torch.autograd.grad(real.pow(2).sum(), [x, *leaves.values()])
    assert [name for name, _ in model.named_parameters()] == list(leaves)
    for got, right in zip(found, expected, strict=True):
        torch.testing.assert_close(got, right)


def test_parameters_that_take_no_part_have_no_gradient(names: Names) -> None:
    model = names.Net(3)
    gradients = torch.autograd.grad(model.hidden(torch.ones(1, 3)).sum(), list(model.parameters()), allow_unused=True)
    assert [gradient is None for gradient in gradients] == [True, False, False, True, True]


def test_a_module_can_be_an_argument_and_is_differentiated(names: Names) -> None:
    model, x = names.Net(3), torch.randn(2, 3)
    loss = names.norm(model, x)
    torch.testing.assert_close(loss, (model(x) ** 2).sum())
    assert all(g is not None for g in torch.autograd.grad(loss, list(model.parameters())))


def test_a_parameter_is_one_leaf_wherever_it_is_asked_from(names: Names) -> None:
    model = names.Net(3)
    named = dict(model.named_parameters())
    assert model.scale is named["scale"]
    assert dict(model.layers[0].named_parameters())["weight"] is named["layers.0.weight"]
    assert all(leaf.is_leaf and leaf.requires_grad for leaf in named.values())


def test_parameters_that_student_code_freezes_and_thaws_are_so_here(names: Names) -> None:
    model = names.Net(3)
    for trained in (False, True):
        names.stop_training(model)
        flags = {name: leaf.requires_grad for name, leaf in model.named_parameters()}
        assert flags == {"scale": True} | {f"layers.{i}.{n}": trained for i in (0, 1) for n in ("weight", "bias")}
        assert model(torch.ones(1, 3)).requires_grad


def test_an_optimiser_here_trains_the_module_there(names: Names) -> None:
    model, x = names.Net(3), torch.ones(2, 3)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.05)
    losses = []
    for _ in range(5):
        optimiser.zero_grad()
        loss = (model(x) ** 2).sum()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_what_a_function_does_to_a_module_is_seen(names: Names) -> None:
    model = names.Net(3)
    scale = model.scale
    scale.grad = torch.tensor(5.0)
    names.freeze(model)
    assert model.training is False
    assert scale.item() == 3.0
    assert scale.grad is None
    assert model.state_dict()["scale"].item() == 3.0


def test_training_runs_beside_the_student(names: Names) -> None:
    model, x = names.Net(3), torch.randn(8, 3)
    leaf = next(model.parameters())
    before = [(model(x) ** 2).mean().item(), leaf.item()]
    loss = model.run_beside("given.training:fit", x, steps=20)
    assert loss < before[0]
    assert leaf.item() != before[1]
    with pytest.raises(StudentError, match="nowhere"):
        model.run_beside("given.nowhere:fit")


def test_stand_ins_of_another_copy_are_refused(run: Run, names: Names) -> None:
    with run.fork("", seconds=5) as student, pytest.raises(TypeError, match="cannot be sent"):
        student.stand_ins(["same"])["same"](names.attention)


# --------------------------------------------------------------------------------------------------------------- time


def test_a_call_with_small_tensors_is_quick(names: Names) -> None:
    attention, x = names.attention, torch.randn(5, 4)
    seconds = []
    for _ in range(200):
        started = time.perf_counter()
        attention(x, x, x)
        seconds.append(time.perf_counter() - started)
    assert sorted(seconds)[20] < 0.002  # a smoke test; the benchmark says 0.4 ms
