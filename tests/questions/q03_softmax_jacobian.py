from otter.test_files import test_case

OK_FORMAT = False

name = "q03_softmax_jacobian"
points = None


@test_case()
def norms_are_right_by_hand(softmax_jacobian_norm):
    """The row (1/2, 1/4, 1/4) has the norm sqrt(13)/8; (1/2, 1/2), (1/4, 3/4) and (1, 0) have 1/2, 3/8 and 0.

    Look at the matrix of one row: what stands on its diagonal, what beside it, and how a norm adds them up.
    """
    import torch

    import kit

    # for (1/2, 1/4, 1/4): 4/16, 3/16, 3/16 on the diagonal, four times -2/16 and twice -1/16 beside it
    three = torch.tensor([[1 / 2, 1 / 4, 1 / 4]])
    # for (1/4, 3/4) all four entries of diag(a) - a a^T are 3/16 or -3/16
    two = torch.tensor([[1 / 2, 1 / 2], [1 / 4, 3 / 4], [1.0, 0.0]])
    norms = {3: torch.tensor([13**0.5 / 8]), 2: torch.tensor([1 / 2, 3 / 8, 0.0])}

    @kit.for_each({"alpha": three}, {"alpha": two})
    def check(alpha):
        kit.expect(kit.call(softmax_jacobian_norm, alpha), norms[alpha.shape[-1]], "norms")


@test_case()
def equals_the_derivative_of_softmax(softmax_jacobian_norm):
    """The norm is that of the Jacobian of torch.softmax, as PyTorch's autograd finds it.

    Look at how the weight of one key changes with its own score, and how with the score of another key.
    """
    import torch

    import kit

    @kit.for_all(kit.weights())
    def check(alpha):
        scores = alpha.double().log()  # the softmax of log(a) is a itself
        rows = scores.reshape(-1, scores.shape[-1])
        jacobians = [torch.autograd.functional.jacobian(lambda s: s.softmax(0), row) for row in rows]
        right = torch.stack([J.norm() for J in jacobians]).reshape(alpha.shape[:-1])
        kit.expect(kit.call(softmax_jacobian_norm, alpha), right, "norms", dtype=alpha.dtype)


@test_case()
def a_strided_view_gives_what_its_copy_gives(softmax_jacobian_norm):
    """alpha may be a strided view, transposed or with gaps in memory: the norms are those of a contiguous copy.

    Look for a step that trusts where numbers lie in memory, as view does; reshape and transpose go by the axes.
    """
    import kit

    rows = kit.randn(2, 3, 5, seed=1).softmax(-1)

    @kit.for_each(
        *({"alpha": kit.with_layout(alpha, view)} for alpha in (rows, rows[0]) for view in kit.strategies.VIEWS)
    )
    def check(alpha):
        right = kit.call(softmax_jacobian_norm, alpha.contiguous())
        kit.expect_tensor(right, alpha[..., 0], "norms of a copy")
        kit.expect(kit.call(softmax_jacobian_norm, alpha), right, "norms")


@test_case()
def equals_the_formula(softmax_jacobian_norm):
    """The norms equal those of diag(a) - a a^T for any sizes, in either precision.

    Look at the dtype of everything you create, and at which numbers of a row meet in the matrix.
    """
    import kit
    from kit import oracle

    @kit.for_all(kit.weights(), examples=10)
    def check(alpha):
        right = oracle.softmax_jacobian_norm(alpha)
        kit.expect(kit.call(softmax_jacobian_norm, alpha), right, "norms", dtype=alpha.dtype)


@test_case()
def leading_axes_are_kept(softmax_jacobian_norm):
    """Weights of shape (..., N) give norms of shape (...): no leading axis, several, or some of size 1.

    Look at which axis is the row of weights: count from the last one, and leave the others alone.
    """
    import kit
    from kit import oracle

    for shape in ((3,), (1,), (1, 3), (5, 1), (1, 1, 2), (3, 1, 2, 6), (2, 3, 5, 7)):
        alpha = kit.randn(*shape, seed=len(shape)).softmax(-1)
        right = oracle.softmax_jacobian_norm(alpha)
        kit.expect(kit.call(softmax_jacobian_norm, alpha), right, "norms", dtype=alpha.dtype)


@test_case()
def a_peaked_row_hardly_reacts(softmax_jacobian_norm):
    """The norm is finite and goes to 0 as one weight goes to 1, also where the other weights are exactly 0.

    Look at what the formula gives for weights of 0 and 1, and whether any step divides or takes a logarithm there.
    """
    import torch

    import kit
    from kit import oracle

    peaks = torch.tensor([0.9, 0.99, 0.999, 0.9999, 1.0], dtype=torch.float64)
    ties = torch.tensor([[0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], dtype=torch.float64)
    rest = (1 - peaks) / 3
    alpha = torch.cat([torch.stack([rest, peaks, rest, rest], dim=1), ties])
    # so near to 1 that a difference of sums of powers is rounding alone, which often enough falls below 0
    near = 1 - torch.linspace(1e-6, 1e-3, 400, dtype=torch.float64)
    rest = (1 - near) / 3
    alpha = torch.cat([alpha, torch.stack([rest, near, rest, rest], dim=1)])
    for dtype in (torch.float64, torch.float32):  # the tight tolerance first
        rows = alpha.to(dtype)
        right = oracle.softmax_jacobian_norm(rows)
        kit.expect(kit.call(softmax_jacobian_norm, rows), right, "norms", dtype=dtype, tolerance="peaked")
