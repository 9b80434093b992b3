"""Wrong answers to q06: what it is made of."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
from torch import nn

from solutions.mistakes import mistake
from solutions.term import PRE_NORM

Q = "q06_transformer_layer"


@mistake(
    Q,
    caught_by="post_norm_equals_pytorch",
    cause="One LayerNorm serves both places.",
    hint="Two places, two norms: after training they should be able to differ.",
)
def shares_one_norm():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = self.norm1
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
    cause="The number of heads is not passed on.",
    hint="Two arguments decide about the attention. Where does H go?",
)
def uses_a_single_head():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, 1, batch_first=True)
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
    cause="The MLP uses GELU, as GPT-2 does.",
    hint="Which nonlinearity does the docstring name?",
)
def smooths_the_relu():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.GELU(), nn.Linear(4 * D, D))

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
    cause="Nothing stands between the two linear maps, which makes them one.",
    hint="Two linear maps in a row are one linear map. What stands between them?",
)
def forgets_the_relu():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.Identity(), nn.Linear(4 * D, D))

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
    caught_by="has_the_parts_of_the_contract",
    cause="The MLP is twice instead of four times as wide as a token.",
    hint="How wide is the middle of the MLP, in multiples of D?",
)
def makes_the_mlp_too_narrow():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 2 * D), nn.ReLU(), nn.Linear(2 * D, D))

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
    caught_by="gpt2_smalls_layer_has_7087872_parameters",
    cause="The attention has no biases.",
    hint="Count the parameters of the attention: four matrices, and what else by default?",
)
def leaves_the_biases_out():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, bias=False, batch_first=True)
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
    caught_by="has_the_parts_of_the_contract",
    cause="Queries, keys and values are projected before an attention that projects them again.",
    hint="PyTorch's attention holds the matrices W_q, W_k and W_v itself. Does it need others?",
    source="https://github.com/bcaitech1/p4-dkt-no_caffeine_no_gain/issues/75",
)
def adds_projections_of_its_own():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.W_q, self.W_k, self.W_v = (nn.Linear(D, D) for _ in range(3))
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(self.W_q(normed), self.W_k(normed), self.W_v(normed))[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(self.W_q(X), self.W_k(X), self.W_v(X))[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="has_the_parts_of_the_contract",
    cause="The MLP's parts stand in a Python list, where PyTorch does not see them.",
    hint="Which parameters does an optimizer find in your layer? Ask it for their names.",
    source="https://github.com/maruya24/pytorch_robotics_transformer/issues/3",
)
def keeps_the_mlp_in_a_list():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = [nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D)]

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                out = self.norm2(Z)
                for part in self.mlp:
                    out = part(out)
                return Z + out
            Z = self.norm1(X + self.attn(X, X, X)[0])
            out = Z
            for part in self.mlp:
                out = part(out)
            return self.norm2(Z + out)

    return TransformerLayer


@mistake(
    Q,
    caught_by="has_the_parts_of_the_contract",
    cause="BatchNorm norms each feature over tokens and sequences.",
    hint="Over which numbers are mean and variance taken: those of one token, or those of one feature?",
    source="https://github.com/Kyubyong/transformer/issues/40",
)
def uses_batch_statistics():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.BatchNorm1d(D)
            self.norm2 = nn.BatchNorm1d(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X.mT).mT
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm2(Z.mT).mT)
            Z = self.norm1((X + self.attn(X, X, X)[0]).mT).mT
            return self.norm2((Z + self.mlp(Z)).mT).mT

    return TransformerLayer


@mistake(
    Q,
    caught_by="tokens_of_small_variance_are_normed_as_in_pytorch",
    cause="The LayerNorms have another eps than PyTorch's default.",
    hint="The docstring asks for default settings. What do you pass to the norms besides their width?",
    source="https://github.com/tracel-ai/burn/issues/2185",
)
def divides_by_another_epsilon():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D, eps=1e-12)
            self.norm2 = nn.LayerNorm(D, eps=1e-12)
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
    caught_by="large_numbers_pass_the_relu_as_they_are",
    cause="ReLU6 stands in for ReLU and cuts what is larger than 6.",
    hint="What does the function between the two Linears make of 3, and what of 300?",
)
def clips_the_relu():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU6(), nn.Linear(4 * D, D))

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
    cause="A second ReLU stands at the end of the MLP.",
    hint="The MLP ends in a Linear. Can yours take anything away from a feature?",
)
def ends_in_a_relu():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D), nn.ReLU())

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
    caught_by="tokens_of_small_variance_are_normed_as_in_pytorch",
    cause="The LayerNorms have an eps of 1e-6, as in many vision transformers, where PyTorch's default is 1e-5.",
    hint="The docstring asks for default settings. What do you pass to the norms besides their width?",
)
def divides_by_the_epsilon_of_vision_transformers():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D, eps=1e-6)
            self.norm2 = nn.LayerNorm(D, eps=1e-6)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer
