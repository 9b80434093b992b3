"""Wrong answers to q12: from tokens to logits, and back."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch
from torch import nn

from solutions.mistakes import mistake
from solutions.q06_transformer_layer import TransformerLayer
from solutions.q11_patchify import patchify

Q = "q12_vit"


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The logits are read from the average of all tokens.",
    hint="Which token gathers the answer in eq. 4?",
    source="https://github.com/lucidrains/vit-pytorch/issues/226",
)
def averages_all_tokens():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X.mean(dim=1)))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The logits are read from the last patch.",
    hint="Which token gathers the answer, and where does it stand?",
)
def reads_the_last_token():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, -1]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="final_norm exists, but no token passes it.",
    hint="Follow the class token from the last layer to the head: what stands between them in eq. 4?",
    source="https://github.com/agentdr1/LA_MIL/issues/3",
)
def leaves_final_norm_out():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(X[:, 0])

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="Only the first layer is used.",
    hint="How many of the L layers does a token pass?",
)
def runs_the_first_layer_only():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            X = self.layers[0](X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The first layer takes every layer's turn.",
    hint="Which weights does the second round use? Random weights tell them apart, fresh ones also.",
)
def runs_the_first_layer_every_time():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for _ in self.layers:
                X = self.layers[0](X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The last layer comes first.",
    hint="In which order do the layers of eq. 2 and 3 have their turn?",
)
def runs_the_layers_backwards():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in reversed(self.layers):
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="Every layer gets the first tokens, so that only the last one counts.",
    hint="What does the second layer get: the tokens, or what the first layer made of them?",
)
def feeds_every_layer_the_tokens():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                Y = layer(X)
            return self.head(self.final_norm(Y[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The layer's input is added to its output once more.",
    hint="Residual connections belong to the layer. Is there one outside, too?",
)
def adds_another_residual():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = X + layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The layers are post-norm.",
    hint="Which of the two arrangements of q06 does the contract name here?",
)
def takes_post_norm_layers():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=False) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The layers have another number of heads than asked for.",
    hint="The number of heads is an argument. Whom do you tell?",
)
def fixes_one_head():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, 1, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="A softmax turns the logits into probabilities; the loss takes another one.",
    hint="The contract asks for logits. Which step makes them positive and sum to 1?",
    source="https://github.com/ariecattan/SciCo/issues/2",
)
def returns_the_probabilities():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0])).softmax(dim=1)

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="Batch and tokens change places before the layers, so that images attend to each other.",
    hint="Show the model one image alone and then in a batch. Which axis does attention run over?",
    source="https://github.com/pytorch/tutorials/issues/1547",
)
def mixes_images_and_tokens():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            X = X.transpose(0, 1)
            for layer in self.layers:
                X = layer(X)
            X = X.transpose(0, 1)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="an_image_does_not_see_its_batch",
    cause="squeeze() drops the axis of a single image.",
    hint="One image is a batch of one. Which step removes axes without being asked which?",
)
def squeezes_a_single_image():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0])).squeeze()

    return TinyViT


@mistake(
    Q,
    caught_by="nothing_is_left_to_chance",
    cause="Dropout of a tenth is added to the tokens.",
    hint="The contract has no dropout. Do two calls with the same images agree?",
    source="https://github.com/karpathy/nanoGPT/issues/240",
)
def drops_out_in_training():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(nn.functional.dropout(X, 0.1, self.training))
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="nothing_is_left_to_chance",
    cause="Dropout is called as a function without being told about the mode, so that it never ends.",
    hint="Do two calls with the same images agree, in eval mode?",
    source="https://github.com/karpathy/nanoGPT/issues/240",
)
def drops_out_always():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(nn.functional.dropout(self.final_norm(X[:, 0]), 0.1))

    return TinyViT


@mistake(
    Q,
    caught_by="gradients_reach_every_parameter",
    cause="The tokens are detached: class token, positions and embedding never learn.",
    hint="Follow the gradient from the logits back to patch_embed. Where does it stop?",
)
def detaches_the_tokens():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images).detach()
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="gradients_reach_every_parameter",
    cause="r enters by its data, which carries no gradient.",
    hint="Does the gradient of the logits reach every parameter? Ask each one.",
)
def detaches_the_positions():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r.data

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="gradients_reach_every_parameter",
    cause="The class token is copied into a new tensor, which cuts its gradient.",
    hint="What becomes of a parameter that is copied number by number?",
)
def copies_the_class_token():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = torch.tensor(self.class_token.tolist()).expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="gradients_reach_every_parameter",
    cause="forward runs without a graph.",
    hint="The logits have to tell how they depend on every parameter. What prevents that?",
)
def never_builds_a_graph():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        @torch.no_grad()
        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="All tokens are normed and averaged before the head.",
    hint="Which token gathers the answer in eq. 4?",
)
def averages_normed_tokens():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X).mean(dim=1))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="r is added again in front of every layer.",
    hint="r enters once, in eq. 1. How often do your tokens meet it?",
)
def adds_positions_in_every_layer():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X + self.r)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="r is added in tokens and once more in forward.",
    hint="r enters once, in eq. 1. How often do your tokens meet it?",
)
def adds_positions_twice():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images) + self.r
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="logits_are_read_from_the_class_token",
    cause="The logits go through a log-softmax.",
    hint="The loss takes logits as the head gives them. What do yours sum to after exp?",
)
def returns_log_probabilities():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0])).log_softmax(dim=1)

    return TinyViT
