"""The solved notebook with three answers replaced by mistakes that students make.

python tests/project/specimens/three_mistakes.py build/solution.ipynb build/three_mistakes.ipynb
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))  # the root, where `solutions` is

from solutions.mistakes import Mistake, load_mistakes

# no other answer is built on these: the solved q04 calls q02, so that a mistake there would cost both
MADE = {
    ("q01_simple_attention", "normalises_the_columns"),
    ("q06_transformer_layer", "exchanges_the_arrangements"),
    ("q09_rope", "pairs_the_first_half_with_the_second"),
}


def find_made() -> list[Mistake]:
    """The three mistakes, out of the catalogue."""
    return [mistake for mistake in load_mistakes() if (mistake.question, mistake.name) in MADE]


def make_mistakes(notebook: dict[str, Any]) -> None:
    """Replace, in place, the three cells that define the right answers."""
    for mistake in find_made():
        names = "|".join(mistake.answers())
        answer = re.compile(rf"^(def|class) ({names})\b", re.MULTILINE)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        cell = next(cell for cell in cells if answer.search("".join(cell["source"])))
        cell["source"] = mistake.source_code()


if __name__ == "__main__":
    solved, made = map(Path, sys.argv[1:])
    content = json.loads(solved.read_text(encoding="utf-8"))
    make_mistakes(content)
    made.write_text(json.dumps(content), encoding="utf-8")
