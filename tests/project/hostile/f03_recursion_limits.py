# Sets the recursion limit to the lowest value that still works, then to the highest.
# loses: nothing
# %%
import sys
sys.setrecursionlimit(120)
# %%
sys.setrecursionlimit(2**31 - 1)
