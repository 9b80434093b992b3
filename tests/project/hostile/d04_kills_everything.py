# Kills every process that it may kill, in a cell.
# otter: broken
# loses: nothing
# %%
import os
x = 1
os.kill(-1, 9)
