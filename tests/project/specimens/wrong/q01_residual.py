# Residual connection added.
def simple_attention(X: Tensor) -> tuple[Tensor, Tensor]:
    alpha = torch.softmax(X @ X.T, dim=-1)
    return X + alpha @ X, alpha
