"""The windows over the table on a phone: before and after, a card, help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.waiting import until

pytestmark = pytest.mark.browser
Page = Any


@pytest.fixture
def phone(visit_quietly: Any, samples: str) -> Callable[[str], Page]:
    def opened(path: str) -> Page:
        page = visit_quietly(path, samples, width=320, height=640, has_touch=True, is_mobile=True)
        page.wait_for_selector("body.lively")
        return page

    return opened


IN_SIGHT = """(at) => {
    const box = document.querySelector(at).getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight && box.width > 0;
}"""


def test_before_and_after_begins_with_what_differs_and_closes_with_a_tap_beside_it_and_who_acts_is_said(
    phone: Any,
) -> None:
    page = phone("/games/altered-two-teams?step=34")
    page.evaluate("audit.showBoth()")
    until(page, "document.querySelector('.both-dialog').open")
    for place in ("#both-title", ".both-dialog .dialog-close button", ".differs li"):
        assert page.evaluate(IN_SIGHT, place), place
    assert page.locator(".differs li").first.inner_text().startswith("elk")
    page.evaluate("document.querySelector('.both-dialog').scrollTop = 900")
    for place in ("#both-title", ".both-dialog .dialog-close button"):
        assert page.evaluate(IN_SIGHT, place), place
    page.touchscreen.tap(160, 10)
    assert not page.evaluate("document.querySelector('.both-dialog').open")
    assert page.locator(".place > .quiet").first.is_visible()
    assert page.inner_text(".where .quiet").endswith("Cy")
    page.evaluate("audit.go(33)")
    assert page.inner_text(".where .quiet").endswith("Bo"), "who played, not who comes next"


def test_taps_tell_of_card_and_number_help_is_about_fingers_and_a_line_of_the_list_brings_the_table_in_sight(
    phone: Any,
) -> None:
    page = phone("/games/altered-duel?step=30&lang=fr")
    page.evaluate("audit.showCard('moth')")
    told = page.inner_text(".card-dialog")
    assert "Personnage" in told
    assert "Fugace" in told
    assert "défaussé et ne va pas en Réserve" in told
    page.click(".card-dialog .dialog-close button")
    page.locator('.card[data-key="owl"]').first.tap()
    assert "2/1" in page.inner_text(".card-dialog"), "what it costs"
    page.click(".card-dialog .dialog-close button")
    page.locator(".stat").first.tap()
    assert page.evaluate(IN_SIGHT, "#signs h3")
    assert page.locator(".by-thumb").is_visible()
    assert not page.locator(".by-keys").is_visible()
    page.keyboard.press("Escape")
    page.evaluate("document.querySelector('.steps [data-step=\"33\"]').scrollIntoView()")
    page.evaluate("document.querySelector('.steps [data-step=\"33\"]').click()")
    until(page, "audit.step === 33 && scrollY === 0")


def test_a_tap_on_the_steps_of_a_reveal_tells_their_names_and_one_on_its_title_the_card(phone: Any) -> None:
    page = phone("/games/lotr-journey?step=30")
    name = page.locator(".steps-of .done .what").first
    assert name.bounding_box()["width"] <= 1
    page.locator(".steps-of .done .n").first.tap()
    assert name.bounding_box()["width"] > 60
    page.locator(".box.open > h3 b").first.tap()
    assert "Watchtower" in page.inner_text(".card-dialog")
    page.evaluate("audit.go(56)")
    assert page.locator(".box.open .box.open .box.open").count() == 1, "revealed in place of a cancelled one"
    assert page.locator(".steps-of .now .what").last.is_visible()


IS_IN_SIGHT = (
    "(card) => { const at = card.getBoundingClientRect(), box = card.closest('.scene').getBoundingClientRect();"
    " return at.top >= box.top && at.bottom <= box.bottom; }"
)


def test_at_200_percent_on_a_phone_nothing_lies_on_the_steps_and_the_played_card_is_seen(
    visit_quietly: Any, samples: str
) -> None:
    page = visit_quietly(
        "/games/altered-duel?step=26", samples,
        width=195, height=422, has_touch=True, is_mobile=True, reduced_motion="reduce",
    )  # fmt: skip
    page.wait_for_selector("body.lively")
    assert page.locator('.card.changed[data-key="moth"]').evaluate(IS_IN_SIGHT)
    page.evaluate("document.querySelector('.controls').scrollIntoView()")
    for key in page.locator(".controls .key:visible").all():
        assert key.evaluate(
            "(key) => { const box = key.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;"
            " return key.contains(document.elementFromPoint(x, y)); }"
        ), key.get_attribute("title")
    fits = "(one) => one.scrollWidth <= one.parentElement.clientWidth"
    assert page.evaluate(f"[...document.querySelectorAll('.place > .title')].every({fits})")
    assert page.evaluate("document.scrollingElement.scrollWidth") == 195
