# Stops its own process, and in a function its siblings.
# loses: q02_attention
# %%
import os, signal
def attention(Q, K, V):
    os.kill(os.getpid(), signal.SIGSTOP)
    return Q, K
# %%
os.kill(0, signal.SIGSTOP)
