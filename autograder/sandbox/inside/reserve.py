"""What the service needs to answer, kept from student code that uses up all it can get."""

import contextlib
import resource


class Reserve:
    """Processes and descriptors that student code does not get: its limits are the soft ones, ours the hard ones."""

    def __init__(self) -> None:
        self.limits = {kind: resource.getrlimit(kind) for kind in (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE)}

    def open(self) -> None:
        """Let the service use everything, to receive a descriptor or to fork."""
        self._set({kind: hard for kind, (_, hard) in self.limits.items()})

    def close(self) -> None:
        """Go back to the share of student code."""
        self._set({kind: soft for kind, (soft, _) in self.limits.items()})

    def _set(self, values: dict[int, int]) -> None:
        for kind, soft in values.items():
            with contextlib.suppress(OSError, ValueError):  # student code may have lowered the hard limit
                resource.setrlimit(kind, (soft, self.limits[kind][1]))
