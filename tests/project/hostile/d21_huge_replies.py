# Answers every call with as much as fits, and with more.
# loses: q02_attention q05_parameters q09_rope
# %%
def attention(Q, K, V): return torch.zeros(2**23), torch.zeros(2**22)
def rope(X, positions=None, L=10000.0): return torch.zeros(2**28, dtype=torch.uint8)
def attention_parameters(D): return list(range(10**6))
def multi_head_parameters(D): return "x" * 10**8
def dense_parameters(N, D): return [[torch.zeros(1)] * 100] * 190
