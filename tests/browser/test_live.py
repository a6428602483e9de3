"""An open page follows a game that goes on: over the store, appended to as a scorekeeper does."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from replays.store.store import Store
from tests.browser.waiting import until
from tests.serving import served
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

pytestmark = pytest.mark.browser
Page = Any
Append = Callable[[int, int], None]

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
LINES = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)
GIVEN = 20
ILLEGAL = 25
"""The first event of the sample that breaks a rule."""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store with the beginning of the dispute, its players known to keep hidden what lies in their hands."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    start = tmp_path / "start.jsonl"
    start.write_bytes(b"".join(LINES[: GIVEN + 1]))
    with Store(tmp_path / "games.db") as store:
        store.import_log(start)
        yield store


@pytest.fixture
def game(store: Store) -> str:
    return store.find("r3-t12")


@pytest.fixture
def address(store: Store) -> Iterator[str]:
    """Where this store answers; streams are short, so that readers have to come back."""
    app = create_app(StoreLibrary(store), config={"AUDIT_LIVE_EVERY": 0.02, "AUDIT_LIVE_SECONDS": 1.0})
    with served(app) as address:
        yield address


@pytest.fixture
def append(address: str, game: str) -> Append:
    """Appends lines of the sample over the API."""
    token = make_token("table 12", "scorekeeper")

    def appended(first: int, last: int) -> None:
        given = {"expected": first - 1, "events": [json.loads(line) for line in LINES[first : last + 1]]}
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        place = f"{address}/api/v1/games/{game}/events"
        with urllib.request.urlopen(urllib.request.Request(place, json.dumps(given).encode(), headers)) as answer:
            assert answer.status == 201

    return appended


def text(page: Page, slot: str) -> str:
    return str(page.inner_text(f'[data-slot="{slot}"]'))


def test_who_stands_on_the_last_step_goes_along(visit: Any, game: str, append: Append) -> None:
    page = visit(f"/games/{game}?step={GIVEN}")
    append(21, 22)
    until(page, "audit.step === 22")
    append(23, ILLEGAL)
    until(page, f"audit.step === {ILLEGAL}")
    assert f"step={ILLEGAL}" in page.url
    fresh = visit(f"/games/{game}?step={ILLEGAL}")
    for slot in ("panel", "pending", "table", "steps", "strip"):
        assert page.inner_html(f'[data-slot="{slot}"]') == fresh.inner_html(f'[data-slot="{slot}"]'), slot
    assert page.inner_text(".trust") == fresh.inner_text(".trust")
    assert text(page, "live").startswith(f"Step {ILLEGAL} of {ILLEGAL}. Illegal.")


def test_who_looks_elsewhere_stays_and_is_told(visit: Any, game: str, append: Append) -> None:
    page = visit(f"/games/{game}?step=7&lang=pl")
    append(21, 21)
    until(page, "audit.last === 21")
    assert text(page, "notice") == "1 nowy krok"
    append(22, 23)
    until(page, "audit.last === 23")
    assert text(page, "notice") == "3 nowe kroki"
    assert page.get_attribute('[data-slot="notice"]', "role") == "status"
    assert page.evaluate("audit.step") == 7
    assert "7 z 23" in text(page, "panel")
    page.keyboard.press("End")
    assert page.evaluate("audit.step") == 23
    append(24, 24)
    until(page, "audit.step === 24")
    assert text(page, "notice") == ""


def test_a_reader_who_was_cut_off_misses_nothing(visit: Any, game: str, append: Append) -> None:
    page = visit(f"/games/{game}?step={GIVEN}")
    page.context.set_offline(True)
    page.evaluate("audit.live.close()")
    append(21, 24)
    page.context.set_offline(False)
    page.evaluate("audit.live.open()")
    until(page, "audit.step === 24")
    assert page.evaluate("audit.steps.at(23).q") == 23


@pytest.mark.prove
def test_streams_end_and_the_browser_comes_back(visit: Any, game: str, append: Append) -> None:
    page = visit(f"/games/{game}?step={GIVEN}")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.all_headers().get("last-event-id", "")))
    append(21, 21)
    until(page, "audit.step === 21")
    until(page, "audit.live.source.readyState === EventSource.CONNECTING")
    until(page, "audit.live.source.readyState === EventSource.OPEN")
    append(22, 22)
    until(page, "audit.step === 22")
    assert "21" in asked


def test_only_what_a_viewer_may_know_goes_over_the_wire(visit: Any, game: str, store: Store, append: Append) -> None:
    page = visit(f"/games/{game}?step={GIVEN}&as=public")
    page.evaluate("audit.live.source.addEventListener('steps', (event) => (window.told = event.data))")
    append(21, 60)
    until(page, "audit.last >= 60")
    told = page.evaluate("window.told")
    library = StoreLibrary(store)
    views = {
        viewer: json.dumps(list(library.game(game, viewer=viewer, language="en", reading=None).steps))
        for viewer in ("judge", "public")
    }
    names = set(re.findall(r"[a-z]+-[0-6]", views["judge"]))
    hidden = {name for name in names if f'"{name}"' in views["judge"] and f'"{name}"' not in views["public"]}
    assert not {name for name in hidden if f'"{name}"' in told}
    assert '"?' in told
