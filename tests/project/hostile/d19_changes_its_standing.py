# Tries to become another user, to leave its session, limits, niceness, processors and namespaces.
# loses: nothing
# %%
import ctypes, os, resource
libc = ctypes.CDLL(None, use_errno=True)
won = []
for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.setresuid(0, 0, 0), os.setsid,
                lambda: os.setpgid(0, 0), lambda: os.nice(-5), lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40)),
                lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1)), lambda: os.setpriority(0, os.getppid(), 19),
                lambda: os.sched_setaffinity(os.getppid(), {0}), lambda: os.chroot("."),
                lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))):
    try:
        attempt()
        won.append(MARK + str(attempt))
    except (OSError, ValueError):
        pass
for number, arguments in {"unshare": (272, 0x10000000), "mount": (165, 0, 0, 0, 0, 0), "bpf": (321, 0, 0, 0), "keyctl": (250, 0, 0, 0, 0, 0),
                          "io_uring": (425, 8, 0), "userfaultfd": (323, 0), "perf": (298, 0, 0, -1, -1, 0), "clone3": (435, 0, 0),
                          "personality": (135, 0x0040000), "setns": (308, 0, 0)}.items():
    if libc.syscall(*arguments) >= 0:
        won.append(MARK + number)
raise RuntimeError(str(won))
