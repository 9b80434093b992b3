"""The zip in a bare Debian root: it installs there, stays within Gradescope's bounds, and gives the same points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from project.packed import pack

from autograder.dry_run.pip_settings import read_pip_settings
from autograder.dry_run.rehearsal import Rehearsal, compare, rehearse
from autograder.dry_run.root import find_obstacle

OBSTACLE = find_obstacle()
needs_a_root = [
    pytest.mark.slow,
    pytest.mark.timeout(3000),
    pytest.mark.skipif(bool(OBSTACLE), reason=OBSTACLE),
]


def make_results(*tests: tuple[str, float, str]) -> dict[str, Any]:
    receipt = {"number": "0", "name": "received", "extra_data": {"reason": "passed"}}
    cases = [
        {"number": "1.1", "name": name, "score": score, "extra_data": {"reason": reason}}
        for name, score, reason in tests
    ]
    return {"tests": [receipt, *cases]}


def test_two_results_differ_in_points_outcomes_and_missing_cases() -> None:
    there = make_results(("a", 1, "passed"), ("b", 0, "wrong"), ("c", 1, "passed"))
    here = make_results(("a", 1, "passed"), ("b", 0, "timeout"), ("d", 0, "wrong"))
    assert compare(there, there) == []
    assert [line.split(":")[0] for line in compare(there, here)] == ["b", "c", "d"]
    assert compare(there, here)[0] == "b: (0, 'wrong') in the root, (0, 'timeout') here"


def test_what_pips_settings_name_is_found_and_copied_to_the_same_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("wheels", "mirror/simple"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "bundle.pem").write_text("certificate", encoding="utf-8")
    config = tmp_path / "pip.conf"
    config.write_text(
        f"[global]\ncert = {tmp_path}/bundle.pem\nextra-index-url = file://{tmp_path}/mirror/simple\n", encoding="utf-8"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    monkeypatch.setenv("PIP_FIND_LINKS", f"{tmp_path}/wheels {tmp_path}/nowhere")
    settings = read_pip_settings()
    assert {tmp_path / "wheels", tmp_path / "mirror"} <= set(settings.folders)  # an index links to what is beside it
    assert {config, tmp_path / "bundle.pem"} <= set(settings.files)
    assert settings.variables["PIP_FIND_LINKS"] == f"{tmp_path}/wheels {tmp_path}/nowhere"
    settings.copy_files(tmp_path / "root")
    copied = tmp_path / "root" / (tmp_path / "bundle.pem").relative_to("/")
    assert copied.read_text(encoding="utf-8") == "certificate"


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    packed = pack(tmp_path_factory.mktemp("packed"))
    return rehearse(packed.notebook, packed.archive)


class TestInABareRoot:
    pytestmark = needs_a_root

    def test_each_case_gets_the_same_points_as_on_this_machine(self, rehearsal: Rehearsal) -> None:
        assert rehearsal.differences == []
        assert 0 < rehearsal.results["score"] < 100
        assert len(rehearsal.results["tests"]) > 90

    def test_the_student_reads_first_that_the_notebook_arrived_and_ran(self, rehearsal: Rehearsal) -> None:
        first = rehearsal.results["tests"][0]
        assert first["status"] == "passed", first["output"]
        assert first["output"].splitlines()[0] == "File: three mistakes.ipynb"
        assert "Version:" not in first["output"]

    def test_the_package_stays_within_gradescopes_bounds(self, rehearsal: Rehearsal) -> None:
        assert rehearsal.disk < 1.8e9
        assert 0.2e9 < rehearsal.grading.memory < 1.5e9

    def test_students_code_was_another_user_behind_landlock_and_seccomp(self, rehearsal: Rehearsal) -> None:
        layers = rehearsal.results["extra_data"]["isolation"]
        assert layers["user"] and layers["landlock"] and layers["seccomp"], layers

    def test_all_but_the_packages_is_closed_to_other_users(self, rehearsal: Rehearsal) -> None:
        folder = rehearsal.root / "autograder"
        assert [place.name for place in folder.iterdir() if place.stat().st_mode & 0o077] == []
        unpacked = (path for path in (folder / "source").rglob("*") if ".hypothesis" not in path.parts)
        assert [path.name for path in unpacked if path.stat().st_mode & 0o077] == []
        assert (rehearsal.root / "opt" / "autograder" / "bin" / "python").stat().st_mode & 0o005 == 0o005
