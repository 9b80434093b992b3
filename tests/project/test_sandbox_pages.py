"""Forks are cheap because what is loaded lies in huge pages, where the system has them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.sandbox.inside import pages

MEMORY = """
import re, sys
from pathlib import Path
from autograder.sandbox.inside.pages import HUGE, collapse_pages

held = [bytes([number % 251]) * HUGE for number in range(16)]  # each larger than malloc's own heap takes
moved = collapse_pages()
huge = int(re.search(r"AnonHugePages: *(\\d+)", Path("/proc/self/smaps_rollup").read_text())[1]) * 1024
assert held == [bytes([number % 251]) * HUGE for number in range(16)]
print(moved, huge, 16 * HUGE)
"""


def test_own_memory_moves_into_huge_pages_and_keeps_its_content() -> None:
    ran = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, timeout=60, check=True)
    moved, huge, held = map(int, ran.stdout.split())
    if not moved:
        pytest.skip("this kernel does not collapse pages (Linux before 6.1, or huge pages are switched off)")
    assert moved >= held / 2
    assert huge >= held / 2


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
