"""Stepping, jumping, looking: what a reader does with a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.browser.waiting import until
from tests.web.made import SECRET, MadeLibrary, MadeReplay, dispute, header
from tests.web.other_tables import altered, reveal
from web.games.payload import Piece, Prepared
from web.publishing.sources import source_at
from web.scenes.cards import How
from web.scenes.tree import scene_tree
from web.scenes.wire import Wire

pytestmark = pytest.mark.browser
Page = Any
FOLDER = Path(__file__).resolve().parents[2] / "replays" / "samples"
SAMPLES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def step_of(page: Page) -> int:
    return int(page.evaluate("audit.step"))


def text(page: Page, slot: str) -> str:
    return str(page.inner_text(f'[data-slot="{slot}"]'))


KEYS = (
    (0, "ArrowRight ArrowRight ArrowLeft", 1), (0, "End", 7), (5, "Home", 0), (0, "n", 2), (0, "Shift+N", 3),
    (7, "Shift+P", 6), (7, "Shift+P Shift+P", 3), (1, "Shift+ArrowRight", 3), (3, "Shift+ArrowLeft", 1), (0, "]", 3),
    (0, "Control+ArrowRight Control+ArrowRight", 4), (6, "[", 4), (0, "5 Enter", 5), (0, "4 2 Enter", 7),
    (0, "5 ArrowRight Enter", 1), (2, "g 7 Escape ArrowRight", 3), (2, "j ArrowDown k ArrowUp j", 3),
    (2, "6 Enter b", 2), (2, "g 4 Enter Escape", 4), (3, "Alt+ArrowRight", 3), (3, "Meta+ArrowRight", 3),
    (7, "p", 6), (3, "? ArrowRight Escape ArrowRight", 4),
)  # fmt: skip


def test_keys_lead_where_they_say(visit: Any) -> None:
    page = visit("/games/dispute?step=0")
    for start, keys, end in KEYS:
        page.evaluate(f"audit.go({start})")
        for key in keys.split():
            page.keyboard.press(key)
        until(page, f"audit.step === {end}")
        assert f"step={end}" in page.url, keys


def test_stepping_asks_for_the_next_piece_alone_moves_nothing_unasked_and_lays_the_page_out_once(visit: Any) -> None:
    page = visit("/games/long?step=0", reduced_motion="reduce")
    until(page, "!audit.steps.coming.size")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    assert step_of(page) == 30
    assert set(asked) <= {"icon.svg", "2"}, "the browser takes its icon from its cache again when the address changes"
    assert page.evaluate("document.getAnimations().length") == 0
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def layouts() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "LayoutCount"))

    before = layouts()
    page.evaluate("for (let step = 31; step <= 80; step++) audit.go(step)")
    assert step_of(page) == 80
    assert layouts() - before <= 50 * 1.5


def test_the_server_and_the_browser_say_and_draw_the_same(visit: Any) -> None:
    with_script = visit("/games/dispute?step=0")
    without = visit("/games/dispute?step=0", script=False)
    for step in range(0, 8, 3):
        with_script.evaluate(f"audit.go({step})")
        without.goto(f"/games/dispute?step={step}")
        for slot in ("panel", "pending"):
            assert text(with_script, slot) == text(without, slot)
        assert (
            with_script.inner_html('[data-slot="table"]').split() == without.inner_html('[data-slot="table"]').split()
        )


@pytest.mark.sampled(17)
@pytest.mark.parametrize("viewer", ["judge", "public"])
@pytest.mark.parametrize("name", SAMPLES)
def test_both_renderers_make_the_same_table_at_every_step(visit: Any, app: Flask, name: str, viewer: str) -> None:
    game = Prepared(source_at(FOLDER / f"{name}.jsonl").replay(viewer, "fr"))
    assert made_in_browser(visit, app, game) == made_here(game)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("ruleset", "states"), [("lotr-reveal", reveal()), ("altered", altered()), ("none", altered())]
)
def test_both_renderers_make_the_same_table_of_what_is_rare(
    visit: Any, app: Flask, ruleset: str, states: list[dict[str, object]]
) -> None:
    steps = [{**dispute()[number], "state": state} for number, state in enumerate(states)]
    game = Prepared(MadeReplay(header(ruleset=ruleset), steps))
    assert made_in_browser(visit, app, game) == made_here(game)


def how_of(game: Prepared, bottom: int) -> How:
    seats = (*game.seats, "A", "B")
    return {
        "bottom": seats[bottom], "column": 1 + bottom, "link": "?column=COLUMN", "cards": "/cards",
        "players": game.players,
    }  # fmt: skip


def made_here(game: Prepared) -> object:
    trees = [
        scene_tree(scene, changes, how_of(game, step % 2))
        for step, (scene, changes) in enumerate(zip(game.scenes, game.changes, strict=True))
    ]
    return json.loads(json.dumps(trees))


def made_in_browser(visit: Any, app: Flask, game: Prepared) -> object:
    page = visit("/games/other")
    script = f"{page.evaluate('location.origin')}/static/{app.config['AUDIT_VERSION']}/scene.js"
    piece = Piece(Wire(), zip(game.scenes, game.changes, strict=True))
    scenes, changes = piece.scenes, piece.changes
    hows = [how_of(game, step % 2) for step in range(len(scenes))]
    made = page.evaluate(
        """async ([script, given]) => {
            const { sceneTree } = await import(script);
            const [scenes, changes, hows, { cards, faces }] = JSON.parse(given);
            const deck = cards.map((card) => ({ ...card, face: faces[card.face] }));
            const made = scenes.map((scene, step) => sceneTree(scene, changes[step], { ...hows[step], deck }));
            return JSON.stringify(made);
        }""",
        [script, json.dumps([scenes, changes, hows, piece.cards()])],
    )
    return json.loads(made)


def test_the_back_button_returns_to_where_a_jump_began_then_leaves_the_game_and_walks_through_no_steps(
    visit: Any,
) -> None:
    page = visit("/")
    page.goto("/games/dispute?step=1")
    page.wait_for_selector("body.lively")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    for key in ("End", "ArrowLeft", "n"):
        page.keyboard.press(key)
    page.go_back()
    until(page, "audit.step === 5")
    assert "step=5" in page.url
    page.go_forward()
    until(page, "audit.step === 6")
    for _ in range(2):
        page.go_back()
    page.wait_for_url("**/")


def test_a_copied_link_names_the_event_and_how_the_table_lies(visit: Any) -> None:
    page = visit("/games/dispute?step=3", permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("f")
    page.keyboard.press("c")
    until(page, "!document.querySelector('[data-slot=notice]').hidden")
    link = page.evaluate("navigator.clipboard.readText()")
    seq = page.evaluate("audit.steps.at(3).q")
    assert f"seq={seq}" in link
    assert "step=" not in link
    opened = visit(link.partition(page.evaluate("location.origin"))[2])
    assert step_of(opened) == 3
    assert opened.evaluate("audit.bottom") == "B"
    assert opened.inner_html('[data-slot="table"]') == page.inner_html('[data-slot="table"]')


def test_a_long_game_comes_in_pieces_and_the_list_of_a_deep_link_has_words_and_stops_of_every_step(
    visit: Any, library: MadeLibrary
) -> None:
    page = visit("/games/huge?step=805")
    until(page, "![...document.querySelectorAll('.steps .s')].some((each) => each.textContent === '…')")
    stops = page.evaluate("[...document.querySelectorAll('.steps a')].map((each) => each.dataset.stop)")
    game = Prepared(library.game("huge", viewer="judge", language="en", reading=None))
    assert stops == [game.grain(step) for step in range(685, 926)]
    until(page, "!audit.steps.coming.size")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/steps/" in request.url else None)
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    assert step_of(page) < 800
    assert asked == []
    page.keyboard.press("End")
    until(page, "audit.steps.has(1700)")
    until(page, "document.title.includes('1700')")
    assert "Step 1700 of 1700" in text(page, "panel")
    page.keyboard.press("ArrowLeft")
    until(page, "document.title.includes('1699')")
    assert "Step 1699: a card lands" in text(page, "panel")


def test_a_step_leads_on_through_what_has_not_been_fetched(visit: Any) -> None:
    page, held = visit("/games/dispute"), list[Any]()
    page.route("**/games/huge/steps/*", lambda route: held.append(route))
    page.goto("/games/huge?step=60&grain=actions")
    page.wait_for_selector("body.lively")
    page.keyboard.press("ArrowRight")
    until(page, "audit.data.words.loading === document.querySelector('[data-slot=notice]').textContent")
    assert step_of(page) == 60
    for route in held:
        route.continue_()
    until(page, "audit.step === 148")
    until(page, "document.querySelector('[data-slot=notice]').hidden")
    assert "illegal" in page.get_attribute('.steps [aria-current="step"] >> xpath=..', "class")


def test_a_click_on_the_strip_on_a_step_and_on_a_cause_and_the_wheel_over_the_table_go_there(visit: Any) -> None:
    page = visit("/games/dispute?step=0")
    box = page.locator('[data-slot="strip"]').bounding_box()
    page.mouse.click(box["x"] + box["width"] * 5.5 / 8, box["y"] + 40)
    assert step_of(page) == 5
    page.click('.because [data-step="3"]')
    assert step_of(page) == 3
    page.click('.steps [data-step="4"]')
    assert step_of(page) == 4
    page.locator(".table").hover()
    page.mouse.wheel(0, 100)
    until(page, "audit.step === 5")


def test_playing_goes_on_by_itself_and_a_deep_link_starts_paused(visit: Any) -> None:
    page = visit("/games/long?step=3")
    assert page.evaluate("audit.playing.timer") is None
    for key in ("+", "+", " "):
        page.keyboard.press(key)
    until(page, "audit.step >= 5")
    page.keyboard.press(" ")
    assert page.evaluate("audit.playing.timer") is None
    page.reload()
    page.wait_for_selector("body.lively")
    assert page.evaluate("audit.playing.speed") == 4
    page.keyboard.press("-")
    assert page.evaluate("audit.playing.speed") == 2


def test_rule_keys_and_card_open_escape_returns_a_frame_outlines_its_card_and_what_could_come_is_fetched(
    visit: Any,
) -> None:
    page = visit("/games/dispute?step=3")
    page.keyboard.press("r")
    assert page.locator("dialog[open] [lang]").count() >= 4
    page.keyboard.press("ArrowRight")
    assert step_of(page) == 3
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("?")
    assert "Shift n p" in page.inner_text("dialog[open]")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.click('.card[data-key="fire-2"] a')
    assert "Fire 2" in page.inner_text("dialog[open]")
    page.keyboard.press("Escape")
    page.hover('[data-outline="fire-2"]')
    assert page.locator('.outlined[data-key="fire-2"]').count() == 1
    page.evaluate("audit.go(2)")
    page.click(".could summary")
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('.could li').textContent.includes('what may follow 3')")


def test_the_table_turns_round_and_hidden_cards_can_be_covered(visit: Any) -> None:
    page = visit("/games/dispute?step=5")

    def height(protocol: str) -> float:
        return float(page.locator(f'.plate:has-text("{protocol}")').bounding_box()["y"])

    assert height("Fire") > height("Death")
    page.keyboard.press("f")
    assert height("Fire") < height("Death")
    assert page.locator(f'[data-key="{SECRET}"]').count() == 1
    page.keyboard.press("x")
    page.wait_for_url("**as=public*")
    page.wait_for_selector("body.lively")
    assert page.locator(f'[data-key="{SECRET}"]').count() == 0
    assert height("Fire") < height("Death"), "turned round as before"
    page.keyboard.press("x")
    page.wait_for_url("**as=judge*")
    page.locator(f'[data-key="{SECRET}"]').wait_for()


def test_a_step_that_is_not_there_is_said(visit: Any) -> None:
    assert "step=0" in visit("/games/dispute?seq=99").url
    page = visit("/games/dispute?step=99")
    assert "step=7" in page.url
    assert "There is no step 99" in text(page, "notice")
    page.keyboard.press("ArrowLeft")
    assert not page.is_visible('[data-slot="notice"]')


@pytest.mark.parametrize("eyes", ["public", "B"])
def test_a_hidden_card_is_neither_in_the_page_nor_on_the_wire(visit: Any, eyes: str) -> None:
    page = visit(f"/games/dispute?as={eyes}")
    answers: list[str] = []
    page.on(
        "response",
        lambda answer: answers.append(answer.text()) if "application" in answer.headers["content-type"] else None,
    )
    for _ in range(8):
        assert SECRET not in page.inner_html('[data-slot="table"]')
        assert SECRET not in page.inner_html(".side")
        page.keyboard.press("ArrowRight")
    assert not any(SECRET in answer for answer in answers)
