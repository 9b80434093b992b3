"""PyTorch's own modules with a student's weights, for comparison. Public: they are what the questions name."""

from __future__ import annotations

import torch
from torch import nn

State = dict[str, torch.Tensor]


def encoder_layer(state: State, H: int, pre_norm: bool) -> nn.TransformerEncoderLayer:
    """Return `nn.TransformerEncoderLayer` in float64 with the weights of a `TransformerLayer`.

    Args:
        state: the layer's state dict, keys `attn.*`, `norm1.*`, `norm2.*`, `mlp.0.*`, `mlp.2.*`
        H: number of heads
        pre_norm: eq. 12.21 and its pre-norm twin
    """
    D = state["norm1.weight"].shape[0]
    layer = nn.TransformerEncoderLayer(D, H, 4 * D, dropout=0.0, batch_first=True, norm_first=pre_norm).double()
    layer.load_state_dict({encoder_key(key): value for key, value in state.items()})
    return layer


def encoder_key(key: str) -> str:
    """Return the key of `nn.TransformerEncoderLayer` for a key of `TransformerLayer`."""
    part, _, rest = key.rpartition(".")
    names = {"attn": "self_attn", "attn.out_proj": "self_attn.out_proj", "mlp.0": "linear1", "mlp.2": "linear2"}
    return f"{names.get(part, part)}.{rest}"


def layer_shapes(D: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of `TransformerLayer`, as they follow from its parts."""
    return {
        "attn.in_proj_weight": (3 * D, D),
        "attn.in_proj_bias": (3 * D,),
        "attn.out_proj.weight": (D, D),
        "attn.out_proj.bias": (D,),
        "norm1.weight": (D,),
        "norm1.bias": (D,),
        "norm2.weight": (D,),
        "norm2.bias": (D,),
        "mlp.0.weight": (4 * D, D),
        "mlp.0.bias": (4 * D,),
        "mlp.2.weight": (D, 4 * D),
        "mlp.2.bias": (D,),
    }


def multi_head_attention(
    W_q: list[torch.Tensor], W_k: list[torch.Tensor], W_v: list[torch.Tensor], W_o: torch.Tensor
) -> nn.MultiheadAttention:
    """Return `nn.MultiheadAttention(D, H, bias=False)` in float64 with the heads' matrices.

    PyTorch multiplies by transposed matrices, so head `h` fills rows `h*D_k` to `(h+1)*D_k` of each third.

    Args:
        W_q, W_k, W_v: lists of `H` matrices `D x D/H`
        W_o: `D x D`
    """
    module = nn.MultiheadAttention(W_o.shape[0], len(W_q), bias=False, batch_first=True).double()
    thirds = [torch.cat(list(W), dim=1).mT for W in (W_q, W_k, W_v)]  # D x D each
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat(thirds))  # 3D x D
        module.out_proj.weight.copy_(W_o.mT)
    return module
