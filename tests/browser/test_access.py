"""For everybody: by keyboard alone, by ear, in the dark, on a phone, in four languages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.waiting import until

pytestmark = pytest.mark.browser
Page = Any
RULE = "play.face-up-needs-protocol"
PAGES = ("/games/dispute?step=3", "/rules/", "/embed/dispute?step=4", f"/rules/compile/{RULE}", "/games/other?step=3",
         "/rules/compile", "/", "/cards/compile", "/about", "/stats", "/cases", "/api/v1/")  # fmt: skip


RUN_AXE = "(options) => axe.run(document, options).then(({ violations }) => violations)"


def violations(page: Page, **options: object) -> list[str]:
    """What axe finds, of any impact."""
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(RUN_AXE, {"resultTypes": ["violations"], **options})
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


def violations_in_both_colours(page: Page) -> list[str]:
    """What axe finds by day, and of the colours in the dark, where nothing else differs."""
    by_day = violations(page)
    page.emulate_media(color_scheme="dark")
    return [*by_day, *violations(page, runOnly=["color-contrast", "link-in-text-block"])]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways_on_a_phone(visit: Any, path: str) -> None:
    page = visit(path, bypass_csp=True)
    if path == "/api/v1/":
        page.wait_for_selector("h3.opblock-tag")
    assert violations_in_both_colours(page) == []
    for width in (430, 390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert path == "/api/v1/" or page.evaluate("document.documentElement.scrollWidth") <= width


def test_no_page_scrolls_sideways_on_a_phone(visit: Any) -> None:
    page = visit("/", width=360, height=740)
    for path in (*PAGES[:-1], "/table", "/table/record", "/sign-in", "/rulebooks/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


@pytest.mark.prove
def test_axe_finds_nothing_on_the_sheet_for_the_judge(visit: Any) -> None:
    page = visit("/", bypass_csp=True)
    page.goto(f"{page.url}games/dispute/sheet?step=3")
    assert page.locator("h1").inner_text()
    assert violations(page) == []


def test_on_a_phone_keys_stay_in_sight_one_line_is_whole_a_swipe_steps_and_the_sheet_opens(visit: Any) -> None:
    page = visit("/games/dispute?step=3", width=390, height=844, has_touch=True)
    sheet = page.locator(".panel").bounding_box()["y"]
    for part in ('[data-slot="strip"]', '[data-go="on"]'):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= sheet
    shown = "a.opens[data-column]:visible"
    assert [link.get_attribute("data-column") for link in page.locator(shown).all()] == ["1", "2"]
    page.tap('a.opens[data-column="1"]')
    assert [link.get_attribute("data-column") for link in page.locator(shown).all()] == ["2", "3"]
    page.evaluate("""() => {
        const table = document.querySelector('[data-slot="table"]');
        const at = (x) => new Touch({ identifier: 1, target: table, clientX: x, clientY: 300 });
        table.dispatchEvent(new TouchEvent("touchstart", { touches: [at(300)], changedTouches: [at(300)] }));
        table.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [at(200)] }));
    }""")
    assert page.evaluate("audit.step") == 4
    before = page.locator(".panel").bounding_box()["height"]
    page.tap(".grip")
    until(page, f"document.querySelector('.panel').clientHeight > {before}")


def test_every_control_is_reached_by_tab_and_works(visit: Any) -> None:
    page = visit("/games/dispute?step=3")
    wanted = {"first", "back", "on", "last", "finding-on", "play", "turn-round", "link", "keys", "strip", "goto"}
    for _ in range(150):
        page.keyboard.press("Tab")
        wanted.discard(page.evaluate("(({ go, do: act, slot }) => go ?? act ?? slot)(document.activeElement.dataset)"))
        if not wanted:
            break
    assert not wanted
    page.focus('[data-go="on"]')
    page.keyboard.press("Enter")
    assert page.evaluate("audit.step") == 4


def test_a_live_region_says_the_step_in_words_and_the_language_is_changed_without_losing_it(visit: Any) -> None:
    page = visit("/games/dispute?step=2")
    page.keyboard.press("ArrowRight")
    place = "Step 3 of 7. Illegal. B plays Death 5 face up in line 3. Rule Face up only at its protocol."
    why = "Death 5 may not lie face up in line 3. Expected: B plays Death 5 face up in line 1."
    assert page.locator("[aria-live]").inner_text() == f"{place} {why}"
    assert page.get_attribute('[data-slot="strip"]', "aria-valuetext") == place
    page.click('.languages [hreflang="it"]')
    page.wait_for_selector("html[lang=it] body.lively")
    assert page.evaluate("audit.step") == 3


def test_without_a_script_the_links_do_the_stepping(visit: Any) -> None:
    page = visit("/games/dispute?step=2", script=False)
    page.click('[data-go="on"]')
    assert "step=3" in page.url
    assert "Illegal" in page.inner_text('[data-slot="panel"]')
    page.click('[data-go="finding-on"]')
    assert "step=6" in page.url
    page.fill('[data-slot="goto"]', "1")
    page.press('[data-slot="goto"]', "Enter")
    assert "step=1" in page.url


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("language", "word"), [("fr", "Attendu"), ("it", "Atteso"), ("pl", "Oczekiwane")])
def test_the_script_speaks_the_language_of_the_page(visit: Any, language: str, word: str) -> None:
    page = visit(f"/games/dispute?step=2&lang={language}")
    page.keyboard.press("ArrowRight")
    assert word in page.inner_text('[data-slot="panel"]')
    assert page.locator(".says .own").get_attribute("lang") == language


def test_a_print_is_one_sheet_with_the_finding_the_field_and_the_rule(visit: Any) -> None:
    page = visit("/games/dispute?step=3")
    page.emulate_media(media="print")
    for shown in (".panel .message", ".table .scene", ".says"):
        assert page.is_visible(shown)
    for left_out in (".controls", ".list", ".languages"):
        assert not page.is_visible(left_out)
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
