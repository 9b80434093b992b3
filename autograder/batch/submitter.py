"""A person of the class, as far as what was downloaded tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Submitter:
    """Somebody of the class; what is not known is empty.

    Attributes:
        name, sid, email: as a person reads them
        canvas: Canvas's own id
        place: what tells two people apart whose names look alike; empty where an id does
    """

    name: str
    sid: str = ""
    email: str = ""
    canvas: str = ""
    place: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What is the same whenever this person hands something in, and nobody else's: a name is no email."""
        known = {"email": self.email.casefold(), "sid": self.sid, "canvas": self.canvas, "place": self.place}
        return next(((kind, value) for kind, value in known.items() if value), ("name", self.name))
