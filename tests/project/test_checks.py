"""`grader` in a student's notebook: what it shows, escaped, and what it says of the machine."""

import json

import pytest

import kit
from given import checks
from given.checks import Checks, find_problems

QUESTION = '''
from otter.test_files import test_case
OK_FORMAT = False
name = "q01_double"
points = None

@test_case(name="doubles", points=2, hidden=False)
def doubles(double):
    """Twice is <twice>.

    at the factor.
    """
    import kit
    kit.expect_integer(kit.call(double, 3), 6, "double(3)")
'''


@pytest.fixture
def grader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "q01_double.py").write_text(QUESTION)
    monkeypatch.setattr(checks, "FOLDER", tmp_path)
    waiting = {"q01_double": {"title": "Double", "hidden_cases": 3, "hidden_points": 4.0}}
    monkeypatch.setattr(kit.settings, "questions", waiting)
    return Checks()


def test_a_pass_says_how_many_hidden_cases_wait(grader):
    report = grader.check("q01_double", {"double": lambda x: 2 * x})
    assert repr(report) == (
        "✓ q01_double: all 1 public cases passed, 2 of 2 public points. 3 hidden cases wait on Gradescope (4 points)."
    )


def test_a_failure_shows_our_message_alone(grader):
    report = grader.check("q01_double", {"double": lambda x: x})
    assert repr(report).splitlines()[0].startswith("✗ q01_double: 1 of 1 public cases failed, 0 of 2 public points.")
    assert "Claim: Twice is <twice>." in repr(report)
    assert "Traceback" not in repr(report)


def test_the_html_is_escaped_and_says_the_same(grader):
    page = grader.check("q01_double", {"double": lambda x: object()})._repr_html_()
    assert "&lt;twice&gt;" in page
    assert "✗ q01_double" in page


def test_a_stub_says_just_that(grader):
    def double(x):
        raise NotImplementedError("q01_double: not written yet")

    report = grader.check("q01_double", {"double": double})
    assert repr(report) == (
        "- q01_double: not written yet, 0 of 2 public points. 3 hidden cases wait on Gradescope (4 points)."
    )


def test_a_question_that_waits_for_another_says_for_which(grader):
    def double(x):
        raise NotImplementedError("q00_single: not written yet")

    assert repr(grader.check("q01_double", {"double": double})).splitlines()[1] == "q00_single: not written yet"


def test_a_check_reads_the_callers_own_names(grader):
    names = {"grader": grader, "double": lambda x: 2 * x}
    exec("report = grader.check('q01_double')", names)
    assert names["report"].points == 2


def test_check_all_shows_one_line_for_each_question(grader):
    names = {"grader": grader, "double": lambda x: x}
    exec("panel = grader.check_all()", names)
    assert repr(names["panel"]).splitlines()[-1] == "  public points: 0 of 2"
    assert "q01_double" in names["panel"]._repr_html_()


def test_an_unknown_question_is_named(grader):
    with pytest.raises(FileNotFoundError, match="no question 'q99'"):
        grader.check("q99", {})


def complete(folder, requirements):
    for name in ("tests", "kit", "given"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text(requirements)


def test_a_missing_file_is_told_with_its_remedy(tmp_path):
    complete(tmp_path, "")
    (tmp_path / "kit").rmdir()
    assert find_problems(tmp_path) == ["kit is missing beside the notebook: unpack the release again."]


def test_a_complete_folder_with_the_right_versions_has_no_problem(tmp_path):
    complete(tmp_path, "# CPU wheels\n--extra-index-url x\nnumpy>=1.0  # any\nnbformat>=4\n\n")
    assert find_problems(tmp_path) == []


def test_a_wrong_version_is_told_with_the_command_that_repairs_it(tmp_path):
    complete(tmp_path, "numpy<1.0\nno-such-package>=1\n")
    wrong, missing, repair = find_problems(tmp_path)
    assert wrong.startswith("numpy <1.0 is needed, found: ")
    assert missing == "no-such-package >=1 is needed, found: none."
    assert "-m pip install -r" in repair


def test_the_settings_of_a_release_are_json_that_the_kit_reads(tmp_path):
    written = {"tolerances": {"default": {"float64": [1e-5, 1e-7]}}, "vit": {}, "questions": {}}
    assert kit.Settings(**json.loads(json.dumps(written))).tolerances == written["tolerances"]
