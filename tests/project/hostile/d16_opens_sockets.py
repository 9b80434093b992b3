# Calls home: sockets of every family, urllib, ftp, DNS.
# otter: wins
# loses: nothing
# %%
import socket, urllib.request
won = []
for attempt in (lambda: socket.create_connection(("127.0.0.1", 22), 1), lambda: socket.socket().bind(("127.0.0.1", 0)),
                lambda: urllib.request.urlopen("http://127.0.0.1:9", timeout=1), lambda: socket.getaddrinfo("localhost", 80),
                lambda: socket.create_server(("", 0)), lambda: socket.socket(socket.AF_UNIX).bind("mine")):
    try:
        won.append((MARK, attempt()))
    except OSError:
        pass
raise RuntimeError(str([w for w in won if "getaddrinfo" not in str(w) and type(w[1]) is not list]))
