"""What the grader has and what this homework was tried with: one list for the first cell, `grader.export()` and docs.

Nothing but Python's own library is imported here, so that a package that is missing can be told by name.
"""

from __future__ import annotations

THERE = {  # what code that is handed in can import; where two versions stand, for Python 3.10 and for the newest
    "torch": "2.13.0",
    "numpy": "2.2.6 to 2.5.5",
    "scikit-learn": "1.7.2 to 1.9.1",
    "scipy": "1.15.3 to 1.18.1",
    "pandas": "2.3.3 to 3.1.1",
    "plotly": "7.1.0",
    "tqdm": "4.70.1",
    "einops": "0.8.2",
    "otter-grader": "7.0.0",
    "hypothesis": "6.168.5 to 6.170.17",
}
NEWEST = {  # that was tried; of others a newer one is no news
    "Python": "3.14",
    "torch": "2.15",
    "numpy": "2.5",
    "scikit-learn": "1.9",
    "otter-grader": "7.0",
}


def describe_grader() -> str:
    """One line: what code that is handed in can import."""
    there = ", ".join(f"{name} {version}" for name, version in THERE.items())
    return f"The grader has {there}, and what these need. It installs nothing else."
