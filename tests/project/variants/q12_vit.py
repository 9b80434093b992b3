"""Right answers to q12."""

import torch
import torch.nn.functional as F
from torch import nn

from solutions.q06_transformer_layer import TransformerLayer
from solutions.q11_patchify import patchify


def repeats_the_class_token():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            self.patch_size = P
            self.patch_embed = nn.Linear(P**2, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(torch.empty(1, (S // P) ** 2 + 1, D).normal_(std=0.02))
            self.layers = nn.ModuleList([TransformerLayer(D, H, pre_norm=True) for _ in range(L)])
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            B = images.shape[0]
            x = self.patch_embed(patchify(images, self.patch_size))
            return torch.cat((self.class_token.repeat(B, 1, 1), x), dim=1) + self.r

        def forward(self, images):
            x = self.tokens(images)
            for layer in self.layers:
                x = layer(x)
            x = self.final_norm(x)
            return self.head(x[:, 0, :])

    return TinyViT


def truncates_the_normal_distribution():
    class TinyViT(nn.Module):
        def __init__(self, P: int = 2, S: int = 8, D: int = 32, H: int = 4, L: int = 2, n_classes: int = 10) -> None:
            super().__init__()
            self.P, self.N = P, (S // P) * (S // P)
            self.head = nn.Linear(D, n_classes)
            self.final_norm = nn.LayerNorm(D)
            self.layers = nn.ModuleList()
            for _ in range(L):
                self.layers.append(TransformerLayer(D, H, pre_norm=True))
            self.r = nn.Parameter(torch.zeros(1, self.N + 1, D))
            nn.init.trunc_normal_(self.r, std=0.02)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.patch_embed = nn.Linear(P * P, D)

        def tokens(self, images: torch.Tensor) -> torch.Tensor:
            patches = self.patch_embed(patchify(images, self.P)) + self.r[:, 1:]
            first = (self.class_token + self.r[:, :1]).expand(patches.shape[0], 1, -1)
            return torch.cat([first, patches], 1)

        def forward(self, images: torch.Tensor) -> torch.Tensor:
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X)[:, 0])

    return TinyViT


def runs_the_layers_as_a_sequence():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(torch.rand(1, (S // P) ** 2 + 1, D) * 0.1 - 0.05)
            self.layers = nn.Sequential(*(TransformerLayer(D, H, pre_norm=True) for _ in range(L)))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            x = self.patch_embed(patchify(images, self.P))
            return torch.cat([self.class_token.expand(x.size(0), -1, -1), x], dim=1) + self.r

        def forward(self, images):
            return self.head(self.final_norm(self.layers(self.tokens(images))[:, 0]))

    return TinyViT


def fills_the_tokens_in():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            self.sizes = {"P": P, "S": S, "D": D, "H": H, "L": L}
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(torch.normal(0.0, 0.02, (1, (S // P) ** 2 + 1, D)))
            self.layers = nn.ModuleList([TransformerLayer(D, H, pre_norm=True) for _ in range(L)])
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            embedded = F.linear(patchify(images, self.sizes["P"]), self.patch_embed.weight, self.patch_embed.bias)
            X = self.r.repeat(len(images), 1, 1)
            return torch.cat([X[:, :1] + self.class_token, X[:, 1:] + embedded], dim=1)

        def forward(self, images):
            X = self.tokens(images)
            for i in range(self.sizes["L"]):
                X = self.layers[i](X)
            first = X.select(1, 0)
            return self.head(self.final_norm(first))

    return TinyViT


def builds_on_a_class_of_its_own():
    class Embedding(nn.Module):
        def __init__(self, P, S, D):
            super().__init__()
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, (S // P) ** 2 + 1, D))

        def tokens(self, images):
            X = nn.functional.pad(self.patch_embed(patchify(images, self.P)), (0, 0, 1, 0))
            is_first = (torch.arange(X.shape[1]) == 0)[:, None]
            return torch.where(is_first, self.class_token, X) + self.r

    class TinyViT(Embedding):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__(P, S, D)
            layers = {f"{i}": TransformerLayer(D, H, pre_norm=True) for i in range(L)}
            self.layers = nn.ModuleList(layers.values())
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


def reads_all_tokens_and_keeps_the_first():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.register_parameter("class_token", nn.Parameter(torch.zeros(1, 1, D)))
            self.register_parameter("r", nn.Parameter(torch.randn(1, (S // P) ** 2 + 1, D) * 0.02))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = patchify(images, self.P)
            X = self.r.expand(len(patches), -1, -1).clone()
            X[:, 1:] += self.patch_embed(patches)
            X[:, :1] += self.class_token
            return X

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X))[:, 0]

    return TinyViT


def embeds_one_image_at_a_time():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, (S // P) ** 2 + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            embedded = [torch.vstack([self.class_token[0], self.patch_embed(x)]) for x in patchify(images, self.P)]
            return torch.stack(embedded) + self.r

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            class_token, _ = X.split([1, X.shape[1] - 1], dim=1)
            return self.head(self.final_norm(class_token)).squeeze(1)

    return TinyViT
