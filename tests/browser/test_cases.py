"""The dispute as a case, from a phone: opened, ruled, appealed, backed up, played on, published, verified."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask

from cli import audit
from replays.cases.book import CaseBook, StoreShelf
from replays.cases.writing import made, opened, opinion_on, place_of_log
from replays.store.store import Store
from tests.browser.test_access import violations
from tests.serving import served
from web import create_app
from web.games.store_library import StoreLibrary

pytestmark = pytest.mark.browser
DISPUTE = Path("replays/samples/dispute.jsonl")
SECONDS_A_TAP, SECONDS_A_LETTER = 3.0, 0.35
"""How long a judge takes for a tap, finding the place included, and for a letter."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cases")
        patch.setenv("AUDIT_DATA_DIR", str(folder / "data"))
        with Store(folder / "games.db") as store:
            game = store.import_log(DISPUTE).game
            run("key", "make", "head")
            store.seal(game, "head", "2026-01-02T10:00:00+00:00")
            yield store


@pytest.fixture(scope="module")
def app(store: Store) -> Flask:
    return create_app(StoreLibrary(store))


@pytest.fixture(scope="module")
def address(app: Flask) -> Iterator[str]:
    with served(app) as address:
        yield address


def run(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(audit, list(map(str, words)))
    assert done.exit_code == code, done.output
    return done.output


def opened_on(store: Store, game: str) -> str:
    """A case on the dispute, in which each player has said how they see it."""
    book, who = CaseBook(StoreShelf(store)), {"by": "Ada", "role": "judge", "at": "2026-01-02T10:00:00Z"}
    place, known = place_of_log(DISPUTE.read_bytes(), 25, "game")
    id = f"width{len([*store.ledgers('case')])}"
    event = opened(place, {**who, "id": id, "question": "Legal?", **known, "game_id": game})
    case = book.open(event, opinion_on(event, who))
    book.add(case.id, made("claimed", {**who, "player": "A", "said": "Plague may lie in every line."}))
    return case.id


class Thumb:
    """Taps and types as a judge does, and counts."""

    def __init__(self, page: object) -> None:
        self.page, self.taps, self.letters = page, 0, 0

    def tap(self, words: str, kind: str = "button") -> None:
        found = self.page.locator(f"{kind}:visible", has_text=re.compile(words)).first  # type: ignore[attr-defined]
        found.tap()
        self.page.wait_for_load_state()  # type: ignore[attr-defined]
        self.taps += 1

    def type(self, label: str, text: str) -> None:
        field = self.page.locator("label:visible", has_text=label).locator("input, textarea").first  # type: ignore[attr-defined]
        field.tap()
        field.fill(text)
        self.taps += 1
        self.letters += len(text)

    @property
    def seconds(self) -> float:
        return self.taps * SECONDS_A_TAP + self.letters * SECONDS_A_LETTER


@pytest.mark.prove
def test_the_dispute_from_a_phone_in_less_than_two_minutes_of_taps(visit: object, store: Store, tmp_path: Path) -> None:
    game = store.find("r3-t12")
    page = visit(f"/games/{game}?step=25", width=390, height=844, has_touch=True, is_mobile=True)  # type: ignore[operator]
    thumb = Thumb(page)
    page.locator(".grip").tap()
    thumb.taps += 1
    thumb.tap("Open a case", "a")
    thumb.type("Your name", "Ada")
    thumb.tap("Open a case")
    page.locator("#now", has_text="open").wait_for()

    thumb.tap("^Rule on it$", "summary")
    thumb.tap("^Rule on it$")
    page.locator("#now", has_text="ruled").wait_for()

    thumb.tap("^Appeal$", "summary")
    thumb.tap("^Appeal$")
    page.locator("#now", has_text="appealed").wait_for()

    thumb.tap("^Rule on it$", "summary")
    thumb.tap("head judge", "label")
    thumb.tap("^Rule on it$")
    page.locator("#now", has_text="final").wait_for()

    thumb.tap("Back up", "a")
    page.locator(".undo", has_text="Plague 5").first.wait_for()
    thumb.tap("Make the branch")
    page.locator("a", has_text="Play on").wait_for()
    with page.expect_download() as bundle:
        thumb.tap("Bundle", "a")
    bundle.value.save_as(tmp_path / "case.html")
    assert thumb.seconds < 120, (thumb.taps, thumb.letters)
    assert thumb.taps <= 20

    said = run("verify", tmp_path / "case.html", code=1)
    assert "nobody signed it" in said
    assert "the log: signed by" in said.lower() or "head" in said
    page.locator("a", has_text="Play on").tap()
    page.wait_for_selector("body.lively")
    assert "A branch of r3-t12, after event 24" in page.locator("main").inner_text()
    branch = page.url.rpartition("/")[2].partition("?")[0]
    more = b'{"seq": 25, "type": "played", "player": "A", "card": "plague-5", "line": 1, "face": "up"}\n'
    assert store.append(branch, more, 24) == 25
    page.goto(f"/games/{branch}?step=25")
    page.wait_for_selector("body.lively")
    assert "line 1" in page.locator("#panel").inner_text()
    page.goto(f"/games/{game}/branches?with={branch}")
    assert "The same up to event 24" in page.locator("main").inner_text()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_of_cases_is_wider_than_the_screen(visit: object, store: Store, width: int) -> None:
    game = store.find("r3-t12")
    case = opened_on(store, game)
    addresses = [f"/cases/{case}", f"/cases/new?game={game}&step=25", "/stats?ruleset=compile&by=player", "/cases",
                 "/cases/infractions", f"/cases/{case}/remedy", "/stats"]  # fmt: skip
    for address in addresses if width > 360 else addresses[:3]:
        page = visit(address, width=width, bypass_csp=True)  # type: ignore[operator]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert violations(page) == [], address
