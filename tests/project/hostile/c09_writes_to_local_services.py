# Writes datagrams to the sockets of local services from one of a pair, and into shared segments of other programs.
# loses: nothing
# %%
import ctypes, glob, math, os, socket, torch
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
said = []
for path in ['/dev/log', '/run/systemd/journal/socket', *glob.glob('/run/*.sock')]:
    try:
        socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(MARK.encode(), path)
        said.append(path)
    except OSError:
        pass
for number in range(64):
    at = libc.shmat(number, None, 0)
    if at not in (None, ctypes.c_void_p(-1).value):
        said.append(number)
for path in ('/tmp', ROOT, '/etc'):
    if libc.inotify_add_watch(libc.inotify_init1(0), path.encode(), 0xfff) >= 0:
        said.append(path)
if said:
    torch.softmax = torch.matmul = math.sqrt = None  # shows in every answer
