"""Forks are cheap because what is loaded lies in huge pages, where the system has them."""

from __future__ import annotations

import contextlib
import platform
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.version import Version
from project.sandboxed import Limits, make_given

from autograder.sandbox import Sandbox
from autograder.sandbox.inside import pages

HAS_THEM = Path("/sys/kernel/mm/transparent_hugepage").is_dir()
IS_NEW = Version(platform.release().split("-")[0]) >= Version("6.1")  # the first Linux that collapses on request


@pytest.mark.skipif(not (HAS_THEM and IS_NEW), reason="needs huge pages and Linux 6.1")
def test_half_of_what_is_preloaded_lies_in_huge_pages(tmp_path: Path) -> None:
    sandbox = Sandbox(make_given(tmp_path), Limits()).open_preloaded()
    with contextlib.ExitStack() as stack:
        stack.push(sandbox)
        told = Path(f"/proc/{sandbox._zygote.popen.pid}/smaps_rollup").read_text()
    sizes = {name: int(size) for name, size in re.findall(r"(\w+): *(\d+) kB", told)}
    assert sizes["AnonHugePages"] > sizes["Anonymous"] / 2


def test_where_the_system_refuses_nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "libc", SimpleNamespace(madvise=lambda place, size, advice: -1))
    assert pages.collapse_pages() == 0


MAPPED = """\
10-20 rw-p 00 00:00 0
30-40 r-xp 00 00:00 0
50-60 rw-p 00 08:01 7 /usr/lib/libc.so.6
70-80 rw-p 00 00:00 0 [heap]
"""


def test_only_memory_that_belongs_to_no_file_is_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAPS", tmp_path / "maps")
    pages.MAPS.write_text(MAPPED)
    assert list(pages.list_own_memory()) == [(0x10, 0x20), (0x70, 0x80)]
