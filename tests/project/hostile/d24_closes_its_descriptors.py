# Closes or replaces every descriptor it has, the wire among them.
# loses: q02_attention
# %%
import os
def attention(Q, K, V):
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(3, 200):
        if fd != null:
            os.dup2(null, fd)
    return Q, K
# %%
os.closerange(0, 256)
