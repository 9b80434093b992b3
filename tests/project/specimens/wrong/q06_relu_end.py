# ReLU at the end of the MLP as well.
class TransformerLayer(nn.Module):
    def __init__(self, D: int, H: int, pre_norm: bool = True) -> None:
        super().__init__()
        self.pre_norm = pre_norm
        self.attn = nn.MultiheadAttention(D, H, batch_first=True)
        self.norm1 = nn.LayerNorm(D)
        self.norm2 = nn.LayerNorm(D)
        self.mlp = nn.Sequential(nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D), nn.ReLU())

    def forward(self, X: Tensor) -> Tensor:
        if self.pre_norm:
            A = self.norm1(X)
            Z = X + self.attn(A, A, A)[0]
            return Z + self.mlp(self.norm2(Z))
        Z = self.norm1(X + self.attn(X, X, X)[0])
        return self.norm2(Z + self.mlp(Z))
