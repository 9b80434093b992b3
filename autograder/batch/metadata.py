"""Gradescope's `submission_metadata.yml`: who handed in each folder of an export, and when.

It is read as a stream of YAML's events, of which only the few values that are asked for are kept: nothing is built of
what else stands there, and an alias is never copied.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import yaml

from autograder.batch.submitter import Submitter
from autograder.errors import UserError

NAME = "submission_metadata.yml"
LARGEST = 64 * 2**20  # bytes; 800 people with 40 cases each take about 20 MB
LONGEST = 200  # characters of a name, an id or an email
KEPT = {"submitters", "name", "sid", "email", "created_at", "utc"}
DEEPEST = 4  # a submission, its submitters, one of them, a name
NOTHING = {"", "~", "null"}  # as YAML writes it
ABOVE = (yaml.StreamStartEvent, yaml.DocumentStartEvent)
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # an export of 800 has a million lines


@dataclass(frozen=True)
class Record:
    """What the export says of one submission."""

    submitters: tuple[Submitter, ...]
    handed_in: datetime | None


def read_metadata(data: bytes) -> dict[str, Record]:
    """Return the record of each folder; raise UserError for what is no metadata, or larger than 64 MB."""
    if len(data) > LARGEST:
        raise UserError(f"{NAME}: is larger than {LARGEST >> 20} MB: nobody's name is known")
    try:
        table = _Reader(data).read()
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{NAME}:{mark.line + 1}" if mark else NAME
        raise UserError(f"{place}: not YAML: nobody's name is known, download the export again") from None
    if not isinstance(table, dict):
        raise UserError(f"{NAME}: not a table of submissions: nobody's name is known, download the export again")
    return {folder: _read_record(entry) for folder, entry in table.items()}


class _Reader:
    """Reads the kept values of one document: mappings as dicts, sequences as lists, scalars as they stand there."""

    def __init__(self, data: bytes) -> None:
        self._events: Iterator[Any] = iter(yaml.parse(io.BytesIO(data), Loader=_Loader))
        self._anchors: dict[str, Any] = {}

    def read(self) -> Any:
        """Return what the document holds; raise yaml.YAMLError where it is none."""
        first = next(event for event in self._events if not isinstance(event, ABOVE))
        value = None if isinstance(first, yaml.StreamEndEvent) else self._read(first, 0)
        for _ in self._events:  # what follows must be YAML as well
            pass
        return value

    def _read(self, event: Any, depth: int) -> Any:
        if isinstance(event, yaml.AliasEvent):
            return self._anchors.get(event.anchor)
        value: Any = None
        if isinstance(event, yaml.ScalarEvent):
            value = None if event.style is None and event.value in NOTHING else event.value
        elif depth == DEEPEST:
            self._skip(event)
        elif isinstance(event, yaml.MappingStartEvent):
            value = self._read_mapping(depth)
        else:
            value = [self._read(child, depth + 1) for child in self._until_end()]
        if event.anchor:
            self._anchors[event.anchor] = value
        return value

    def _read_mapping(self, depth: int) -> dict[str, Any]:
        found = {}
        for event in self._until_end():
            key, child = self._read(event, DEEPEST), next(self._events)
            name = key.removeprefix(":") if isinstance(key, str) else None  # Ruby writes a colon before it
            if depth == 0 and isinstance(key, str):
                found[key] = self._read(child, depth + 1)
            elif depth and name in KEPT:
                found[name] = self._read(child, depth + 1)
            else:
                self._skip(child)
        return found

    def _until_end(self) -> Iterator[Any]:
        """The events that begin what stands directly in a mapping or sequence."""
        while not isinstance(event := next(self._events), yaml.CollectionEndEvent):
            yield event

    def _skip(self, event: Any) -> None:
        depth = int(isinstance(event, yaml.CollectionStartEvent))
        while depth:
            event = next(self._events)
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)


def _read_record(entry: Any) -> Record:
    entry = entry if isinstance(entry, dict) else {}
    people = entry.get("submitters")
    people = people if isinstance(people, list) else []
    submitters = (Submitter(*(_read_text(person, key) for key in ("name", "sid", "email"))) for person in people)
    return Record(
        tuple(one for one in submitters if one.name or one.sid or one.email), _read_time(entry.get("created_at"))
    )


def _read_text(person: Any, key: str) -> str:
    value = person.get(key) if isinstance(person, dict) else None
    return " ".join(value.split())[:LONGEST] if isinstance(value, str) else ""


def _read_time(value: Any) -> datetime | None:
    if isinstance(value, dict):
        value = value.get("utc")
    if not isinstance(value, str) or not yaml.SafeLoader.timestamp_regexp.match(value):
        return None
    try:
        time = yaml.constructor.SafeConstructor().construct_yaml_timestamp(yaml.ScalarNode("", value))
    except (ValueError, OverflowError):  # the 31st of February
        return None
    if not isinstance(time, datetime):  # a day alone
        return None
    return time.replace(tzinfo=timezone.utc) if time.tzinfo is None else time.astimezone(timezone.utc)
