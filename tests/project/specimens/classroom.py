"""A class of students: right, partly right, unfinished and broken notebooks, the same ones every time.

python tests/project/specimens/classroom.py build/class 40
"""

from __future__ import annotations

import copy
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[up]) for up in (3, 2)]  # the root, where `solutions` is, and tests/

from project.specimens.answers import OF_OTHER_ANSWERS  # noqa: E402

from autograder import tree  # noqa: E402
from solutions.mistakes import Mistake, load_mistakes  # noqa: E402
from solutions.term.text import fold  # noqa: E402

RIGHT = 0.2  # the share of the class without a mistake
UNFINISHED = 0.2  # of the others: those who stopped before the end
BROKEN = 0.15  # of the others: those with a cell that raises
MISTAKES = 5  # at most, in one notebook


def solve_release() -> dict[str, Any]:
    """The students' notebook with every answer in its cell."""
    notebook: dict[str, Any] = json.loads(tree.NOTEBOOK.read_text(encoding="utf-8"))
    for path in sorted(tree.SOLUTIONS.glob("q*.py")):
        source = OF_OTHER_ANSWERS.sub("", fold(path.read_text(encoding="utf-8")))
        put_sources(notebook, dict.fromkeys(re.findall(r"^(?:def|class) \w+", source, re.MULTILINE), source))
    return notebook


def make_class(solved: dict[str, Any], count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Return `count` notebooks made of the solved one."""
    chance, known = random.Random(seed), load_mistakes()
    return [_make_student(copy.deepcopy(solved), chance, known) for _ in range(count)]


def _make_student(notebook: dict[str, Any], chance: random.Random, known: list[Mistake]) -> dict[str, Any]:
    if chance.random() < RIGHT:
        return notebook
    for mistake in chance.sample(known, chance.randint(1, MISTAKES)):
        put_mistake(notebook, mistake)
    answers = [cell for cell in notebook["cells"] if _is_answer(cell)]
    if chance.random() < UNFINISHED:
        for cell in answers[chance.randrange(len(answers)) :]:
            cell["source"] = "# not written yet"
    if chance.random() < BROKEN:
        cell = chance.choice(answers)
        cell["source"] = "raise ValueError('my notes')\n" + "".join(cell["source"])
    return notebook


def put_mistake(notebook: dict[str, Any], mistake: Mistake) -> None:
    """Replace, in place, the cell that defines the right answer, if there is one."""
    source = mistake.source_code()
    put_sources(notebook, {f"{word} {name}": source for name in mistake.answers() for word in ("def", "class")})


def put_sources(notebook: dict[str, Any], sources: dict[str, str]) -> None:
    """Replace, in place, the cells that define what the keys say, such as `def attention`."""
    for cell in notebook["cells"]:
        for begin, source in sources.items():
            if cell["cell_type"] == "code" and re.search(rf"^{begin}\b", "".join(cell["source"]), re.MULTILINE):
                cell["source"] = source


def _is_answer(cell: dict[str, Any]) -> bool:
    return cell["cell_type"] == "code" and bool(re.search(r"^(def|class) ", "".join(cell["source"]), re.MULTILINE))


if __name__ == "__main__":
    folder, number = Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for position, student in enumerate(make_class(solve_release(), number), start=1):
        (folder / f"student_{position:03}.ipynb").write_text(json.dumps(student), encoding="utf-8")
