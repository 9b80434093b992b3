"""`make versions`: does every case say the same with the oldest and the newest versions that students may have?

Builds both environments with uv, judges in each and in our own what `verdicts.py` lists, with the notebook of the
committed release, compares, and prints a table. A wheel of torch for Linux brings 5 GB of GPU libraries where PyTorch's
CPU builds cannot be reached: each environment is gone once it has judged.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import nbformat  # noqa: E402
from project.homework import copy_release, fill_in, list_answers, write_shortened  # noqa: E402

from autograder import tree  # noqa: E402
from solutions.mistakes import load_mistakes  # noqa: E402

BUILD = ROOT / "build" / "versions"
UV = Path(sys.prefix) / "bin" / "uv"
CORNERS = {  # Pythons to look for, in this order, and what uv is told
    "oldest": (["3.10"], ["--resolution", "lowest-direct"]),
    "newest": (["3.14", "3.13", "3.12"], []),
}
HEAD = (
    "versions",
    "Python",
    "torch",
    "numpy",
    "scikit-learn",
    "hypothesis",
    "verdicts",
    "differ",
    "right answers lost",
)
HEAD += ("mistakes missed", "notebook differs")


def build_corner(corner: str) -> Path:
    """Make an environment with the oldest or the newest versions that `requirements.txt` allows; returns its Python."""
    pythons, options = CORNERS[corner]
    venv = BUILD / corner / "venv"
    for version in pythons:
        made = subprocess.run([UV, "venv", "--quiet", "--clear", "--no-python-downloads", "--python", version, venv])
        if made.returncode == 0:
            break
    else:
        raise SystemExit(f"no Python {' or '.join(pythons)} here: install one, and run this again")
    python = venv / "bin" / "python"
    install = [UV, "pip", "install", "--quiet", "--python", python, *options, "-r", tree.REQUIREMENTS, "einops>=0.8"]
    impatient = os.environ | {"UV_HTTP_TIMEOUT": "10", "UV_HTTP_RETRIES": "0"}  # seconds, as in setup.sh
    if subprocess.run([*install, "--torch-backend", "cpu"], env=impatient, stderr=subprocess.DEVNULL).returncode:
        subprocess.run(install, check=True)
    return python


def judge(corner: str, python: Path) -> dict[str, Any]:
    """Run `verdicts.py` on a solved release in a folder of its own; returns what it wrote."""
    folder, out = BUILD / corner / "homework", BUILD / f"{corner}.json"
    shutil.rmtree(folder, ignore_errors=True)
    path = copy_release(folder)
    notebook = nbformat.read(path, as_version=4)
    fill_in(notebook, list_answers())
    nbformat.write(notebook, path)
    write_shortened(path)
    with (BUILD / f"{corner}.log").open("w", encoding="utf-8") as log:  # cases and figures print this and that
        subprocess.run([python, Path(__file__).with_name("verdicts.py"), path, out], check=True, stdout=log, stderr=log)
    told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return told


def compare(pinned: dict[str, Any], told: dict[str, Any]) -> dict[str, list[str]]:
    """Verdicts that differ; right answers that lose a case; mistakes that their case misses; lines of the notebook."""
    verdicts = told["verdicts"]
    must_fail = [f"{known.question} / {known.caught_by} / wrong: {known.name}" for known in load_mistakes()]
    shown = [
        key
        for key in pinned["notebook"].keys() | told["notebook"].keys()
        if key != "first cell" and pinned["notebook"].get(key) != told["notebook"].get(key)
    ]
    return {
        "differ": [key for key in sorted(pinned["verdicts"]) if pinned["verdicts"][key] != verdicts.get(key)],
        "lost": [key for key, reason in verdicts.items() if " / wrong: " not in key and reason != "passed"],
        "missed": [key for key in must_fail if verdicts.get(key) not in ("wrong", "error")],
        "shown": shown,
    }


def main() -> None:
    """Judge with our own versions and in both corners; exits with 1 where a right answer or a mistake is misjudged."""
    BUILD.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("UV_CACHE_DIR", str(BUILD / "cache"))
    pinned = judge("pinned", Path(sys.executable))
    rows, bad, details = [HEAD, ("---",) * len(HEAD)], 0, []
    for corner in ("pinned", *CORNERS):
        told = pinned if corner == "pinned" else judge(corner, build_corner(corner))
        shutil.rmtree(BUILD / corner / "venv", ignore_errors=True)
        found, versions = compare(pinned, told), told["versions"]
        counts = [str(len(told["verdicts"])), *(str(len(keys)) for keys in found.values())]
        rows.append((corner, *(versions[name.lower()] for name in HEAD[1:6]), *counts))
        bad += len(found["lost"]) + len(found["missed"]) + len(found["shown"])
        details += [f"{corner}, {kind}: {key}: {told['verdicts'].get(key)}" for kind in found for key in found[kind]]
    shutil.rmtree(BUILD / "cache", ignore_errors=True)
    print("\n".join(f"| {' | '.join(row)} |" for row in rows), *details, sep="\n")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
