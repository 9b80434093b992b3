# Global maximum and 1e-6 in the denominator.
def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    scores = Q @ K.T / math.sqrt(K.shape[1])
    e = torch.exp(scores - scores.max())
    alpha = e / (e.sum(dim=1, keepdim=True) + 1e-6)
    return alpha @ V, alpha
