# Is right for the first thirty calls of its process and wrong afterwards.
# loses: nothing
# %%
calls = 0
def attention_parameters(D):
    global calls
    calls += 1
    return 3 * D * D if calls < 30 else 0
def multi_head_parameters(D): return 4 * D * D
def dense_parameters(N, D): return N * N * D * D
