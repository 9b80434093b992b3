# Returns NumPy arrays, lists, the wrong dtype, a Parameter, a sparse tensor.
# loses: q02_attention q09_rope
# %%
def attention(Q, K, V):
    alpha = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return (alpha @ V).detach().numpy(), alpha.tolist()
def rope(X, positions=None, L=10000.0):
    return X.half()
