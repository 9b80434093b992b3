"""Wrong answers to q02: the formula."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import math

import torch

from solutions.mistakes import mistake

Q = "q02_attention"


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="The scores are not scaled at all.",
    hint="How large does an inner product of D_k random numbers become? Something in eq. 12.14 takes that back.",
    source="https://github.com/pytorch/torchtitan/issues/2173",
)
def forgets_the_scale():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T, dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="The scores are divided by D_k instead of its root.",
    hint="The variance of a score is D_k. By what do numbers of that variance have to be divided?",
    source="https://github.com/huggingface/transformers/pull/38290",
)
def divides_by_d_k():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / K.shape[1], dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The root is taken of the width of the values.",
    hint="Which numbers are summed up in one score? Their count is what belongs under the root.",
    source="https://github.com/juho-lee/set_transformer/issues/18",
)
def scales_by_the_width_of_the_values():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(V.shape[1]), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The root is cut to a whole number, which is right only for 1, 4, 9, 16, ...",
    hint="Try D_k = 6: what does your scale become, and what should it be?",
)
def truncates_the_root():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / int(math.sqrt(K.shape[1])), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="weights_are_right_by_hand",
    cause="The scores are multiplied by the root instead of divided.",
    hint="Is the variance of your scaled scores 1, or has it grown further?",
    source="https://github.com/esceptico/perceiver-io/issues/9",
)
def multiplies_by_the_root():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T * math.sqrt(K.shape[1]), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The root is taken of the number of keys.",
    hint="A score is a sum over features. Should it change when more keys come in?",
    source="https://github.com/cneuralnetwork/solving-ml-papers/issues/1",
)
def scales_by_the_number_of_keys():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[0]), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="The scale comes after the softmax.",
    hint="The scale tames what goes into the exponent. What must be true of the rows that come out?",
    source="https://github.com/FrancescoSaverioZuppichini/ViT/issues/2",
)
def scales_after_the_softmax():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T, dim=1) / math.sqrt(K.shape[1])
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="The softmax runs over the queries.",
    hint="Say for one query what it shares out: its unit of attention goes to all keys, along one row of alpha.",
    source="https://github.com/labmlai/annotated_deep_learning_paper_implementations/issues/146",
)
def normalises_over_the_queries():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=0)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="One sum over all pairs normalises the whole matrix.",
    hint="Each query has one unit of attention of its own. How many units does your alpha hold in all?",
    source="https://github.com/uTensor/uTensor/issues/171",
)
def normalises_the_whole_matrix():
    def attention(Q, K, V):
        scores = Q @ K.T / math.sqrt(K.shape[1])
        alpha = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The keys are reshaped instead of transposed, which scrambles their features.",
    hint="Two matrices of the same shape can hold the numbers in different places: is column m of yours key m?",
    source="https://github.com/rish-16/tokenlearner-pytorch/issues/1",
)
def reshapes_instead_of_transposing():
    def attention(Q, K, V):
        M, D_k = K.shape
        alpha = torch.softmax(Q @ K.reshape(D_k, M) / math.sqrt(D_k), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The keys are averaged instead of the values.",
    hint="Keys say where to look, values what is found there. Which of them does your average consist of?",
    source="https://github.com/ruvnet/agentic-flow/issues/191",
)
def averages_the_keys():
    def attention(Q, K, V):
        alpha = torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        return alpha @ K, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="Keys ask and queries answer: alpha has one row per key.",
    hint="Who asks? alpha has one row for each of those, and one column for each of those that are asked.",
)
def lets_the_keys_ask():
    def attention(Q, K, V):
        alpha = torch.softmax(K @ Q.T / math.sqrt(K.shape[1]), dim=1)
        return alpha.T @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The sum over keys runs to the number of queries.",
    hint="There may be more keys than queries. Which size does each of your loops take its end from?",
)
def counts_queries_for_keys():
    def attention(Q, K, V):
        N, D_k = Q.shape
        rows = [torch.stack([Q[n] @ K[m] for m in range(N)]) / math.sqrt(D_k) for n in range(N)]
        alpha = torch.softmax(torch.stack(rows), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="Later keys are masked, as a language model would do.",
    hint="Which keys may a query look at in eq. 12.14? Nothing there knows which key comes first.",
)
def hides_later_keys():
    def attention(Q, K, V):
        scores = Q @ K.T / math.sqrt(K.shape[1])
        later = torch.ones_like(scores).triu(1).bool()
        alpha = torch.softmax(scores.masked_fill(later, float("-inf")), dim=1)
        return alpha @ V, alpha

    return attention


@mistake(
    Q,
    caught_by="rows_of_alpha_are_weights",
    cause="The logarithms of the weights are returned as weights.",
    hint="Can a weight be negative? Look at what your normalising step is called, and what it returns.",
)
def returns_log_weights():
    def attention(Q, K, V):
        alpha = torch.log_softmax(Q @ K.T / math.sqrt(K.shape[1]), dim=1)
        return alpha @ V, alpha

    return attention
