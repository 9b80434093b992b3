"""Slips in a YAML table, told with their lines."""

import difflib
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import yaml
from pydantic_core import ErrorDetails

Place = tuple[int | str, ...]  # the steps to a value, as pydantic gives them
UNKNOWN = "unknown key, remove it or correct its spelling"


def find_repeated_keys(node: yaml.Node) -> list[str]:
    """Return a line for each key that stands twice: YAML keeps the last of them in silence, and so drops a case."""
    if not isinstance(node, yaml.CollectionNode):
        return []
    if isinstance(node, yaml.SequenceNode):
        return [problem for child in node.value for problem in find_repeated_keys(child)]
    problems, seen = [], set()
    for key, child in node.value:
        if key.value in seen:
            problems.append(f"{key.start_mark.line + 1}: {key.value}: stands here a second time, remove one")
        seen.add(key.value)
        problems += find_repeated_keys(child)
    return problems


def describe_slips(root: yaml.Node, problems: Sequence[ErrorDetails]) -> list[str]:
    """Return `line: place: what is wrong` for each of pydantic's problems; a misspelt key is told once."""
    missing = {problem["loc"] for problem in problems if problem["type"] == "missing"}
    meant: dict[Place, Place] = {}  # an unknown key -> the missing one beside it that it resembles
    for unknown in (problem["loc"] for problem in problems if problem["type"] == "extra_forbidden"):
        beside = [str(place[-1]) for place in missing if place[:-1] == unknown[:-1]]
        for name in difflib.get_close_matches(str(unknown[-1]), beside, n=1):
            meant[unknown] = (*unknown[:-1], name)
    return [
        _describe(root, problem, meant.get(problem["loc"]))
        for problem in problems
        if problem["loc"] not in meant.values()
    ]


def _describe(root: yaml.Node, problem: ErrorDetails, meant: Place | None) -> str:
    place: list[str] = []
    node: yaml.Node | None = root
    table, line = node, 1
    for step in problem["loc"]:
        place.append(str(step))
        table = node
        key, node = _enter(node, step)
        line = key.start_mark.line + 1 if key else line
    what = {
        "extra_forbidden": f"unknown key, did you mean {meant[-1]!r}?" if meant else UNKNOWN,
        "missing": "missing, add it",
    }.get(problem["type"], problem["msg"].removeprefix("Value error, "))
    if problem["type"] not in ("extra_forbidden", "missing", "value_error"):
        what = f"{what}, not {problem['input']!r}{_suggest(problem['input'])}"
    if problem["type"] == "invalid_key" and (number := _join_comma(table, str(problem["input"]))):
        place.pop()
        what = f"a comma ends a value here: write {number}"
    return ": ".join(filter(None, [str(line), ".".join(place), what]))


def _suggest(value: object) -> str:
    """How a number is written that YAML reads as text: `2,5`, or `1e5` without a point."""
    try:
        return f": write {Decimal(value.replace(',', '.')):f}" if isinstance(value, str) else ""
    except InvalidOperation:
        return ""


def _join_comma(table: yaml.Node | None, key: str) -> str:
    """The number that was meant where `{points: 2,5}` has made a key of its second half."""
    pairs = table.value if isinstance(table, yaml.MappingNode) else []
    for (_, before), (after, _) in pairwise(pairs):
        if after.value == key and key.isdecimal() and isinstance(before.value, str) and before.value.isdecimal():
            return f"{before.value}.{key}"
    return ""


def _enter(node: yaml.Node | None, step: int | str) -> tuple[yaml.Node | None, yaml.Node | None]:
    """The key and value of a mapping, or the item of a sequence, that a step of a place leads to."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), (None, None))
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None, None
