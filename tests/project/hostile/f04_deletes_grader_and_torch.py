# Deletes grader and overwrites torch at the end.
# loses: nothing
# %%
HONEST
# %%
del grader
torch = F = nn = None
