# Runs programs by every door: subprocess, os.system, exec, spawn, libc, multiprocessing.
# otter: wins
# loses: nothing
# %%
import ctypes, multiprocessing, os, subprocess, sys
won = []
def spawn():
    process = multiprocessing.get_context("spawn").Process(target=print)
    process.start()
    process.join()
    return process.exitcode
for attempt in (lambda: subprocess.run(["/bin/true"], check=True), lambda: subprocess.check_output("id", shell=True),
                lambda: os.posix_spawn("/bin/true", ["true"], {}), lambda: os.execv("/bin/true", ["true"]),
                lambda: os.popen("id").read() or 1 / 0, lambda: ctypes.CDLL(None).system(b"true") and 1 / 0,
                lambda: spawn() == 0 or 1 / 0):
    try:
        attempt()
        won.append(MARK)
    except (OSError, ZeroDivisionError, subprocess.SubprocessError):
        pass
raise RuntimeError(str(won))
