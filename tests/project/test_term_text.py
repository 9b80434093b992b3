"""A cell shows what holds this term and nothing of what another term could switch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
import torch
from project import variants

from autograder import tree
from solutions import term
from solutions.term import order, text
from solutions.term.text import fold, read_answer


@pytest.fixture(autouse=True)
def another_term(monkeypatch: pytest.MonkeyPatch) -> None:
    switched = {"ROPE_BASE": 500000.0, "PATCH_ORDER": "columns", "PIXEL_ORDER": "rows", "PRE_NORM": False}
    for name, value in switched.items():
        monkeypatch.setitem(text.SWITCHES, name, value)
    monkeypatch.setitem(text.WORDS, "patches", "column-major")


@pytest.mark.parametrize(
    ("source", "folded"),
    [
        (
            "def rope(X, L: float = ROPE_BASE):  # base\n    ...\n",
            "def rope(X, L: float = 500000.0):  # base\n    ...\n",
        ),
        ("f(PRE_NORM, not PRE_NORM)\n", "f(False, True)\n"),
        ("x = 1.0 if ROPE_BASE > 2 else g(ROPE_BASE)\n", "x = 1.0 if True else g(500000.0)\n"),
        ("x = (\n    2.0\n    * ROPE_BASE\n)\n", "x = (\n    1000000.0\n)\n"),
        ("α = 'größe', ROPE_BASE\n", "α = 'größe', 500000.0\n"),
        ("L = [ROPE_BASE, ROPE_BASE]\n", "L = [500000.0, 500000.0]\n"),
    ],
)
def test_the_largest_expression_of_switches_alone_becomes_its_value(source: str, folded: str) -> None:
    assert fold(source) == folded


def test_a_branch_is_decided_and_its_layout_and_comments_stay() -> None:
    source = """\
    def cut(grid, P):
        if PATCH_ORDER == "columns":
            # down the columns
            grid = f(grid,
                     P)  # first

            if PIXEL_ORDER == "columns" or PRE_NORM:
                grid = g(grid)
            if P > 1:
                grid = h(grid)
        else:
            grid = rows(grid)
        if PIXEL_ORDER == "columns":
            grid = never(grid)
        else:
            # along the rows
            grid = i(grid)
        return grid
    """
    assert fold(dedent(source)) == dedent("""\
    def cut(grid, P):
        # down the columns
        grid = f(grid,
                 P)  # first

        if P > 1:
            grid = h(grid)
        # along the rows
        grid = i(grid)
        return grid
    """)


def test_a_source_without_a_switch_is_left_alone() -> None:
    source = "x = 1   # no newline, odd   layout\nif x: y = 2"
    assert fold(source) == source


def test_a_placeholder_becomes_its_word_and_an_unknown_one_is_no_secret() -> None:
    assert fold('"""In << patches >> order."""') == '"""In column-major order."""'
    with pytest.raises(KeyError, match="patchez"):
        fold('"""In << patchez >> order."""')


@pytest.mark.parametrize("orders", [("rows", "rows"), ("rows", "columns"), ("columns", "rows"), ("columns", "columns")])
def test_an_answer_to_q11_written_row_by_row_is_put_in_order_in_its_cell_as_in_the_process(
    monkeypatch: pytest.MonkeyPatch, orders: tuple[str, str]
) -> None:
    for name, value in zip(("PATCH_ORDER", "PIXEL_ORDER"), orders, strict=True):
        monkeypatch.setitem(text.SWITCHES, name, value)
        monkeypatch.setattr(order, name, value)
    monkeypatch.setattr(order, "AS_WRITTEN", orders == ("rows", "rows"))
    variant = next(variant for variant in variants.load_variants(order.QUESTION) if variant.name == "permutes_axes")
    names: dict[str, object] = {"torch": torch}
    exec(variant.source_code(), names)
    images = torch.rand(2, 6, 6)
    grid = images.reshape(2, 3, 2, 3, 2).transpose(2, 3)
    grid = grid.transpose(1, 2) if orders[0] == "columns" else grid
    right = (grid.transpose(3, 4) if orders[1] == "columns" else grid).reshape(2, 9, 4)
    assert torch.equal(variant.answers()["patchify"](images, 2), right)
    assert torch.equal(names["patchify"](images, 2), right)  # type: ignore[operator]
    assert not [name for name in text.SWITCHES if name in variant.source_code()]


def test_an_answer_is_read_as_it_is_defined_and_folded() -> None:
    def make() -> object:
        def rope(X, L=text.SWITCHES):  # type: ignore[no-untyped-def]
            return L

        return rope

    assert read_answer(make).startswith("def rope(X, L=text.SWITCHES)")


@pytest.mark.parametrize("table", ["term: [", "term: 3", "- 1", "", "term: {patch_order: diagonal}"])
def test_a_table_that_is_wrong_stops_no_import_so_that_its_own_line_is_told(tmp_path: Path, table: str) -> None:
    (tmp_path / "solutions" / "term").mkdir(parents=True)
    for name in ("__init__.py", "term/__init__.py"):
        (tmp_path / "solutions" / name).write_bytes((tree.SOLUTIONS / name).read_bytes())
    (tmp_path / "grading.yml").write_text(table, encoding="utf-8")
    command = [sys.executable, "-c", "from solutions.term import SWITCHES; print(SWITCHES['ROPE_BASE'])"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert float(done.stdout) == term.LECTURE["rope_base"]
