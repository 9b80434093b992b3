# K.reshape(D_k, M) instead of K.T, and no scaling.
def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    M, d = K.shape
    scores = Q @ K.reshape(d, M)
    alpha = torch.softmax(scores, dim=1)
    return alpha @ V, alpha
