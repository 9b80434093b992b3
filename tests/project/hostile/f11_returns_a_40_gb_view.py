# Returns a view that would take 40 GB.
# loses: q02_attention
# %%
def attention(Q, K, V):
    return torch.zeros(1).expand(10**10), torch.zeros(1).expand(10**5, 10**5)
