# Takes just less than the limit of a call, every time.
# loses: q02_attention
# %%
import time
def attention(Q, K, V):
    time.sleep(3)
    return Q, K
