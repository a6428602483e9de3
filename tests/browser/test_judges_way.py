"""A fresh installation, a phone, a question at the table: to the answer, the case, the ruling and the page to show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from tests.browser.measuring import TOO_WIDE
from tests.browser.test_cases import Thumb
from tests.serving import served
from web import create_app, samples
from web.games.folder_library import FolderLibrary

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(FolderLibrary(samples()))


@pytest.fixture(scope="module")
def address(app: Flask) -> Iterator[str]:
    with served(app) as address:
        yield address


def test_a_question_at_the_table_becomes_a_ruling_to_show_within_ninety_seconds(
    visit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "nothing-yet"))
    page = visit("/table", width=390, height=844, has_touch=True, is_mobile=True)
    thumb = Thumb(page)

    thumb.tap("An example")
    thumb.tap("Ask what happens")
    page.locator("#line").fill("A plague-1 2")
    page.keyboard.press("Enter")
    thumb.letters += 12
    page.locator("#said", has_text="No.").wait_for()

    thumb.tap("Open a case", "a")
    assert page.locator("[name=question]").input_value() == "Is this allowed? A plays Plague 1 face up in line 2."
    thumb.type("Your name", "Ada")
    thumb.tap("Open a case")
    thumb.tap("^Rule on it$", "summary")
    thumb.tap("^Rule on it$")
    page.locator("#now", has_text="ruled").wait_for()

    thumb.tap("^Publish$", "summary")
    thumb.tap("^Publish$")
    thumb.tap("The page to show", "a")
    page.locator(".ruling", has_text="Face up, a card may be played only").wait_for()
    assert not page.locator("form").count()
    assert not page.evaluate(TOO_WIDE)
    assert thumb.seconds < 90, (thumb.taps, thumb.letters)


def test_a_step_asked_about_keeps_its_position_its_game_and_its_hidden_cards_in_every_language(visit: Any) -> None:
    page = visit("/table/from/dispute?step=25", width=390, height=844, has_touch=True, is_mobile=True)
    for language in ("FR", "PL"):
        page.locator(".reply.illegal").wait_for()
        before = parse_qs(urlsplit(page.url).query)
        page.locator(".languages a", has_text=language).tap()
        page.wait_for_url(f"**lang={language.lower()}")
        page.locator(".reply.illegal").wait_for()
        assert parse_qs(urlsplit(page.url).query) == {**before, "lang": [language.lower()]}
    page.locator(".reply.illegal", has_text="Zaraza 5").wait_for()
    asked = parse_qs(urlsplit(page.locator("#open-case").get_attribute("href")).query)
    assert (asked["game"], asked["step"], asked["asked"]) == (["dispute"], ["25"], ["A plague-5 2"])

    page.locator("#qr-of summary").tap()
    page.locator("#qr[src]").wait_for()
    shown = [page.locator("#position").inner_text(), page.locator("#qr").get_attribute("src")]
    assert not any("p51f41" in told for told in shown)
    assert page.locator("#qr-of .reach").is_visible()
    page.locator("#with-hidden").check()
    assert "p51f41" in page.locator("#position").inner_text()
    assert "p51f41" in page.locator("#qr").get_attribute("src")
    assert not page.evaluate(TOO_WIDE)


def test_without_a_connection_the_page_stays_and_the_question_is_kept(visit_quietly: Any) -> None:
    page = visit_quietly("/table/from/dispute?step=25", width=390, height=844, has_touch=True, is_mobile=True)
    page.locator(".reply.illegal").wait_for()
    page.route("**/table/ask*", lambda route: route.fulfill(status=502, body=""))
    page.locator("#line").fill("A plague-5 1")
    page.keyboard.press("Enter")
    page.locator("#again").wait_for()
    assert page.locator(".reply.illegal").count() == 1
    assert page.locator("#line").input_value() == "A plague-5 1"
    page.unroute("**/table/ask*")
    page.locator("#again").tap()
    page.locator(".reply.legal").wait_for()

    page.context.set_offline(True)
    page.locator("#open-case").tap()
    page.locator(".away", has_text="No connection").wait_for()
    page.context.set_offline(False)
    page.locator(".away").wait_for(state="detached")
    page.locator("#open-case").tap()
    page.locator("[name=question]").fill("Mine?")
    page.wait_for_load_state()
    page.context.set_offline(True)
    page.locator("[name=by]").fill("Ada")
    page.locator("form button", has_text="Open a case").tap()
    page.locator(".away").wait_for()
    assert page.locator("[name=question]").input_value() == "Mine?"


def test_a_sheet_that_is_shut_shows_its_beginning_again_and_at_200_percent_nothing_lies_over_anything(
    visit: Any,
) -> None:
    page = visit("/games/dispute?step=25", width=390, height=844, has_touch=True, is_mobile=True)
    page.locator(".grip").tap()
    page.locator(".panel").evaluate("(panel) => { panel.scrollTop = 400; }")
    assert page.locator(".panel").evaluate("(panel) => panel.scrollTop") > 100
    page.locator(".grip").evaluate("(grip) => grip.click()")
    assert page.locator(".panel").evaluate("(panel) => panel.scrollTop") == 0
    page.set_viewport_size({"width": 195, "height": 422})
    assert page.evaluate(OVER) == [0, 0]
    assert page.locator(".people").bounding_box()["width"] > 60


OVER = """() => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const names = boxes(".facing .hand > .name");
    const shown = boxes(".people, .controls .key, .lane .value").filter(({ width }) => width);
    const beside = shown.filter(({ right }) => right > innerWidth);
    return [boxes(".pile").filter((pile) => names.some((name) => over(pile, name))).length, beside.length];
}"""
"""How many piles lie over the name of a hand, and how many names, keys and totals beside the screen."""


def test_a_text_in_a_low_stack_is_cut_between_lines_and_not_through_its_letters(visit: Any) -> None:
    page = visit("/games/dispute?step=87&lang=fr", width=320, height=640, has_touch=True, is_mobile=True)
    cut = """() => [...document.querySelectorAll(".stack .up:not(.under) .text:not(.none)")].filter((text) => {
        const box = text.getBoundingClientRect(), card = text.closest(".card").getBoundingClientRect();
        return box.left < card.right && (text.scrollHeight > text.clientHeight + 1 || box.bottom > card.bottom + 1);
    }).map((text) => text.textContent)"""
    assert page.evaluate(cut) == []
