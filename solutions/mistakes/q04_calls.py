"""Wrong answers to q04: the algorithm is right, the call is not."""

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
    caught_by="equals_pytorch",
    cause="Matrices are taken out of the caller's lists, which are empty afterwards.",
    hint="The lists still belong to the caller after the call. Which of your steps shortens them?",
)
def empties_the_callers_lists():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = []
        while W_q:
            heads.append(attention(X @ W_q.pop(0), X @ W_k.pop(0), X @ W_v.pop(0))[0])
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The caller's matrices are scaled in place.",
    hint="Weights are shared with whoever called. What are they after your call, and after a second one?",
    source="https://github.com/pytorch/pytorch/issues/73249",
)
def scales_the_callers_matrices():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = []
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            q /= math.sqrt(q.shape[1])
            alpha = torch.softmax((X @ q) @ (X @ k).T, dim=1)
            heads.append(alpha @ (X @ v))
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_the_formula",
    cause="Heads are written into a buffer of the default dtype, so float64 comes back as float32.",
    hint="Which dtype does a tensor have that you create yourself, and which should it have?",
    source="https://github.com/awslabs/gluonts/pull/3307",
)
def fills_a_buffer_of_the_default_dtype():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        D_v = W_v[0].shape[1]
        heads = torch.zeros(len(X), len(W_q) * D_v)
        for h, (q, k, v) in enumerate(zip(W_q, W_k, W_v, strict=True)):
            heads[:, h * D_v : (h + 1) * D_v] = attention(X @ q, X @ k, X @ v)[0]
        return heads @ W_o.float()

    return multi_head_attention


@mistake(
    Q,
    caught_by="a_strided_view_gives_what_its_copy_gives",
    cause="Tokens are seen through view, which only works while X is contiguous.",
    hint="A transposed or sliced tensor cannot always be seen in another shape without a copy.",
    source="https://github.com/lonePatient/BERT-NER-Pytorch/issues/34",
)
def views_the_tokens():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        x = X.view(-1).view(1, *X.shape)
        q, k, v = (x @ torch.stack(list(W)) for W in (W_q, W_k, W_v))  # each H x N x ...
        alpha = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)
        return torch.cat(list(alpha @ v), dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="one_token_and_one_feature_keep_their_axes",
    cause="squeeze() also drops the axis of a lone token or feature.",
    hint="Count the axes of a head's result for one token, and for one feature.",
)
def squeezes_the_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ q, X @ k, X @ v)[0].squeeze() for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.cat(heads, dim=-1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="huge_scores_give_the_limit",
    cause="exp is taken of the scores as they are and overflows.",
    hint="exp(89) no longer fits float32. What can be subtracted from a row of scores without changing its weights?",
    source="https://github.com/kyegomez/AttentionIsOFFByOne/issues/2",
)
def exponentiates_without_a_maximum():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = []
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            powers = torch.exp((X @ q) @ (X @ k).T / math.sqrt(k.shape[1]))
            heads.append(powers / powers.sum(dim=1, keepdim=True) @ (X @ v))
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="gradients_equal_the_formula",
    cause="The matrices are wrapped in new Parameters, so that the caller's own get no gradient.",
    hint="The weights that should learn are the ones that came in. Which tensors does your result depend on?",
)
def wraps_the_matrices_in_parameters():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        W_q, W_k, W_v = ([nn.Parameter(w) for w in W] for W in (W_q, W_k, W_v))
        heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="gradients_equal_the_formula",
    cause="The heads are computed under no_grad: only W_o gets a gradient.",
    hint="Every matrix of every head is learned. Can a gradient travel back through the heads?",
)
def computes_the_heads_without_gradients():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        with torch.no_grad():
            heads = [attention(X @ q, X @ k, X @ v)[0] for q, k, v in zip(W_q, W_k, W_v, strict=True)]
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="each_call_stands_alone",
    cause="The matrices of the first call are put together once and used for ever.",
    hint="A second call brings other matrices of the same shapes. Which ones does your function use then?",
    source="https://github.com/lucidrains/rotary-embedding-torch/issues/11",
)
def remembers_the_first_matrices():
    fused = {}

    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        key = X.dtype, W_q[0].shape, W_v[0].shape, len(W_q)
        if key not in fused:
            fused[key] = [torch.stack(list(W)).detach() for W in (W_q, W_k, W_v)]
        q, k, v = (X @ W for W in fused[key])  # each H x N x ...
        alpha = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)
        return torch.cat(list(alpha @ v), dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="each_call_stands_alone",
    cause="A list of heads outside the function grows from call to call.",
    hint="Call the function twice: how many heads does the second call put side by side?",
)
def collects_heads_outside_the_function():
    heads = []

    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        for q, k, v in zip(W_q, W_k, W_v, strict=True):
            heads.append(attention(X @ q, X @ k, X @ v)[0])
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention


@mistake(
    Q,
    caught_by="equals_pytorch",
    cause="The number of heads is fixed.",
    hint="How many heads there are follows from the lists. Where does your number come from?",
)
def always_uses_two_heads():
    def multi_head_attention(X, W_q, W_k, W_v, W_o):
        heads = [attention(X @ W_q[h], X @ W_k[h], X @ W_v[h])[0] for h in range(2)]
        return torch.cat(heads, dim=1) @ W_o

    return multi_head_attention
