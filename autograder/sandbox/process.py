"""The grader's end of one student process: asks, interrupts, copies and kills it."""

import os
import random
import select
import signal
import socket
import time
from typing import Any

from autograder.sandbox.inside.channel import Channel, Closed
from autograder.sandbox.inside.wire import WireError
from autograder.sandbox.session import is_member
from autograder.sandbox.student_error import Reason, StudentError, read_failure

FORKING = 60.0  # seconds for a fork, a thousand times what it takes: the machine may be busy


class StudentProcess:
    """One process of a student and the channel to it. `pid` is what the student's side claims."""

    def __init__(self, channel: Channel, pid: int, session: int) -> None:
        self.channel, self.pid, self.session = channel, pid, session
        self.request = 0  # the number of the last one, random: an answer cannot be prepared
        self.dead: StudentError | None = None

    def ask(self, request: dict[str, Any], buffers: list[bytes], deadline: float) -> tuple[Any, list[bytes]]:
        """Send a request and return the reply; raise StudentError where it is an error or does not come."""
        if self.dead:
            raise self.dead.again()
        self.request = random.getrandbits(48)
        started = time.monotonic()
        try:
            self.channel.send({**request, "id": self.request}, buffers, deadline)
            reply, out = self.channel.receive(deadline)
            if type(reply) is not dict or reply.get("id") != self.request:
                raise WireError("answer to another request")
        except TimeoutError:
            raise self.end("timeout", f"no answer within {max(deadline - started, 0):.1f} s") from None
        except (Closed, OSError):
            raise self.end("died", "the process ended during this call") from None
        except WireError as error:
            raise self.end("died", f"the process sent a malformed answer: {error}") from None
        if "error" in reply:
            raise read_failure(reply["error"])
        return reply, out

    def run_cell(self, index: int, source: str, seconds: float) -> Any:
        """Run a cell; interrupt it at its limit. Raise StudentError where nothing but killing it helps."""
        if self.dead:
            raise self.dead.again()
        self.request = random.getrandbits(48)
        grace = min(seconds, 2.0)  # seconds an interrupted cell has to come back
        late = False
        try:
            self.channel.send({"op": "cell", "id": self.request, "index": index, "source": source}, [])
            late = not self._wait(seconds)
            if late:
                self.signal(signal.SIGINT)
                if not self._wait(grace / 2):
                    self.signal(signal.SIGINT)  # the first one may have been lost in a callback
            reply, _ = self.channel.receive(time.monotonic() + grace)
        except (Closed, OSError, WireError) as error:
            reason: Reason = "timeout" if isinstance(error, TimeoutError) else "died"
            raise self.end(reason, "it could not be interrupted" if late else "the process ended") from None
        if type(reply) is not dict or reply.get("id") != self.request:
            raise self.end("died", "the process sent a malformed answer")
        return reply, late

    def fork(self, deadline: float) -> "StudentProcess":
        """Return a copy of this process in the state it has now."""
        if self.dead:
            raise self.dead.again()
        self.request = random.getrandbits(48)
        ours, theirs = socket.socketpair()
        try:
            self.channel.send({"op": "fork", "id": self.request}, [], deadline, theirs.fileno())
            reply, _ = self.channel.receive(deadline)
            pid = reply.get("pid") if type(reply) is dict else None
            if type(pid) is int and is_member(pid, self.session):
                return StudentProcess(Channel(ours), pid, self.session)
        except (Closed, OSError, WireError):
            self.end("died", "the process ended")
        finally:
            theirs.close()
        ours.close()
        raise StudentError("died", "no copy of the process could be made")

    def is_alive(self) -> bool:
        """Tell whether the other end of the channel is still open and silent."""
        return self.dead is None and not self._wait(0)

    def end(self, reason: Reason, message: str) -> StudentError:
        """Kill the process and return the error that every later call raises."""
        self.dead = StudentError(reason, message)
        self.signal(signal.SIGKILL)
        self.channel.close()
        return self.dead

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, but only to a process of this run."""
        if is_member(self.pid, self.session):
            os.kill(self.pid, number)

    def _wait(self, seconds: float) -> bool:
        return bool(select.select([self.channel.sock], [], [], seconds)[0])
