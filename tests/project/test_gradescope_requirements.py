"""What is installed on Gradescope is pinned, and is what the package needs, for every Python that it supports."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from autograder import tree
from autograder.gradescope.pins import FILES, list_pins

PINS = tree.TOOL / "gradescope"
LOCKED = (PINS / "requirements.txt").read_text(encoding="utf-8")
PINNED = [pin for name in FILES for pin in list_pins((PINS / name).read_text(encoding="utf-8"))]
LEFT_OUT = {
    name
    for part in ("left_out", "gpu_libraries")
    for name in list_pins((PINS / f"{part}.txt").read_text(encoding="utf-8"))
}


def choose_pins(python: str) -> dict[str, Requirement]:
    environment = {"python_version": python, "python_full_version": f"{python}.9"}
    pins = map(Requirement, PINNED)
    chosen = [pin for pin in pins if pin.marker is None or pin.marker.evaluate(environment)]
    assert len({normalise(pin.name) for pin in chosen}) == len(chosen)
    return {normalise(pin.name): pin for pin in chosen}


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_needed() -> list[Requirement]:
    text = (tree.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert block
    return [Requirement(line) for line in re.findall(r'^\s*"(.+?)",', block[1].replace("'", '"'), re.MULTILINE)]


@pytest.mark.parametrize("python", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_each_dependency_is_pinned_within_its_range(python: str) -> None:
    pins, needed = choose_pins(python), read_needed()
    assert len(needed) > 10
    for requirement in needed:
        if requirement.name in LEFT_OUT:
            continue
        pin = pins[normalise(requirement.name)]
        version = str(pin.specifier).removeprefix("==")
        assert str(pin.specifier) == f"=={version}"
        assert requirement.specifier.contains(version), f"{requirement}: {pin}"


def test_what_the_pinned_packages_need_is_pinned_too() -> None:
    pins = choose_pins("3.11")
    environment = {"python_version": "3.11", "python_full_version": "3.11.9", "extra": ""}
    for name in pins:
        for line in metadata.requires(name) or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate(environment):
                other = normalise(requirement.name)
                assert other in pins or other in LEFT_OUT, f"{name}: {line}"


@pytest.mark.parametrize("lock", [PINS / "requirements.txt", tree.ROOT / "development.txt"], ids=lambda path: path.name)
def test_every_package_of_a_lock_file_has_the_hashes_of_its_files(lock: Path) -> None:
    """pip compares no hash at all where a file has none; torch.txt says why torch has none."""
    blocks = re.split(r"^(?=\w)", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(blocks) > 100
    for block in blocks:
        assert re.fullmatch(r"[\w.-]+==\S+( ; [^\\\n]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+\n", block), block
        assert not block.startswith(("torch==", "nvidia", "cuda", "triton")), block


def test_the_grader_and_the_developers_have_the_same_versions() -> None:
    ours = set(list_pins((tree.ROOT / "development.txt").read_text(encoding="utf-8")))
    assert {pin.partition(" ")[0] for pin in list_pins(LOCKED)} <= {pin.partition(" ")[0] for pin in ours}
