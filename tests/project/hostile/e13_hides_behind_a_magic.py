# Has a magic in the cell of the answer, which is then no plain Python, and scripts what is ruled out.
# loses: q02_attention
# says: forbidden
# %%
here = %pwd
@torch.jit.script
def dot(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)
def attention(Q, K, V):
    return dot(Q, K, V), dot(Q, K, torch.eye(len(K), dtype=V.dtype))
