"""The oracles equal PyTorch where PyTorch has the function, and the book's identities elsewhere."""

import pytest
import torch
import torch.nn.functional as F

from kit import oracle, order_patches, randn, reference, settings


def close(got, expected):
    torch.testing.assert_close(got, expected, rtol=1e-12, atol=1e-12)


def test_attention_is_pytorchs():
    Q, K, V = (randn(*shape, seed=i, dtype=torch.float64) for i, shape in enumerate([(3, 5), (4, 5), (4, 2)]))
    Y, alpha = oracle.attention(Q, K, V)
    close(Y, F.scaled_dot_product_attention(Q, K, V))
    close(alpha, F.scaled_dot_product_attention(Q, K, torch.eye(4, dtype=torch.float64)))


def test_simple_attention_is_attention_without_the_scale():
    X = randn(4, 3, seed=1, dtype=torch.float64)
    close(oracle.simple_attention(X)[0], F.scaled_dot_product_attention(X, X, X, scale=1.0))


def test_multi_head_is_pytorchs():
    D, H = 6, 3
    W_q, W_k, W_v = ([randn(D, 2, seed=10 * k + h, dtype=torch.float64) for h in range(H)] for k in range(3))
    W_o, X = randn(D, D, seed=99, dtype=torch.float64), randn(5, D, seed=98, dtype=torch.float64)
    module = reference.multi_head_attention(W_q, W_k, W_v, W_o)
    close(oracle.multi_head(X, W_q, W_k, W_v, W_o), module(X, X, X)[0])


def test_the_jacobian_is_that_of_the_softmax():
    scores = randn(5, seed=3, dtype=torch.float64)
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(0), scores)
    close(oracle.softmax_jacobian_norm(scores.softmax(0)), jacobian.norm())


def test_a_fixed_offset_is_a_rotation():
    r = oracle.sinusoidal(50, 6, 30.0)
    close(r[12:40] @ oracle.rotation(-7, 6, 30.0).mT, r[5:33])


def test_rope_turns_by_the_transpose_of_the_offset_matrix():
    X = randn(1, 6, seed=4, dtype=torch.float64)
    close(oracle.rope(X, torch.tensor([7]), 10_000.0), X @ oracle.rotation(7, 6, 10_000.0))


def test_rope_is_complex_multiplication():
    X, positions = randn(4, 6, seed=5, dtype=torch.float64), torch.tensor([3.0, -2.5, 0.0, 100.0])
    theta = 10_000.0 ** (-torch.arange(0, 6, 2, dtype=torch.float64) / 6)
    turn = torch.polar(torch.ones(4, 3, dtype=torch.float64), positions.double()[:, None] * theta)
    right = torch.view_as_real(torch.view_as_complex(X.view(4, 3, 2)) * turn).flatten(1)
    close(oracle.rope(X, positions, 10_000.0), right)


@pytest.mark.parametrize("pixel_order", ["rows", "columns"])
@pytest.mark.parametrize("patch_order", ["rows", "columns"])
def test_patches_are_those_of_unfold_in_the_orders_of_the_term(monkeypatch, patch_order, pixel_order):
    monkeypatch.setattr(settings, "term", {"patch_order": patch_order, "pixel_order": pixel_order})
    images = torch.rand(2, 6, 6, dtype=torch.float64)
    row_by_row = F.unfold(images[:, None], 2, stride=2).mT
    close(oracle.patches(images, 2), order_patches(row_by_row))
    turned = F.unfold(images.mT[:, None], 2, stride=2).mT  # the transposed image: both orders are the other one
    assert torch.equal(oracle.patches(images, 2), row_by_row) == ((patch_order, pixel_order) == ("rows", "rows"))
    assert torch.equal(oracle.patches(images, 2), turned) == ((patch_order, pixel_order) == ("columns", "columns"))
