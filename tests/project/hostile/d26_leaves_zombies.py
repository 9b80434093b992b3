# Leaves hundreds of dead children and orphans behind.
# loses: nothing
# %%
import os
for _ in range(300):
    try:
        if os.fork() == 0:
            os._exit(0)
    except OSError:
        pass
# %%
def attention(Q, K, V):
    for _ in range(5):
        try:
            if os.fork() == 0:
                os._exit(0)
        except OSError:
            pass
    alpha = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return alpha @ V, alpha
