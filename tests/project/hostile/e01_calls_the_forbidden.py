# Calls PyTorch's own attention where it is forbidden.
# otter: wins
# loses: q02_attention
# says: forbidden
# %%
def attention(Q, K, V):
    return F.scaled_dot_product_attention(Q, K, V), F.scaled_dot_product_attention(Q, K, torch.eye(len(K), dtype=K.dtype))
