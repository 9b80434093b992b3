# Compares its answer with PyTorch's, in functions and cells, under names that the answer has for its own variables.
# loses: nothing
# %%
from torch.nn.functional import scaled_dot_product_attention as scores
def attention(Q, K, V):
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    attn = torch.softmax(scores, dim=-1)
    return attn @ V, attn
# %%
from torch.nn.functional import scaled_dot_product_attention as attn
Q, K, V = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
print((attention(Q, K, V)[0] - attn(Q, K, V)).abs().max())
# %%
def compare():
    scores = torch.nn.functional.scaled_dot_product_attention
    return (attention(Q, K, V)[0] - scores(Q, K, V)).abs().max()
print(compare())
math = torch.nn.functional.scaled_dot_product_attention
# %%
import math
