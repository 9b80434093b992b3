"""The search of everything that students get for what they must not get."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from autograder import tree
from autograder.errors import UserError
from autograder.release.master import ORACLE
from autograder.release.secret import Secret, list_secrets, squeeze, strip_comments
from autograder.release.secret_shape import list_secret_shapes
from autograder.release.source import Source

SHOWN = 10  # refusals on one screen
PUBLIC = ("files/", f"{tree.GIVEN.relative_to(tree.ROOT).as_posix()}/")  # of the zip; its students' folder is ours
PRIVATE = f"files/{tree.KIT.name}/{ORACLE}"  # Otter lays it beside the notebook only when it grades
ENCODED = re.compile(r"[A-Za-z0-9+/\s]{24,}={0,2}\s*")  # as attachments are


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


def search_leaks(source: Source, files: dict[str, bytes]) -> None:
    """Refuse files for students that give something away: file names, sources, metadata, outputs and attachments.

    Args:
        source: what is secret and what is not
        files: their content by name

    Raises UserError naming the file, the place in it and what stands there.
    """
    secrets, shapes = list_secrets(source), list_secret_shapes(source)
    found: dict[str, None] = {}  # each once, in order
    seen: set[str] = set()  # many texts stand in several files
    for passage in _list_passages(files):
        if passage.text in seen:
            continue
        seen.add(passage.text)
        held = [secret.what for secret in secrets if passage.holds(secret)]
        for what in held or sorted(shapes.find(passage.text)):
            found[f"{passage.place}: holds {what}, remove it"] = None
    if found:
        more = [f"... and {len(found) - SHOWN} more places"] if len(found) > SHOWN else []
        raise UserError("\n".join([*list(found)[:SHOWN], *more]))


def read_template(template: Path) -> dict[str, bytes]:
    """The students' folder as `search_leaks` takes it."""
    return {
        f"{tree.TEMPLATE.name}/{path.relative_to(template).as_posix()}": path.read_bytes()
        for path in sorted(template.rglob("*"))
        if path.is_file()
    }


def choose_public(entries: dict[str, bytes]) -> dict[str, bytes]:
    """The part of the autograder's zip that is laid beside a student's notebook."""
    return {name: data for name, data in entries.items() if name.startswith(PUBLIC) and name != PRIVATE}


def _list_passages(files: dict[str, bytes]) -> Iterator[Passage]:
    for name, data in files.items():
        path = PurePosixPath(name)
        if path.name == ORACLE:
            raise UserError(f"{name}: the oracle is not for students, leave it out")
        yield Passage(name, path.as_posix())
        text = data.decode(errors="replace")
        if path.suffix == ".ipynb":
            for where, part in _list_strings(json.loads(text), ""):
                yield Passage(f"{name}:{where}", part)
        else:
            yield Passage(name, text)


def _list_strings(node: Any, where: str) -> Iterator[tuple[str, str]]:
    """Every string of a notebook, keys included, with its place; lines of one text are put together."""
    if isinstance(node, str):
        yield where, node
        if decoded := _decode(node):
            yield where, decoded
    elif isinstance(node, dict):
        for key, value in node.items():
            yield f"{where} {key}", key
            yield from _list_strings(value, f"{where} {key}")
    elif isinstance(node, list) and node and all(isinstance(item, str) for item in node):
        yield from _list_strings("".join(node), where)
    elif isinstance(node, list):
        for number, item in enumerate(node, start=1):
            yield from _list_strings(item, f"{where} {number}")


def _decode(text: str) -> str:
    """What a text in base64 says, if it says anything in words."""
    if not ENCODED.fullmatch(text):
        return ""
    try:
        return base64.b64decode(text).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
