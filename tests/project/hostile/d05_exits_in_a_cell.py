# Ends its process in three cells, each in another way.
# otter: broken
# loses: nothing
# %%
import os
os._exit(0)
# %%
import ctypes
ctypes.string_at(0)
# %%
os.abort()
# %%
raise SystemExit
