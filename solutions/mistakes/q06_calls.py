"""Wrong answers to q06: what a call may look at and leave behind."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch
import torch.nn.functional as F
from torch import nn

from solutions.mistakes import mistake
from solutions.term import PRE_NORM

Q = "q06_transformer_layer"


@mistake(
    Q,
    caught_by="sequences_of_a_batch_do_not_meet",
    cause="Attention takes the batch for the tokens.",
    hint="By default PyTorch's attention expects the tokens on the first axis. Which axis holds them here?",
    source="https://github.com/songyangco/GETNext/issues/2",
)
def takes_the_first_axis_for_tokens():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H)
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
    caught_by="a_new_order_of_the_tokens_reorders_the_result",
    cause="Later tokens are masked, as in a language model.",
    hint="Which tokens may a token look at here? Nothing in the layer knows which one comes first.",
)
def hides_later_tokens():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            later = torch.ones(X.shape[1], X.shape[1]).triu(1).bool()
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed, attn_mask=later)[0]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X, attn_mask=later)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="sequences_of_a_batch_do_not_meet",
    cause="All sequences are joined into one, so that their tokens attend to each other.",
    hint="Change one sequence of a batch: which outputs change, and which should?",
)
def joins_the_sequences():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            shape = X.shape
            X = X.reshape(1, -1, shape[-1])
            if self.pre_norm:
                normed = self.norm1(X)
                Z = X + self.attn(normed, normed, normed)[0]
                return (Z + self.mlp(self.norm2(Z))).reshape(shape)
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z)).reshape(shape)

    return TransformerLayer


@mistake(
    Q,
    caught_by="training_and_evaluation_agree",
    cause="The attention drops weights at random while training.",
    hint="This layer has no dropout: its output in train() and in eval() is the same.",
)
def leaves_dropout_on():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, dropout=0.1, batch_first=True)
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
    caught_by="training_and_evaluation_agree",
    cause="A dropout that forward calls itself is active even in eval().",
    hint="Run the layer twice on the same tokens. What differs, and where does the chance come from?",
    source="https://github.com/karpathy/nanoGPT/issues/240",
)
def drops_out_in_the_mlp():
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
                return Z + F.dropout(self.mlp(self.norm2(Z)), 0.1)
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + F.dropout(self.mlp(Z), 0.1))

    return TransformerLayer


@mistake(
    Q,
    caught_by="pre_norm_equals_pytorch",
    cause="The residual sum is written into the tokens of whoever called.",
    hint="The tokens still belong to the caller after the call. Which of your steps writes into them?",
    source="https://github.com/karpathy/nanoGPT/issues/72",
)
def adds_to_the_callers_tokens():
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
                X += self.attn(normed, normed, normed)[0]
                return X + self.mlp(self.norm2(X))
            X += self.attn(X, X, X)[0]
            Z = self.norm1(X)
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="gradients_equal_pytorch",
    cause="The attention runs under no_grad: it cannot learn.",
    hint="Every part of the layer is trained. Can a gradient travel back through each of them?",
)
def attends_without_gradients():
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
                with torch.no_grad():
                    attended = self.attn(normed, normed, normed)[0]
                Z = X + attended
                return Z + self.mlp(self.norm2(Z))
            with torch.no_grad():
                attended = self.attn(X, X, X)[0]
            Z = self.norm1(X + attended)
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="two_layers_share_nothing",
    cause="The MLP is made once for each width and shared by all layers.",
    hint="Train one of two layers. May the other one change?",
    source="https://github.com/linkedin/Liger-Kernel/issues/269",
)
def makes_one_mlp_for_all_layers():
    mlps = {}

    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            if D not in mlps:
                mlps[D] = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))
            self.mlp = mlps[D]

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
    caught_by="two_layers_share_nothing",
    cause="The arrangement is stored on the class, so that the last layer made decides for all.",
    hint="Make a pre-norm layer, then a post-norm one, and run the first again. Whose arrangement does it use?",
)
def keeps_the_arrangement_in_the_class():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            TransformerLayer.pre_norm = pre_norm
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
    caught_by="two_layers_share_nothing",
    cause="The attention of the first call is kept and used for later tokens.",
    hint="Send other tokens through the same layer. What does their output depend on?",
    source="https://github.com/lucidrains/rotary-embedding-torch/issues/11",
)
def remembers_the_first_attention():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm, self.attended = pre_norm, {}
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def forward(self, X):
            if self.pre_norm:
                normed = self.norm1(X)
                if X.shape not in self.attended:
                    self.attended[X.shape] = self.attn(normed, normed, normed)[0]
                Z = X + self.attended[X.shape]
                return Z + self.mlp(self.norm2(Z))
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


@mistake(
    Q,
    caught_by="a_strided_view_gives_what_its_copy_gives",
    cause="view needs X in order in memory and fails where it is not.",
    hint="The tokens may be a view of a larger tensor. Which of your steps needs them in order in memory?",
)
def views_the_tokens():
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
                normed = self.norm1(X.view(-1, X.shape[-1])).view(X.shape)
                Z = X + self.attn(normed, normed, normed)[0]
                return Z + self.mlp(self.norm2(Z))
            X = X.view(-1, X.shape[-1]).view(X.shape)
            Z = self.norm1(X + self.attn(X, X, X)[0])
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer
