# Lacks one answer and has another under a misspelt name.
# loses: q02_attention q09_rope
# %%
def atention(Q, K, V):
    return Q, K
# %%
def rope(): ...
del rope
# %%
def attention(): ...
attention = None
