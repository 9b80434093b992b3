"""The answers keep the contract and its fine print, and leave a stub that says which question it is."""

from __future__ import annotations

import importlib
import inspect
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from autograder import tree
from autograder.config import load_grading
from autograder.release.stub import make_stub, read_solution
from given.heads import split_heads
from solutions.q01_simple_attention import simple_attention
from solutions.q02_attention import attention
from solutions.q03_softmax_jacobian import softmax_jacobian_norm
from solutions.q04_multi_head import multi_head_attention
from solutions.q05_parameters import attention_parameters, dense_parameters, multi_head_parameters
from solutions.q06_transformer_layer import TransformerLayer
from solutions.q07_sinusoidal import sinusoidal_encoding
from solutions.q08_rotation_matrix import rotation_matrix
from solutions.q09_rope import rope
from solutions.q10_rope_rotation import rope_rotation
from solutions.q11_patchify import patchify
from solutions.q12_vit import TinyViT
from solutions.q14_class_token_attention import class_token_attention
from solutions.term import PATCH_ORDER, PIXEL_ORDER, PRE_NORM, ROPE_BASE

SIGNATURES = {
    "q01_simple_attention": {"simple_attention": "X"},
    "q02_attention": {"attention": "Q, K, V"},
    "q03_softmax_jacobian": {"softmax_jacobian_norm": "alpha"},
    "q04_multi_head": {"multi_head_attention": "X, W_q, W_k, W_v, W_o"},
    "q05_parameters": {"attention_parameters": "D", "multi_head_parameters": "D", "dense_parameters": "N, D"},
    "q06_transformer_layer": {"TransformerLayer": f"D, H, pre_norm={PRE_NORM}"},
    "q07_sinusoidal": {"sinusoidal_encoding": "N, D, L"},
    "q08_rotation_matrix": {"rotation_matrix": "k, D, L"},
    "q09_rope": {"rope": f"X, positions=None, L={ROPE_BASE}"},
    "q10_rope_rotation": {"rope_rotation": f"n, D_k, L={ROPE_BASE}"},
    "q11_patchify": {"patchify": "images, P"},
    "q12_vit": {"TinyViT": "P=2, S=8, D=32, H=4, L=2, n_classes=10"},
    "q14_class_token_attention": {"class_token_attention": "model, images"},
}
NAMES = [(question, name) for question, names in SIGNATURES.items() for name in names]


def draw(*size: int, dtype: torch.dtype = torch.float64, seed: int = 0) -> Tensor:
    return torch.randn(size, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def draw_heads(dtype: torch.dtype = torch.float64) -> tuple[Tensor, list[Tensor], list[Tensor], list[Tensor], Tensor]:
    D, H, D_k, D_v = 6, 3, 4, 5
    weights = [
        [draw(D, width, dtype=dtype, seed=10 * part + h) for h in range(H)]
        for part, width in enumerate((D_k, D_k, D_v))
    ]
    return draw(7, D, dtype=dtype, seed=99), *weights, draw(H * D_v, D, dtype=dtype, seed=98)


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)


@pytest.mark.parametrize(("question", "name"), NAMES)
def test_a_public_name_has_the_arguments_of_the_contract(question: str, name: str) -> None:
    found = inspect.signature(getattr(importlib.import_module(f"solutions.{question}"), name)).parameters.values()
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in found]
    assert ", ".join(map(str, bare)) == SIGNATURES[question][name]


def test_every_question_with_an_answer_of_its_own_has_its_contract_here() -> None:
    assert [*SIGNATURES] == [id for id in load_grading().questions if id != "q13_vit_accuracy"]  # it trains q12's


@pytest.mark.parametrize("question", SIGNATURES)
def test_a_stub_says_which_question_is_not_written_yet(question: str) -> None:
    names: dict[str, Any] = {"torch": torch, "nn": nn, "Tensor": Tensor, "TinyViT": TinyViT}
    exec(make_stub(read_solution(question, tree.SOLUTIONS / f"{question}.py")), names)
    for name, arguments in SIGNATURES[question].items():
        required = [None for argument in arguments.split(", ") if "=" not in argument]
        assert len(names[name].__doc__) > 100
        with pytest.raises(NotImplementedError, match=f"^{question}: not written yet$"):
            names[name](*required)


def list_calls(dtype: torch.dtype) -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    """Every function of tensors with arguments of the given dtype."""
    yield "simple_attention", simple_attention, (draw(5, 3, dtype=dtype),)
    yield "attention", attention, (draw(5, 3, dtype=dtype), draw(7, 3, dtype=dtype), draw(7, 2, dtype=dtype))
    yield "softmax_jacobian_norm", softmax_jacobian_norm, (draw(2, 3, 5, dtype=dtype).softmax(-1),)
    yield "multi_head_attention", multi_head_attention, draw_heads(dtype)
    yield "rope", rope, (draw(5, 6, dtype=dtype), torch.tensor([3.5, -2.0, 3.5, 900.0, 0.0]))
    yield "patchify", patchify, (draw(3, 6, 6, dtype=dtype), 2)


def flatten(result: Any) -> list[Tensor]:
    return [result] if isinstance(result, Tensor) else [tensor for part in result for tensor in flatten(part)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_results_keep_the_dtype_and_arguments_stay_as_they_were(dtype: torch.dtype) -> None:
    for name, function, arguments in list_calls(dtype):
        tensors = flatten([argument for argument in arguments if not isinstance(argument, int)])
        before = [tensor.clone() for tensor in tensors]
        results = flatten(function(*arguments))
        assert all(result.dtype == dtype for result in results), name
        assert all(map(torch.equal, tensors, before)), name


def test_non_contiguous_arguments_give_the_same_result() -> None:
    for name, function, arguments in list_calls(torch.float64):
        strided = [
            torch.stack([argument, argument], dim=-1)[..., 0] if isinstance(argument, Tensor) else argument
            for argument in arguments
        ]
        for got, expected in zip(flatten(function(*strided)), flatten(function(*arguments)), strict=True):
            torch.testing.assert_close(got, expected, msg=name)


def test_gradients_are_those_of_finite_differences() -> None:
    for function, arguments in (
        (simple_attention, [draw(4, 3)]),
        (attention, [draw(4, 3), draw(5, 3), draw(5, 2)]),
        (rope, [draw(4, 6)]),
    ):
        assert torch.autograd.gradcheck(function, [argument.requires_grad_() for argument in arguments])
    X, W_q, W_k, W_v, W_o = draw_heads()
    weights = [tensor.requires_grad_() for tensor in (X, *W_q, *W_k, *W_v, W_o)]
    assert torch.autograd.gradcheck(
        lambda X, *W: multi_head_attention(X, list(W[0:3]), list(W[3:6]), list(W[6:9]), W[9]), weights
    )


def test_attention_equals_pytorch() -> None:
    Q, K, V = draw(5, 3), draw(7, 3, seed=1), draw(7, 2, seed=2)
    Y, alpha = attention(Q, K, V)
    torch.testing.assert_close(Y, F.scaled_dot_product_attention(Q, K, V))
    torch.testing.assert_close(alpha.sum(dim=1), torch.ones(5, dtype=torch.float64))


def test_simple_attention_is_attention_without_scale_and_parameters() -> None:
    X = draw(5, 3)
    expected = F.scaled_dot_product_attention(X, X, X, scale=1.0)
    torch.testing.assert_close(simple_attention(X)[0], expected)


@pytest.mark.parametrize("size", [1e2, 1e4])
def test_huge_scores_give_the_weights_of_the_limit(size: float) -> None:
    Q, K, V = size * draw(5, 3), size * draw(7, 3, seed=1), draw(7, 2, seed=2)
    Y, alpha = attention(Q, K, V)
    torch.testing.assert_close(alpha, F.one_hot((Q @ K.T).argmax(dim=1), 7).double())
    assert Y.isfinite().all()
    assert simple_attention(size * draw(5, 3))[0].isfinite().all()


def test_one_token_one_key_and_one_head_keep_their_axes() -> None:
    assert [tuple(part.shape) for part in simple_attention(draw(1, 3))] == [(1, 3), (1, 1)]
    assert [tuple(part.shape) for part in attention(draw(1, 3), draw(1, 3), draw(1, 2))] == [(1, 2), (1, 1)]
    assert multi_head_attention(draw(1, 6), [draw(6, 4)], [draw(6, 4)], [draw(6, 5)], draw(5, 6)).shape == (1, 6)
    assert rope(draw(1, 4)).shape == (1, 4)
    assert patchify(draw(1, 2, 2), 2).shape == (1, 1, 4)
    assert TinyViT()(torch.rand(1, 8, 8)).shape == (1, 10)


@pytest.mark.parametrize("D_k", [4, 5])
def test_multi_head_attention_equals_pytorch(D_k: int) -> None:
    mha = nn.MultiheadAttention(3 * D_k, 3, bias=False, dtype=torch.float64)
    X = draw(7, 3 * D_k)
    with torch.no_grad():
        torch.testing.assert_close(multi_head_attention(X, *split_heads(mha)), mha(X, X, X)[0])


def test_attention_functions_do_not_call_pytorchs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("PyTorch's own attention was called")

    for place, name in (
        (F, "scaled_dot_product_attention"),
        (F, "multi_head_attention_forward"),
        (nn.MultiheadAttention, "forward"),
    ):
        monkeypatch.setattr(place, name, forbid)
    for name, function, arguments in list_calls(torch.float64):
        assert function(*arguments) is not None, name


def test_jacobian_norm_is_that_of_the_softmax_derivative() -> None:
    scores = draw(2, 5)
    rows = [torch.autograd.functional.jacobian(lambda s: s.softmax(0), row).norm() for row in scores]
    torch.testing.assert_close(softmax_jacobian_norm(scores.softmax(-1)), torch.stack(rows))
    assert softmax_jacobian_norm(scores[0].softmax(-1)).shape == ()
    one_hot = torch.eye(3, dtype=torch.float64)
    assert softmax_jacobian_norm(one_hot).eq(0).all()


def test_parameter_counts_are_exact_integers() -> None:
    counts = [attention_parameters(768), multi_head_parameters(768), dense_parameters(1024, 768)]
    assert counts == [1_769_472, 2_359_296, 618_475_290_624]
    assert all(type(count) is int for count in counts)
    assert dense_parameters(10**12, 10**6 + 1) == 10**24 * (10**6 + 1) ** 2


@pytest.mark.parametrize("pre_norm", [True, False])
def test_a_layer_is_permutation_equivariant_and_has_the_named_parts(pre_norm: bool) -> None:
    layer = TransformerLayer(6, 3, pre_norm)
    assert {name.split(".")[0] for name in layer.state_dict()} == {"attn", "norm1", "norm2", "mlp"}
    X, P = draw(2, 5, 6, dtype=torch.float32), torch.tensor([2, 0, 1, 4, 3])
    torch.testing.assert_close(layer(X[:, P]), layer(X)[:, P])


@pytest.mark.parametrize("pre_norm", [True, False])
def test_a_layer_equals_pytorchs_with_the_same_weights(pre_norm: bool) -> None:
    layer = TransformerLayer(6, 3, pre_norm)
    theirs = nn.TransformerEncoderLayer(6, 3, 24, dropout=0.0, batch_first=True, norm_first=pre_norm)
    for norm in (layer.norm1, layer.norm2):
        nn.init.normal_(norm.weight, mean=1.0)
        nn.init.normal_(norm.bias)
    names = {"attn": "self_attn", "mlp.0": "linear1", "mlp.2": "linear2"}
    pattern = re.compile("|".join(names))
    theirs.load_state_dict({pattern.sub(lambda m: names[m[0]], key): W for key, W in layer.state_dict().items()})
    X = 3 + draw(2, 5, 6, dtype=torch.float32)
    torch.testing.assert_close(layer(X), theirs(X))


@pytest.mark.parametrize(("N", "D", "L"), [(7, 6, 30.0), (5, 5, 10000.0), (3, 1, 2), (0, 5, 30.0)])
def test_encoding_is_the_formula(N: int, D: int, L: float) -> None:
    formula = [
        [math.sin(n / L ** (i / D)) if i % 2 == 0 else math.cos(n / L ** ((i - 1) / D)) for i in range(D)]
        for n in range(N)
    ]
    expected = torch.tensor(formula, dtype=torch.float64).reshape(N, D)
    torch.testing.assert_close(sinusoidal_encoding(N, D, L), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("k", [-37, -1, 0, 5, 10_000])
def test_rotations_move_positions(k: int) -> None:
    r = sinusoidal_encoding(10_060, 6, 30.0)
    start, end = (r[40:60], r[40 + k : 60 + k]) if k >= 0 else (r[40:60], r[40 + k :][:20])
    R = rotation_matrix(k, 6, 30.0)
    torch.testing.assert_close(start @ R.T, end, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(rope_rotation(k, 6, 30.0), R.T, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("positions", [[0, 1, 2, 3], [7, -3, 7, 5000], [0.5, -1.25, 1e4, 0.0]])
def test_rope_turns_each_row_by_the_matrix_of_its_position(positions: list[float]) -> None:
    X = draw(4, 6)
    expected = torch.stack([rope_rotation(n, 6, 50.0) @ x for n, x in zip(positions, X, strict=True)])  # type: ignore[arg-type]
    torch.testing.assert_close(rope(X, torch.tensor(positions), 50.0), expected, rtol=1e-10, atol=1e-10)
    if positions == [0, 1, 2, 3]:
        torch.testing.assert_close(rope(X, L=50.0), expected)


def test_rope_pairs_neighbours_and_turns_counter_clockwise() -> None:
    X = torch.tensor([[1.0, 0.0, 0.0, 0.0]])
    expected = torch.tensor([[math.cos(2), math.sin(2), 0.0, 0.0]])
    torch.testing.assert_close(rope(X, torch.tensor([2])), expected)


def test_patches_and_their_pixels_come_in_the_orders_of_the_term() -> None:
    row_by_row = [
        [0, 1, 2, 6, 7, 8, 12, 13, 14],
        [3, 4, 5, 9, 10, 11, 15, 16, 17],
        [18, 19, 20, 24, 25, 26, 30, 31, 32],
        [21, 22, 23, 27, 28, 29, 33, 34, 35],
    ]
    grid = torch.tensor(row_by_row).reshape(2, 2, 3, 3)
    grid = grid if PATCH_ORDER == "rows" else grid.transpose(0, 1)
    grid = grid if PIXEL_ORDER == "rows" else grid.transpose(2, 3)
    assert torch.equal(patchify(torch.arange(36).reshape(1, 6, 6), 3)[0], grid.reshape(4, 9))


@pytest.mark.parametrize("sizes", [{}, {"P": 3, "S": 6, "D": 10, "H": 5, "L": 1, "n_classes": 3}])
def test_vit_has_the_class_token_first_and_works_for_other_sizes(sizes: dict[str, int]) -> None:
    model = TinyViT(**sizes)
    P, S, D = sizes.get("P", 2), sizes.get("S", 8), sizes.get("D", 32)
    images = torch.rand(3, S, S)
    tokens = model.tokens(images)
    assert tokens.shape == (3, (S // P) ** 2 + 1, D)
    torch.testing.assert_close(tokens[:, 0], (model.class_token + model.r[:, :1])[:, 0].expand(3, -1))
    assert model(images).shape == (3, sizes.get("n_classes", 10))
    torch.testing.assert_close(model(images)[1:2], model(images[1:2]))
    if not sizes:
        assert sum(weights.numel() for weights in model.parameters()) == 26_538


def test_vit_trains_every_parameter() -> None:
    model = TinyViT()
    model(torch.rand(3, 8, 8)).sum().backward()
    assert all(weights.grad is not None and weights.grad.abs().sum() > 0 for weights in model.parameters())


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(("L", "H"), [(1, 1), (3, 4)])
def test_looking_gives_the_class_tokens_weights_and_leaves_the_model_alone(training: bool, L: int, H: int) -> None:
    model = TinyViT(D=8, H=H, L=L).train(training)
    hooks: list[str] = []
    model.layers[-1].register_forward_hook(lambda *_: hooks.append("kept"))
    weights = class_token_attention(model, torch.rand(3, 8, 8))
    assert weights.shape == (3, 16)
    assert not weights.requires_grad
    assert (weights > 0).all()
    assert (weights.sum(dim=1) < 1).all()
    assert model.training is training
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())
    model(torch.rand(1, 8, 8))
    assert hooks == ["kept"]
    assert torch.is_grad_enabled()
