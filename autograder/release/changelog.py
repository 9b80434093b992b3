"""CHANGELOG.md, held against what changed: whoever reads it must learn whether scores can move."""

from __future__ import annotations

import re

from rich.console import Console

from autograder import tree
from autograder.errors import UserError
from autograder.release.changes import Change, list_changes
from autograder.release.manifest import Manifest, read_last_manifest

ENTRIES = {"tests": "scores can move", "handout": "students read something else"}
SHOWN = 30  # lines of changes on one screen


def tell_changes(console: Console, manifest: Manifest) -> None:
    """Print what changed since the last committed manifest, and refuse a changelog that keeps it to itself.

    Raises UserError naming the section and the entry that is missing.
    """
    last = read_last_manifest()
    if last is None:
        console.print("releases/ has no committed manifest: this is the first release", highlight=False)
        check_changelog(manifest["version"], [], same=False)
        return
    name, old = last
    changes = list_changes(old, manifest)
    same = old["version"] == manifest["version"]
    _print_changes(console, name, changes)
    if changes and same:
        console.print(f"{name} has this version: raise `version` in grading.yml if students have it", markup=False)
    check_changelog(manifest["version"], changes, same)


def check_changelog(version: str, changes: list[Change], same: bool) -> None:
    """Refuse unless CHANGELOG.md has a section for the version that says what the changes are.

    Args:
        version: of this release
        changes: since the last one
        same: whether the last one has the same version; then its section need not name the questions again

    Raises UserError.
    """
    text = tree.CHANGELOG.read_text(encoding="utf-8") if tree.CHANGELOG.exists() else ""
    place, section = tree.CHANGELOG.name, _find_section(text, version)
    if section is None:
        raise UserError(f"{place}: has no section '## {version}', write what changed")
    for entry, why in ENTRIES.items():
        told = "\n".join(_list_entries(section, entry))
        wanted = [change for change in changes if (change.moves if entry == "tests" else change.kind == "text")]
        if wanted and not told:
            raise UserError(f"{place}: {version}: has no '- {entry}:' entry, but {why} ({wanted[0].what}): write it")
        untold = sorted({change.question for change in wanted if change.moves and change.question not in told})
        if untold and not same:
            raise UserError(f"{place}: {version}: no '- {entry}:' entry names {', '.join(untold)}, where {why}: say so")


def _print_changes(console: Console, name: str, changes: list[Change]) -> None:
    if not changes:
        console.print(f"nothing changed since {name}", markup=False, highlight=False)
        return
    console.print(f"changed since {name}:", markup=False, highlight=False)
    for change in changes[:SHOWN]:
        console.print(f"  {change.kind:<9} {change.what}", markup=False, highlight=False, soft_wrap=True)
    if len(changes) > SHOWN:
        console.print(f"  ... and {len(changes) - SHOWN} more", markup=False, highlight=False)
    movers = dict.fromkeys(change.question or change.kind for change in changes if change.moves)
    verdict = f"can move ({', '.join(movers)})" if movers else "cannot move"
    console.print(f"earlier scores {verdict}", markup=False, highlight=False, soft_wrap=True)


def _find_section(text: str, version: str) -> str | None:
    match = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return match[1] if match else None


def _list_entries(section: str, kind: str) -> list[str]:
    """The entries of a kind, with their further lines."""
    return re.findall(rf"^- {kind}:.*(?:\n[ \t]+.*)*", section, re.MULTILINE)
