# Has PyTorch's own attention traced in a cell, and calls the traced graph, in which no Python function is seen.
# loses: q02_attention
# says: forbidden
# %%
class Dot(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)
# %%
traced = torch.jit.trace(Dot(), (torch.ones(2, 3), torch.ones(4, 3), torch.ones(4, 2)))
# %%
def attention(Q, K, V):
    return traced(Q, K, V), traced(Q, K, torch.eye(len(K), dtype=K.dtype))
