"""The report in a real browser: drawn, filtered, usable by everybody, and never running a student's text."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright
from project.graded import grade, person

from autograder.batch.gradebook import Graded, list_rows
from autograder.config import Grading
from autograder.report.findings import find_mistakes, hide_names
from autograder.report.items import analyse_items
from autograder.report.page import summarise, write_report

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
EVIL = "<img src=x onerror=\"document.title='run'\"></script><script>document.title='run'</script>&amp;"
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
FIGURES = 5  # totals, two questions, checks, times
MISTAKE: dict[str, Any] = {"mistake": "adds_two", "output": f"{EVIL} said Ada Lovelace, ada@uni.edu"}


def make_class(toy: Grading) -> list[Graded]:
    """Twelve people: one wrong in a known way, one late, one lost, one whose name is markup."""
    class_ = [grade(toy, f"submission_{n}", person(f"Person {n}", f"{n:03}", f"p{n}@uni.edu")) for n in range(9)]
    class_ += [
        grade(toy, "submission_20", person("Ada Lovelace", email="ada@uni.edu"), failed={"doubles_negatives": MISTAKE}),
        grade(toy, "submission_21", person(EVIL, EVIL, "evil@uni.edu"), failed={"greets": {"reason": "timeout"}}),
        grade(toy, "submission_22", person("Zoë"), failed={"doubles": {"output": EVIL}, "greets": {"output": EVIL}}),
        grade(toy, "submission_23", person("Lost"), problem=f"broken JSON {EVIL}"),
    ]
    return class_


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def report(toy: Grading, tmp_path_factory: pytest.TempPathFactory) -> Path:
    class_ = make_class(toy)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(write_report(toy, class_, list_rows(class_)[0]), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser, report: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The report, opened; it must ask for nothing else and complain of nothing."""
    page = browser.new_page(viewport=getattr(request, "param", DESK))
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri(), timeout=120_000)  # milliseconds, on a busy machine
    page.wait_for_selector("#figure-times .main-svg")
    yield page
    page.wait_for_timeout(100)
    page.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [report.as_uri()]


def test_every_figure_is_drawn(page: Page) -> None:
    assert page.locator(".js-plotly-plot").count() == FIGURES
    bars = page.eval_on_selector_all(
        "#figure-totals .point path", "paths => paths.filter(p => p.getBBox().height).length"
    )
    assert bars == 3  # 6, 4 and 3 points
    assert page.locator("#figure-items .scatterlayer .point").count() == 3
    assert page.locator("figure").count() == 2


def test_no_text_of_a_student_is_run_or_read_as_markup(page: Page) -> None:
    assert page.title() == "Toy: the class"
    assert page.locator("img").count() == 0
    assert EVIL in page.locator("#people").inner_text()
    assert EVIL in page.locator("section", has=page.locator("#flags")).inner_text()


def test_the_table_filters_by_words_question_and_flag(page: Page) -> None:
    rows, shown = page.locator("#people tbody tr:visible"), page.locator("#shown")
    assert rows.count() == 13
    page.fill("#search", "UNI.edu person 3")
    assert [rows.count(), shown.inner_text()] == [1, "1 of 13 shown"]
    page.fill("#search", "")
    page.select_option("#lost", "q02_greet")
    assert rows.count() == 2
    page.check("#flagged")
    assert rows.locator("th").all_inner_texts() == [EVIL]
    page.select_option("#lost", "")
    assert rows.count() == 2


def test_the_table_is_sorted_by_keyboard(page: Page) -> None:
    total = page.locator("#people thead button", has_text="total")
    total.focus()
    page.keyboard.press("Enter")
    totals = page.locator("#people tbody tr td:nth-child(2)").all_inner_texts()
    assert totals == sorted(totals, key=lambda total: -1.0 if total == "–" else float(total))
    assert "–" in totals
    page.keyboard.press("Space")
    assert page.locator("#people tbody tr td:nth-child(2)").all_inner_texts() == totals[::-1]
    assert page.locator('#people th[aria-sort="descending"]').inner_text().startswith("total")


@pytest.mark.parametrize("page", [DESK, PHONE], ids=["desk", "phone"], indirect=True)
def test_axe_finds_nothing_and_nothing_sticks_out(page: Page) -> None:
    found = Axe().run(page, options={"resultTypes": ["violations", "incomplete"]}).response
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


def test_on_paper_everything_is_there_and_fits(page: Page) -> None:
    measure = """() => {
        const widths = selector => [...document.querySelectorAll(selector)].map(d => d.getBoundingClientRect().width);
        window.printed = widths(".main-svg");
    }"""
    page.evaluate(f"window.addEventListener('beforeprint', {measure})")
    page.pdf(format="A4")
    assert 0 < max(page.evaluate("window.printed")) <= 700  # CSS pixels of A4 between margins of 12 mm
    page.emulate_media(media="print")
    assert not page.locator("#filters").is_visible()
    assert page.locator("#people tbody tr:visible").count() == 13


def test_a_class_of_which_nothing_could_be_graded_has_a_page(toy: Grading) -> None:
    class_ = [grade(toy, "a", person("Ada"), problem="lost")]
    assert "Nothing could be graded." in write_report(toy, class_, list_rows(class_)[0])


def test_a_message_is_shown_without_its_authors_name(toy: Grading) -> None:
    (finding,) = find_mistakes(make_class(toy))
    assert (finding.name, finding.count) == ("adds_two", 1)
    assert "said [name], [name]" in finding.message
    assert hide_names("Li and ADA", ["Li", "ada"]) == "Li and [name]"


def test_difficulty_and_discrimination_are_those_of_the_textbook(toy: Grading) -> None:
    def fail(*cases: str) -> dict[str, dict[str, Any]]:
        return {case: {} for case in cases}

    failures = [fail("doubles", "greets")] * 5 + [fail()] * 4 + [fail("doubles_negatives")]
    class_ = [grade(toy, str(n), failed=failed) for n, failed in enumerate(failures)]
    items = {item.case or item.question: item for item in analyse_items(class_, toy)}
    assert items["doubles"].difficulty == 0.5
    assert items["q01_double"].difficulty == pytest.approx((5 * 0.75 + 4 + 0.25) / 10)
    # the rest of the total is 3 for those five who fail it, and 5, 5, 5, 5, 2 for the others: standard deviation 1.1
    assert items["doubles"].discrimination == pytest.approx(0.5 * (4.4 - 3) / 1.1)
    assert items["doubles_negatives"].remark == "below 0: look at this check"
    assert analyse_items(class_[:9], toy)[1].discrimination is None


def test_averages_are_those_of_the_class() -> None:
    numbers = summarise([1.0, 2.0, 3.0, 4.0])
    assert (numbers["mean"], numbers["median"], numbers["lower quartile"]) == (2.5, 2.5, 1.75)
    assert summarise([]) == {}
    assert summarise([3.0])["mean"] == 3
