# Compiles its function, which needs a compiler.
# loses: q02_attention
# %%
@torch.compile
def attention(Q, K, V):
    alpha = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return alpha @ V, alpha
