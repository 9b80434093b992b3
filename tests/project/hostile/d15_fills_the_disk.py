# Fills its folder and every other place it can write to, with large files and with many small ones.
# otter: broken
# loses: nothing
# %%
import os, pathlib, tempfile
places = [".", "/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), tempfile.gettempdir(), ROOT, os.path.dirname(RESULTS)]
for place in places:
    try:
        for i in range(10):
            with open(f"{place}/{PLANTED}{i}", "wb") as file:
                file.write(bytes(10 << 20))
    except OSError:
        pass
try:
    for i in range(20000):
        pathlib.Path(f"small{i}").touch()
except OSError:
    pass
