# Weights under no_grad.
def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    with torch.no_grad():
        scores = Q @ K.T / math.sqrt(K.shape[1])
        alpha = torch.softmax(scores, dim=1)
    return alpha @ V, alpha
