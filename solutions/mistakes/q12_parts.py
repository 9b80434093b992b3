"""Wrong answers to q12: the parameters and how they start."""

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
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="The list holds the same layer L times, so all layers share one set of weights.",
    hint="Count the parameters. Do they grow when L does?",
    source="https://github.com/zalandoresearch/pytorch-vq-vae/issues/2",
)
def repeats_one_layer():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList([TransformerLayer(D, H, pre_norm=True)] * L)
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
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="A plain list hides the layers from the module: training never changes them.",
    hint="Which parameters does the model know of? A module only sees what it is told about.",
    source="https://github.com/maruya24/pytorch_robotics_transformer/issues/3",
)
def keeps_layers_in_a_plain_list():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = [TransformerLayer(D, H, pre_norm=True) for _ in range(L)]
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
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="r is a plain tensor: it is neither trained nor saved.",
    hint="Training should change r. What tells the module that r belongs to it?",
    source="https://github.com/henry9zhr/QANet-pytorch/issues/3",
)
def makes_r_a_plain_tensor():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = 0.02 * torch.randn(1, N + 1, D)
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="r is a buffer: it is saved, but never trained.",
    hint="r is learned. Is it among the numbers that the optimizer gets?",
)
def makes_r_a_buffer():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.register_buffer("r", 0.02 * torch.randn(1, N + 1, D))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="The class token requires no gradient.",
    hint="The class token is learned like everything else. May training change yours?",
)
def freezes_the_class_token():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D), requires_grad=False)
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="r has a row for each patch and none for the class token.",
    hint="How many tokens are there, the class token included?",
)
def forgets_the_class_token_in_r():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(patchify(images, self.P))
            first = self.class_token.expand(len(images), -1, -1)
            return torch.cat([first, patches + self.r], dim=1)

        def forward(self, images):
            X = self.tokens(images)
            for layer in self.layers:
                X = layer(X)
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="r has a single row, which every token gets.",
    hint="If all tokens get the same r, how can the model know where a patch was?",
    source="https://github.com/labmlai/annotated_deep_learning_paper_implementations/issues/133",
)
def shares_one_row_of_positions():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, 1, D))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="The class token has no axis for the batch and no axis for the tokens.",
    hint="Which shape does the contract give the class token?",
)
def gives_every_image_its_own_class_token():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(D))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="The head has no bias.",
    hint="Compare the parts with the list of attributes: none of them says anything about a missing bias.",
)
def leaves_the_bias_of_the_head_out():
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
            self.head = nn.Linear(D, n_classes, bias=False)

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
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="The patches are embedded by a convolution, whose weights have another shape.",
    hint="The contract names the kind and the size of patch_embed, and your own patchify as its input.",
)
def embeds_by_convolution():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Conv2d(1, D, P, stride=P)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, N + 1, D))
            self.layers = nn.ModuleList(TransformerLayer(D, H, pre_norm=True) for _ in range(L))
            self.final_norm = nn.LayerNorm(D)
            self.head = nn.Linear(D, n_classes)

        def tokens(self, images):
            patches = self.patch_embed(images[:, None]).flatten(2).mT
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
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="The number of positions is fixed at that of the default sizes.",
    hint="How many patches does an image of another size have, or one cut into larger patches?",
)
def fixes_seventeen_tokens():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(0.02 * torch.randn(1, 17, D))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="has_exactly_the_parameters_of_its_parts",
    cause="There is a LayerNorm that the contract does not name.",
    hint="Compare the state dict with the list of attributes, one by one.",
)
def adds_a_norm_of_its_own():
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
            self.head = nn.Sequential(nn.LayerNorm(D), nn.Linear(D, n_classes))

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
    caught_by="starts_with_a_class_token_of_zeros_and_small_random_positions",
    cause="r starts at 0: at first, no position differs from another.",
    hint="What should r be at first? The contract says how it is drawn.",
)
def starts_positions_at_zero():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(torch.zeros(1, N + 1, D))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="starts_with_a_class_token_of_zeros_and_small_random_positions",
    cause="r starts with standard deviation 1 and drowns the patches.",
    hint="How large are the embedded patches at first, and how large should r be beside them?",
)
def starts_positions_at_full_size():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter(torch.randn(1, N + 1, D))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="starts_with_a_class_token_of_zeros_and_small_random_positions",
    cause="The class token starts at random.",
    hint="The contract says what the class token is at first.",
)
def starts_the_class_token_at_random():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.randn(1, 1, D))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="starts_with_a_class_token_of_zeros_and_small_random_positions",
    cause="One random row is repeated for all positions.",
    hint="r must tell positions apart. Do any two rows of yours differ?",
)
def starts_all_positions_alike():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=4, L=2, n_classes=10):
            super().__init__()
            N = (S // P) ** 2
            self.P = P
            self.patch_embed = nn.Linear(P * P, D)
            self.class_token = nn.Parameter(torch.zeros(1, 1, D))
            self.r = nn.Parameter((0.02 * torch.randn(1, 1, D)).repeat(1, N + 1, 1))
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="the_default_sizes_are_those_of_the_signature",
    cause="The default number of heads is that of other models.",
    hint="Compare your constructor's defaults, one by one, with the signature. Which one changes no parameter's size?",
)
def defaults_to_eight_heads():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, H=8, L=2, n_classes=10):
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT


@mistake(
    Q,
    caught_by="the_default_sizes_are_those_of_the_signature",
    cause="H and L have changed places among the arguments.",
    hint="Compare the order of your constructor's arguments with the signature.",
)
def takes_layers_before_heads():
    class TinyViT(nn.Module):
        def __init__(self, P=2, S=8, D=32, L=2, H=4, n_classes=10):
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
            return self.head(self.final_norm(X[:, 0]))

    return TinyViT
