from otter.test_files import test_case

OK_FORMAT = False

name = "q03_softmax_jacobian"
points = None


@test_case(name="norms_are_right_by_hand", points=1, hidden=False)
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


@test_case(name="equals_the_derivative_of_softmax", points=1.5, hidden=False)
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


@test_case(name="a_strided_view_gives_what_its_copy_gives", points=0.5, hidden=False)
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
