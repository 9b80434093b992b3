"""What is installed on Gradescope is pinned, and is what the package needs, for every Python that it supports."""

from __future__ import annotations

import re
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from autograder import tree

PINNED = (tree.TOOL / "gradescope" / "requirements.txt").read_text(encoding="utf-8")
# of what Otter's own packages ask for, what no grade runs
LEFT_OUT = {"playwright", "python-on-whales", "jupytext", "jupyterlab-widgets", "widgetsnbextension", "setuptools"}
LEFT_OUT |= {"docutils", "sphinx", "psutil", "importlib-metadata"}
GRADES_A_CLASS = {"distributed", "cryptography"}  # autograder.batch stays on the instructor's machine


def list_pins(python: str) -> dict[str, Requirement]:
    environment = {"python_version": python, "python_full_version": f"{python}.9"}
    pins = [Requirement(line) for line in PINNED.splitlines() if not line.startswith("#")]
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
    pins, needed = list_pins(python), read_needed()
    assert len(needed) > 10
    for requirement in needed:
        if requirement.name in GRADES_A_CLASS:
            continue
        pin = pins[normalise(requirement.name)]
        version = str(pin.specifier).removeprefix("==")
        assert str(pin.specifier) == f"=={version}"
        assert requirement.specifier.contains(version), f"{requirement}: {pin}"


def test_what_the_pinned_packages_need_is_pinned_too() -> None:
    pins = list_pins("3.11")
    environment = {"python_version": "3.11", "python_full_version": "3.11.9", "extra": ""}
    for name in pins:
        for line in metadata.requires(name) or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate(environment):
                other = normalise(requirement.name)
                assert other in pins or other in LEFT_OUT or other.startswith(("nvidia", "triton")), f"{name}: {line}"


def test_the_makefile_installs_the_same_torch() -> None:
    makefile = (tree.ROOT / "Makefile").read_text(encoding="utf-8")
    assert str(list_pins("3.11")["torch"]) in makefile
