"""Every state of the page for the table: `python -m tests.browser.table_states FOLDER [WORD ...]` takes their pictures.

A word narrows the pictures to those whose name holds it, such as `verdict-no phone pl dark`.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from replays.judging.positions import line_at
from replays.log.reader import open_log
from tests.browser.screenshots import CHROMIUM, FLAGS
from tests.browser.waiting import until
from tests.serving import served
from web import create_app

Page = Any
SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
QUESTION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1s4:9:"
DIVIDED = (
    "compile/5B.compile.-/metal.life.water:m1l5*;;:4:9:/fire.plague.spirit:f5f4f3;;:4:9:"
    "/(acted:'',barred:!((player:B,turn:5)))"
)
"""An edition before a ruling answers otherwise."""
SHEET = "game final   A Ada: fire life water   B Bo: death metal speed   first A"
DEVICES: Mapping[str, tuple[int, int]] = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1280, 800)}


def _began(page: Page) -> None:
    page.wait_for_selector("#words button")


def _empty(page: Page) -> None:
    for name in ("fire", "life", "water", "death", "metal", "speed"):
        page.locator(f'#words [data-word="{name}"]').click()
    page.wait_for_selector("#board .put")


def _half(page: Page) -> None:
    page.wait_for_selector("#board .put")


def _picking(page: Page) -> None:
    _half(page)
    page.locator("#board .lane.here .put, #board .put").first.click()
    page.wait_for_selector("#picker[open]")


def _options(page: Page) -> None:
    page.click("#do-ask")
    page.wait_for_selector("#choices button")


def _typing(page: Page) -> None:
    _options(page)
    page.locator("#line").focus()
    page.keyboard.type("a p")
    page.wait_for_selector("#suggestions [role=option]")


def _asked(line: str, *opened: str) -> Callable[[Page], None]:
    def asked(page: Page) -> None:
        page.wait_for_selector("#board .scene")
        page.fill("#line", line)
        page.press("#line", "Enter")
        page.wait_for_selector("#said .reply")
        for selector in opened:
            page.locator(selector).first.click()

    return asked


def _pictured(page: Page) -> None:
    page.click("#qr-of summary")
    until(page, "document.getElementById('qr').naturalWidth > 0")


def _recording(page: Page) -> None:
    page.fill('#from-sheet [name="sheet"]', SHEET)
    page.locator("#from-sheet button").click()
    page.wait_for_selector("#choices button")


def _which(page: Page) -> None:
    _recording(page)
    page.locator("#choices .group-offer, #choices button").first.click()
    if not page.locator("#picker[open]").count():
        page.locator("#choices button").first.click()
    page.wait_for_selector("#picker[open]")


def _entered(*lines: str) -> Callable[[Page], None]:
    def entered(page: Page) -> None:
        _recording(page)
        for line in lines:
            enter(page, line)

    return entered


def enter(page: Page, line: str) -> None:
    """Type a line and wait until it is judged."""
    before = page.locator("#history .past").count()
    page.fill("#line", line)
    page.press("#line", "Enter")
    until(page, f"document.querySelectorAll('#history .past').length > {before}")


def _then(first: Callable[[Page], None], *selectors: str) -> Callable[[Page], None]:
    def done(page: Page) -> None:
        first(page)
        for selector in selectors:
            page.locator(selector).first.click()

    return done


def _otherwise(page: Page) -> None:
    _entered("A fire-3 1")(page)
    page.click("#otherwise summary")
    page.wait_for_selector("#next-words button")


def _noted(page: Page) -> None:
    _entered("A fire-3 1")(page)
    page.click("#note")
    page.fill("#note-text", "the judge was called")
    page.click("#flag")
    until(page, "document.querySelector('#history').textContent.includes('judge')")


def _unreadable(page: Page) -> None:
    _entered("A fire-3 1")(page)
    page.fill("#line", "A sings loudly")
    page.press("#line", "Enter")
    page.wait_for_selector("#problem:not([hidden])")


def _offline(page: Page) -> None:
    _entered("A fire-3 1")(page)
    page.context.set_offline(True)
    for line in ("B death-2 1", "A refresh"):
        page.fill("#line", line)
        page.press("#line", "Enter")
    until(page, "document.querySelectorAll('#history .unread').length === 2")


THEIRS = {"seq": 1, "id": "1~Ada~1", "type": "played", "player": "A", "card": "fire-3", "line": 1, "face": "up"}
"""What another recorder wrote first."""
HEADER = "JSON.parse(localStorage[`audit-record:${localStorage['audit-record-open']}`]).header"


def _conflict(page: Page) -> None:
    """Ada was first: the server is told by the test, so that every device and language sees the same."""
    _recording(page)
    header = page.evaluate(HEADER)
    enter(page, "A fire-3 2 down")
    page.route("**/api/v1/games", lambda asked: asked.fulfill(json={"id": "final"}))
    page.route("**/api/v1/games/final/events*", lambda asked: asked.fulfill(**_answer(asked.request, header)))
    page.locator("#keeping").evaluate("one => { one.open = true; }")
    page.fill('#sending [name="who"]', "Bo")
    page.fill('#sending [name="token"]', "a token")
    page.locator("#sending button").click()
    page.wait_for_selector("#picker[open] #keep-theirs")


def _answer(asked: Any, header: object) -> dict[str, Any]:
    """A server that has one event when it is asked first, and takes whatever comes after it."""
    if asked.method == "GET":
        return {"json": {"header": header, "events": [THEIRS] if asked.url.endswith("after=0") else []}}
    sent = asked.post_data_json
    if not sent["expected"]:
        return {"status": 409, "json": {"error": "version-conflict", "game": "final", "expected": 0, "actual": 1}}
    return {"json": {"version": sent["expected"] + len(sent["events"])}}


def _pasted(text: str) -> Callable[[Page], None]:
    def pasted(page: Page) -> None:
        page.click("#paste summary")
        page.fill('#pasted [name="text"]', text)
        page.locator("#pasted button").click()

    return pasted


def _finished(page: Page) -> None:
    _pasted((SAMPLES / "clean.jsonl").read_text())(page)
    page.wait_for_selector("#choices .over")


def _questioned(page: Page) -> None:
    _pasted(f"{SHEET}\nA plays Fire 3 face up, B refreshes")(page)
    page.wait_for_selector("#question")


def _entered_in(sample: str, *lines: str) -> Callable[[Page], None]:
    """The game of a sample, recorded from its header."""

    def entered(page: Page) -> None:
        page.fill('#from-sheet [name="sheet"]', (SAMPLES / f"{sample}.jsonl").read_text().splitlines()[0])
        page.locator("#from-sheet button").click()
        page.wait_for_selector("#board .scene")
        for line in lines:
            enter(page, line)

    return entered


def _at(sample: str, seq: int) -> str:
    """The page with the position after an event of a sample."""
    log = open_log(SAMPLES / f"{sample}.jsonl")
    state = next(step.state for step in audit(log.ruleset, log.header, log) if step.seq == seq)
    return f"/table?position={quote(line_at(log.header, state))}"


ALTERED, REVEAL = _at("altered-duel", 17), _at("lotr-journey", 1)
ASK, RECORD, SET = "/table", "/table/record", f"/table?position={QUESTION}"
MISTYPED = _then(_entered("A fire-3 1"), "#undo")
STATES: Mapping[str, tuple[str, Callable[[Page], None]]] = {
    "ask-begin": (ASK, _began),
    "ask-empty": (ASK, _empty),
    "ask-half-set": (SET, _half),
    "ask-picking": (SET, _picking),
    "ask-options": (SET, _options),
    "ask-typing": (SET, _typing),
    "ask-verdict-no": (SET, _asked("A plague-1 2", ".rule-of details summary")),
    "ask-verdict-yes": (SET, _asked("A plague-1 1")),
    "ask-divided": (f"/table?position={quote(DIVIDED)}", _asked("B compile 1", "#said > details summary")),
    "ask-qr": (SET, _pictured),
    "ask-not-covered": (ALTERED, _asked("ben quick horn blow")),
    "ask-altered-set": (ALTERED, _half),
    "ask-altered-no": (ALTERED, _asked("ann fox h 1", ".rule-of details summary")),
    "ask-reveal-set": (REVEAL, _half),
    "ask-reveal-fork": (REVEAL, _asked("f1 enters ruined-keep guarded")),
    "record-begin": (RECORD, _began),
    "record-paste": (RECORD, _questioned),
    "record-decisions": (RECORD, _recording),
    "record-which-card": (RECORD, _which),
    "record-played": (RECORD, _entered("A fire-3 1", "B death-2 1")),
    "record-wrong": (RECORD, _then(_entered("B metal-3 3"), "#said details summary")),
    "record-unreadable": (RECORD, _unreadable),
    "record-otherwise": (RECORD, _otherwise),
    "record-altered": (RECORD, _entered_in("altered-duel", "a mana bear", "b mana otter", "a owl h 2")),
    "record-reveal": (RECORD, _entered_in("lotr-journey", "ruined-keep p1", "enter guarded", "orc-c p1 guarded")),
    "record-undo": (RECORD, MISTYPED),
    "record-mistyped": (RECORD, _then(MISTYPED, "#mistyped")),
    "record-taken-back": (RECORD, _then(MISTYPED, "#taken-back")),
    "record-noted": (RECORD, _noted),
    "record-offline": (RECORD, _offline),
    "record-keeping": (RECORD, _then(_entered("A fire-3 1"), "#keeping summary")),
    "record-finished": (RECORD, _finished),
    "record-conflict": (RECORD, _conflict),
    "record-conflict-left-open": (RECORD, _then(_conflict, "#picker form button")),
}


def shown(page: Page, state: str, language: str) -> None:
    """Bring a page to a state."""
    path, reach = STATES[state]
    page.goto(f"{path}{'&' if '?' in path else '?'}lang={language}")
    page.wait_for_selector("body.lively")
    reach(page)


FOCUSED = "(wanted) => Boolean(document.activeElement?.matches(wanted))"


def reach(page: Page, wanted: str) -> None:
    """Press Tab until that has the focus."""
    for _ in range(250):
        if page.evaluate(FOCUSED, wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"not reached: {wanted}")


def press(page: Page, wanted: str) -> None:
    """Reach something and press Enter on it."""
    page.wait_for_selector(wanted, state="attached")
    reach(page, wanted)
    page.keyboard.press("Enter")


def names(words: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """The state, device, language and colours of every picture that is asked for."""
    for one in product(STATES, DEVICES, LANGUAGES, ("light", "dark")):
        if all(any(word in part for part in one) for word in words):
            yield one


def main() -> None:
    """Take the pictures that are asked for."""
    from playwright.sync_api import sync_playwright

    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("words", nargs="*")
    given = asked.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    given.folder.mkdir(parents=True, exist_ok=True)
    config = {"AUDIT_VIEWPOINTS": "all", "AUDIT_PAGE_RATE": 1e6, "AUDIT_COSTLY_RATE": 1e6, "AUDIT_COSTLY_BURST": 1e6}
    with served(create_app(config=config)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for state, device, language, scheme in names(given.words):
            width, height = DEVICES[device]
            context = browser.new_context(
                viewport={"width": width, "height": height}, base_url=address, color_scheme=scheme, locale="en-GB",
                has_touch=device != "desktop", reduced_motion="reduce",
            )  # fmt: skip
            context.set_default_timeout(8000)
            page, name = context.new_page(), f"{state}-{device}-{language}-{scheme}"
            try:
                shown(page, state, language)
            except Exception as problem:
                print(f"{name}: {str(problem).splitlines()[0]}")
            page.screenshot(path=given.folder / f"{name}.png", full_page=not page.locator("dialog[open]").count())
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
