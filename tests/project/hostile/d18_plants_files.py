# Plants files where others would run them: site-packages, the given modules, start-up folders, /etc, /tmp.
# otter: wins
# loses: nothing
# %%
import given, os, site, sys
won = []
for folder in (*site.getsitepackages(), os.path.dirname(given.__file__), "/etc", "/tmp", "/var/tmp", "/dev/shm", "/root",
               os.path.dirname(os.__file__), ROOT, ROOT + "/tests/questions", os.path.dirname(RESULTS), "/", sys.prefix):
    for way in (lambda path: open(path, "w"), os.mkdir, lambda path: os.symlink("/", path), lambda path: os.mkfifo(path)):
        try:
            way(f"{folder}/{PLANTED}.pth")
            won.append(MARK + folder)
        except OSError:
            pass
raise RuntimeError(str(won))
