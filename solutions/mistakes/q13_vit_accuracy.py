"""Wrong answers to q12 that q13, the training, must see."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch
from torch import nn

from solutions.mistakes import mistake
from solutions.q06_transformer_layer import TransformerLayer
from solutions.q11_patchify import patchify

Q = "q13_vit_accuracy"


@mistake(
    Q,
    caught_by="recognises_digits_it_has_not_seen",
    cause="r is never added: the model sees a bag of patches.",
    hint="What do two digits with the same strokes in other places look like to the model?",
)
def trains_without_positions():
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
            return torch.cat([first, patches], dim=1)

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="recognises_digits_it_has_not_seen",
    cause="Every patch gets the same row of r.",
    hint="Can the model tell where a patch was? Look at what distinguishes two equal patches.",
    source="https://github.com/labmlai/annotated_deep_learning_paper_implementations/issues/133",
)
def adds_the_same_position_everywhere():
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
            return torch.cat([first, patches], dim=1) + self.r[:, :1]

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="recognises_digits_it_has_not_seen",
    cause="Only the first row of patches becomes tokens.",
    hint="Which part of the image do your tokens cover?",
)
def looks_at_one_row_only():
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
            return torch.cat([first, patches[:, :4]], dim=1) + self.r[:, :5]

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="a_brief_training_beats_chance",
    cause="The logits are read from the class token before the layers, which no image has reached.",
    hint="What can the class token know about the image before the first layer?",
)
def reads_a_token_that_sees_nothing():
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
            for layer in self.layers[:0]:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="a_brief_training_beats_chance",
    cause="forward runs without a graph, so that training has nothing to follow.",
    hint="What has to lead from the loss back to the parameters?",
)
def trains_no_parameter():
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
    caught_by="a_brief_training_beats_chance",
    cause="Every image gets the logits of the batch's average.",
    hint="Do two images of a batch get different logits?",
)
def mixes_the_images_of_a_batch():
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
            return self.head(self.final_norm(X[:, 0])).mean(dim=0).expand(len(images), -1)

    return TinyViT
