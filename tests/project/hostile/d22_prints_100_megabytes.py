# Prints 100 MB in cells and functions.
# loses: nothing
# %%
import sys
for _ in range(100):
    print("x" * 10**6)
    sys.stderr.write("y" * 10**5)
# %%
def attention(Q, K, V):
    print("z" * 10**6)
    alpha = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    return alpha @ V, alpha
