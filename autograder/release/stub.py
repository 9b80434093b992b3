"""A solution's source, turned into an answer cell that Otter Assign can blank out."""

import ast
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from autograder import tree
from autograder.errors import UserError
from autograder.text import read_text
from solutions.term.text import fold

BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"
NEARLY_A_MARK = re.compile(r"#\s*(BEGIN|END)\s*SOLUTION", re.IGNORECASE)
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Block:
    """What students write: the lines between the marks at `first` and `last` (from 0), and their function."""

    first: int
    last: int
    function: str | None


@dataclass(frozen=True)
class Solution:
    """One question's answer: the lines of its module, the blocks in them, the first line for the notebook."""

    question: str
    path: Path
    lines: list[str]
    blocks: list[Block]
    start: int

    def answer(self, block: Block) -> list[str]:
        """What students write in a block, without the marks."""
        return self.lines[block.first + 1 : block.last]


def read_solution(question: str, path: Path) -> Solution:
    """Read `solutions/<question>.py` as this term has it.

    Raises UserError, with file and line, for marks that do not pair up, two blocks in one function, a module
    without a block, and a statement that is neither import, function nor class.
    """
    text = read_text(path)
    solution = _read_text(question, path, text)  # as it was written: a refusal names its lines
    return solution if (folded := fold(text)) == text else _read_text(question, path, folded)


def _read_text(question: str, path: Path, text: str) -> Solution:
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise UserError(f"{name_place(path, error.lineno)}: {error.msg}, correct it") from None
    lines = text.splitlines()
    blocks = [
        Block(first, last, _find_function(module, path, lines, first, last)) for first, last in _pair_marks(path, lines)
    ]
    if not blocks:
        raise UserError(f"{name_place(path)}: no answer is marked, put it between '{BEGIN}' and '{END}'")
    counts = Counter(block.function for block in blocks if block.function)
    for block in blocks:
        if block.function and counts[block.function] > 1:
            place = name_place(path, block.first + 1)
            raise UserError(f"{place}: {block.function} holds two solution blocks, make them one")
    return Solution(question, path, lines, blocks, _find_start(module, path, blocks))


def make_answer_cell(solution: Solution) -> str:
    """The functions and classes of a solution as an answer cell of the Otter Assign master.

    Otter leaves `make_stub` of it to students.
    """
    begins = {block.first for block in solution.blocks}
    ends = {block.last: block for block in solution.blocks}
    cell: list[str] = []
    for number, line in enumerate(solution.lines[solution.start :], start=solution.start):
        cell.append(f"{line.rstrip()} NO PROMPT" if number in begins else line)
        if number in ends and ends[number].function:
            indent = _indent(line)
            cell += [f'{indent}""" # BEGIN PROMPT', _raise(indent, solution), f'{indent}"""; # END PROMPT']
    return "\n".join(cell).strip("\n")


def make_stub(solution: Solution) -> str:
    """What students get: signatures, docstrings, the code around the blocks.

    In place of a function's block stands `raise NotImplementedError("<question>: not written yet")`; a block
    outside functions leaves nothing.
    """
    hidden = {number for block in solution.blocks for number in range(block.first, block.last)}
    ends = {block.last: block for block in solution.blocks}
    stub: list[str] = []
    for number, line in enumerate(solution.lines[solution.start :], start=solution.start):
        if number in ends:
            stub += [_raise(_indent(line), solution)] if ends[number].function else []
        elif number not in hidden:
            stub.append(line)
    return "\n".join(stub).strip("\n")


def strip_marks(cell: str) -> str:
    """An answer cell of the master as a person would have written it: no marks, no prompt."""
    kept, in_prompt = [], False
    for line in cell.splitlines():
        mark = line.strip()
        if mark.endswith("# BEGIN PROMPT"):
            in_prompt = True
        elif mark.endswith("# END PROMPT"):
            in_prompt = False
        elif not in_prompt and not mark.startswith((BEGIN, END)):
            kept.append(line)
    return "\n".join(kept)


def name_place(path: Path, line: int | None = None) -> str:
    """`solutions/q02_attention.py:12`, as a refusal names it."""
    name = path.relative_to(tree.ROOT).as_posix() if path.is_relative_to(tree.ROOT) else path.name
    return f"{name}:{line}" if line else name


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _raise(indent: str, solution: Solution) -> str:
    return f'{indent}raise NotImplementedError("{solution.question}: not written yet")'


def _pair_marks(path: Path, lines: list[str]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    begin: int | None = None
    for number, line in enumerate(lines):
        mark, place = line.strip(), name_place(path, number + 1)
        if mark not in (BEGIN, END):
            if NEARLY_A_MARK.search(line):
                raise UserError(f"{place}: a mark is '{BEGIN}' or '{END}', alone on its line")
        elif (mark == BEGIN) != (begin is None):
            raise UserError(f"{place}: '{mark}' without its partner, pair the marks up")
        elif begin is None:
            begin = number
        else:
            pairs.append((begin, number))
            begin = None
    if begin is not None:
        raise UserError(f"{name_place(path, begin + 1)}: '{BEGIN}' without its partner, pair the marks up")
    return pairs


def _find_function(module: ast.Module, path: Path, lines: list[str], first: int, last: int) -> str | None:
    """The function in which a block's first line of code stands; None for a block outside functions."""
    code = (n for n in range(first + 1, last) if lines[n].strip() and not lines[n].lstrip().startswith("#"))
    begin = next(code, None)
    if begin is None:
        raise UserError(f"{name_place(path, first + 1)}: the solution block is empty, write the answer into it")
    around = [
        node
        for node in ast.walk(module)
        if isinstance(node, Function) and node.lineno <= first + 1 and begin < (node.end_lineno or 0)
    ]
    if not around:
        return None
    innermost = max(around, key=lambda node: node.lineno)
    return f"{innermost.name} (line {innermost.lineno})"


def _find_start(module: ast.Module, path: Path, blocks: list[Block]) -> int:
    """The first line of the first function or class; the notebook has its own imports, and the earlier answers."""
    definitions: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = []
    for node in module.body:
        if isinstance(node, (*Function, ast.ClassDef)):
            definitions.append(node)
        elif definitions or not isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr)):
            place = name_place(path, node.lineno)
            raise UserError(f"{place}: an answer is functions and classes after the imports, move this into one")
    if not definitions:
        raise UserError(f"{name_place(path)}: holds no function or class, write the answer")
    first = definitions[0]
    lines = [first.lineno, *(decorator.lineno for decorator in first.decorator_list)]
    return min([*(line - 1 for line in lines), *(block.first for block in blocks)])
