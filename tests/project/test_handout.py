"""The homework runs from top to bottom, blank and solved, and the solved one shows the lecture's facts."""

from __future__ import annotations

import ast
import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from project.homework import shorten

from autograder import tree
from autograder.config import load_grading
from autograder.errors import UserError
from autograder.release.handout import find_places, read_handout
from autograder.release.stub import make_answer_cell, make_stub, read_solution, strip_marks

SILENT_CHECKS = '''"""Checks that check nothing: here it is the handout that is tested."""


class Checks:
    def check(self, question: str) -> None:
        print("check", question)

    def check_all(self) -> None:
        print("check all")

    def export(self) -> None:
        print("export")
'''


def expand_handout(solved: bool) -> NotebookNode:
    """The handout as a notebook, with the solutions or the stubs in their places."""
    grading = load_grading()
    cells = read_handout(grading)
    for index, (kind, question) in sorted(find_places(cells, grading).items(), reverse=True):
        check = f'grader.check("{question}")'
        if kind == "ANSWER":
            solution = read_solution(question, tree.SOLUTIONS / f"{question}.py")
            answer = strip_marks(make_answer_cell(solution)) if solved else make_stub(solution)
            cells[index].source = f"{answer}\n\n\n{check}"
        else:
            cells[index].source = check
    return new_notebook(cells=cells)


def execute(notebook: NotebookNode, folder: Path) -> str:
    """Run the notebook beside a copy of the given modules; returns what it printed."""
    shutil.copytree(tree.GIVEN, folder / "given", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "given" / "checks.py").write_text(SILENT_CHECKS)
    for name in ("kit", "tests"):
        (folder / name).mkdir()
    shutil.copyfile(tree.REQUIREMENTS, folder / tree.REQUIREMENTS.name)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


def list_experiments(notebook: NotebookNode) -> list[str]:
    looked_at = [cell.source for cell in notebook.cells if "otter_ignore" in cell.metadata.get("tags", [])]
    return [source for source in looked_at if re.search(r"^@(experiment|for_the_curious)$", source, re.MULTILINE)]


def test_experiments_of_the_blank_notebook_say_what_to_write_first(tmp_path: Path) -> None:
    notebook = expand_handout(solved=False)
    lines = execute(notebook, tmp_path).splitlines()
    questions = [path.stem for path in sorted(tree.SOLUTIONS.glob("q*.py"))]
    waiting = [line for line in lines if line.startswith("write ")]
    assert len(waiting) == len(list_experiments(notebook))
    assert set(waiting) <= {f"write {question} first" for question in questions}
    checks = [f"check {question}" for question in load_grading().questions]
    assert [line for line in lines if line.startswith(("check", "export"))] == [*checks, "check all", "export"]


def test_every_question_stands_in_its_order() -> None:
    grading = load_grading()
    places = find_places(read_handout(grading), grading)
    assert [question for _, question in places.values()] == list(grading.questions)
    assert [question for kind, question in places.values() if kind == "CHECK"] == ["q13_vit_accuracy"]


def test_an_experiment_imports_all_it_needs_of_the_given_modules() -> None:
    cells = [ast.parse(source) for source in list_experiments(expand_handout(solved=False))]
    imported = [
        {alias.name for node in ast.walk(cell) if isinstance(node, ast.ImportFrom) for alias in node.names}
        for cell in cells
    ]
    given = set().union(*imported)
    for cell, here in zip(cells, imported, strict=True):
        used = {node.id for node in ast.walk(cell) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        assert used & given == here


def test_every_figure_is_followed_by_what_to_see() -> None:
    cells = expand_handout(solved=False).cells
    for cell, following in zip(cells, [*cells[1:], None], strict=True):
        if cell.cell_type == "code" and "return draw_" in cell.source:
            assert following is not None
            assert following.source.startswith("**What to see.**"), cell.source


def test_the_opening_cell_has_the_table_of_points_and_the_rules() -> None:
    grading = load_grading()
    opening = expand_handout(solved=False).cells[0].source
    for id, question in grading.questions.items():
        assert f"| `{id}` | {question.title} | {question.points:g} |" in opening
    assert tree.RULES.read_text().strip() in opening
    assert grading.hours in opening
    assert "<<" not in opening


def test_checking_and_exporting_cells_are_not_graded_and_the_curious_come_after_them() -> None:
    cells = expand_handout(solved=False).cells
    last = {
        name: n
        for n, cell in enumerate(cells)
        for name in ("check_all()", "export()")
        if f"grader.{name}" in cell.source
    }
    assert all("otter_ignore" in cells[number].metadata["tags"] for number in last.values())
    curious = [n for n, cell in enumerate(cells) if "for_the_curious" in cell.source]
    headings = [n for n, cell in enumerate(cells) if cell.source.startswith("## For the curious")]
    assert last["check_all()"] < last["export()"] < headings[0] < min(curious)
    assert "**Not graded" in cells[headings[0]].source


def test_what_is_for_the_curious_does_not_run_in_the_grader(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edited cell of a submission runs there, and training in vain would cost the time of what is graded."""
    from given.experiment import for_the_curious

    ran: list[int] = []
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    for_the_curious(lambda: ran.append(1))
    assert ran == []
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    for_the_curious(lambda: ran.append(1))
    assert ran == [1]


class Fact(NamedTuple):
    """A number of the solved notebook: where it is printed, what the lecture says, what is near enough."""

    number: int
    name: str
    pattern: str
    lecture: str
    low: float
    high: float


def about(number: int, name: str, pattern: str, lecture: str) -> Fact:
    """A rounding error: at most a decade above the lecture's."""
    return Fact(number, name, pattern, lecture, 0.0, 10 * float(lecture))


def exactly(number: int, name: str, pattern: str, lecture: str) -> Fact:
    """A number to the digits shown."""
    value = float(lecture.replace(",", ""))
    return Fact(number, name, pattern, lecture, value, value)


def near(number: int, name: str, pattern: str, lecture: str, noise: float) -> Fact:
    """A number that training ends at, within its noise."""
    return Fact(number, name, pattern, lecture, float(lecture) - noise, float(lecture) + noise)


NUMBER = r"([-\d.,e]+)"
FACTS = [
    about(1, "row sums, 11 words", r"11 words, rows of alpha sum to 1 within (\S+)", "1e-7"),
    about(1, "row sums, 12 words", r"12 words, rows of alpha sum to 1 within (\S+)", "1e-7"),
    about(2, "difference from PyTorch", r"from PyTorch: +(\S+)", "1e-6"),
    Fact(2, "|alpha - alpha^T|", r"alpha\^T\|: +(\S+)", "not 0", 0.1, 1.0),
    *(
        exactly(3, f"variance, D_k = {D_k}", rf"\n *{D_k} unscaled +(\S+)", variance)
        for D_k, variance in ((4, "4.0"), (64, "63.8"), (1024, "1021.6"))
    ),
    *(near(3, f"variance scaled, {D_k}", rf"\n *{D_k} scaled +(\S+)", "1", 0.05) for D_k in (4, 64, 1024)),
    *(
        exactly(3, f"largest weight, {D_k}", rf"\n *{D_k} unscaled +\S+ +(\S+)", weight)
        for D_k, weight in ((4, "0.34"), (64, "0.82"), (1024, "0.96"))
    ),
    *(exactly(3, f"largest scaled, {D_k}", rf"\n *{D_k} scaled +\S+ +(\S+)", "0.16") for D_k in (4, 64, 1024)),
    about(4, "difference from PyTorch", r"nn.MultiheadAttention: +(\S+)", "1e-7"),
    exactly(4, "one head", r"one head: +(\S+)", "1,769,472"),
    exactly(4, "multi-head", r"multi-head with W_o: +(\S+)", "2,359,296"),
    exactly(4, "dense layer", r"dense on 1,024 tokens: +(\S+)", "618,475,290,624"),
    exactly(5, "layer", r"whole layer +(\S+)", "7,087,872"),
    exactly(5, "attention", r"\nattention +(\S+)", "2,362,368"),
    exactly(5, "MLP", r"\nMLP +(\S+)", "4,722,432"),
    *(
        near(6, f"{norm}-norm, {rate}", rf"{norm}-norm at {rate} *: (\S+)", error, 0.25)
        for norm, errors in (("post", "1.37 1.63 1.64 1.64"), ("pre", "0.86 0.31 0.46 0.93"))
        for rate, error in zip(("0.0003", "0.001", "0.003", "0.01"), errors.split(), strict=True)
    ),
    exactly(6, "always the marginal", r"always the marginal: (\S+)", "1.62"),
    about(7, "without positions", r"without positions: (\S+)", "1e-7"),
    near(7, "with positions", r"with positions: (\S+)", "1.4", 0.05),
    about(8, "spread at one offset", r"largest spread at one offset: {8}(\S+)", "1e-13"),
    about(8, "difference from formula", r"difference from the formula: (\S+)", "1e-13"),
    *(about(9, f"k = {k}", rf"k = +{k}: .* = (\S+)", "1e-14") for k in (1, 5, 37)),
    about(9, "fit of R_5", r"fit from R_5: (\S+)", "1e-15"),
    about(10, "spread at one offset", r"largest spread at one offset: {12}(\S+)", "1e-14"),
    about(10, "q^T R_(m-n) k", r"difference from q.* k: +(\S+)", "1e-14"),
    about(10, "norms", r"change of a norm: +(\S+)", "1e-14"),
    about(10, "shift by 1000", r"shifted by 1000: +(\S+)", "1e-12"),
    *(
        exactly(10, f"score at offset {d}", rf"offset +{d}: expected score +(\S+)", score)
        for d, score in (("0", "32.0"), ("10", "20.1"), ("100", "18.7"), ("1,000", "8.2"), ("10,000", "3.1"))
    ),
    exactly(11, "parameters", r"(\S+) parameters\n.*share", "26,538"),
    Fact(11, "held-out digits right", r"read correctly: (\S+)", "0.954", 0.94, 0.98),
]


def read_number(fact: Fact, printed: str) -> str:
    found = re.search(fact.pattern, printed)
    assert found, f"fact {fact.number}, {fact.name}: not printed"
    return found[1]


@pytest.mark.slow
def test_the_solved_notebook_shows_the_facts_of_the_lecture(tmp_path: Path) -> None:
    notebook = expand_handout(solved=True)
    for cell in notebook.cells:
        if "\n@for_the_curious" in cell.source:
            cell.source = shorten(cell.source)
    printed = execute(notebook, tmp_path)
    got = [read_number(fact, printed) for fact in FACTS]
    print("\nfact                              lecture                here")
    for fact, value in zip(FACTS, got, strict=True):
        print(f"{fact.number:2d}  {fact.name:24s} {fact.lecture:>15s} {value:>19s}")
    values = [float(value.replace(",", "")) for value in got]
    missed = [fact.name for fact, value in zip(FACTS, values, strict=True) if not fact.low <= value <= fact.high]
    assert not missed
    figures = re.findall(r"application/vnd.plotly.v1\+json", str([cell.get("outputs") for cell in notebook.cells]))
    assert len(figures) == 12 + 4, "those of the lecture, and four broken ones"
    pre_norm = [value for fact, value in zip(FACTS, values, strict=True) if fact.name.startswith("pre-norm")]
    assert sorted(range(4), key=pre_norm.__getitem__) == [1, 2, 0, 3]  # the order of the lecture's errors


def read_with_rules(rules: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The handout's text with other course rules."""
    monkeypatch.setattr(tree, "RULES", tmp_path / "rules.md")
    tree.RULES.write_bytes(rules)
    return "\n".join(cell.source for cell in read_handout(load_grading()))


def test_a_byte_order_mark_of_the_rules_is_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = read_with_rules(b"\xef\xbb\xbf**Due** on Monday.\r\nSo.", tmp_path, monkeypatch)
    assert "**Due** on Monday.\nSo." in text
    assert "\ufeff" not in text


def test_rules_that_are_not_utf8_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"^rules.md:2: is not UTF-8 text: save it as UTF-8$"):
        read_with_rules("a\nDonn\xe9es".encode("latin-1"), tmp_path, monkeypatch)


@pytest.mark.parametrize("picture", ["![map](img/map.png)", '<img alt="map" src="map.png">', "![](<map.png>)"])
def test_a_picture_that_would_not_ship_is_refused(
    picture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=r"rules.md:2: the picture .*map.png is not part of a release: link to"):
        read_with_rules(f"a\n{picture}".encode(), tmp_path, monkeypatch)


@pytest.mark.parametrize("picture", ["![map](https://uni.edu/map.png)", "![x](data:image/png;base64,iVBORw0KGgo=)"])
def test_a_picture_with_an_address_stays(picture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert picture in read_with_rules(picture.encode(), tmp_path, monkeypatch)
