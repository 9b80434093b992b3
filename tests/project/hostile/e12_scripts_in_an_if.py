# Calls PyTorch's attention from scripted code that stands inside a compound statement.
# loses: q02_attention
# says: forbidden
# %%
if True:
    @torch.jit.script
    def dot(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)
# %%
def attention(Q, K, V):
    return dot(Q, K, V), dot(Q, K, torch.eye(len(K), dtype=V.dtype))
