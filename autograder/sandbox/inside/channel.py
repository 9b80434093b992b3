"""One end of the socket between grader and student: whole messages, and no wait without an end on the grader's side."""

import array
import socket
from collections.abc import Callable
from typing import Any

from .wire import PREFIX, WireError, measure, pack, unpack

CHUNK = 1 << 18  # bytes asked for at once: most messages arrive in one piece

Wait = Callable[[socket.socket, bool], object]


class Closed(Exception):
    """The other side is gone."""


class Channel:
    """Sends and receives whole messages.

    The grader says how to wait: by a function that returns once the socket can be read, or written where its second
    argument is true, and raises TimeoutError when that has taken too long. The student's side waits for ever.
    """

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def send(self, header: Any, buffers: list[bytes], wait: Wait | None = None, pass_fd: int = -1) -> None:
        """Send one message, together with a file descriptor where one is given."""
        message = memoryview(pack(header, buffers))
        try:
            if pass_fd >= 0:
                rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [pass_fd]))
                if wait:
                    wait(self.sock, True)
                message = message[self.sock.sendmsg([message], [rights], socket.MSG_DONTWAIT if wait else 0) :]
            if wait is None:
                self.sock.sendall(message)
                return
            while message:
                wait(self.sock, True)
                message = message[self.sock.send(message, socket.MSG_DONTWAIT) :]
        except (BrokenPipeError, ConnectionError):
            raise Closed from None

    def receive(self, wait: Wait | None = None) -> tuple[Any, list[bytes]]:
        """Return header and buffers of the next message, which must be the only one under way."""
        first = self._read(CHUNK, wait)
        while len(first) < PREFIX.size:
            first += self._read(CHUNK, wait)
        missing = measure(first[: PREFIX.size]) + PREFIX.size - len(first)
        parts = [first]
        while missing > 0:
            parts.append(self._read(min(missing, 1 << 20), wait))
            missing -= len(parts[-1])
        if missing < 0:
            raise WireError("more than one message")
        return unpack(b"".join(parts) if len(parts) > 1 else first)

    def receive_with_fd(self) -> tuple[Any, list[bytes], int]:
        """Return the next message and the file descriptor that came with it, or -1 (the student's side)."""
        prefix, rights, _, _ = self.sock.recvmsg(PREFIX.size, socket.CMSG_SPACE(array.array("i").itemsize))
        fds = array.array("i", b"".join(data for _, _, data in rights))
        while len(prefix) < PREFIX.size:
            prefix += self._read(PREFIX.size - len(prefix), None)
        missing, parts = measure(prefix), [prefix]
        while missing > 0:
            parts.append(self._read(missing, None))
            missing -= len(parts[-1])
        return *unpack(b"".join(parts)), fds[0] if fds else -1

    def _read(self, size: int, wait: Wait | None) -> bytes:
        try:
            if wait:
                wait(self.sock, False)
            piece = self.sock.recv(size)
        except ConnectionError:
            raise Closed from None
        if not piece:
            raise Closed
        return piece

    def close(self) -> None:
        """Close the socket."""
        self.sock.close()
