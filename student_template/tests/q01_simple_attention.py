from otter.test_files import test_case

OK_FORMAT = False

name = "q01_simple_attention"
points = None


@test_case(name="weights_are_right_by_hand", points=1, hidden=False)
def weights_are_right_by_hand(simple_attention):
    """Inner products of ln 3 and ln 4 with itself, and 0 with the other, give a token 3/4 and 4/5 of its own weight.

    Look at what is compared with what, and how a row of inner products becomes weights (eq. 12.5); nothing is scaled.
    """
    import math

    import torch

    import kit

    # two orthogonal tokens of squared length ln 3 and ln 4: the rows of scores are [ln 3, 0] and [0, ln 4]
    a, b = math.log(3.0) ** 0.5, math.log(4.0) ** 0.5
    X = torch.tensor([[a, 0.0, 0.0], [0.0, 0.0, b]])

    @kit.for_each({"X": X})
    def check(X):
        Y, alpha = kit.pair(kit.call(simple_attention, X))
        kit.expect(alpha, torch.tensor([[3 / 4, 1 / 4], [1 / 5, 4 / 5]]), "alpha")
        kit.expect(Y, torch.tensor([[3 / 4 * a, 0.0, 1 / 4 * b], [1 / 5 * a, 0.0, 4 / 5 * b]]), "Y")


@test_case(name="equals_pytorch", points=1, hidden=False)
def equals_pytorch(simple_attention):
    """Y and alpha are those of PyTorch's scaled_dot_product_attention with scale 1 and X in all three places.

    Look at both steps: the weights (eq. 12.5), then the average that they make (eq. 12.6).
    """
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    import kit

    @kit.for_all(kit.tokens())
    def check(X):
        Y, alpha = kit.pair(kit.call(simple_attention, X))
        Z = X.double()
        # with the identity as values, the averages are the weights themselves
        right = scaled_dot_product_attention(Z, Z, torch.eye(len(Z)).double(), scale=1.0)
        kit.expect(alpha, right, "alpha", dtype=X.dtype)
        kit.expect(Y, scaled_dot_product_attention(Z, Z, Z, scale=1.0), "Y", dtype=X.dtype)


@test_case(name="rows_of_alpha_are_weights", points=0.5, hidden=False)
def rows_of_alpha_are_weights(simple_attention):
    """Each row of alpha holds one weight per token, none negative, and sums to 1.

    Look at the axis of the softmax: every token shares out one unit of attention among all tokens (eq. 12.5).
    """
    import torch

    import kit

    @kit.for_all(kit.tokens())
    def check(X):
        _, alpha = kit.pair(kit.call(simple_attention, X))
        kit.expect_weights(alpha, torch.empty(len(X), len(X), dtype=X.dtype))


@test_case(name="a_new_order_of_the_tokens_reorders_the_result", points=1, hidden=False)
def a_new_order_of_the_tokens_reorders_the_result(simple_attention):
    """Permuting the tokens permutes the rows of Y, and the rows and the columns of alpha, in the same way.

    Look for a step that knows where a token stands: eq. 12.5 and 12.6 treat the tokens as a set.
    """
    from hypothesis import strategies as st

    import kit

    X_drawn = st.integers(0, 999).map(lambda seed: kit.randn(5, 3, seed=seed))

    @kit.for_all(st.fixed_dictionaries({"X": X_drawn, "order": kit.permutations(5)}))
    def check(X, order):
        Y, alpha = kit.pair(kit.call(simple_attention, X))
        kit.expect_tensor(Y, X, "Y")
        kit.expect_tensor(alpha, X @ X.T, "alpha")
        other_Y, other_alpha = kit.pair(kit.call(simple_attention, X[order]))
        kit.expect(other_Y, Y[order], "Y for X[order]")
        kit.expect(other_alpha, alpha[order][:, order], "alpha for X[order]")


@test_case(name="a_strided_view_gives_what_its_copy_gives", points=0.5, hidden=False)
def a_strided_view_gives_what_its_copy_gives(simple_attention):
    """X may be a strided view, transposed or with gaps in memory: the result is that of a contiguous copy.

    Look for a step that trusts where numbers lie in memory, as view does; reshape and transpose go by the axes.
    """
    import kit

    @kit.for_all(kit.views(kit.tokens()), examples=10)
    def check(X):
        right_Y, right_alpha = kit.pair(kit.call(simple_attention, X.contiguous()))
        kit.expect_tensor(right_Y, X, "Y of a copy")
        kit.expect_tensor(right_alpha, X @ X.T, "alpha of a copy")
        Y, alpha = kit.pair(kit.call(simple_attention, X))
        kit.expect(alpha, right_alpha, "alpha")
        kit.expect(Y, right_Y, "Y")
