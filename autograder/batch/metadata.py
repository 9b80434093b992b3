"""Gradescope's `submission_metadata.yml`: who handed in each folder of an export, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import yaml

from autograder.errors import UserError

NAME = "submission_metadata.yml"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # an export of 800 has a million lines


class Loader(_Loader):  # type: ignore[misc]
    """YAML without objects: a value that a Ruby class wraps is read as the plain data that it wraps."""


def _read_wrapped(loader: Any, _: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


Loader.add_multi_constructor("!", _read_wrapped)


@dataclass(frozen=True)
class Submitter:
    """Somebody of the class; what is not known is empty."""

    name: str
    sid: str = ""
    email: str = ""

    @property
    def key(self) -> str:
        """What is the same whenever this person hands something in."""
        return self.email.casefold() or self.sid or self.name


@dataclass(frozen=True)
class Record:
    """What the export says of one submission."""

    submitters: tuple[Submitter, ...]
    handed_in: datetime | None


def read_metadata(data: bytes) -> dict[str, Record]:
    """Return the record of each folder; raise UserError for what is no metadata."""
    try:
        table = yaml.load(data.decode("utf-8-sig"), Loader=Loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{NAME}:{mark.line + 1}" if mark else NAME
        raise UserError(f"{place}: not YAML: nobody's name is known, download the export again") from None
    if not isinstance(table, Mapping):
        raise UserError(f"{NAME}: not a table of submissions: nobody's name is known, download the export again")
    return {str(folder): _read_record(entry) for folder, entry in table.items()}


def _read_record(entry: Any) -> Record:
    people = _get(entry, "submitters")
    people = people if isinstance(people, list) else []
    submitters = (Submitter(*(_read_text(person, key) for key in ("name", "sid", "email"))) for person in people)
    return Record(tuple(one for one in submitters if one.key), _read_time(_get(entry, "created_at")))


def _get(entry: Any, key: str) -> Any:
    """A value by its key, which Ruby writes with a colon before it."""
    return entry.get(f":{key}", entry.get(key)) if isinstance(entry, Mapping) else None


def _read_text(person: Any, key: str) -> str:
    value = _get(person, key)
    return "" if value is None else " ".join(str(value).split())


def _read_time(value: Any) -> datetime | None:
    if isinstance(value, Mapping):
        value = value.get("utc")
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
