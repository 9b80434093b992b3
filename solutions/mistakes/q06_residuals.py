"""Wrong answers to q06: what goes around the two parts."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
from torch import nn

from solutions.mistakes import mistake
from solutions.term import PRE_NORM

Q = "q06_transformer_layer"


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="The residual connection of pre-norm starts at the normed tokens.",
    hint="A residual connection carries the tokens around a part untouched. What does yours carry past the attention?",
    source="https://github.com/pytorch/pytorch/issues/61165",
)
def adds_the_normed_tokens():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = normed + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="The second residual connection of pre-norm starts behind the norm.",
    hint="What stands beside the MLP's result in the last sum: the middle Z itself, or its normed copy?",
    source="https://github.com/Howuhh/faster-trajectory-transformer/issues/3",
)
def adds_the_normed_middle():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                Z = self.norm2(Z)
                return Z + self.mlp(Z)
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="post_norm_equals_pytorch",
    cause="The second residual connection starts at the input X instead of Z.",
    hint="Each residual connection spans one part. Where does the one around the MLP begin?",
    source="https://github.com/SHI-Labs/Compact-Transformers/issues/25",
)
def adds_the_input_twice():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return X + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(X + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="There are no residual connections.",
    hint="What reaches the output if both parts return 0? It should be the tokens.",
)
def goes_around_neither_part():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = self.attn(normed, normed, normed)[0]
                return self.mlp(self.norm2(Z))
            Z = self.norm1(self.attn(X, X, X)[0])
            return self.norm2(self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="post_norm_equals_pytorch",
    cause="The MLP has no residual connection.",
    hint="There are two parts, and a way around each of them.",
)
def goes_around_the_attention_alone():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="norm2 is made but not used.",
    hint="Each of the two parts has a norm of its own. Follow the values from the attention to the MLP.",
    source="https://github.com/agentdr1/LA_MIL/issues/3",
)
def forgets_the_second_norm():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(Z)
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return Z + self.mlp(Z)

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="The output of pre-norm is normed once more.",
    hint="The last step of pre-norm is a sum. A final norm belongs behind the whole stack, not into each layer.",
)
def norms_twice():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return self.norm2(Z + self.mlp(self.norm2(Z)))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="Attention returns a pair, and the whole pair is added.",
    hint="PyTorch's attention returns two things, as yours does. Which of them goes on?",
)
def adds_the_pair():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X))
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="gradients_equal_pytorch",
    cause="The residual connection carries detached values: the short way back is cut.",
    hint="Residual connections are there for the gradient's sake. Which way does it take through yours?",
)
def detaches_the_residual():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X.detach() + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X.detach() + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="The MLP reads X instead of what the attention has made of it, as in some large models.",
    hint="In eq. 12.21 the MLP comes after the attention. Which tokens does yours see?",
)
def runs_both_parts_side_by_side():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                return X + self.attn(normed, normed, normed)[0] + self.mlp(self.norm2(X))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="post_norm_equals_pytorch",
    cause="The second residual of post-norm starts from X instead of Z.",
    hint="Which tokens go around the MLP in eq. 12.21: those of the input, or what the first norm has made of them?",
)
def goes_back_to_the_input():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(X + self.mlp(Z))

    return TransformerLayer
