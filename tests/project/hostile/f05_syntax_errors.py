# Has cells with syntax errors, an endless string and odd characters.
# loses: nothing
# %%
def broken(x) return x
# %%
text = """never closed
# %%
x = 1 \u00a0 2 ?? ??
# %%
\tx = 1
  y = 2
