"""Where things are: the same layout in the repository and in the zip that Gradescope unpacks."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

GRADING = ROOT / "grading.yml"
CHANGELOG = ROOT / "CHANGELOG.md"
TOOL = ROOT / "autograder"
ASSIGNMENT = ROOT / "assignment"
HANDOUT = ASSIGNMENT / "handout.py"
RULES = ASSIGNMENT / "rules.md"
REQUIREMENTS = ASSIGNMENT / "requirements.txt"
GIVEN = ASSIGNMENT / "given"
SOLUTIONS = ROOT / "solutions"
MISTAKES = SOLUTIONS / "mistakes"
TESTS = ROOT / "tests"
QUESTIONS = TESTS / "questions"
KIT = TESTS / "kit"
TEMPLATE = ROOT / "student_template"
NOTEBOOK = TEMPLATE / "transformers.ipynb"
RELEASES = ROOT / "releases"
BUILD = ROOT / "build"
RESULTS = BUILD / "results.json"
