# Asks for CUDA in one function.
# loses: q02_attention
# %%
def attention(Q, K, V):
    Q, K = Q.cuda(), K.to("cuda")
    alpha = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return alpha @ V, alpha
