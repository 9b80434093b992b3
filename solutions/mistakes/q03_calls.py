"""Wrong answers to q03: the formula is right, the call is not."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch

from solutions.mistakes import mistake

Q = "q03_softmax_jacobian"


@mistake(
    Q,
    caught_by="leading_axes_are_kept",
    cause="One norm is taken of all matrices together.",
    hint="How many rows of weights come in, and how many numbers should go out?",
)
def takes_one_norm_of_all_rows():
    def softmax_jacobian_norm(alpha):
        J = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return J.norm()

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="leading_axes_are_kept",
    cause="The code loops over the first axis and takes what it finds for rows of weights.",
    hint="Weights may come as one row, as a matrix, or as a stack of matrices. Which axis holds a row in each?",
    source="https://github.com/FudanNLP/fastNLP/issues/254",
)
def expects_exactly_two_axes():
    def softmax_jacobian_norm(alpha):
        return torch.stack([torch.linalg.norm(torch.diag(a) - torch.outer(a, a)) for a in alpha])

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="leading_axes_are_kept",
    cause="squeeze() drops leading axes of size 1.",
    hint="The result has the shape of alpha without its last axis, whatever the sizes are.",
)
def squeezes_the_norms():
    def softmax_jacobian_norm(alpha):
        J = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return torch.linalg.matrix_norm(J).squeeze()

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="leading_axes_are_kept",
    cause="The leading axes are merged into one.",
    hint="The result has the shape of alpha without its last axis. What became of the others?",
)
def merges_the_leading_axes():
    def softmax_jacobian_norm(alpha):
        rows = alpha.reshape(-1, alpha.shape[-1])
        return torch.linalg.matrix_norm(torch.diag_embed(rows) - rows.unsqueeze(-1) * rows.unsqueeze(-2))

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="Norms are written into a buffer of the default dtype, so float64 comes back as float32.",
    hint="Which dtype does a tensor have that you create yourself, and which should it have?",
    source="https://github.com/awslabs/gluonts/pull/3307",
)
def fills_a_buffer_of_the_default_dtype():
    def softmax_jacobian_norm(alpha):
        rows = alpha.reshape(-1, alpha.shape[-1])
        norms = torch.zeros(len(rows))
        for n, a in enumerate(rows):
            norms[n] = torch.linalg.norm(torch.diag(a) - torch.outer(a, a))
        return norms.reshape(alpha.shape[:-1])

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="a_strided_view_gives_what_its_copy_gives",
    cause="Rows are cut out with view, which only works while alpha is contiguous.",
    hint="A transposed or sliced tensor cannot always be seen in another shape without a copy.",
    source="https://github.com/facebookresearch/fairseq/issues/2598",
)
def views_the_rows():
    def softmax_jacobian_norm(alpha):
        rows = alpha.view(-1).view(-1, alpha.shape[-1])
        J = torch.diag_embed(rows) - rows.unsqueeze(-1) * rows.unsqueeze(-2)
        return torch.linalg.matrix_norm(J).view(alpha.shape[:-1])

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="equals_the_derivative_of_softmax",
    cause="The matrix is built inside the weights of whoever called.",
    hint="The weights still belong to the caller after the call. Which of your steps writes into them?",
    source="https://github.com/pytorch/pytorch/issues/73249",
)
def squares_the_callers_weights():
    def softmax_jacobian_norm(alpha):
        cubes = alpha.pow(3).sum(-1)
        squares = alpha.mul_(alpha).sum(-1)
        return (squares - 2 * cubes + squares.square()).clamp(min=0).sqrt()

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="a_peaked_row_hardly_reacts",
    cause="A small number under the root keeps every norm away from 0.",
    hint="A row with all its weight on one key does not react at all. What does your result say of it?",
)
def adds_a_small_number_under_the_root():
    def softmax_jacobian_norm(alpha):
        J = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return (J.square().sum((-2, -1)) + 1e-6).sqrt()

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="a_peaked_row_hardly_reacts",
    cause="The scores are recovered by a logarithm, which weights of exactly 0 do not survive.",
    hint="Weights may be exactly 0, and the formula needs nothing but the weights. Which of your steps fails there?",
)
def goes_back_to_the_scores():
    def softmax_jacobian_norm(alpha):
        scores = torch.log(alpha)
        scores = scores - scores.mean(-1, keepdim=True)
        a = torch.softmax(scores, dim=-1)
        return torch.linalg.matrix_norm(torch.diag_embed(a) - a.unsqueeze(-1) * a.unsqueeze(-2))

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="a_peaked_row_hardly_reacts",
    cause="Sums of powers near 1 are subtracted; what is left is rounding, and where it is negative it has no root.",
    hint="What is left of 1 - 2 + 1 when each of the three was rounded, and can a root be taken of it?",
)
def subtracts_sums_of_powers():
    def softmax_jacobian_norm(alpha):
        s2, s3 = (alpha**2).sum(-1), (alpha**3).sum(-1)
        return (s2 - 2 * s3 + s2**2).sqrt()

    return softmax_jacobian_norm
