# Answers at random and hopes.
# otter: held
# loses: q02_attention q05_parameters
# %%
import random
def attention(Q, K, V):
    alpha = torch.rand(len(Q), len(K), dtype=Q.dtype)
    return torch.rand(len(Q), V.shape[1], dtype=Q.dtype), alpha
def attention_parameters(D): return random.randrange(100)
def multi_head_parameters(D): return random.randrange(100)
def dense_parameters(N, D): return random.randrange(100)
