"""Wrong answers to q12: from images to tokens."""

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
    caught_by="the_class_token_comes_first",
    cause="The class token stands behind the patches.",
    hint="In which order does eq. 1 list the tokens?",
)
def puts_the_class_token_last():
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
            return torch.cat([patches, first], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, -1]))

    return TinyViT


@mistake(
    Q,
    caught_by="the_class_token_comes_first",
    cause="The class token gets no row of r.",
    hint="r has N + 1 rows. Which token gets the first one?",
)
def adds_positions_to_patches_alone():
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
            return torch.cat([first, patches + self.r[:, 1:]], dim=1)

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="tokens_are_embedded_patches_plus_positions",
    cause="The class token gets the last row of r and the patches the first ones.",
    hint="Row 0 of r belongs to token 0. Which token is that?",
)
def adds_the_wrong_rows_of_r():
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
            return torch.cat([first, patches], dim=1) + self.r.roll(-1, dims=1)

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="the_order_of_the_patches_matters",
    cause="r is never added.",
    hint="Exchange two patches: what changes, if the tokens do not know where they come from?",
    source="https://github.com/labmlai/annotated_deep_learning_paper_implementations/issues/133",
)
def forgets_the_positions():
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
    caught_by="the_order_of_the_patches_matters",
    cause="Every token gets the first row of r.",
    hint="Every position has a row of its own. Which one does the third patch get?",
)
def adds_one_row_to_all_tokens():
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
    caught_by="the_class_token_comes_first",
    cause="The tokens are multiplied by r.",
    hint="How do positions enter eq. 1?",
)
def multiplies_by_the_positions():
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
            return torch.cat([first, patches], dim=1) * self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="tokens_are_embedded_patches_plus_positions",
    cause="The image is reshaped into rows of P^2 pixels, which are no patches.",
    hint="Which pixels does the second token see? Draw them into the image.",
    source="https://github.com/duoan/TorchCode/issues/21",
)
def cuts_rows_instead_of_patches():
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
            patches = self.patch_embed(images.reshape(len(images), -1, self.P**2))
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
    caught_by="tokens_are_embedded_patches_plus_positions",
    cause="The size of a patch is fixed at 2.",
    hint="The size of a patch is an argument. Which one does tokens use?",
)
def cuts_patches_of_two():
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
            patches = self.patch_embed(patchify(images, 2))
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
    caught_by="tokens_are_embedded_patches_plus_positions",
    cause="final_norm is applied to the tokens already.",
    hint="When is final_norm's turn, according to eq. 4?",
)
def norms_the_tokens():
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
            return self.final_norm(torch.cat([first, patches], dim=1) + self.r)

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="tokens_are_embedded_patches_plus_positions",
    cause="A ReLU follows the embedding of the patches.",
    hint="The embedding of a patch is linear in eq. 1. Is yours?",
)
def bends_the_embedding():
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
            patches = self.patch_embed(patchify(images, self.P)).relu()
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
    caught_by="the_class_token_comes_first",
    cause="The class token joins the patches in forward only, so that tokens lacks it.",
    hint="What does the contract say tokens returns, and how many are there?",
)
def returns_the_patches_only():
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
            return torch.cat([first, patches], dim=1)[:, 1:] + self.r[:, 1:]

        def forward(self, images):
            first = self.class_token + self.r[:, :1]
            X = torch.cat([first.expand(len(images), -1, -1), self.tokens(images)], dim=1)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="an_image_does_not_see_its_batch",
    cause="Brightness is centred with the mean of the whole batch.",
    hint="Show the model one image alone: may its tokens depend on the images beside it?",
)
def sums_over_the_batch():
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
            patches = self.patch_embed(patchify(images - images.mean(), self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches], dim=1) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT
