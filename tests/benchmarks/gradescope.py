"""One grade in the bare Debian root by `run_autograder`, in turn with `otter run` on this machine: same notebook, same
cases, unchanged experiments skipped on both sides, every process started anew.

    make release && make gradescope && python tests/benchmarks/gradescope.py [ROUNDS]

Needs root, and the root that `make gradescope` leaves; the zip installs no Otter that could run there. Then it prints
where the seconds of the last grade went.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from batch import run_otter

from autograder import tree
from autograder.dry_run.inside import run_inside
from autograder.dry_run.pip_settings import read_pip_settings
from autograder.dry_run.rehearsal import GRADE
from autograder.dry_run.root import USED

NOTEBOOK = tree.BUILD / "solution.ipynb"


def main() -> None:
    """Grade in turn and print both times."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    settings, home = read_pip_settings(), USED / "autograder"
    for path in (home / "submission").iterdir():
        path.unlink()
    shutil.copy(NOTEBOOK, home / "submission")
    ours, otters = [], []
    for _ in range(rounds):
        ours.append(run_inside(USED, GRADE, settings))
        otters.append(run_otter([NOTEBOOK]))
    content = json.loads((home / "results" / "results.json").read_text(encoding="utf-8"))
    own, other = (statistics.median(run.seconds for run in side) for side in (ours, otters))
    memory = max(run.memory for run in ours) / 1e9
    print(f"run_autograder {own:6.1f} s (median of {rounds}), {memory:.2f} GB at most, {content['score']:g} points")
    print(f"otter run      {other:6.1f} s (median of {rounds}), {otters[-1].scores[NOTEBOOK.stem]:g} points")
    ratio = statistics.median(one.seconds / two.seconds for one, two in zip(ours, otters, strict=True))
    print(f"ours takes {ratio:.2f} of Otter's time (median of the ratios)")
    print_places(content, ours[-1].seconds)


def print_places(content: dict[str, object], whole: float) -> None:
    """Print what the last grade spent where."""
    spent: dict[str, float] = {}
    tests, graded = content["tests"], content["execution_time"]
    assert isinstance(tests, list) and isinstance(graded, float)
    for test in tests[1:]:
        facts = test["extra_data"]
        spent[facts["question"]] = spent.get(facts["question"], 0.0) + facts["seconds"]
    spent["cells and snapshots"] = graded - sum(spent.values())
    spent["start and end"] = whole - graded
    for place, seconds in sorted(spent.items(), key=lambda found: -found[1]):
        print(f"  {seconds:6.2f} s  {place}")


if __name__ == "__main__":
    main()
