"""The search of everything that students get for what they must not get."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder import tree
from autograder.errors import UserError
from autograder.release.master import ORACLE
from autograder.release.secret import Secret, list_secrets, squeeze, strip_comments
from autograder.release.source import Source

SHOWN = 10  # refusals on one screen


@dataclass(frozen=True)
class Passage:
    """A text that students get and its place: a file, or one entry of a notebook."""

    place: str
    text: str

    @cached_property
    def forms(self) -> tuple[str, str]:
        """The text squeezed, with its comments and without."""
        return squeeze(self.text), squeeze(strip_comments(self.text))

    def holds(self, secret: Secret) -> bool:
        """Whether the passage gives the secret away."""
        if secret.word:
            return re.search(rf"(?<!\w){re.escape(secret.word)}(?!\w)", self.text) is not None
        return any(secret.text in form for form in self.forms)


def search_leaks(source: Source, template: Path) -> None:
    """Refuse a students' folder that gives something away: file names, sources, metadata and outputs.

    Raises UserError naming the file, the place in it and what stands there.
    """
    secrets = list_secrets(source)
    found = [
        f"{passage.place}: holds {secret.what}, remove it"
        for passage in _list_passages(template)
        for secret in secrets
        if passage.holds(secret)
    ]
    if found:
        more = [f"... and {len(found) - SHOWN} more places"] if len(found) > SHOWN else []
        raise UserError("\n".join([*found[:SHOWN], *more]))


def _list_passages(template: Path) -> Iterator[Passage]:
    for path in sorted(template.rglob("*")):
        place = f"{tree.TEMPLATE.name}/{path.relative_to(template).as_posix()}"
        if path.name == ORACLE:
            raise UserError(f"{place}: the oracle is not for students, leave it out")
        yield Passage(place, path.name)
        if path.suffix == ".ipynb":
            for where, text in _list_strings(json.loads(path.read_text(encoding="utf-8")), ""):
                yield Passage(f"{place}:{where}", text)
        elif path.is_file():
            yield Passage(place, path.read_bytes().decode(errors="replace"))


def _list_strings(node: Any, where: str) -> Iterator[tuple[str, str]]:
    """Every string of a notebook, keys included, with its place; lines of one text are put together."""
    if isinstance(node, str):
        yield where, node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield f"{where} {key}", key
            yield from _list_strings(value, f"{where} {key}")
    elif isinstance(node, list) and node and all(isinstance(item, str) for item in node):
        yield where, "".join(node)
    elif isinstance(node, list):
        for number, item in enumerate(node, start=1):
            yield from _list_strings(item, f"{where} {number}")
