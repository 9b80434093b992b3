# Takes 6 GB of memory, in a cell and in a function.
# loses: q02_attention
# %%
hoard = []
for _ in range(24):
    hoard.append(torch.ones(2**28, dtype=torch.uint8))
# %%
hoard = None
def attention(Q, K, V):
    return [torch.ones(2**31) for _ in range(3)]
