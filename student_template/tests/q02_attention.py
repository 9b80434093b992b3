from otter.test_files import test_case

OK_FORMAT = False

name = "q02_attention"
points = None


@test_case(name="weights_are_right_by_hand", points=2, hidden=False)
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


@test_case(name="equals_pytorch", points=3, hidden=False)
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


@test_case(name="rows_of_alpha_are_weights", points=1, hidden=False)
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


@test_case(name="a_strided_view_gives_what_its_copy_gives", points=0.5, hidden=False)
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
