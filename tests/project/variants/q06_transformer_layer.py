"""Right answers to q06."""

import torch
import torch.nn.functional as F
from torch import nn

from solutions.term import PRE_NORM


def asks_for_weights():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(embed_dim=D, num_heads=H, batch_first=True)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))
            self.norm1, self.norm2 = nn.LayerNorm(D), nn.LayerNorm(D)

        def forward(self, X):
            if not self.pre_norm:
                Y, _ = self.attn(X, X, X)
                Z = self.norm1(Y + X)
                return self.norm2(self.mlp(Z) + Z)
            x = self.norm1(X)
            Y, _ = self.attn(x, x, x, average_attn_weights=False)
            X = X + Y
            return X + self.mlp(self.norm2(X))

    return TransformerLayer


def puts_the_norms_into_variables():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, D * 4), nn.ReLU(inplace=True), nn.Linear(D * 4, D))
            self.before = pre_norm

        def forward(self, X):
            nothing = nn.Identity()
            in1, out1, in2, out2 = (
                (self.norm1, nothing, self.norm2, nothing)
                if self.before
                else (nothing, self.norm1, nothing, self.norm2)
            )
            x = in1(X)
            Z = out1(X + self.attn(x, x, x, need_weights=False)[0])
            return out2(Z + self.mlp(in2(Z)))

    return TransformerLayer


def splits_forward_into_methods():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.attn = nn.MultiheadAttention(D, H, batch_first=True, dropout=0.0)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))
            self.forward = self.pre if pre_norm else self.post

        def attend(self, X):
            return self.attn(X, X, X, need_weights=False)[0]

        def pre(self, X):
            Z = X + self.attend(self.norm1(X))
            return Z + self.mlp(self.norm2(Z))

        def post(self, X):
            Z = self.norm1(X + self.attend(X))
            return self.norm2(Z + self.mlp(Z))

    return TransformerLayer


def inherits_its_forward():
    class Parts(nn.Module):
        def __init__(self, D, H):
            super().__init__()
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm((D,))
            self.norm2 = nn.LayerNorm([D])
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

    class TransformerLayer(Parts):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__(D, H)
            self.pre_norm = pre_norm

        def forward(self, X):
            for norm, part in ((self.norm1, self.attend), (self.norm2, self.mlp)):
                X = X + part(norm(X)) if self.pre_norm else norm(X + part(X))
            return X

        def attend(self, X):
            return self.attn(X, X, X)[0]

    return TransformerLayer


def norms_by_function():
    class TransformerLayer(nn.Module):
        def __init__(self, D: int, H: int, pre_norm: bool = PRE_NORM) -> None:
            super().__init__()
            self.pre_norm, self.D = pre_norm, D
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def norm(self, X, layer):
            return F.layer_norm(X, (self.D,), layer.weight, layer.bias, layer.eps)

        def forward(self, X: torch.Tensor) -> torch.Tensor:
            if self.pre_norm:
                x = self.norm(X, self.norm1)
                Z = torch.add(self.attn(x, x, x)[0], X)
                return torch.add(self.mlp(self.norm(Z, self.norm2)), Z)
            Z = self.norm(self.attn(X, X, X)[0] + X, self.norm1)
            return self.norm(self.mlp(Z) + Z, self.norm2)

    return TransformerLayer


def writes_the_norm_out():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        @staticmethod
        def norm(layer, X):
            mean = X.mean(-1, keepdim=True)
            variance = (X - mean).pow(2).mean(-1, keepdim=True)
            return (X - mean) * torch.rsqrt(variance + layer.eps) * layer.weight + layer.bias

        def forward(self, X):
            if self.pre_norm:
                x = self.norm(self.norm1, X)
                Z = X + self.attn(x, x, x)[0]
                return Z + self.mlp(self.norm(self.norm2, Z))
            Z = self.norm(self.norm1, X + self.attn(X, X, X)[0])
            return self.norm(self.norm2, Z + self.mlp(Z))

    return TransformerLayer


def calls_the_linear_maps_one_by_one():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def feed(self, X):
            return self.mlp[2](F.relu(self.mlp[0](X)))

        def forward(self, X):
            out = X.clone()
            if self.pre_norm:
                normed = self.norm1(out)
                out = out + self.attn(normed, normed, normed)[0]
                out = out + self.feed(self.norm2(out))
            else:
                out = self.norm1(out + self.attn(out, out, out)[0])
                out = self.norm2(out + self.feed(out))
            return out

    return TransformerLayer


def attends_through_the_function():
    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D)
            self.norm2 = nn.LayerNorm(D)
            self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))

        def attend(self, X):
            H, D = self.attn.num_heads, X.shape[-1]
            q, k, v = F.linear(X, self.attn.in_proj_weight, self.attn.in_proj_bias).chunk(3, dim=-1)
            q, k, v = (part.unflatten(-1, (H, D // H)).transpose(1, 2) for part in (q, k, v))
            return self.attn.out_proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))

        def forward(self, X):
            Z = X + self.attend(self.norm1(X)) if self.pre_norm else self.norm1(X + self.attend(X))
            return Z + self.mlp(self.norm2(Z)) if self.pre_norm else self.norm2(Z + self.mlp(Z))

    return TransformerLayer


def names_the_mlps_parts():
    from collections import OrderedDict

    class TransformerLayer(nn.Module):
        def __init__(self, D, H, pre_norm=PRE_NORM):
            super().__init__()
            self.pre_norm = pre_norm
            self.attn = nn.MultiheadAttention(D, H, batch_first=True)
            self.norm1 = nn.LayerNorm(D, eps=1e-5)
            self.norm2 = nn.LayerNorm(D, eps=1e-5)
            parts = OrderedDict([("0", nn.Linear(D, 4 * D)), ("1", nn.ReLU()), ("2", nn.Linear(4 * D, D))])
            self.mlp = nn.Sequential(parts)

        def forward(self, X):
            match self.pre_norm:
                case True:
                    x = self.norm1(X)
                    Z = X + self.attn(query=x, key=x, value=x)[0]
                    return Z + self.mlp(self.norm2(Z))
                case _:
                    Z = self.norm1(X + self.attn(query=X, key=X, value=X)[0])
                    return self.norm2(Z + self.mlp(Z))

    return TransformerLayer
