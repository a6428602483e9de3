"""What a reader does with keys alone, with one thumb, and in a small frame."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.waiting import until

pytestmark = pytest.mark.browser
PHONES = [(390, 780), (740, 360)]


def test_the_list_of_steps_is_one_tab_stop_arrows_walk_in_it_and_a_focused_rule_stays_focused(visit: Any) -> None:
    page = visit("/games/dispute?step=2")
    assert page.locator(".steps a:not([tabindex])").count() == 1
    page.focus(".steps a[aria-current]")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.step") == "4"
    assert page.locator(".steps a:not([tabindex])").count() == 1
    page.evaluate("audit.go(3)")
    page.focus(".cited a.rule")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement !== document.body")


def test_single_letters_can_be_switched_off(visit: Any) -> None:
    page = visit("/games/dispute?step=0")
    page.keyboard.press("?")
    page.uncheck('[data-slot="letters"]')
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.press("f")
    assert page.evaluate("[audit.step, audit.bottom]") == [0, "A"]
    page.keyboard.press("ArrowRight")
    assert page.evaluate("audit.step") == 1
    page.reload()
    page.wait_for_selector("body.lively")
    page.keyboard.press("n")
    assert page.evaluate("audit.step") == 1


BUTTON_ABOVE_THE_LIST = """(() => {
    const button = document.querySelector('[data-go="on"]').getBoundingClientRect();
    return button.top >= 0 && button.bottom <= document.querySelector(".panel").getBoundingClientRect().top;
})()"""
SEEN = ('.languages a[lang="pl"]', ".eyes a")


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_everything_is_in_one_sheet_of_a_phone(visit: Any, width: int, height: int) -> None:
    page = visit("/games/dispute?step=3", width=width, height=height, has_touch=True)
    if page.is_visible(".grip"):
        page.tap(".grip")
    for tool in (".goto input", '.grains [data-grain="raw"]', ".share summary", '[data-do="turn-round"]',
                 '[data-do="link"]', *(SEEN if width > height else ())):  # fmt: skip
        found = page.locator(f".panel .tools {tool}").first
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        assert box
        assert 0 <= box["x"] <= width - box["width"]
        hit = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.tools'))"
        assert page.evaluate(hit, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    page.locator(".panel .tools .share summary").tap()
    until(page, IN_SIGHT)
    assert all(words.split(" ")[1:] for words in page.locator(".share a").all_inner_texts()), "each says what it is"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


IN_SIGHT = """(({ top }) => top >= 0 && top < innerHeight - 40)(
    document.querySelector(".share a").getBoundingClientRect())"""
"""Whether the menu has come onto the screen."""


def test_the_handle_of_the_sheet_drags_it_open_a_tap_shuts_it_and_a_wide_screen_has_its_tools_in_their_places(
    visit: Any,
) -> None:
    page = visit("/games/dispute?step=3", width=390, height=780)
    box = page.locator(".grip").bounding_box()
    page.mouse.move(195, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(195, box["y"] - 300, steps=4)
    page.mouse.up()
    until(page, "document.querySelector('.panel').classList.contains('open')")
    page.click(".grip")
    until(page, "!document.querySelector('.panel').classList.contains('open')")
    page.set_viewport_size({"width": 1280, "height": 800})
    until(page, "!document.querySelector('.tools').childElementCount")
    assert page.locator(".controls .goto, .controls .share, .bar .languages").count() == 3


def test_on_a_phone_seats_and_languages_are_in_sight_and_steps_are_at_hand_where_the_list_is_read(visit: Any) -> None:
    page = visit("/games/dispute?step=3", width=390, height=780, has_touch=True)
    high = page.locator(".table").bounding_box()["height"]
    assert all(page.locator(f".bar {each}").first.is_visible() for each in SEEN)
    for _ in range(2):
        page.tap(".grip")
    until(page, f"document.querySelector('.table').clientHeight > {high} + 60")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    until(page, BUTTON_ABOVE_THE_LIST)
    page.tap('[data-go="on"]')
    until(page, "audit.step === 4")


def test_a_frame_shows_table_sentence_verdict_and_controls_and_nothing_over_them(visit: Any) -> None:
    page = visit("/embed/dispute?step=3")
    for width, height in ((600, 371), (320, 480), (480, 600)):
        page.set_viewport_size({"width": width, "height": height})
        for part in (".table", ".panel .sentence", ".panel .verdict", '[data-go="on"]'):
            box = page.locator(part).first.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + min(box["height"], 40) <= height
            middle = [box["x"] + box["width"] / 2, box["y"] + min(box["height"], 40) / 2]
            hit = "([x, y, part]) => Boolean(document.elementFromPoint(x, y)?.closest(part))"
            assert page.evaluate(hit, [*middle, part])
        assert width > height or not page.locator(".side .list").is_visible(), "it would lie over the sentence"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_copied_to_embed_a_step_gives_the_frame_the_height_it_wants(visit: Any) -> None:
    page = visit("/games/dispute?step=3")
    snippet = page.locator('[data-slot="snippet"]').first.input_value()
    blog = f"<!doctype html><p>a blog</p>{snippet}"
    page.route("**/outside", lambda route: route.fulfill(content_type="text/html", body=blog))
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto("/outside")
    until(page, "document.querySelector('iframe').height !== '640'")
    wide = int(page.locator("iframe").get_attribute("height"))
    assert 300 <= wide <= 1500
    page.set_viewport_size({"width": 330, "height": 900})
    until(page, f"document.querySelector('iframe').height !== '{wide}'")
