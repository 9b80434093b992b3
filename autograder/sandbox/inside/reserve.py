"""What the service needs to answer, kept from student code that uses up all it can get."""

import contextlib
import resource


class Reserve:
    """Processes, descriptors and memory that student code does not get: its limits are soft, ours the hard ones."""

    def __init__(self) -> None:
        kinds = (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_AS)
        self.limits = {kind: resource.getrlimit(kind) for kind in kinds}

    def lend_memory(self) -> None:
        """Let student code use all memory from here on: in a copy, where its notebook may have used up its own."""
        _, hard = self.limits[resource.RLIMIT_AS]
        self.limits[resource.RLIMIT_AS] = (hard, hard)

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
