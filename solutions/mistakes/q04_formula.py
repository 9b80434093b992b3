"""Wrong answers to q04: what the heads see and how they are put together."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import math

import torch
from torch import nn

from solutions.mistakes import mistake
from solutions.q02_attention import attention

Q = "q04_multi_head"


@mistake(
    Q,
    caught_by="heads_stand_side_by_side_in_order",
    cause="The output matrix is left out.",
    hint="Putting the heads side by side is not the last step: what mixes them?",
    source="https://github.com/huggingface/transformers/issues/8814",
)
def forgets_the_output_matrix():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.cat(heads, dim=1)

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The output matrix is transposed, as PyTorch stores it.",
    hint="Rows of W_o belong to the features of the heads. On which side must they meet?",
    source="https://github.com/skyzh/tiny-llm/issues/41",
)
def transposes_the_output_matrix():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.cat(heads, dim=1) @ W_o.T

    return multi_head_attention


@mistake(
    Q,
    caught_by="one_head_is_attention",
    cause="An output layer with weights of its own stands in for W_o.",
    hint="All weights are arguments of the function: nothing new is drawn inside.",
)
def makes_an_output_layer_of_its_own():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return nn.Linear(*W_o.shape, bias=False, dtype=X.dtype)(torch.cat(heads, dim=1))

    return multi_head_attention


@mistake(
    Q,
    caught_by="heads_stand_side_by_side_in_order",
    cause="The heads are put side by side in the reverse order.",
    hint="The first D_v rows of W_o belong to the first head. Which head meets them in yours?",
)
def puts_the_last_head_first():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        Y = torch.empty(len(X), 0, dtype=X.dtype)
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            Y = torch.cat([attention(X @ q, X @ k, X @ v)[0], Y], dim=1)
        return Y @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="heads_stand_side_by_side_in_order",
    cause="The features of the heads alternate instead of standing head by head.",
    hint="Write down the D_v features of two heads as letters: in which order do they stand in a row of yours?",
    source="https://github.com/arogozhnikov/einops/issues/384",
)
def interleaves_the_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.stack(heads, dim=2).reshape(len(X), -1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="A stack of heads is reshaped without bringing the tokens to the front, which mixes tokens.",
    hint="A row of the result must belong to one token. Which axis comes first in your stack?",
    source="https://github.com/jsbaan/transformer-from-scratch/issues/6",
)
def reshapes_the_stack_of_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.stack(heads).reshape(len(X), -1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="A fused projection is cut into heads by a view that takes other tokens' numbers.",
    hint="A row of X times all matrices holds all heads of one token. Does each head of yours keep its own tokens?",
    source="https://github.com/reczoo/FuxiCTR/issues/30",
)
def cuts_heads_across_tokens():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        H, N = len(W_q), len(X)
        q, k, v = ((X @ torch.cat(list(W), dim=1)).reshape(H, N, -1) for W in (W_q, W_k, W_v))
        heads = [attention(q[h], k[h], v[h])[0] for h in range(H)]
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="All heads use the matrices of the first.",
    hint="Heads differ because each has matrices of its own. Which ones does the second head of yours use?",
    source="https://github.com/MarcoMeter/episodic-transformer-memory-ppo/issues/22",
)
def gives_all_heads_the_first_matrices():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ W_q[0], X @ W_k[0], X @ W_v[0])[0] for _ in W_q]
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="one_head_is_attention",
    cause="Keys are made with the matrices of the queries.",
    hint="Asking and being asked are different roles, each with its own matrix. Which one makes your keys?",
    source="https://github.com/KyanChen/MakeMultiHeadNaive/issues/2",
)
def makes_keys_with_the_query_matrices():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ q, X @ v)[0] for q, v in zip(W_q, W_v, strict=True)]
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="one_head_is_attention",
    cause="Queries and keys have changed roles.",
    hint="alpha[n, i] is the weight that query n gives to key i. Which matrix makes the token that asks?",
)
def exchanges_queries_and_keys():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ k, X @ q, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="one_head_is_attention",
    cause="The scores are scaled by the root of the token's width instead of the head's.",
    hint="Which numbers are summed up in one score of one head? Their count is what belongs under the root.",
    source="https://github.com/karpathy/ng-video-lecture/issues/6",
)
def scales_by_the_width_of_a_token():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = []
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            scores = (X @ q) @ (X @ k).T / math.sqrt(X.shape[1])
            heads.append(torch.softmax(scores, dim=1) @ (X @ v))
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="The width of a head is taken to be D / H, whatever the matrices say.",
    hint="The matrices decide how wide a head is. Where does your scale take its width from?",
)
def scales_by_a_share_of_the_width():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        width = X.shape[1] / len(W_q)
        heads = []
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            scores = (X @ q) @ (X @ k).T / math.sqrt(width)
            heads.append(torch.softmax(scores, dim=1) @ (X @ v))
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="Room is made for heads as wide as their keys.",
    hint="A head returns an average of values. How wide is that?",
)
def makes_heads_as_wide_as_their_keys():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        D_k = W_k[0].shape[1]
        heads = torch.zeros(len(X), len(W_q) * D_k, dtype=X.dtype)
        for h, (q, k, v) in enumerate(zip(W_q, W_k, W_v, strict=True)):
            heads[:, h * D_k : (h + 1) * D_k] = attention(X @ q, X @ k, X @ v)[0]
        return heads @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="heads_stand_side_by_side_in_order",
    cause="The heads are averaged instead of put side by side.",
    hint="H heads of width D_v meet a W_o of H*D_v rows. How wide is what you multiply with it?",
)
def averages_the_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        mean = torch.stack(heads).mean(0)
        return mean.repeat(1, len(heads)) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The softmax runs over the heads.",
    hint="Say for one query of one head what it shares out: its weights over the keys sum to 1.",
    source="https://github.com/FudanNLP/fastNLP/issues/254",
)
def normalises_over_the_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        q, k, v = (torch.stack([X @ w for w in W]) for W in (W_q, W_k, W_v))
        alpha = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=0)
        return torch.cat(list(alpha @ v), dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="Each head works on what the head before it returned.",
    hint="Heads look at the same tokens side by side. What does the second head of yours look at?",
)
def runs_the_heads_one_after_another():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads, seen = [], X
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            head, _ = attention(seen @ q, seen @ k, seen @ v)
            heads.append(head)
            seen = X + head.mean(dim=1, keepdim=True)
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="one_head_is_attention",
    cause="The tokens are added to the result, which is the layer's task.",
    hint="The residual connection comes with the transformer layer; Algorithm 12.2 ends with W_o.",
)
def adds_the_tokens():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return X + torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="a_new_order_of_the_tokens_reorders_the_result",
    cause="Later tokens are masked, as a language model would do.",
    hint="Which tokens may a token look at in Algorithm 12.2? Nothing there knows which one comes first.",
)
def hides_later_tokens():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        later = torch.ones(len(X), len(X)).triu(1).bool()
        heads = []
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            scores = (X @ q) @ (X @ k).T / math.sqrt(k.shape[1])
            heads.append(torch.softmax(scores.masked_fill(later, float("-inf")), dim=1) @ (X @ v))
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention
