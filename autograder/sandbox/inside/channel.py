"""One end of the socket between grader and student: whole messages, with a deadline where the grader reads."""

import array
import socket
import time
from typing import Any

from .wire import PREFIX, WireError, measure, pack, unpack

CHUNK = 1 << 18  # bytes asked for at once: most messages arrive in one piece


class Closed(Exception):
    """The other side is gone."""


class Channel:
    """Sends and receives whole messages; on the grader's side every wait ends at `deadline` with TimeoutError."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def send(self, header: Any, buffers: list[bytes], deadline: float | None = None, pass_fd: int = -1) -> None:
        """Send one message, together with a file descriptor where one is given."""
        message = pack(header, buffers)
        try:
            self._wait_until(deadline)
            if pass_fd >= 0:
                rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [pass_fd]))
                sent = self.sock.sendmsg([message], [rights])
                message = message[sent:]
            self.sock.sendall(message)
        except (BrokenPipeError, ConnectionError):
            raise Closed from None

    def receive(self, deadline: float | None = None) -> tuple[Any, list[bytes]]:
        """Return header and buffers of the next message, which must be the only one under way."""
        first = self._read(CHUNK, deadline)
        while len(first) < PREFIX.size:
            first += self._read(CHUNK, deadline)
        missing = measure(first[: PREFIX.size]) + PREFIX.size - len(first)
        parts = [first]
        while missing > 0:
            parts.append(self._read(min(missing, 1 << 20), deadline))
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

    def _read(self, size: int, deadline: float | None) -> bytes:
        try:
            self._wait_until(deadline)
            piece = self.sock.recv(size)
        except ConnectionError:
            raise Closed from None
        if not piece:
            raise Closed
        return piece

    def _wait_until(self, deadline: float | None) -> None:
        if deadline is not None:
            self.sock.settimeout(max(0.001, deadline - time.monotonic()))  # 0 would mean "do not wait at all"

    def close(self) -> None:
        """Close the socket."""
        self.sock.close()
