"""Slips in a YAML table, told with their lines."""

import difflib
from collections.abc import Sequence

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
    node, line = root, 1
    for step in problem["loc"]:
        place.append(str(step))
        key, node = _enter(node, step)
        line = key.start_mark.line + 1 if key else line
    what = {
        "extra_forbidden": f"unknown key, did you mean {meant[-1]!r}?" if meant else UNKNOWN,
        "missing": "missing, add it",
    }.get(problem["type"], problem["msg"].removeprefix("Value error, "))
    if problem["type"] not in ("extra_forbidden", "missing", "value_error"):
        what = f"{what}, not {problem['input']!r}"
    return ": ".join(filter(None, [str(line), ".".join(place), what]))


def _enter(node: yaml.Node | None, step: int | str) -> tuple[yaml.Node | None, yaml.Node | None]:
    """The key and value of a mapping, or the item of a sequence, that a step of a place leads to."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), (None, None))
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None, None
