from otter.test_files import test_case

OK_FORMAT = False

name = "q02_attention"
points = None


@test_case()
def weights_are_right_by_hand(attention):
    """Two keys whose scores differ by ln 3, by -ln 4 or not at all share the weight 3 : 1, 1 : 4 or 1 : 1.

    Look at what stands in the exponent, and along which axis the weights are normalised (eq. 12.14).
    """
    import math

    import torch

    import kit

    # D_k = 2: the inner products carry a factor sqrt(2), so that the scaled scores are plain logarithms
    root = math.sqrt(2.0)
    Q = torch.tensor([[root * math.log(3.0), 0.0], [0.0, root * math.log(2.0)], [0.0, 0.0]])
    K = torch.tensor([[1.0, 5.0], [0.0, 7.0]])
    V = torch.tensor([[20.0, 0.0, 4.0, 0.0], [0.0, 20.0, 4.0, 0.0]])
    Y, alpha = kit.pair(kit.call(attention, Q, K, V))
    kit.expect(alpha, torch.tensor([[0.75, 0.25], [0.2, 0.8], [0.5, 0.5]]), "alpha")
    kit.expect(Y, torch.tensor([[15.0, 5.0, 4.0, 0.0], [4.0, 16.0, 4.0, 0.0], [10.0, 10.0, 4.0, 0.0]]), "Y")


@test_case()
def equals_pytorch(attention):
    """Y and alpha are those of PyTorch's scaled_dot_product_attention.

    Look at the two products and what stands between them (eq. 12.14); D_k, D_v, N and M all differ here.
    """
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    import kit

    @kit.for_all(kit.queries_keys_values())
    def check(Q, K, V):
        Y, alpha = kit.pair(kit.call(attention, Q, K, V))
        q, k = Q.double(), K.double()
        # with the identity as values, the averages are the weights themselves
        right = scaled_dot_product_attention(q, k, torch.eye(len(k)).double())
        kit.expect(alpha, right, "alpha", dtype=Q.dtype)
        kit.expect(Y, scaled_dot_product_attention(q, k, V.double()), "Y", dtype=Q.dtype)


@test_case()
def rows_of_alpha_are_weights(attention):
    """Each row of alpha holds one weight per key, none negative, and sums to 1.

    Look at the axis of the softmax: every query shares out one unit of attention among the keys.
    """
    import torch

    import kit

    @kit.for_all(kit.queries_keys_values())
    def check(Q, K, V):
        _, alpha = kit.pair(kit.call(attention, Q, K, V))
        kit.expect_weights(alpha, torch.empty(len(Q), len(K), dtype=Q.dtype))


@test_case()
def a_strided_view_gives_what_its_copy_gives(attention):
    """Q, K and V may be strided views, transposed or with gaps in memory: the result is that of contiguous copies.

    Look for a step that trusts where numbers lie in memory, as view does; reshape and transpose go by the axes.
    """
    import kit

    @kit.for_all(kit.views(kit.queries_keys_values()), examples=10)
    def check(Q, K, V):
        right_Y, right_alpha = kit.pair(kit.call(attention, Q.contiguous(), K.contiguous(), V.contiguous()))
        kit.expect_tensor(right_alpha, Q @ K.T, "alpha of copies")
        kit.expect_tensor(right_Y, Q @ K.T @ V, "Y of copies")
        Y, alpha = kit.pair(kit.call(attention, Q, K, V))
        kit.expect(alpha, right_alpha, "alpha")
        kit.expect(Y, right_Y, "Y")


@test_case()
def equals_the_formula(attention):
    """alpha and Y equal eq. 12.14 for any sizes, in either precision.

    Look at the scale: which of the sizes belongs under the root? Then at the dtype of everything you create.
    """
    import kit
    from kit import oracle

    @kit.for_all(kit.queries_keys_values(), examples=10)
    def check(Q, K, V):
        Y, alpha = kit.pair(kit.call(attention, Q, K, V))
        right_Y, right_alpha = oracle.attention(Q, K, V)
        kit.expect(alpha, right_alpha, "alpha", dtype=Q.dtype)
        kit.expect(Y, right_Y, "Y", dtype=Q.dtype)


@test_case()
def one_query_and_one_key_keep_their_axes(attention):
    """One query, one key or one feature still gives Y as N x D_v and alpha as N x M.

    Look for an axis of size 1 that is dropped or spread by broadcasting.
    """
    import kit
    from kit import oracle

    for N, M, D_k, D_v in ((1, 3, 2, 5), (3, 1, 2, 5), (1, 1, 3, 2), (2, 3, 1, 5), (3, 2, 5, 1), (1, 1, 1, 1)):
        Q, K, V = kit.randn(N, D_k, seed=1), kit.randn(M, D_k, seed=2), kit.randn(M, D_v, seed=3)
        Y, alpha = kit.pair(kit.call(attention, Q, K, V))
        right_Y, right_alpha = oracle.attention(Q, K, V)
        kit.expect(alpha, right_alpha, "alpha", dtype=Q.dtype)
        kit.expect(Y, right_Y, "Y", dtype=Q.dtype)


@test_case()
def huge_scores_give_the_limit(attention):
    """Scores of thousands stay finite, and the weights are those of the limit.

    Look at what exp does to a large number, and what may be subtracted from a row without changing its softmax.
    """
    import torch

    import kit

    # row maxima of -9,000, 10,000 and 100, each with one winner, and a row of equal scores
    Q = torch.tensor([[-2000.0, -100.0], [0.0, 100.0], [-100.0, -100.0], [0.0, 0.0]])
    K = torch.tensor([[100.0, 100.0], [99.0, -100.0], [0.0, 90.0]])
    V = torch.tensor([[1.0, 2.0, 5.0, 0.0], [3.0, 6.0, 1.0, 0.0], [2.0, 4.0, 3.0, 6.0]])
    limit = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1 / 3, 1 / 3, 1 / 3]])
    for dtype in (torch.float32, torch.float64):
        Y, alpha = kit.pair(kit.call(attention, Q.to(dtype), K.to(dtype), V.to(dtype)))
        kit.expect(alpha, limit.to(dtype), "alpha")
        kit.expect(Y, (limit.double() @ V.double()).to(dtype), "Y")


@test_case()
def gradients_equal_pytorch(attention):
    """The gradients of Y and alpha with respect to Q, K and V are PyTorch's.

    Look for a step that leaves the graph: a detour through numbers, numpy, .data or detach().
    """
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    import kit

    def reference(Q, K, V):
        alpha = scaled_dot_product_attention(Q, K, torch.eye(len(K), dtype=K.dtype))
        return scaled_dot_product_attention(Q, K, V), alpha

    @kit.for_all(kit.queries_keys_values(), examples=6)
    def check(Q, K, V):
        kit.expect_gradients(attention, reference, {"Q": Q, "K": K, "V": V}, outputs=("Y", "alpha"))


@test_case()
def each_call_stands_alone(attention):
    """A second call with other arguments does not remember the first.

    Look for anything that outlives a call: a table, a buffer, a variable outside the function.
    """
    import kit
    from kit import oracle

    Q, K, V = kit.randn(2, 3, seed=1), kit.randn(5, 3, seed=2), kit.randn(5, 6, seed=3)
    # the same shapes throughout; one argument changes at a time
    calls = [(Q, K, V), (Q, K, -V), (Q, -K, V), (-Q, K, V), (Q, K, V)]
    results = [kit.pair(kit.call(attention, *arguments)) for arguments in calls]
    for arguments, (Y, alpha) in zip(calls, results, strict=True):
        right_Y, right_alpha = oracle.attention(*arguments)
        kit.expect(alpha, right_alpha, "alpha", dtype=Q.dtype)
        kit.expect(Y, right_Y, "Y", dtype=Q.dtype)
