"""A game as a scorekeeper keeps it, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from replays.judging.replay import replay
from replays.log.reader import open_log
from replays.store.store import Store
from tests.browser.test_access import violations
from tests.browser.waiting import until
from tests.serving import served
from web import create_app
from web.games.folder_library import FolderLibrary
from web.games.store_library import StoreLibrary

pytestmark = pytest.mark.browser
Page = Any
Visit = Callable[..., Page]

SAMPLE = Path(__file__).resolve().parents[2] / "replays" / "samples" / "kept-by-hand.jsonl"
LINES = SAMPLE.read_bytes().splitlines(keepends=True)
SLIP, AMENDED = 45, 47
STEP = replay(open_log(SAMPLE)).steps.of_seq


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the viewer of the samples answers."""
    with served(create_app(FolderLibrary(SAMPLE.parent))) as address:
        yield address


def step(page: Page) -> int:
    return int(page.evaluate("audit.step"))


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.prove)])
def test_one_walks_along_what_stands_and_may_look_into_what_does_not(visit: Visit, width: int) -> None:
    page = visit(f"/games/kept-by-hand?step={STEP[AMENDED] - 6}", width=width, bypass_csp=True)
    page.keyboard.press("ArrowRight")
    until(page, f"audit.step === {STEP[AMENDED]}")
    page.get_by_text("Look into them").first.evaluate("link => link.click()")
    until(page, f"audit.step === {STEP[AMENDED] - 5}")
    page.keyboard.press("ArrowRight")
    until(page, f"audit.step === {STEP[SLIP]}")
    panel = page.locator("[data-slot=panel]")
    assert panel.locator(".sentence del").inner_text() == "Ada plays Metal 6 face up in line 2."
    assert "Reason: It lay in line 1; written in the wrong line." in panel.inner_text()
    assert page.locator("[data-slot=steps] .aside del").count() >= 5
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    panel.get_by_text("Stands no longer since").evaluate("link => link.click()")
    until(page, f"audit.step === {STEP[AMENDED]}")
    page.keyboard.press("ArrowLeft")
    until(page, f"audit.step === {STEP[AMENDED] - 6}")


def test_what_was_set_aside_is_no_finding_to_stop_at(visit: Visit) -> None:
    page = visit("/games/kept-by-hand?step=100")
    page.keyboard.press("Shift+N")
    until(page, "!document.querySelector('[data-slot=notice]').hidden")
    assert step(page) == 100
    assert page.locator(".strip .mark").count() == 0


def test_the_script_and_the_page_without_it_say_the_same(visit: Visit) -> None:
    pages = [visit("/games/kept-by-hand", script=script) for script in (True, False)]
    for seq in (SLIP, AMENDED):
        for page in pages:
            page.goto(f"/games/kept-by-hand?step={STEP[seq]}")
        pages[0].wait_for_selector("body.lively")
        with_script, without = (page.inner_text("[data-slot=panel]").split() for page in pages)
        assert with_script == without, seq


def test_a_page_that_follows_strikes_through_what_is_amended(browser: Any, tmp_path: Path) -> None:
    start = tmp_path / "start.jsonl"
    start.write_bytes(b"".join(LINES[:AMENDED]))
    with Store(tmp_path / "games.db") as store:
        store.import_log(start)
        id = store.find("r2-t4")
        with served(create_app(StoreLibrary(store), config={"AUDIT_LIVE_EVERY": 0.02})) as address:
            page = browser.new_page()
            page.goto(f"{address}/games/{id}?step={STEP[SLIP]}")
            page.wait_for_selector("body.lively")
            until(page, "document.querySelector('header .trust').textContent.includes('1 finding')")
            store.append(id, b"".join(LINES[AMENDED : AMENDED + 3]), expected=AMENDED - 1)
            until(page, "document.querySelector('header .trust').textContent.includes('0 findings')")
            assert page.locator(".strip .mark").count() == 0
            item = page.locator(f"[data-slot=steps] a[data-step='{STEP[SLIP]}']")
            assert item.locator("del").count() == 1
            assert step(page) == STEP[SLIP]
            page.keyboard.press("End")
            until(page, "audit.step === audit.last")
            assert "Ada plays Metal 6 face up in line 1" in page.locator("[data-slot=steps]").inner_text()
            page.close()
