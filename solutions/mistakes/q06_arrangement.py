"""Wrong answers to q06: which arrangement it is and what is normed."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch.nn.functional as F
from torch import nn

from solutions.mistakes import mistake
from solutions.term import PRE_NORM

Q = "q06_transformer_layer"


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="pre_norm=True gives the post-norm layer, and the other way round.",
    hint="One arrangement ends with a norm, the other with a sum. Which of them is called pre-norm?",
    source="https://github.com/harvardnlp/annotated-transformer/issues/13",
)
def exchanges_the_arrangements():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if not self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="the_default_arrangement_is_that_of_the_signature",
    cause="The argument pre_norm is ignored.",
    hint="Two arrangements are asked for. Where does forward find out which?",
)
def always_norms_first():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            normed = self.norm1(X)
            Z = X + self.attn(normed, normed, normed)[0]
            return Z + self.mlp(self.norm2(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="the_default_arrangement_is_that_of_the_signature",
    cause="Post-norm is the default, as in PyTorch." if PRE_NORM else "Pre-norm is the default.",
    hint="Compare your constructor's default with the signature you were given.",
)
def defaults_to_the_other_arrangement():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=not PRE_NORM):
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
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="norm2 serves the attention and norm1 the MLP, which shows once they have been trained.",
    hint="norm1 belongs to the attention. A fresh LayerNorm is like any other, a trained one is not.",
)
def exchanges_the_norms():
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
                normed = self.norm2(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm1(Z))
            Z = self.norm2(X + self.attn(X, X, X)[0])
            return self.norm1(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="Only the queries are normed, keys and values are raw.",
    hint="Attention of pre-norm sees normed tokens and nothing else, in all three roles.",
    source="https://github.com/facebookresearch/xformers/issues/233",
)
def norms_the_queries_alone():
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
                Z = X + self.attn(normed, X, X)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="The values are the raw tokens.",
    hint="Attention of pre-norm sees normed tokens and nothing else, in all three roles.",
)
def norms_all_but_the_values():
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
                Z = X + self.attn(normed, normed, X)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="post_norm_equals_pytorch",
    cause="The norm is taken of a part's result before the sum.",
    hint="In eq. 12.20 the norm stands around the whole sum, the residual included.",
    source="https://github.com/harvardnlp/annotated-transformer/issues/110",
)
def norms_the_parts_alone():
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
            Z = X + self.norm1(self.attn(X, X, X)[0])
            return Z + self.norm2(self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="post_norm_equals_pytorch",
    cause="The norm is computed without the LayerNorms' own weights and biases.",
    hint="A LayerNorm has a weight and a bias for each feature, 1 and 0 at first. Where do they come in once trained?",
    source="https://github.com/meta-pytorch/torchtune/issues/11",
)
def norms_without_weights():
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
                normed = F.layer_norm(X, X.shape[-1:])
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(F.layer_norm(Z, Z.shape[-1:]))
            Z = F.layer_norm(X + self.attn(X, X, X)[0], X.shape[-1:])
            return F.layer_norm(Z + self.mlp(Z), Z.shape[-1:])

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="norm1 stands in both places and norm2 in none.",
    hint="Each part has a norm of its own. Where is norm2 called?",
)
def norms_both_with_the_first():
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
                return Z + self.mlp(self.norm1(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm1(Z + self.mlp(Z))

    return TransformerLayer
