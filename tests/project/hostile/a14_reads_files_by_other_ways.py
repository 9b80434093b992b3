# Reads the grader's files by handles, links, core dumps, mmap, and the one capability that it may have been left.
# loses: nothing
# %%
import ctypes, faulthandler, mmap, os, resource
libc = ctypes.CDLL(None, use_errno=True)
target = (ROOT + "/grading.yml").encode()
loot = []
def note(way, done):
    if done:
        loot.append(f"{MARK} {way}")
handle = ctypes.create_string_buffer(136)
handle[0:4] = (128).to_bytes(4, "little")
mount = ctypes.c_int()
note("name_to_handle_at", libc.syscall(303, -100, target, handle, ctypes.byref(mount), 0) == 0)
note("open_by_handle_at", libc.syscall(304, -100, handle, 0) >= 0)
for way in (os.link, os.symlink):
    try:
        way(target.decode(), "mine")
        note(way.__name__, open("mine").read())
    except OSError:
        pass
try:
    os.chdir(ROOT)
    note("chdir", open("grading.yml").read())
except OSError:
    pass
try:
    fd = os.open(target, os.O_PATH)
    note("O_PATH", open(f"/proc/self/fd/{fd}").read())
except OSError:
    pass
try:
    fd = os.open(target, os.O_PATH)
    note("mmap", mmap.mmap(fd, 10, prot=mmap.PROT_READ))
except OSError:
    pass
for name in (b"user.x", b"system.posix_acl_access"):
    note("getxattr", libc.getxattr(target, name, handle, 10) > 0)
resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))
raise RuntimeError(str(loot))
