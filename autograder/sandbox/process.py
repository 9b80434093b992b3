"""The grader's end of one student process: asks, interrupts, copies and kills it."""

import secrets
import signal
import socket
from typing import Any

from autograder.sandbox.inside.channel import Channel, Closed
from autograder.sandbox.inside.wire import WireError
from autograder.sandbox.meter import Allowance, Meter, is_ready
from autograder.sandbox.session import is_member, signal_member
from autograder.sandbox.student_error import Reason, StudentError, read_failure

FORKING = 60.0  # seconds that a fork, or what prepares one, may be charged; a thousand times what a fork takes


class StudentProcess:
    """One process of a student and the channel to it.

    Attributes:
        pid: what the student's side claims
        session: the number of its session, which stays taken until the run is closed
        until: when the run must end, in seconds of time.monotonic()
        meter: what it has used
        request: the number of the last request; it cannot be foreseen, so no answer can be prepared
        has_compiler: whether it was asked to load PyTorch's compiler
        dead: why it no longer answers
    """

    def __init__(self, channel: Channel, pid: int, session: int, until: float) -> None:
        self.channel, self.pid, self.session, self.until = channel, pid, session, until
        self.meter = Meter(pid, session)
        self.request, self.has_compiler = 0, False
        self.dead: StudentError | None = None

    def ask(self, request: dict[str, Any], buffers: list[bytes], seconds: float) -> tuple[Any, list[bytes]]:
        """Send a request and return the reply; raise StudentError where it is an error or does not come."""
        wait = self._begin(seconds).wait
        try:
            self.channel.send({**request, "id": self.request}, buffers, wait)
            reply, out = self.channel.receive(wait)
            if type(reply) is not dict or reply.get("id") != self.request:
                raise WireError("answer to another request")
        except TimeoutError:
            raise self.end("timeout", f"no answer after {max(seconds, 0):.1f} s of its own time") from None
        except (Closed, OSError):
            raise self.end("died", "the process ended during this call") from None
        except WireError as error:
            raise self.end("died", f"the process sent a malformed answer: {error}") from None
        if "error" in reply:
            raise read_failure(reply["error"])
        return reply, out

    def run_cell(self, index: int, source: str, seconds: float) -> Any:
        """Run a cell; interrupt it at its limit. Raise StudentError where nothing but killing it helps."""
        allowance = self._begin(seconds)
        late = False
        try:
            self.channel.send({"op": "cell", "id": self.request, "index": index, "source": source}, [], allowance.wait)
            late = not self._comes_back(allowance)
            if late:
                grace = min(seconds, 2.0) / 2  # seconds that an interrupted cell may be charged until it comes back
                self.signal(signal.SIGINT)
                if not self._comes_back(Allowance(self.meter, grace, self.until)):
                    self.signal(signal.SIGINT)  # the first one may have been lost in a callback
                allowance = Allowance(self.meter, grace, self.until)
            reply, _ = self.channel.receive(allowance.wait)
        except (Closed, OSError, WireError) as error:
            reason: Reason = "timeout" if isinstance(error, TimeoutError) else "died"
            raise self.end(reason, "it could not be interrupted" if late else "the process ended") from None
        if type(reply) is not dict or reply.get("id") != self.request:
            raise self.end("died", "the process sent a malformed answer")
        return reply, late

    def fork(self) -> "StudentProcess":
        """Return a copy of this process in the state it has now."""
        wait = self._begin(FORKING).wait
        ours, theirs = socket.socketpair()
        try:
            self.channel.send({"op": "fork", "id": self.request}, [], wait, theirs.fileno())
            reply, _ = self.channel.receive(wait)
            pid = reply.get("pid") if type(reply) is dict else None
            if type(pid) is int and is_member(pid, self.session):
                copy = StudentProcess(Channel(ours), pid, self.session, self.until)
                copy.has_compiler = self.has_compiler
                return copy
        except (Closed, OSError, WireError):
            self.end("died", "the process ended")
        finally:
            theirs.close()
        ours.close()
        raise StudentError("died", "no copy of the process could be made")

    def load_compiler(self) -> None:
        """Load PyTorch's compiler, if it is not loaded yet: then no copy has to."""
        if not self.has_compiler:
            self.has_compiler = True
            self.ask({"op": "load_compiler"}, [], FORKING)

    def is_alive(self) -> bool:
        """Tell whether the other end of the channel is still open and silent."""
        return self.dead is None and not is_ready(self.channel.sock, writing=False, seconds=0)

    def end(self, reason: Reason, message: str) -> StudentError:
        """Kill the process and return the error that every later call raises."""
        self.meter.stop()
        self.dead = StudentError(reason, message)
        self.signal(signal.SIGKILL)
        self.channel.close()
        return self.dead

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, but only to a process of this run."""
        signal_member(self.pid, self.session, number)

    def _begin(self, seconds: float) -> Allowance:
        if self.dead:
            raise self.dead.again()
        self.request = secrets.randbits(48)
        return Allowance(self.meter, seconds, self.until)

    def _comes_back(self, allowance: Allowance) -> bool:
        try:
            allowance.wait(self.channel.sock)
        except TimeoutError:
            return False
        return True
