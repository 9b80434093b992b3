"""Wrong answers to q03: the formula."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch

from solutions.mistakes import mistake

Q = "q03_softmax_jacobian"


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="The outer product is left out: only diag(a) is measured.",
    hint="Raising one score takes weight from all the others. Which part of the matrix says so?",
)
def forgets_the_outer_product():
    def softmax_jacobian_norm(alpha):
        return torch.linalg.matrix_norm(torch.diag_embed(alpha))

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="The outer product is added instead of subtracted.",
    hint="The weights of a row always sum to 1, so a row of the matrix must sum to 0. Does yours?",
)
def adds_the_outer_product():
    def softmax_jacobian_norm(alpha):
        outer = alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return torch.linalg.matrix_norm(torch.diag_embed(alpha) + outer)

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="Only the diagonal a (1 - a) is summed up, as if each weight had its own score alone.",
    hint="A weight also changes when another key's score changes. Where do those derivatives stand?",
)
def keeps_the_diagonal_alone():
    def softmax_jacobian_norm(alpha):
        return torch.linalg.vector_norm(alpha * (1 - alpha), dim=-1)

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="The inner product a . a stands where the outer product a a^T belongs.",
    hint="a a^T of a column a is a matrix with one entry per pair of keys. What is yours?",
)
def takes_the_inner_for_the_outer_product():
    def softmax_jacobian_norm(alpha):
        inner = (alpha * alpha).sum(-1, keepdim=True).unsqueeze(-1)
        return torch.linalg.matrix_norm(torch.diag_embed(alpha) - inner)

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="equals_the_derivative_of_softmax",
    cause="The largest singular value is taken, which is another matrix norm.",
    hint="The Frobenius norm adds up the squares of all entries. Does the norm you call do that?",
)
def takes_the_spectral_norm():
    def softmax_jacobian_norm(alpha):
        outer = alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return torch.linalg.matrix_norm(torch.diag_embed(alpha) - outer, ord=2)

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="Absolute values are summed instead of squares.",
    hint="The Frobenius norm adds up squares and takes a root at the end.",
)
def sums_absolute_values():
    def softmax_jacobian_norm(alpha):
        outer = alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return (torch.diag_embed(alpha) - outer).abs().sum((-2, -1))

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="The root is forgotten: the square of the norm is returned.",
    hint="Double all entries of a matrix: what does its norm do, and what does your result do?",
)
def forgets_the_root():
    def softmax_jacobian_norm(alpha):
        outer = alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return (torch.diag_embed(alpha) - outer).square().sum((-2, -1))

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="The squares are averaged instead of summed.",
    hint="A norm is a sum over the entries. Should it shrink because there are more keys?",
)
def averages_the_squares():
    def softmax_jacobian_norm(alpha):
        outer = alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return (torch.diag_embed(alpha) - outer).square().mean((-2, -1)).sqrt()

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="The weights are sent through a softmax again, as if they were scores.",
    hint="alpha is already what the softmax returned; the derivative is read off it directly.",
)
def takes_the_weights_for_scores():
    def softmax_jacobian_norm(alpha):
        a = torch.softmax(alpha, dim=-1)
        return torch.linalg.matrix_norm(torch.diag_embed(a) - a.unsqueeze(-1) * a.unsqueeze(-2))

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="Writing the sum of squares out, the square of the last sum is lost.",
    hint="Square (diag(a) - a a^T) entry by entry: three sums of powers of a come out. Check them at (1/2, 1/4, 1/4).",
)
def expands_the_square_wrongly():
    def softmax_jacobian_norm(alpha):
        squares, cubes = alpha.square().sum(-1), alpha.pow(3).sum(-1)
        return (squares - 2 * cubes + squares).clamp(min=0).sqrt()

    return softmax_jacobian_norm


@mistake(
    Q,
    caught_by="norms_are_right_by_hand",
    cause="Norms are divided by that of the weights.",
    hint="The question is how strongly the softmax reacts, not how strongly in proportion to its weights.",
)
def divides_by_the_norm_of_the_weights():
    def softmax_jacobian_norm(alpha):
        J = torch.diag_embed(alpha) - alpha.unsqueeze(-1) * alpha.unsqueeze(-2)
        return torch.linalg.matrix_norm(J) / torch.linalg.vector_norm(alpha, dim=-1)

    return softmax_jacobian_norm
