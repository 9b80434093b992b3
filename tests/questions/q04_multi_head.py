from otter.test_files import test_case

OK_FORMAT = False

name = "q04_multi_head"
points = None


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
def equals_the_formula(multi_head_attention):
    """Y equals Algorithm 12.2 where D_k, D_v and D / H all differ, in either precision.

    Look for a width that is taken from the wrong matrix, and at the dtype of everything you create.
    """
    import kit
    from kit import oracle

    @kit.for_all(kit.multi_head_inputs(), examples=10)
    def check(X, W_q, W_k, W_v, W_o):
        Y = kit.call(multi_head_attention, X, W_q, W_k, W_v, W_o)
        kit.expect(Y, oracle.multi_head(X, W_q, W_k, W_v, W_o), "Y", dtype=X.dtype)


@test_case()
def one_token_and_one_feature_keep_their_axes(multi_head_attention):
    """One token, one head, or one feature in a head still gives Y as N x D.

    Look for an axis of size 1 that is dropped or spread by broadcasting.
    """
    import kit
    from kit import oracle

    for N, D, H, D_k, D_v in ((1, 5, 2, 3, 2), (3, 5, 1, 2, 7), (3, 5, 2, 1, 1), (2, 1, 3, 2, 5), (1, 1, 1, 1, 1)):
        X = kit.randn(N, D, seed=1)
        W_q = [kit.randn(D, D_k, seed=10 + h) for h in range(H)]
        W_k = [kit.randn(D, D_k, seed=20 + h) for h in range(H)]
        W_v = [kit.randn(D, D_v, seed=30 + h) for h in range(H)]
        W_o = kit.randn(H * D_v, D, seed=40)
        Y = kit.call(multi_head_attention, X, W_q, W_k, W_v, W_o)
        kit.expect(Y, oracle.multi_head(X, W_q, W_k, W_v, W_o), "Y", dtype=X.dtype)


@test_case()
def huge_scores_give_the_limit(multi_head_attention):
    """Scores of thousands in one head stay finite, and its weights are those of the limit.

    Look at what exp does to a large number, and what may be subtracted from a row without changing its softmax.
    """
    import torch

    import kit
    from kit import oracle

    X = 10 * torch.tensor([[3.0, 0.0, 1.0], [0.0, -2.0, 1.0], [-1.0, 2.0, 0.0], [2.0, 2.0, -3.0]])
    # the first head's row maxima lie between 360 and 14,000 (times 1 / sqrt(2)); the second's scores are all 0
    W_q = [torch.tensor([[3.0, -1.0], [1.0, 2.0], [0.0, 1.0]]), torch.zeros(3, 2)]
    W_k = [torch.tensor([[2.0, 0.0], [1.0, -3.0], [-1.0, 1.0]]), torch.ones(3, 2)]
    W_v = [torch.tensor([[0.1], [0.0], [0.2]]), torch.tensor([[0.0], [0.1], [0.1]])]
    W_o = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    for dtype in (torch.float32, torch.float64):
        x, q, k, v = X.to(dtype), *([w.to(dtype) for w in W] for W in (W_q, W_k, W_v))
        Y = kit.call(multi_head_attention, x, q, k, v, W_o.to(dtype))
        kit.expect(Y, oracle.multi_head(x, q, k, v, W_o), "Y", dtype=dtype)


@test_case()
def gradients_equal_the_formula(multi_head_attention):
    """The gradients of Y with respect to X and to every matrix of every head are those of Algorithm 12.2.

    Look for a step that leaves the graph: a detour through numbers, numpy, .data, or a new Parameter.
    """
    import kit
    from kit import oracle

    def reference(*arguments):
        return (oracle.multi_head(*arguments),)

    @kit.for_all(kit.multi_head_inputs(), examples=4)
    def check(X, W_q, W_k, W_v, W_o):
        inputs = {"X": X, "W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o}
        kit.expect_gradients(multi_head_attention, reference, inputs, outputs=("Y",))


@test_case()
def each_call_stands_alone(multi_head_attention):
    """A second call with other arguments does not remember the first.

    Look for anything that outlives a call: stored matrices, a buffer, a variable outside the function.
    """
    import kit
    from kit import oracle

    X, W_o = kit.randn(3, 2, seed=1), kit.randn(6, 2, seed=2)
    W_q, W_k, W_v = ([kit.randn(2, width, seed=10 * width + h) for h in range(2)] for width in (5, 5, 3))
    W_k = [w * 0.5 for w in W_k]
    opposite = [[-w for w in W] for W in (W_q, W_k, W_v)]
    # the same shapes throughout; one argument changes at a time
    calls = [
        (X, W_q, W_k, W_v, W_o),
        (X, opposite[0], W_k, W_v, W_o),
        (X, W_q, opposite[1], W_v, W_o),
        (X, W_q, W_k, opposite[2], W_o),
        (X, W_q, W_k, W_v, W_o.flip(0)),
        (X.flip(1), W_q, W_k, W_v, W_o),
        (X, W_q, W_k, W_v, W_o),
    ]
    results = [kit.call(multi_head_attention, *arguments) for arguments in calls]
    for arguments, Y in zip(calls, results, strict=True):
        kit.expect(Y, oracle.multi_head(*arguments), "Y", dtype=X.dtype)
