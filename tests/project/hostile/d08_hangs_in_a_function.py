# Never returns from one function.
# otter: broken
# loses: q02_attention
# %%
def attention(Q, K, V):
    while True:
        try:
            while True: pass
        except BaseException:
            pass
