"""Wrong answers to q02: the formula is right, the call is not."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import math

import torch

from solutions.mistakes import mistake

Q = "q02_attention"


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="exp is taken of the scores as they are and overflows.",
    hint="exp(89) no longer fits float32. What can be subtracted from a row of scores without changing its weights?",
    source="https://github.com/mila-iqia/blocks/issues/727",
)
def exponentiates_without_a_maximum():
    def attention(Q, K, V):
        powers = torch.exp(Q @ K.T / math.sqrt(K.shape[1]))
        alpha = powers / powers.sum(dim=1, keepdim=True)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="The maximum of the whole matrix is subtracted, so rows far below it become 0/0.",
    hint="Think of a query whose largest score is thousands below that of another: what is left of its row?",
)
def subtracts_one_maximum_from_all_rows():
    def attention(Q, K, V):
        scores = Q @ K.T / math.sqrt(K.shape[1])
        powers = torch.exp(scores - scores.max())
        alpha = powers / powers.sum(dim=1, keepdim=True)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="Scores are clipped so that exp does not overflow, which makes large ones equal.",
    hint="Two scores of 200 and 300 belong to weights 0 and 1. What do they become on their way?",
)
def clips_large_scores():
    def attention(Q, K, V):
        scores = (Q @ K.T / math.sqrt(K.shape[1])).clamp(-50, 50)
        powers = torch.exp(scores)
        alpha = powers / powers.sum(dim=1, keepdim=True)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The queries of whoever called are scaled in place.",
    hint="The queries still belong to the caller after the call. Which of your steps writes into them?",
    source="https://github.com/pytorch/pytorch/issues/73249",
)
def scales_the_callers_queries():
    def attention(Q, K, V):
        Q /= math.sqrt(K.shape[1])
        alpha = torch.softmax(Q @ K.T, dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="Weights are written into a buffer of the default dtype, so float64 comes back as float32.",
    hint="Which dtype does a tensor have that you create yourself, and which should it have?",
    source="https://github.com/awslabs/gluonts/pull/3307",
)
def fills_a_buffer_of_the_default_dtype():
    def attention(Q, K, V):
        alpha = torch.zeros(len(Q), len(K))
        for n in range(len(Q)):
            alpha[n] = torch.softmax(K @ Q[n] / math.sqrt(K.shape[1]), dim=0)
        return alpha.to(V.dtype) @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="Everything is cast to float32 and stays there.",
    hint="Compare the dtype that comes in with the one that goes out.",
)
def returns_single_precision():
    def attention(Q, K, V):
        Q, K, V = Q.float(), K.float(), V.float()
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="gradients_equal_pytorch",
    cause="The weights are detached: queries and keys get no gradient.",
    hint="Queries and keys act through the weights alone. Can a gradient travel back through yours?",
)
def detaches_the_weights():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        return alpha.detach() @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="gradients_equal_pytorch",
    cause="The scores are rebuilt from Python numbers, which carry no gradient.",
    hint="Queries and keys act through the weights alone. Which of your steps forgets where its numbers came from?",
)
def rebuilds_scores_from_numbers():
    def attention(Q, K, V):
        scores = [[(q @ k).item() / math.sqrt(K.shape[1]) for k in K] for q in Q]
        alpha = torch.softmax(torch.tensor(scores, dtype=Q.dtype), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="gradients_equal_pytorch",
    cause="The keys enter through .data, so that they alone get no gradient.",
    hint="Three matrices come in, and each of them is learned. Follow the way back to each one.",
    source="https://github.com/jadore801120/attention-is-all-you-need-pytorch/issues/16",
)
def leaves_the_keys_out_of_the_graph():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.data.T / math.sqrt(K.shape[1]), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="Only the averages are returned.",
    hint="The function hands back two things: the averages and the weights that made them.",
)
def returns_the_averages_alone():
    def attention(Q, K, V):
        return torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1) @ V

    return attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="The two results are returned in the other order.",
    hint="Read the order of the pair in the docstring: averages first, weights second.",
)
def returns_the_weights_first():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        return alpha, alpha @ V

    return attention


@mistake(
    Q,
    caught_by="one_query_and_one_key_keep_their_axes",
    cause="squeeze() also drops the axis of a lone query, key or feature.",
    hint="Count the axes of both results when a single query asks.",
)
def squeezes_a_lone_query():
    def attention(Q, K, V):
        alpha = torch.softmax((Q @ K.T).squeeze() / math.sqrt(K.shape[1]), dim=-1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="Some weights are dropped at random, as in training a large model.",
    hint="Call it twice with the same arguments: eq. 12.14 leaves nothing to chance.",
)
def drops_weights_at_random():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        alpha = torch.nn.functional.dropout(alpha, 0.1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="The weights are rounded as if for printing.",
    hint="Rounding is for what is shown. How many digits do your weights carry?",
)
def rounds_the_weights():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1).round(decimals=2)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="each_call_stands_alone",
    cause="Weights are kept in a table by the shapes of Q and K and found again for other arguments.",
    hint="Two texts of the same length are not the same text. What tells your table that they differ?",
    source="https://github.com/lucidrains/rotary-embedding-torch/issues/11",
)
def remembers_weights_by_shape():
    known = {}

    def attention(Q, K, V):
        key = Q.shape, K.shape, Q.dtype
        if key not in known:
            known[key] = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        return known[key] @ V, known[key]

    return attention


@mistake(
    Q,
    caught_by="each_call_stands_alone",
    cause="Scores are added into a buffer that still holds those of the call before.",
    hint="Call the function twice with the same arguments: what does the second call find already there?",
    source="https://github.com/flagos-ai/FlagGems/issues/424",
)
def adds_scores_to_those_of_earlier_calls():
    buffers = {}

    def attention(Q, K, V):
        key = len(Q), len(K), Q.dtype
        scores = buffers.get(key, 0) + Q @ K.T / math.sqrt(K.shape[1])
        buffers[key] = scores.detach()
        alpha = torch.softmax(scores, dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="a_strided_view_gives_what_its_copy_gives",
    cause="Keys are read out of flattened memory, which only works while K is contiguous.",
    hint="A transposed or sliced tensor keeps its rows elsewhere in memory. Ask for rows by their index.",
)
def reads_keys_out_of_memory():
    def attention(Q, K, V):
        M, D_k = K.shape
        columns = K.view(-1).view(M, D_k).T
        alpha = torch.softmax(Q @ columns / math.sqrt(D_k), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="gradients_equal_pytorch",
    cause="The weights are computed under no_grad: queries and keys get no gradient, and alpha carries none.",
    hint="Queries and keys act through the weights alone. Which of your steps forgets where its numbers came from?",
)
def computes_the_weights_without_gradients():
    def attention(Q, K, V):
        with torch.no_grad():
            alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        return alpha @ V, alpha

    return attention
