"""A new user on a phone, tap by tap; and variations as somebody takes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.waiting import until
from tests.serving import served
from web import create_app
from web.games.folder_library import FolderLibrary

pytestmark = pytest.mark.browser
SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
TAPS = 4
"""So many taps from the list of games to a link that can be given away."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The sample games, which have logs that can be gone on from."""
    with served(create_app(FolderLibrary(SAMPLES))) as address:
        yield address


class Thumb:
    """Taps what can be seen, and counts."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps = page, 0

    def tap(self, what: str) -> None:
        self.page.locator(what).first.tap()
        self.taps += 1

    def sees(self, what: str) -> str:
        """The words of something of which at least the first line is in sight and under nothing else."""
        found = self.page.locator(what).first
        box = found.bounding_box()
        assert box
        assert box["y"] + 10 < self.page.viewport_size["height"], what
        at = [box["x"] + 8, box["y"] + 8]
        assert found.evaluate("(it, [x, y]) => it.contains(document.elementFromPoint(x, y))", at), what
        return str(found.inner_text())


def test_on_a_phone_one_finds_the_mistake_its_phase_and_what_was_right_and_shares_it(visit: Any) -> None:
    more = {"has_touch": True, "is_mobile": True, "permissions": ["clipboard-read", "clipboard-write"]}
    thumb = Thumb(visit("/", width=390, height=844, **more))
    thumb.tap("a[href*='/games/dispute']")
    thumb.page.wait_for_selector("body.lively")
    thumb.tap("[data-go='finding-on']")
    until(thumb.page, "audit.step === 25")
    assert "Illegal" in thumb.sees(".panel .verdict")
    assert "Action" in thumb.sees(".ribbon [aria-current]")
    assert "Action" in thumb.sees(".panel .where .quiet")
    thumb.tap(".grip")
    until(thumb.page, "document.querySelector('.panel').classList.contains('open')")
    until(thumb.page, "document.querySelector('.panel').getAnimations().length === 0")
    assert "Ada plays Plague 5 face up in line 1." in thumb.sees(".expected li")
    thumb.tap("[data-do='link']")
    until(thumb.page, "navigator.clipboard.readText().then((text) => text.includes('seq=25'))")
    assert thumb.taps <= TAPS
    thumb.tap(".expected .take")
    thumb.page.wait_for_selector(".variation")
    thumb.page.wait_for_selector("body.lively")
    assert "Ada plays Plague 5 face up in line 1." in thumb.page.inner_text(".variation")
    assert "Legal" in thumb.page.inner_text(".panel .verdict")


def test_by_keys_alone_one_takes_options_and_comes_back(visit: Any) -> None:
    page = visit("/games/clean?step=24")
    page.focus(".could summary")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.could .take').length > 1")
    for _ in range(2):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "take"
        with page.expect_navigation():
            page.keyboard.press("Enter")
        page.wait_for_selector("body.lively")
        until(page, "document.querySelectorAll('.could .take').length > 1")
        assert page.evaluate("document.activeElement.closest('.could') !== null"), "whoever chose goes on choosing"
    assert page.locator(".variation li").count() == 2
    assert page.locator(".steps .varied").count() > 2
    page.keyboard.press("ArrowLeft")
    assert "vary=24" in page.url
    page.click("text=back to the record")
    page.wait_for_selector("body.lively")
    assert page.evaluate("audit.step") == 24
    assert page.locator(".steps .varied").count() == 0


def test_two_variations_take_one_line_where_there_is_little_room(visit: Any) -> None:
    page = visit("/games/clean?vary=24~A refresh&vary=24~A gravity-6 1&shown=1&step=25", width=360, height=640)
    assert page.locator(".branches a, .branches [aria-current]").count() >= 2
    for width, height in ((360, 640), (320, 480), (600, 371)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".variation").bounding_box()["height"] <= 40
        page.locator(".branches a").last.scroll_into_view_if_needed()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/games/dispute?step=60", ["Hate 1, Bo, hand", "Plague 5, face up, covered, Ada, line 2"]),
        ("/games/altered-duel?step=40", ["moth, forest 0, mountain 0, water 2, fleeting, Ann, Companion expedition"]),
        ("/games/lotr-journey?step=10", ["Ruined Keep, progress 0/4, staging area"]),
    ],
)
def test_a_card_is_named_with_whose_it_is_and_where_it_lies(visit: Any, path: str, names: list[str]) -> None:
    for script in (True, False):
        page = visit(path, script=script)
        told = page.evaluate("[...document.querySelectorAll('.card .face')].map((it) => it.getAttribute('aria-label'))")
        assert set(names) <= set(told), told
