"""Every state of the page for the table, for everybody: on a phone, in the dark, by keyboard alone, by ear."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

from audit.core.catalogue import LANGUAGES
from tests.browser.table_states import DEVICES, STATES, press, reach, shown
from tests.browser.test_access import violations
from tests.browser.waiting import until

pytestmark = pytest.mark.browser
Page = Any
WAYS = list(zip(STATES, cycle(DEVICES), cycle(LANGUAGES), cycle(("dark", "light", "light")), strict=False))
"""Each state on one device, in one language and colour: between them the states go through all of these."""
CUT = """() => [...document.querySelectorAll("#desk button, #desk summary, #desk label, #picker button")]
    .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1 && !one.closest("#board"))
    .map((one) => one.textContent)"""
"""The words outside the board that do not fit into what they stand on."""
COVERED = """() => [...document.querySelectorAll("body:not(:has(dialog[open])) #board .put")].filter((put) => {
    put.scrollIntoView({ block: "center", inline: "center" });
    const box = put.getBoundingClientRect();
    const size = put.parentElement.querySelector(":scope > .size")?.getBoundingClientRect();
    const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return over !== put || box.height < 24 || (size && (size.right > box.right || size.left < box.left));
}).map((put) => put.dataset.place)"""
"""The places that a finger cannot reach, or whose number of cards lies over the edge."""


@pytest.mark.sampled(17)
@pytest.mark.parametrize(("state", "device", "language", "scheme"), WAYS)
def test_a_state_is_whole_and_can_be_heard(
    visit_quietly: Any, state: str, device: str, language: str, scheme: str
) -> None:
    width, height = DEVICES[device]
    page = visit_quietly(width=width, height=height, color_scheme=scheme)
    shown(page, state, language)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []
    assert page.evaluate(COVERED) == []


@pytest.mark.prove
def test_by_tab_and_enter_alone_a_table_is_set_asked_about_and_recorded(visit: Any) -> None:
    page = visit("/table")
    page.wait_for_selector("body.lively")
    for name in ("fire", "life", "water", "death", "metal", "speed"):
        press(page, f'#words [data-word="{name}"]')
    page.wait_for_selector("#board .put")
    press(page, '#board .put[data-place="A.line.1"]')
    press(page, '#picker [data-card="fire-3"]')
    until(page, "document.getElementById('position').textContent.includes(':f3;;:')")
    press(page, "#do-ask")
    page.wait_for_selector("#choices button")
    reach(page, "#line")
    page.keyboard.type("a ? 2")
    page.wait_for_selector("#suggestions [role=option]")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said .reply.legal")
    press(page, "#record-here")
    page.wait_for_url("**/table/record**")
    page.wait_for_selector("#choices button")
    press(page, "#choices button")
    press(page, "#picker .unknown")
    page.wait_for_selector("#history .past")
    press(page, "#undo")
    press(page, "#mistyped")
    page.wait_for_selector("#history .gone")


def test_a_long_position_has_a_dense_code_and_one_too_long_a_sentence(visit_quietly: Any) -> None:
    page = visit_quietly(width=360, height=740)
    shown(page, "ask-reveal-set", "it")
    page.click("#qr-of summary")
    until(page, "document.getElementById('qr').naturalWidth > 0")
    assert page.locator("#qr").bounding_box()["width"] > 300
    shown(page, "ask-altered-set", "it")
    page.click("#qr-of summary")
    page.wait_for_selector("#qr-long")
    assert "troppo lunga" in page.inner_text("#qr-long")
    assert page.locator("#qr").is_hidden()


def test_what_is_wrong_is_said_above_the_field_where_it_was_typed_and_both_are_on_the_screen(
    visit_quietly: Any,
) -> None:
    page = visit_quietly(width=360, height=740)
    shown(page, "record-unreadable", "fr")
    said = page.locator("#typed #problem[role=alert]")
    assert "sings" in said.inner_text()
    assert "Illisible" in said.inner_text()
    assert page.input_value("#line") == "A sings loudly"
    problem, field = said.bounding_box(), page.locator("#line").bounding_box()
    assert 0 <= problem["y"] < problem["y"] + problem["height"] <= field["y"]
    assert field["y"] + field["height"] <= 740


SMALLER_THAN_A_THUMB = """[...document.querySelectorAll("header a, #board .hand .card, #board .hand .put")]
  .map((one) => [one.textContent, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([said, { width, height }]) => `${said} ${width} ${height}`)"""
HANDS = "compile/3A.action.-/plague.fire.water:w3*;f0;:?,?,?,p51f41:9:/spirit.gravity.hate:;g6*;:h1s4,?,?,?,?,?:9:"


def test_under_a_thumb_the_cards_of_a_hand_and_the_links_above_are_large_and_nothing_scrolls_sideways(
    visit: Any,
) -> None:
    page = visit(f"/table?position={HANDS}", width=320, height=640, has_touch=True)
    page.wait_for_selector("#players input")
    assert page.locator("#board .hand .unknown").count() == 8
    assert page.evaluate(SMALLER_THAN_A_THUMB) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.sampled(12)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("device", DEVICES)
def test_the_question_of_two_recorders_is_whole_everywhere(visit_quietly: Any, device: str, language: str) -> None:
    width, height = DEVICES[device]
    page = visit_quietly(width=width, height=height, color_scheme="dark" if language in ("fr", "pl") else "light")
    shown(page, "record-conflict", language)
    assert violations(page) == []
    assert page.evaluate(CUT) == []
    box = page.locator("#picker").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert "Ada" in page.locator("#picker-title").inner_text()
    assert "played" not in page.locator("#picker").inner_text(), "sentences, and no names of events"


def test_by_keyboard_the_question_of_two_recorders_is_left_open_found_again_also_after_a_reload_and_settled(
    visit_quietly: Any,
) -> None:
    page = visit_quietly(width=1280, height=800)
    shown(page, "record-conflict", "en")
    assert page.evaluate("document.activeElement.id") == "keep-theirs"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    press(page, "#settle")
    page.wait_for_selector("#picker[open]")
    page.reload()
    page.wait_for_selector("#picker[open] #amend-theirs")
    assert "Ada was first: Ada plays Fire 3 face up in line 1." in page.locator("#picker").inner_text()
    assert "Yours: Ada plays Fire 3 face down in line 2." in page.locator("#picker").inner_text()
    press(page, "#amend-theirs")
    page.wait_for_selector("#history .gone")
    assert page.locator("#settle").count() == 0
    assert "face down in line 2" in page.locator("#history").inner_text()
