"""What a release consists of: its questions and points, and the hash of everything that is shipped."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

from autograder import tree
from autograder.errors import UserError
from autograder.gradescope.pins import FILES, list_pins
from autograder.release.cases import CaseSource
from autograder.release.shape import drop_docstring
from autograder.release.source import Source

PINNED = [f"autograder/gradescope/{name}" for name in FILES]  # in the zip
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)\.json")
Manifest = dict[str, Any]


def make_manifest(source: Source, students: dict[str, bytes], entries: dict[str, bytes]) -> Manifest:
    """The manifest of a release; equal sources give equal manifests.

    Args:
        source: the questions
        students: the students' files by name
        entries: what is in the autograder's zip
    """
    grading = source.grading
    cases = [case for cases in source.cases.values() for case in cases]
    notebook = json.loads(students[f"{tree.TEMPLATE.name}/{tree.NOTEBOOK.name}"])
    return {
        "assignment": grading.assignment,
        "version": grading.version,
        "public": _count([case for case in cases if not case.hidden]),
        "hidden": _count([case for case in cases if case.hidden]),
        "questions": {id: _describe_question(source, id) for id in grading.questions},
        "settings": {
            **grading.model_dump(include={"limits", "tolerances", "vit", "hidden", "leaderboard"}),
            **{f"term.{name}": value for name, value in grading.term},
            "salt": _hash(grading.salt.encode()),
        },
        "packages": [pin for name in PINNED for pin in list_pins(entries[name].decode())],
        "cells": {cell["id"]: _first_line(cell["source"]) for cell in notebook["cells"]},
        "students": {name: _hash(data) for name, data in students.items()},
        "autograder": {name: _hash(data) for name, data in entries.items()},
    }


def write_manifest(manifest: Manifest, path: Path) -> None:
    """Write a manifest as JSON, a line for each thing."""
    path.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def read_last_manifest() -> tuple[str, Manifest] | None:
    """The manifest of the highest version that is committed, and its name; outside a git checkout, that is there.

    Raises UserError for a file that is no manifest.
    """
    folder = tree.RELEASES.name
    listed = _ask_git("ls-tree", "--name-only", "HEAD", f"{folder}/")
    committed = [Path(line).name for line in (listed or "").splitlines()]
    names = committed if listed is not None else [path.name for path in tree.RELEASES.glob("*.json")]
    versions = {match.groups(): name for name in names if (match := VERSION.fullmatch(name))}
    if not versions:
        return None
    name = versions[max(versions, key=lambda version: [int(part) for part in version])]
    if listed is not None:
        text = _ask_git("show", f"HEAD:./{folder}/{name}") or ""
    else:
        text = (tree.RELEASES / name).read_text(encoding="utf-8")
    try:
        return f"{folder}/{name}", dict(json.loads(text))
    except ValueError as error:
        raise UserError(f"{folder}/{name}: is no manifest ({error}), restore it") from None


def _describe_question(source: Source, id: str) -> dict[str, Any]:
    question = source.grading.questions[id]
    return {
        "title": question.title,
        "points": question.points,
        "cases": {
            case.name: {
                "points": case.points,
                "hidden": case.hidden,
                "claim": _hash(case.claim.encode()),
                "check": _hash(_read_check(case).encode()),
            }
            for case in source.cases[id]
        },
    }


def _read_check(case: CaseSource) -> str:
    """What a case does, however it is laid out and whatever its docstring claims."""
    function = ast.parse(case.source).body[0]
    body = drop_docstring(getattr(function, "body", []))
    return ";".join(map(ast.dump, body))


def _count(cases: list[CaseSource]) -> dict[str, float]:
    return {"cases": len(cases), "points": sum(case.points for case in cases)}


def _first_line(source: str | list[str]) -> str:
    return next((line.strip() for line in "".join(source).splitlines() if line.strip()), "")


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()


def _ask_git(*arguments: str) -> str | None:
    """What git says; None where this is no checkout with a commit."""
    command = ["git", "-C", str(tree.ROOT), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
