"""`results.json`, as Gradescope reads it: written always, whole or not at all, and last."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from autograder.errors import UserError
from autograder.grade import CaseResult, Grade
from autograder.messages import clean, write_message


def describe_grade(grade: Grade, remark: str = "") -> dict[str, Any]:
    """The content of `results.json`: Gradescope's schema, one entry of `tests` per case.

    Args:
        grade: what is known so far
        remark: what the student must know first; empty where all went well
    """
    remarks = [clean(line) for line in [remark, *grade.remarks] if line]
    numbers = {question.id: number for number, question in enumerate(grade.questions, start=1)}
    entries = [
        _describe_case(grade, result, f"{numbers[id]}.{number}")
        for id in numbers
        for number, result in enumerate(grade.of_question(id), start=1)
    ]
    return describe_run(
        "\n".join([_count_points(grade), *remarks]),
        score=_tidy(grade.count_points().total),
        execution_time=round(grade.seconds, 2),
        tests=entries,
        extra_data={
            "assignment": grade.grading.assignment,
            "version": grade.grading.version,
            "isolation": grade.isolation,
            "cpu_seconds": round(grade.cpu_seconds, 2),
            "not_judged": len(grade.not_judged),
            "flags": [clean(flag) for flag in grade.flags],
        },
    )


def describe_run(output: str, **rest: Any) -> dict[str, Any]:
    """The top level of `results.json`; without a grade it is a score of 0 and no tests."""
    return {
        "score": 0,
        "output": output,
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",  # staff find the hidden cases' counterexamples there
        "tests": [],
        "extra_data": {"version": None, "isolation": None},
        **rest,
    }


def write_results(path: Path, content: dict[str, Any]) -> None:
    """Write `results.json` such that a reader finds the old file or the new one, never half of one."""
    try:
        replace_file(path, json.dumps(content, indent=1, allow_nan=False))
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}: choose another place by --results") from None


def replace_file(path: Path, text: str) -> None:
    """Write a file whole or not at all; raise OSError where the disk does not take it, and leave nothing behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as stream:
        try:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
            Path(stream.name).replace(path)
        except BaseException:
            Path(stream.name).unlink(missing_ok=True)
            raise


def _count_points(grade: Grade) -> str:
    """The points in a line; of public cases alone where Gradescope hides the others, and with them the total."""
    shown = [case for case in grade.cases if not case.case.hidden or grade.grading.hidden.visibility == "visible"]
    got, possible = sum(case.score for case in shown), sum(case.case.points for case in shown)
    return f"{got:g} of {possible:g} {'points' if len(shown) == len(grade.cases) else 'public points'}."


def _describe_case(grade: Grade, result: CaseResult, number: str) -> dict[str, Any]:
    hidden = bool(result.case.hidden)
    return {
        "number": number,
        "name": f"{result.question} / {result.case.name}",
        "name_format": "text",
        "score": _tidy(result.score),
        "max_score": _tidy(result.case.points),
        "status": "passed" if result.passed else "failed",
        "visibility": grade.grading.hidden.visibility if hidden else "visible",
        "output": write_message(result, grade.grading, grade.of_question(result.question)),
        "output_format": "text",
        "extra_data": {
            "question": result.question,
            "case": result.case.name,
            "hidden": hidden,
            "mistake": result.diagnosis.mistake if result.diagnosis else None,
            "reason": result.outcome.reason,
            "broken": result.outcome.broken is not None,
            "seconds": round(result.seconds, 3),
            "cpu_seconds": round(result.cpu_seconds, 3),
        },
    }


def _tidy(points: float) -> float:
    """Whole points without a decimal, others without the noise of sums."""
    return int(points) if points == int(points) else round(points, 5)
