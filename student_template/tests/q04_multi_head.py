from otter.test_files import test_case

OK_FORMAT = False

name = "q04_multi_head"
points = None


@test_case(name="heads_stand_side_by_side_in_order", points=1, hidden=False)
def heads_stand_side_by_side_in_order(multi_head_attention):
    """For a single token each head returns its value x W_v[h]; W_o meets these side by side, the first head first.

    Look at which rows of W_o belong to which head (Algorithm 12.2). A lone token gives itself all its weight.
    """
    import torch

    import kit

    X = torch.tensor([[1.0, 2.0]])
    W_q = W_k = [torch.ones(2, 4), torch.ones(2, 4)]
    W_v = [torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), torch.tensor([[4.0, 0.0, 2.0], [0.0, 4.0, 2.0]])]
    # the heads return [1, 2, 3] and [4, 8, 6]; the columns of W_o write them as decimal digits
    W_o = torch.tensor([[100.0, 1.0], [10.0, 1.0], [1.0, 1.0], [0.0, 100.0], [0.0, 10.0], [0.0, 1.0]])
    Y = kit.call(multi_head_attention, X, W_q, W_k, W_v, W_o)
    kit.expect(Y, torch.tensor([[123.0, 492.0]]), "Y")


@test_case(name="one_head_is_attention", points=1, hidden=False)
def one_head_is_attention(multi_head_attention):
    """With one head, Y is PyTorch's scaled_dot_product_attention of X W_q, X W_k and X W_v, times W_o.

    Look at a single head first: three products make its queries, keys and values, then it is eq. 12.14.
    """
    from torch.nn.functional import scaled_dot_product_attention

    import kit

    @kit.for_all(kit.multi_head_inputs(heads=(1,)))
    def check(X, W_q, W_k, W_v, W_o):
        Y = kit.call(multi_head_attention, X, W_q, W_k, W_v, W_o)
        x = X.double()
        head = scaled_dot_product_attention(*(x @ W[0].double() for W in (W_q, W_k, W_v)))
        kit.expect(Y, head @ W_o.double(), "Y", dtype=X.dtype)


@test_case(name="equals_pytorch", points=2.5, hidden=False)
def equals_pytorch(multi_head_attention):
    """Y is the output of nn.MultiheadAttention whose weights have been split up into heads.

    Look at what each head sees, at the width that belongs under its root, and at the order of the heads.
    """
    import kit
    from kit.reference import multi_head_attention as pytorchs

    @kit.for_all(kit.multi_head_inputs(shared=True))
    def check(X, W_q, W_k, W_v, W_o):
        Y = kit.call(multi_head_attention, X, W_q, W_k, W_v, W_o)
        x = X.double()[None]
        right = pytorchs(W_q, W_k, W_v, W_o)(x, x, x)[0][0]
        kit.expect(Y, right, "Y", dtype=X.dtype)


@test_case(name="a_new_order_of_the_tokens_reorders_the_result", points=1, hidden=False)
def a_new_order_of_the_tokens_reorders_the_result(multi_head_attention):
    """Permuting the tokens permutes the rows of Y in the same way.

    Look for a step that knows where a token stands: attention treats the tokens as a set.
    """
    from hypothesis import strategies as st

    import kit

    X_drawn = st.integers(0, 999).map(lambda seed: kit.randn(5, 3, seed=seed))
    W_q, W_k, W_v = ([kit.randn(3, 2, seed=6 * part + h, scale=0.6) for h in range(2)] for part in range(3))
    W_o = kit.randn(4, 3, seed=20, scale=0.5)

    @kit.for_all(st.fixed_dictionaries({"X": X_drawn, "order": kit.permutations(5)}))
    def check(X, order):
        Y = kit.call(multi_head_attention, X, W_q, W_k, W_v, W_o)
        kit.expect_tensor(Y, X, "Y")
        other = kit.call(multi_head_attention, X[order], W_q, W_k, W_v, W_o)
        kit.expect(other, Y[order], "Y for X[order]")


@test_case(name="a_strided_view_gives_what_its_copy_gives", points=0.5, hidden=False)
def a_strided_view_gives_what_its_copy_gives(multi_head_attention):
    """X and the matrices may be strided views, transposed or with gaps in memory: Y is that of contiguous copies.

    Look for a step that trusts where numbers lie in memory, as view does; reshape and transpose go by the axes.
    """
    import kit

    @kit.for_all(kit.views(kit.multi_head_inputs()), examples=10)
    def check(X, W_q, W_k, W_v, W_o):
        copies = ([w.contiguous() for w in W] for W in (W_q, W_k, W_v))
        right = kit.call(multi_head_attention, X.contiguous(), *copies, W_o.contiguous())
        kit.expect_tensor(right, X, "Y of copies")
        kit.expect(kit.call(multi_head_attention, X, W_q, W_k, W_v, W_o), right, "Y")
