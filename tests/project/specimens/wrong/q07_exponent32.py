# I / D of integer tensors is float32: angles right to 1e-7 only.
def sinusoidal_encoding(N: int, D: int, L: float) -> Tensor:
    n = torch.arange(N, dtype=torch.float64).unsqueeze(1)
    i = torch.arange(D)
    angles = n / L ** ((i - i % 2) / D)
    return torch.where(i % 2 == 0, angles.sin(), angles.cos())
