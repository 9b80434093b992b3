"""What students read of known mistakes, word for word: in their notebook, and of a hidden case on Gradescope.

python tests/project/specimens/told.py     writes messages.md anew; read the difference before you commit it
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from autograder import tree
from autograder.audit.subjects import list_known, replace_answer
from autograder.config import load_grading
from autograder.grade import CaseResult, Grade, grade_submission
from autograder.messages import write_message
from autograder.questions import load_question
from autograder.sandbox import Cell, Sandbox
from autograder.submission import Submission

MESSAGES = Path(__file__).with_name("messages.md")
HEADING = re.compile(r"^## (q\d\d_\w+): (\w+)\n\n", re.MULTILINE)
GRADING = load_grading()


def read_messages() -> dict[tuple[str, str], str]:
    """What stands in messages.md for each (question, mistake)."""
    _, *parts = HEADING.split(MESSAGES.read_text(encoding="utf-8"))
    return {(parts[at], parts[at + 1]): parts[at + 2].strip() for at in range(0, len(parts), 3)}


def tell_mistake(sandbox: Sandbox, question: str, name: str) -> str:
    """Grade the solved notebook with a mistake in it; return what its first failed public and hidden case say."""
    (known,) = [known for known in list_known(question) if known.name == name]
    subject = replace_answer("mistake", name, question, known.source_code())
    cells = [*map(Cell, subject.cells), Cell("", question)]
    grade = Grade(GRADING, [load_question(GRADING, question)])
    grade_submission(grade, Submission(Path("a.ipynb"), cells, [""] * len(cells)), sandbox, lambda result: None)
    texts = []
    for hidden, place in ((False, "In the notebook"), (True, "A hidden case on Gradescope")):
        failed = [result for result in grade.cases if not result.passed and result.case.hidden is hidden]
        if failed:
            texts.append(f"{place}:\n\n```\n{_write(failed[0], grade.cases)}\n```")
    return "\n\n".join(texts)


def _write(result: CaseResult, cases: list[CaseResult]) -> str:
    """The notebook has no catalogue, so what it says of a public case rests on symptoms alone."""
    if result.case.hidden:
        return write_message(result, GRADING, cases)
    known = [replace(other, diagnosis=None) for other in cases]
    return write_message(known[cases.index(result)], GRADING, known)


def main() -> None:
    """Write messages.md anew for the mistakes that it names."""
    head, *_ = HEADING.split(MESSAGES.read_text(encoding="utf-8"))
    with Sandbox(tree.GIVEN.parent, GRADING.limits) as sandbox:
        parts = [
            f"## {question}: {name}\n\n{tell_mistake(sandbox, question, name)}\n" for question, name in read_messages()
        ]
    MESSAGES.write_text("\n".join([head.rstrip() + "\n", *parts]), encoding="utf-8")


if __name__ == "__main__":
    main()
