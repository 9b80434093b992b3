# Redefines an answer after its check, and has the same cell twice.
# loses: nothing
# %%
HONEST
# %%
attention = rope = None
# %%
attention = rope = None
