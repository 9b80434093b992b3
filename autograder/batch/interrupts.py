"""Ctrl-C at a moment at which nothing may be left half done."""

import contextlib
import signal
from collections.abc import Iterator

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def postpone_interrupts() -> Iterator[None]:
    """Let the body come to its end; raise KeyboardInterrupt then, if a signal has asked for it."""
    came: list[int] = []
    handlers = [signal.signal(number, lambda number, _: came.append(number)) for number in INTERRUPTS]
    try:
        yield
    finally:
        for number, handler in zip(INTERRUPTS, handlers, strict=True):
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt
