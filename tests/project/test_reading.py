"""Strangers' files are read in a process with limits: what they ask for costs neither the grader nor honest people."""

from __future__ import annotations

import json
import resource
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from project import course

from autograder import reading
from autograder.errors import UserError
from autograder.reading import Asked, read_within_limits
from autograder.search import Found, search_submission
from autograder.submission import Submission, read_submission

QUESTIONS = [Asked("q02_attention", ["attention"]), Asked("q05_parameters", ["attention_parameters"])]
FORBIDDEN = {"q02_attention": ["scaled_dot_product_attention", "MultiheadAttention"]}
ANSWER = "def attention_parameters(D): return 3 * D * D"
CHECK = 'grader.check("q05_parameters")'


def write(path: Path, *sources: str) -> Path:
    """Write a notebook of an answer, its check and these cells."""
    return course.write_notebook(path / "a.ipynb", [ANSWER, CHECK, *sources])


def read(path: Path) -> Submission:
    """Read as the grader does."""
    return read_within_limits(path, QUESTIONS, FORBIDDEN)


def grown() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # kilobytes on Linux


def test_the_other_process_reads_what_this_one_would(tmp_path: Path) -> None:
    uses = "import torch.nn.functional as F\ndef attention(Q, K, V): return F.scaled_dot_product_attention(Q, K, V)"
    late = "def attention_parameters(D): return 0  # \ud83d\ude00 ü"
    path = write(tmp_path, uses, 'grader.check("q02_attention")', late)
    here = read_submission(path, QUESTIONS)
    there = read(path)
    assert (there.cells, there.places, there.digest) == (here.cells, here.places, here.digest)
    assert there.found == search_submission(here, QUESTIONS, FORBIDDEN)
    assert there.found is not None
    (use,) = there.found.uses["q02_attention"]
    assert (use.line, use.certain) == (2, True)
    assert len(there.found.late) == 1


def test_a_file_that_cannot_be_graded_gets_the_same_line(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    for text in ("{", "[]", "[" * 200_000, json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]})):
        path.write_text(text)
        with pytest.raises(UserError) as here:
            read_submission(path, QUESTIONS)
        with pytest.raises(UserError) as there:
            read(path)
        assert str(there.value) == str(here.value)


def test_a_zip_that_asks_for_memory_gets_one_line_and_none_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.ipynb", '{"cells": [], "metadata": {"x": [' + "[]," * (16 << 20) + "0]}}")
    before = grown()
    with pytest.raises(UserError, match="takes more than 1 GB of memory or 30 s to read: clear"):
        read(path)
    assert grown() - before < 64 << 20


@pytest.mark.parametrize(
    "source",
    ["\n" * 200_000 + "x = 1", "\n".join(f"a{i}=0" for i in range(4000)), "x = a" + ".b" * 1500, "%a\n" * 2_000],
    ids=["blank lines", "short lines", "attributes", "magics"],
)
def test_a_small_file_is_read_with_little(tmp_path: Path, source: str) -> None:
    path = write(tmp_path, source)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = read(path).found
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert found is not None and not found.problem
    assert after.ru_utime - before.ru_utime < reading.SECONDS / 3


def test_a_search_that_does_not_end_has_found_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path)
    run = subprocess.run

    def lose_the_end(*args: Any, **named: Any) -> Any:
        done = run(*args, **named)
        done.stdout = done.stdout.splitlines()[0]
        return done

    monkeypatch.setattr("autograder.reading.subprocess.run", lose_the_end)
    submission = read(path)
    assert submission.cells == read_submission(path, QUESTIONS).cells
    assert submission.found == Found(problem="memory or time")


def test_a_process_that_tells_nothing_or_takes_too_long_costs_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path)
    monkeypatch.setattr(reading, "BOOT", "raise SystemExit(1)")
    with pytest.raises(UserError, match=r"a\.ipynb: takes more than"):
        read(path)
    monkeypatch.setattr(reading, "BOOT", "import time; time.sleep(100)")
    monkeypatch.setattr(reading, "PATIENCE", 0.1)
    with pytest.raises(UserError, match=r"a\.ipynb: takes more than"):
        read(path)


def test_an_error_of_the_search_is_told_and_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(cells: object) -> None:
        raise RecursionError

    monkeypatch.setattr("autograder.search.read_names", fail)
    assert search_submission(Submission(Path("a"), [], []), QUESTIONS, FORBIDDEN) == Found(problem="RecursionError")


# ---------------------------------------------------------------------------------------------------------- any source

WORDS = st.sampled_from(
    [
        *("def", "class", "lambda", "import", "from", "as", "global", "with", "try", "except", "if", "elif", "else"),
        *("for", "while", "match", "case", "return", "async", "await", "yield", "attention", "torch", "F", "nn", "x"),
        *("scaled_dot_product_attention", "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", ":=", "->", "*", "**"),
        *("@", "%", "!", "?", "\n", "\n    ", "\r", "\r\n", "\t", "\f", "\\", "#", "'", '"', '"""', "0", "1e999"),
        *("a.b", "a=b", "\x00", "\x1e", "ü", "\ud800", "%%time", "%%bash", "%pwd", "!ls", "_", "None"),
    ]
)
TEXT = st.one_of(
    st.lists(WORDS, max_size=40).map(" ".join),
    st.lists(st.one_of(WORDS, st.text(max_size=3)), max_size=40).map("".join),
)
STATEMENTS = st.lists(
    st.sampled_from(
        [
            "import torch.nn.functional as F",
            "from torch import *",
            "attention = attention",
            "attention, b = b, attention",
            "def attention(Q, *, K=F.x, **V):\n    global b\n    b = [attention for attention in Q if (c := b)]",
            "class b(attention, metaclass=b):\n    def forward(b): return b.b\n    b = forward",
            "with b as (attention, *c): b += attention",
            "try: b\nexcept b as attention: pass\nfinally: attention = b",
            "match b:\n    case {'a': attention, **c}: b = c\n    case [F, *_] | F: pass",
            "async def b():\n    async for attention in b: nonlocal_ = await attention",
            "for b in attention: attention = lambda b=attention: attention(b)",
            "x = %pwd",
            "%%time",
            "!ls",
            "getattr(F, 'scaled_dot_product_attention')(b)",
            "b: attention = F.scaled_dot_product_attention",
            "del b",
        ]
    ),
    max_size=12,
).map("\n".join)


@given(cells=st.lists(st.one_of(TEXT, STATEMENTS), max_size=4))
@settings(max_examples=1_000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_no_source_ends_the_way_from_the_file_to_the_forbidden_names(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in [ANSWER, *cells]]}))
    submission = read_submission(path, QUESTIONS)
    assert search_submission(submission, QUESTIONS, FORBIDDEN).problem == ""
    script = path.with_suffix(".py")
    script.write_bytes("\n# %%\n".join([ANSWER, *cells]).encode(errors="replace"))
    assert search_submission(read_submission(script, QUESTIONS), QUESTIONS, FORBIDDEN).problem == ""


@given(data=st.binary(max_size=400), kind=st.sampled_from([".ipynb", ".py", ".zip"]))
@settings(max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_are_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, kind: str
) -> None:
    path = (tmp_path_factory.getbasetemp() / "bytes").with_suffix(kind)
    path.write_bytes(data)
    try:
        read_submission(path, QUESTIONS)
    except UserError as error:
        assert "\n" not in str(error)
