"""One grade in the bare Debian root, in turn by `run_autograder` and by `otter run`: same notebook, same cases.

    make release && make gradescope && python tests/benchmarks/gradescope.py [ROUNDS]

Neither side runs the unchanged experiments. Needs root, and the root that `make gradescope` leaves. Both are cold:
every process starts anew. Then where the seconds of the last grade went.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from autograder import tree  # noqa: E402
from autograder.dry_run.inside import run_inside  # noqa: E402
from autograder.dry_run.pip_settings import read_pip_settings  # noqa: E402
from autograder.dry_run.rehearsal import ARCHIVE, GRADE  # noqa: E402
from autograder.dry_run.root import USED  # noqa: E402

OTTER = "cd otter && /opt/autograder/bin/otter run -a autograder.zip -o . transformers.ipynb > stdout 2>&1"


def read_score(path: Path) -> float:
    """The points of all cases."""
    return sum(test.get("score") or 0 for test in json.loads(path.read_text(encoding="utf-8"))["tests"])


def main() -> None:
    """Grade in turn and print both times."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    settings, home = read_pip_settings(), USED / "autograder"
    (home / "otter").mkdir(exist_ok=True)
    shutil.copy(ARCHIVE, home / "otter" / "autograder.zip")
    shutil.copy(tree.BUILD / "solution.ipynb", home / "otter" / "transformers.ipynb")
    for path in (home / "submission").iterdir():
        path.unlink()
    shutil.copy(tree.BUILD / "solution.ipynb", home / "submission")
    ours, otters = [], []
    for _ in range(rounds):
        ours.append(run_inside(USED, GRADE, settings))
        otters.append(run_inside(USED, OTTER, settings))
    for name, ended, path in (("run_autograder", ours, "results"), ("otter run", otters, "otter")):
        seconds, memory = statistics.median(run.seconds for run in ended), max(run.memory for run in ended)
        score = read_score(home / path / "results.json")
        print(f"{name:15}{seconds:6.1f} s (median of {rounds}), {memory / 1e9:.2f} GB at most, {score:g} points")
    ratio = statistics.median(one.seconds / two.seconds for one, two in zip(ours, otters, strict=True))
    print(f"ours takes {ratio:.2f} of Otter's time (median of the ratios)")
    print_places(home / "results" / "results.json", ours[-1].seconds)


def print_places(path: Path, whole: float) -> None:
    """Print what the last grade spent where."""
    content = json.loads(path.read_text(encoding="utf-8"))
    spent: dict[str, float] = {}
    for test in content["tests"][1:]:
        facts = test["extra_data"]
        spent[facts["question"]] = spent.get(facts["question"], 0.0) + facts["seconds"]
    spent["cells and snapshots"] = content["execution_time"] - sum(spent.values())
    spent["start and end"] = whole - content["execution_time"]
    for place, seconds in sorted(spent.items(), key=lambda found: -found[1]):
        print(f"  {seconds:6.2f} s  {place}")


if __name__ == "__main__":
    main()
