# Positions added twice (tokens and forward).
class TinyViT(nn.Module):
    def __init__(self, P: int = 2, S: int = 8, D: int = 32, H: int = 4, L: int = 2, n_classes: int = 10) -> None:
        super().__init__()
        self.P = P
        N = (S // P) ** 2
        self.patch_embed = nn.Linear(P * P, D)
        self.class_token = nn.Parameter(torch.zeros(1, 1, D))
        self.r = nn.Parameter(torch.randn(1, N + 1, D) * 0.02)
        self.layers = nn.ModuleList([TransformerLayer(D, H, True) for _ in range(L)])
        self.final_norm = nn.LayerNorm(D)
        self.head = nn.Linear(D, n_classes)

    def tokens(self, images: Tensor) -> Tensor:
        x = self.patch_embed(patchify(images, self.P))
        cls = self.class_token.expand(x.shape[0], -1, -1)
        return torch.cat([cls, x], dim=1) + self.r

    def forward(self, images: Tensor) -> Tensor:
        X = self.tokens(images) + self.r
        for layer in self.layers:
            X = layer(X)
        return self.head(self.final_norm(X)[:, 0])
