# PyTorch leaves the types of some results open.
# mypy: disable-error-code="no-any-return"
"""q06: the transformer layer, with the normalisation after or before its two parts."""

from torch import Tensor, nn

from solutions.term import PRE_NORM


class TransformerLayer(nn.Module):
    """One transformer layer: attention, then an MLP on each token, each with a residual connection.

    With Y( ) for multi-head self-attention and LN for LayerNorm:

        post-norm:  Z = LN1(Y(X) + X),     out = LN2(MLP(Z) + Z)
        pre-norm:   Z = X + Y(LN1(X)),     out = Z + MLP(LN2(Z))

    Args:
        D: features per token, a multiple of H.
        H: heads.
        pre_norm: which of the two arrangements.

    Attributes, all of them with PyTorch's default settings and no dropout:
        attn: ``nn.MultiheadAttention`` with D features and H heads, batch first.
        norm1, norm2: ``nn.LayerNorm`` over the D features; norm1 belongs to the attention.
        mlp: ``nn.Sequential`` of a Linear from D to 4D, a ReLU, and a Linear from 4D to D.

    Source: Bishop & Bishop, eq. 12.20 and 12.21.
    """

    def __init__(self, D: int, H: int, pre_norm: bool = PRE_NORM) -> None:
        """Make the four parts listed above."""
        super().__init__()
        # BEGIN SOLUTION
        self.pre_norm = pre_norm
        self.attn = nn.MultiheadAttention(D, H, batch_first=True)
        self.norm1 = nn.LayerNorm(D)
        self.norm2 = nn.LayerNorm(D)
        self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D))
        # END SOLUTION

    def forward(self, X: Tensor) -> Tensor:
        """Send X through the layer; X and the result are B x N x D. X may be a strided view; it is not changed."""
        # BEGIN SOLUTION
        if self.pre_norm:
            normed = self.norm1(X)
            Z = X + self.attn(normed, normed, normed, need_weights=False)[0]
            return Z + self.mlp(self.norm2(Z))
        Z = self.norm1(X + self.attn(X, X, X, need_weights=False)[0])
        return self.norm2(Z + self.mlp(Z))
        # END SOLUTION
