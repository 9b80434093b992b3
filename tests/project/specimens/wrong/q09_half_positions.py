# Positions pass through float16: far ones are rounded.
def rope(X: Tensor, positions: Tensor | None = None, L: float = 10000.0) -> Tensor:
    N, D_k = X.shape
    if positions is None:
        positions = torch.arange(N)
    theta = L ** (-torch.arange(0, D_k, 2).double() / D_k)
    angle = positions.to(torch.float16).double()[:, None] * theta
    c, s = angle.cos().to(X.dtype), angle.sin().to(X.dtype)
    a, b = X[:, 0::2], X[:, 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(1)
