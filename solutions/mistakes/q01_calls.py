"""Wrong answers to q01: the formula is right, the call is not."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch

from solutions.mistakes import mistake

Q = "q01_simple_attention"


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="exp is taken of the scores as they are and overflows.",
    hint="exp(89) no longer fits float32. What can be subtracted from a row of scores without changing its weights?",
    source="https://github.com/pytorch/executorch/issues/18407",
)
def exponentiates_without_a_maximum():
    def simple_attention(X):
        powers = torch.exp(X @ X.T)
        alpha = powers / powers.sum(dim=1, keepdim=True)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="The maximum of the whole matrix is subtracted, so rows far below it become 0/0.",
    hint="Think of a row whose largest score is thousands below that of another row: what is left of it?",
)
def subtracts_one_maximum_from_all_rows():
    def simple_attention(X):
        scores = X @ X.T
        powers = torch.exp(scores - scores.max())
        alpha = powers / powers.sum(dim=1, keepdim=True)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="Only the averages are returned.",
    hint="The function hands back two things: the averages and the weights that made them.",
)
def returns_the_averages_alone():
    def simple_attention(X):
        return torch.softmax(X @ X.T, dim=1) @ X

    return simple_attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="The two results are returned in the other order.",
    hint="Read the order of the pair in the docstring: averages first, weights second.",
)
def returns_the_weights_first():
    def simple_attention(X):
        alpha = torch.softmax(X @ X.T, dim=1)
        return alpha, alpha @ X

    return simple_attention


@mistake(
    Q,
    caught_by="one_token_keeps_its_axes",
    cause="squeeze() also drops the axis of a lone token.",
    hint="Count the axes of your result for a text of a single token.",
)
def squeezes_a_lone_token():
    def simple_attention(X):
        alpha = torch.softmax(X @ X.T, dim=1)
        return (alpha @ X).squeeze(), alpha

    return simple_attention


@mistake(
    Q,
    caught_by="gradients_equal_the_formula",
    cause="The weights are computed outside the graph, as if they were constants.",
    hint="The tokens act twice, as what is averaged and through the weights. Does a gradient travel both ways?",
)
def treats_the_weights_as_constants():
    def simple_attention(X):
        with torch.no_grad():
            alpha = torch.softmax(X @ X.T, dim=1)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="gradients_equal_the_formula",
    cause="A detour through numpy cuts the graph.",
    hint="PyTorch can only follow steps that are its own; everything here can be done with tensors.",
)
def computes_in_numpy():
    def simple_attention(X):
        import numpy as np

        x = X.detach().numpy()
        scores = x @ x.T
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        alpha = powers / powers.sum(axis=1, keepdims=True)
        return torch.from_numpy(alpha @ x), torch.from_numpy(alpha)

    return simple_attention


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="Results are written into buffers of the default dtype, so float64 comes back as float32.",
    hint="Which dtype does a tensor have that you create yourself, and which should it have?",
    source="https://github.com/awslabs/gluonts/pull/3307",
)
def fills_a_buffer_of_the_default_dtype():
    def simple_attention(X):
        alpha = torch.zeros(len(X), len(X))
        for n in range(len(X)):
            alpha[n] = torch.softmax(X @ X[n], dim=0)
        return alpha.to(X.dtype) @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="New vectors overwrite the tokens that later tokens still have to look at.",
    hint="New vectors are averages of the old ones. What does the second token average once the first is replaced?",
)
def overwrites_the_tokens():
    def simple_attention(X):
        rows = []
        for n in range(len(X)):
            rows.append(torch.softmax(X @ X[n], dim=0))
            X[n] = rows[n] @ X
        return X, torch.stack(rows)

    return simple_attention


@mistake(
    Q,
    caught_by="each_call_stands_alone",
    cause="Weights are kept in a table by the shape of X and found again for other tokens.",
    hint="Two texts of the same length are not the same text. What tells your table that the tokens have changed?",
    source="https://github.com/lucidrains/rotary-embedding-torch/issues/11",
)
def remembers_weights_by_shape():
    known = {}

    def simple_attention(X):
        if X.shape not in known:
            known[X.shape] = torch.softmax(X @ X.T, dim=1)
        alpha = known[X.shape].to(X.dtype)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="a_strided_view_gives_what_its_copy_gives",
    cause="Rows are cut out of the flattened memory, which only works while X is contiguous.",
    hint="A transposed or sliced tensor keeps its rows elsewhere in memory. Ask for rows by their index.",
)
def cuts_rows_out_of_memory():
    def simple_attention(X):
        N, D = X.shape
        flat = X.view(-1)
        rows = [flat[n * D : (n + 1) * D] for n in range(N)]
        alpha = torch.stack([torch.softmax(torch.stack([x @ z for z in rows]), dim=0) for x in rows])
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="Scores are clipped so that exp does not overflow, which makes large ones equal.",
    hint="Two scores of 200 and 300 belong to weights 0 and 1. What do they become on their way?",
)
def clips_large_scores():
    def simple_attention(X):
        powers = torch.exp((X @ X.T).clamp(-50, 50))
        alpha = powers / powers.sum(dim=1, keepdim=True)
        return alpha @ X, alpha

    return simple_attention


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="A token's score with itself is subtracted, which is not always the largest of its row.",
    hint="A short token next to a long one: which of the two has the larger inner product with the short one?",
)
def subtracts_the_tokens_own_score():
    def simple_attention(X):
        scores = X @ X.T
        powers = torch.exp(scores - scores.diagonal()[:, None])
        alpha = powers / powers.sum(dim=1, keepdim=True)
        return alpha @ X, alpha

    return simple_attention
