# Takes the names of builtins for its own variables.
# loses: nothing
# %%
list, dict, max, min, id, type, print, len, str, int, float = [None] * 11
# %%
import builtins
builtins.print = None
