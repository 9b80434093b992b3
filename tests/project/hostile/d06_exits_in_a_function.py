# Ends its process inside one function.
# otter: broken
# loses: q02_attention
# %%
import os
def attention(Q, K, V):
    os._exit(0)
