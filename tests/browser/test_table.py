"""At the table with a telephone: a position set by tapping, a question answered, a whole game recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any, cast
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from msgspec import convert, to_builtins
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.model import Event
from bench.table_decisions import as_good, happens_by_itself, pasted_and_left
from replays.judging.positions import line_at, next_choice, read_position_line
from replays.judging.sentences import event_json
from replays.log.reader import open_log
from replays.scoresheet.forms import line_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.sheet import decisions
from replays.store.store import Store
from tests.browser.table_states import press, reach
from tests.browser.test_access import violations
from tests.browser.waiting import until
from tests.replays.made_save import Table as MadeTable
from tests.replays.made_save import laid_out
from tests.replays.test_gather_positions import LINE, SIDES
from tests.serving import served
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token
from web.table import record as table_record
from web.table.table import choices_at

pytestmark = pytest.mark.browser
Page = Any
Json = dict[str, Any]
SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
QUESTION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1s4:9:"
PROTOCOLS = ("fire", "life", "water", "death", "metal", "speed")
COVERED = (
    "compile/1A.action.-/plague.fire.water:f3*w4;;w0:4:11:/spirit.gravity.hate:;g2;h5:5:11:"
    "/(acted:played,pending:!((what:text,card:water-0,command:middle,on:played)))"
)
"""Fire 3 lies covered while Water 0 turns a card over."""
VERDICT_SEEN = """(() => {
  const { top } = document.querySelector("#said .reply").getBoundingClientRect();
  return top >= 0 && top <= window.innerHeight / 2;
})()"""
TWELVE = {
    "A.line.1": ("fire-3", "fire-1"), "A.line.2": ("life-2", "life-4"), "A.line.3": ("water-5",),
    "B.line.1": ("death-2", "death-0"), "B.line.2": ("metal-1", "metal-3"),
    "B.line.3": ("speed-4", "speed-2", "speed-1"),
}  # fmt: skip
SCROLLED = """(() => {
  const boxes = [...document.querySelectorAll("#board, #board > .scene")];
  return Math.max(...boxes.map(({scrollHeight, clientHeight}) => scrollHeight - clientHeight));
})()"""
"""How much of the board has to be scrolled to."""
FIRST_ANSWER_LATE = """(path) => {
  const real = window.fetch;
  let isFirst = true;
  window.answersLate = 0;
  window.fetch = async (address, settings) => {
    const isLate = isFirst && String(address).includes(`/${path}?`);
    if (isLate) isFirst = false;
    const answer = await real(address, settings);
    if (isLate) {
      await new Promise((go) => setTimeout(go, 700));
      setTimeout(() => { window.answersLate += 1; }, 100);
    }
    return answer;
  };
}"""
"""Makes the first answer of that path come after the second one, and counts it when the page has taken it."""
SHEET = "game final   A Ada: fire life water   B Bo: death metal speed   first A"


class Taps:
    """A thumb on a page, and how often it came down."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def tap(self, selector: str) -> None:
        """Tap one thing."""
        self.count += 1
        self.page.locator(selector).first.click()

    def place(self, key: str) -> None:
        """Tap a place of the table."""
        self.tap(f'#board .put[data-place="{key}"]')


def set_twelve(page: Page) -> int:
    """Set a table of twelve cards; how many taps it took."""
    thumb = Taps(page)
    for name in PROTOCOLS:
        thumb.tap(f'#words [data-word="{name}"]')
    page.wait_for_selector("#board .put")
    for key, cards in TWELVE.items():
        for card in cards:
            thumb.place(key)
            if not page.locator("#picker[open]").count() and page.viewport_size["width"] < 500:
                page.wait_for_selector(f'.lane.here [data-place="{key}"]')
                thumb.place(key)
            thumb.tap(f'#picker [data-card="{card}"]')
            page.wait_for_selector(f'#board [data-key="{card}"]')
    return thumb.count


class TestAsking:
    """A judge is called."""

    @pytest.mark.prove
    @pytest.mark.parametrize("width", [360, 1280])
    def test_twelve_cards_lie_on_the_table_after_forty_taps(self, table: Any, width: int) -> None:
        page = table("/table", width=width, height=800)
        page.wait_for_selector("body.lively")
        assert set_twelve(page) <= 40
        line = page.locator("#position").inner_text()
        assert line == "compile/1A.action.-/fire.life.water:f31;l24;w5:5:8:/death.metal.speed:d20;m13;s421:5:6:"

    def test_a_position_is_a_line_a_link_and_a_picture_and_a_typed_question_is_completed_and_answered(
        self, table: Any
    ) -> None:
        page = table(f"/table?position={QUESTION}")
        page.wait_for_selector("body.lively")
        assert page.locator("#position").inner_text() == QUESTION
        assert "position=" in page.url
        page.click("#qr-of summary")
        until(page, "document.getElementById('qr').naturalWidth > 0")
        page.click("#do-ask")
        page.wait_for_selector("#choices button")
        page.locator("#line").focus()
        page.keyboard.type("a p1 1")
        page.keyboard.press("Tab")
        until(page, "document.getElementById('line').value === 'A plague-1 1'")
        page.keyboard.press("Enter")
        page.wait_for_selector("#said .reply.legal")
        assert "B" in page.locator("#said .forks").inner_text()
        page.fill("#line", "A plague-1 2")
        page.press("#line", "Enter")
        page.wait_for_selector("#said .reply.illegal")
        said = page.locator("#said").inner_text()
        assert "play.face-up-needs-protocol" in said
        assert "instead" in said

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844)])
    def test_a_dispute_is_asked_by_two_taps_and_its_answer_is_on_the_screen_and_kept_in_another_language(
        self, table: Any, width: int, height: int
    ) -> None:
        page = table(f"/table?lang=fr&position={quote(COVERED)}", width=width, height=height)
        page.wait_for_selector("body.lively")
        page.click("#do-ask")
        page.wait_for_selector("#choices button")
        page.locator('#board [data-key="fire-3"] button').click()
        page.locator('#picker [data-line^="flip fire-3"]').click()
        page.wait_for_selector("#said .reply.illegal")
        until(page, VERDICT_SEEN)
        page.fill("#line", "flip water-4*")
        page.press("#line", "Enter")
        page.wait_for_selector("#said .reply.legal")
        until(page, VERDICT_SEEN)
        page.click('.languages a[hreflang="pl"]')
        page.locator("#said .reply h2", has_text="Tak.").wait_for()
        assert page.get_attribute("#do-ask", "aria-pressed") == "true"

    def test_players_are_named_where_a_question_names_them_and_stay_so_in_answers_and_links(
        self, visit_quietly: Any
    ) -> None:
        page = visit_quietly(f"/table?position={QUESTION}", width=390, height=844)
        page.wait_for_selector("body.lively")
        page.click("#do-ask")
        page.fill("#line", "Ada plague-1 2")
        page.press("#line", "Enter")
        page.locator('#who-is [data-seat="A"]').click()
        page.locator("#said .reply.illegal .sentence", has_text="Ada plays Plague 1").wait_for()
        page.fill('[name="player-B"]', "Bo")
        page.press('[name="player-B"]', "Enter")
        until(page, "decodeURIComponent(location.search).endsWith('&player=A+Ada&player=B+Bo&event=A+plague-1+2')")
        page.reload()
        page.locator("#said .reply .sentence", has_text="Ada plays Plague 1").wait_for()
        page.click("#record-here")
        page.locator("#board", has_text="Bo").wait_for()

    def test_a_question_in_words_is_answered_below_the_field_in_the_language(self, table: Any) -> None:
        page = table("/table?lang=fr", width=390, height=844)
        page.wait_for_selector("body.lively")
        page.fill("#from-line input", "une carte couverte peut-elle être retournée ?")
        page.click("#from-line button")
        page.wait_for_selector("#found .rule-of")
        assert page.locator("#found").bounding_box()["y"] < 844 / 2
        page.click("#found .all-found")
        page.wait_for_selector("dl.rules")
        assert page.locator("html").get_attribute("lang") == "fr"

    def test_a_card_is_turned_moved_and_taken_away_and_a_number_that_nobody_told_is_said(self, table: Any) -> None:
        page = table(f"/table?position={QUESTION.replace(':9:/', '::/')}")
        page.wait_for_selector("body.lively")
        page.locator('#board .put[data-place="A.deck"]').click()
        assert page.locator("#picker .counter input").evaluate("one => [one.value, one.placeholder]") == ["", "?"]
        page.locator("#picker .counter button").last.click()
        page.locator("#picker .done").click()
        shows(page, "#position", ":p51f41:13:/")
        card = '#board [data-key="water-3"] button'
        page.locator(card).click()
        shows(page, "#position", ":w3;;:")
        page.locator(card).click(button="right")
        page.get_by_role("button", name="Move it").click()
        page.locator('#board .put[data-place="A.line.3"]').click()
        shows(page, "#position", ":;;w3:")
        page.locator(card).click(button="right")
        page.get_by_role("button", name="Take it away").click()
        shows(page, "#position", ":;;:p51f41:14:")

    def test_a_text_half_carried_out_is_picked_from_the_card(self, table: Any) -> None:
        page = table("/table?position=compile/5A.action.-/plague.fire.water:;f0;:4:9:/spirit.gravity.hate:;g6;:4:9:")
        page.wait_for_selector("body.lively")
        page.locator("#fields select").select_option(index=1)
        shows(page, "#position", "pending")

    @pytest.mark.sampled(4)
    @pytest.mark.parametrize("sample", ["altered-duel", "lotr-journey"])
    def test_the_other_games_are_asked_about_from_a_line_of_text(self, table: Any, sample: str) -> None:
        page = table(f"/table?position={quote(position_of(sample, 20))}")
        page.wait_for_selector("body.lively")
        page.click("#do-ask")
        page.locator("#choices button").first.click()
        page.wait_for_selector("#said .reply, #choices [data-line]")


class TestSettingOtherGames:
    """A table of Altered, and of a reveal."""

    def test_a_card_that_nothing_has_told_of_is_named_and_given_its_numbers(self, table: Any) -> None:
        page = new_table(table, "altered", "duel")
        put_named(page, "A.hero", "Old Fox")
        page.locator('#board [data-key="Old-Fox"] button').click()
        for name in ("forest +1", "forest +1", "anchored"):
            page.get_by_role("button", name=name).click()
        page.locator("#picker .done").click()
        shows(page, "#position", "forest:2")
        shows(page, "#position", "anchored")

    def test_a_card_that_is_held_is_marked_at_once_and_where_it_goes_is_asked_above_the_table(self, table: Any) -> None:
        page = new_table(table, "altered", "duel")
        put_named(page, "A.hand", "Fox")
        card = page.locator('#board [data-key="Fox"]').bounding_box()
        page.mouse.move(card["x"] + 5, card["y"] + 5)
        page.mouse.down()
        page.wait_for_selector('#board .pressed[data-key="Fox"]')
        page.wait_for_selector("#picker[open]")
        page.mouse.up()
        assert page.locator("#picker-title").inner_text() == "Fox (A · hand)"
        page.get_by_role("button", name="Move it").click()
        shows(page, "#moving", "Tap where it goes.")
        page.locator('#board [data-place="A.hero"]').click()
        page.locator("#moving").wait_for(state="hidden")
        shows(page, "#position", "hero:!((id:Fox")

    def test_by_the_keyboard_alone_a_card_on_its_way_comes_to_a_step(self, table: Any) -> None:
        page = new_table(table, "lotr-reveal", "1")
        press(page, '[data-place="under_way"]')
        reach(page, '#picker [name="card"]')
        page.keyboard.type("orc")
        page.keyboard.press("Enter")
        press(page, '#board [data-place="orc"]')
        for name in ("6", "enemy"):
            page.get_by_role("button", name=name, exact=True).focus()
            page.keyboard.press("Enter")
        press(page, "#picker .done")
        shows(page, "#position", "step:'6'")
        shows(page, "#position", "type:enemy")

    def test_the_words_are_those_of_the_game_that_was_tapped_last(self, table: Any) -> None:
        page = table("/table", width=360, height=800)
        page.wait_for_selector("body.lively")
        page.wait_for_selector("#words [data-word]")
        page.evaluate(FIRST_ANSWER_LATE, "words")
        page.click('[data-ruleset="altered"]')
        page.click('[data-ruleset="lotr-reveal"]')
        until(page, "window.answersLate === 1")
        assert page.locator('#words [data-word="1"]').count() == 1
        assert page.locator('#words [data-word="duel"]').count() == 0

    def test_two_taps_one_at_once_after_the_other_are_both_taken(self, table: Any) -> None:
        page = new_table(table, "altered", "duel")
        page.evaluate(FIRST_ANSWER_LATE, "position")
        for place, number in (("A.mana", "5"), ("B.mana", "6")):
            page.locator(f'#board [data-place="{place}"]').click()
            page.get_by_role("spinbutton").first.fill(number)
            page.locator("#picker .done").click()
        shows(page, "#position", "A:(ready:5")
        shows(page, "#position", "B:(ready:6")


def new_table(table: Any, game: str, words: str) -> Page:
    """A page with a new table of a game."""
    page = table("/table", width=360, height=800)
    page.wait_for_selector("body.lively")
    page.click(f'[data-ruleset="{game}"]')
    page.click(f'#words [data-word="{words}"]')
    page.wait_for_selector("#board .scene")
    return page


def put_named(page: Page, place: str, card: str) -> None:
    """Put a card down by its name."""
    page.locator(f'#board [data-place="{place}"]').click()
    page.fill('#picker [name="card"]', card)
    page.press('#picker [name="card"]', "Enter")


def shows(page: Page, selector: str, text: str) -> None:
    """Wait until a text stands there."""
    until(page, f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(text)})")


def position_of(sample: str, events: int) -> str:
    """The line of the position of a sample after so many events."""
    log = open_log(SAMPLES / f"{sample}.jsonl")
    return line_at(log.header, [*audit(log.ruleset, log.header, list(log)[:events])][-1].state)


# Recording


class Recorder:
    """Records the decisions of a sample on the page, by tapping what is offered."""

    def __init__(self, page: Page, sample: str, most: int | None = None) -> None:
        log = open_log(SAMPLES / f"{sample}.jsonl")
        self.page, self.header, self.game = page, log.header, log.ruleset
        self.decisions = decisions(log.ruleset, log.header, log)[:most]
        self.pasted, self.left = pasted_and_left(self.decisions)
        self.written: list[Event] = list(self.pasted)
        self.taps: list[int] = []

    @property
    def state(self) -> object:
        """The position after what is written."""
        return [*audit(self.game, self.header, self.written)][-1].state

    def begin(self) -> None:
        """Paste the first line of the log, and what it tells of the table before anybody chooses."""
        lines = [to_builtins(self.header), *map(event_json, self.pasted)]
        self.page.click("#paste summary")
        self.page.fill('#pasted [name="text"]', "\n".join(json.dumps(line) for line in lines))
        self.page.locator("#pasted button").click()
        self.page.wait_for_selector("#board .scene")

    def record(self, event: Event, enter: Callable[[Recorder, Json], int]) -> None:
        """Write a decision down, unless it happens by itself."""
        plain = replace(event, seq=0, id=None, at=None, because=None, note=None)
        if happens_by_itself(self.game, self.state, plain):
            return
        offered = choices_at(self.game, self.header, self.state, "en")
        line = Sheet(self.game, self.game.disclosure.seats(self.header), self.header.setup).write(replace(plain, seq=1))
        choice, named = as_good(self.game, self.state, offered, plain) or ({"line": line, "touched": []}, None)
        self.taps.append(enter(self, {**choice, "named": named, "whole": line}))
        self.written.append(replace(self.written_as(plain, choice, named), seq=len(self.written) + 1))
        until(self.page, f"document.querySelectorAll('#history .past').length === {len(self.written)}")

    def written_as(self, event: Event, choice: Mapping[str, object], named: tuple[str, ...] | None) -> Event:
        """The event as it stands in the record: that of the choice, unless a card got its name or handle."""
        said = choice.get("event")
        if named or not isinstance(said, Mapping) or str(said.get("card")).startswith("?"):
            return event
        return convert({**said, "seq": 1}, type(event))

    @property
    def is_where_the_sample_ends(self) -> bool:
        """Whether the page shows the position in which the sample ends."""
        wanted = line_at(self.header, next_choice(self.game, self.end))
        (shown,) = parse_qs(urlsplit(str(self.page.locator("#ask-here").get_attribute("href"))).query)["position"]
        return on_table(shown) == on_table(wanted)

    @property
    def end(self) -> object:
        """The position at the end of the decisions of the sample."""
        return [*audit(self.game, self.header, self.decisions)][-1].state


def tapped(recorder: Recorder, choice: Json) -> int:
    """Tap a choice, or else the words of its line."""
    page, line = recorder.page, str(choice["line"])
    thumb, offer = Taps(page), f"#choices [data-line={json.dumps(line)}]"
    if choice["named"] is None:
        return words_tapped(thumb, line)
    if choice.get("passing"):
        thumb.tap("#choices .passing summary")
    for key in () if choice.get("passing") else choice["touched"]:
        if page.locator(offer).count():
            break
        thumb.tap(f"#choices [data-first={json.dumps(key)}]")
    thumb.tap(offer)
    if choice.get("is_below"):
        thumb.tap("#picker .way summary")
    way = "" if choice.get("is_below") or not choice.get("ways") else "[data-way=other] "
    for card in choice["named"]:
        thumb.tap(f"#picker {way}[data-card={json.dumps(card)}]")
    return thumb.count


def words_tapped(thumb: Taps, line: str) -> int:
    """Put a line together from the words that may stand next; a text that nobody can offer is typed."""
    page = thumb.page
    if not page.evaluate("document.getElementById('otherwise').open"):
        thumb.tap("#otherwise summary")
    for word in (word.text for word in line_of(line).words):
        button = f"#next-words [data-word={json.dumps(word)}]"
        before = page.input_value("#line")
        until(
            page, "document.getElementById('next-words').dataset.line === document.getElementById('line').value.trim()"
        )
        if not page.locator(button).count():
            page.fill("#line", line)
            page.press("#line", "Enter")
            return thumb.count + len(line) - len(before)
        thumb.tap(button)
    thumb.tap("#typed button")
    return thumb.count


def typed(recorder: Recorder, choice: Json) -> int:
    """Type a choice and press Enter."""
    recorder.page.locator("#line").focus()
    recorder.page.keyboard.type(str(choice["whole"]))
    recorder.page.keyboard.press("Enter")
    return len(str(choice["whole"])) + 1


def on_table(line: str) -> Json:
    """A position without the numbers of the events that led to it: a record has no number for what goes by itself."""
    told = {key: value for key, value in read_position_line(line)[1].items() if key != "under_way"}
    return cast(Json, json.loads(re.sub(r', "touched_by": -?\d+', "", json.dumps(told))))


class TestRecording:
    """A scorekeeper beside a final."""

    @pytest.mark.sampled(5)
    @pytest.mark.parametrize(
        ("sample", "most"),
        [("clean", 12), ("clean", None), ("altered-duel", None), ("altered-two-teams", None), ("lotr-journey", None)],
    )
    def test_a_game_is_three_taps_a_decision_and_ends_where_the_sample_does(
        self, table: Any, sample: str, most: int | None
    ) -> None:
        page = table("/table/record", width=360, height=800)
        page.wait_for_selector("body.lively")
        recorder = Recorder(page, sample, most)
        recorder.begin()
        for event in recorder.left:
            recorder.record(event, tapped)
        assert len(recorder.taps) >= 8
        assert median(recorder.taps) <= 3
        assert recorder.is_where_the_sample_ends

    @pytest.mark.prove
    @pytest.mark.parametrize(("most", "mistakes"), [(14, 3), (None, 5)])
    def test_a_game_with_mistakes_is_recorded_by_the_keyboard_alone(
        self, table: Any, most: int | None, mistakes: int
    ) -> None:
        page = table("/table/record")
        page.wait_for_selector("body.lively")
        recorder = Recorder(page, "dispute", most)
        recorder.begin()
        for event in recorder.left:
            recorder.record(event, typed)
        assert recorder.is_where_the_sample_ends
        assert f"findings · {mistakes}" in page.locator("#sum").inner_text()

    def test_a_new_game_is_begun_with_six_taps_and_unknown_cards_are_named(self, table: Any) -> None:
        page = table("/table/record", width=360, height=800)
        page.wait_for_selector("body.lively")
        for name in PROTOCOLS:
            page.locator(f'#words [data-word="{name}"]').click()
        page.wait_for_selector("#choices button")
        page.locator('#choices [data-line="A ?* 1"]').click()
        page.locator("#picker .unknown").click()
        shows(page, "#history", "face down in line 1")
        page.locator('#choices [data-line="B ?* 2"]').click()
        page.locator('#picker [data-way="other"] [data-card="metal-3"]').click()
        shows(page, "#history", "B plays Metal 3 face up in line 2.")

    def test_an_own_game_of_altered_goes_by_taps_through_a_dusk_that_is_asked_about(self, table: Any) -> None:
        page = table("/table/record", width=390, height=844)
        page.wait_for_selector("body.lively")
        page.click('[data-ruleset="altered"]')
        page.fill('#new-game [name="A"]', "Eva")
        page.click('#words [data-word="duel"]')
        page.locator('#board [data-key="A.hand"] .card').first.click()
        page.locator("#picker .offer", has_text="Eva plays an unknown card from hand to Hero expedition").click()
        page.fill('#picker [name="card"]', "Owl")
        page.press('#picker [name="card"]', "Enter")
        page.click('#picker [data-number="2"]')
        shows(page, "#said", "Eva plays Owl from hand to Hero expedition (2 mana).")
        for player in "BA":
            page.click(f'#choices [data-line="{player} pass"]')
        shows(page, "#choices", "Which expeditions advance?")
        page.click('#choices [data-printed="Owl"]')
        page.get_by_role("button", name="forest +1").click()
        page.get_by_role("button", name="no text").click()
        page.locator("#picker .done").click()
        until(page, "!document.querySelector('#choices [data-line=\"A advance hero water\"]')")
        page.click('#choices [data-line="A advance hero forest"]')
        shows(page, "#chapter", "day 2")
        shows(page, "#said .folded summary", "nobody choosing")
        assert page.get_attribute("#to-ask", "href") == page.get_attribute("#ask-here", "href")

    def test_a_reveal_goes_by_taps_and_asks_for_what_decides_it(self, table: Any) -> None:
        page = table("/table/record", width=390, height=844)
        page.wait_for_selector("body.lively")
        page.click('[data-ruleset="lotr-reveal"]')
        page.fill('#new-game [name="A"]', "Eva")
        page.click('#words [data-word="2"]')
        page.locator("#choices .offer", has_text="Eva reveals").click()
        page.locator("#picker .unknown").click()
        shows(page, "#choices", "Where does an unknown card go?")
        page.click("#choices [data-unknown]")
        page.fill('#picker [name="card"]', "Goblin Sniper")
        page.press('#picker [name="card"]', "Enter")
        page.get_by_role("button", name="enemy").click()
        page.get_by_role("button", name="Surge").click()
        page.locator("#picker .done").click()
        shows(page, "#said .follows", "Goblin Sniper goes to the staging area.")
        page.locator("#choices .offer", has_text="for an armed surge").click()
        page.fill('#picker [name="card"]', "Cold Rain")
        page.press('#picker [name="card"]', "Enter")
        page.get_by_role("button", name="treachery").click()
        page.locator("#picker .done").click()
        shows(page, "#said", "Eva reveals Cold Rain for an armed surge.")
        page.wait_for_selector('#board [data-key="staging_area"] [data-key="Goblin-Sniper"]')
        assert (
            page.evaluate(
                "(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(document.querySelector('#board'))"
            )
            <= 1
        )

    def test_what_was_mistyped_or_taken_back_stays_struck_through_and_is_brought_back(self, table: Any) -> None:
        page = begun(table)
        enter(page, "A fire-3 1")
        page.click("#undo")
        page.click("#mistyped")
        page.wait_for_selector("#history .gone")
        enter(page, "A fire-2 1")
        page.click("#undo")
        page.click("#taken-back")
        until(
            page, "[...document.querySelectorAll('#history .gone')].some((one) => one.textContent.includes('Fire 2'))"
        )
        assert page.locator("#choices").inner_text()
        page.click("#undo")
        page.click("#bring-back")
        shows(page, "#history li:not(.gone):not(.recorded)", "Ada plays Fire 2")

    def test_one_event_is_corrected_and_what_came_after_it_follows(self, table: Any) -> None:
        page = begun(table)
        for line in ("A fire-3 1", "B metal-3 1", "A fire-2 1"):
            enter(page, line)
        first = page.locator("#history .past", has_text="Ada plays Fire 3")
        first.click()
        page.click("#only-this")
        shows(page, "#said .question", "What came after it follows by itself: 2")
        enter(page, "A fire-3 1")
        until(page, "!document.querySelector('#said .question')")
        until(page, "document.querySelectorAll('#history .gone').length >= 3")
        left = page.locator("#history li:not(.gone) .past").all_inner_texts()
        assert [name for text in left for name in ("Fire 2", "Metal 3", "Fire 3") if f"plays {name}" in text] == [
            "Fire 2", "Metal 3", "Fire 3",
        ]  # fmt: skip

    def test_it_happened_otherwise_is_written_down_and_marked_a_reload_loses_nothing_and_it_is_saved(
        self, table: Any, tmp_path: Path
    ) -> None:
        page = begun(table)
        enter(page, "B metal-3 3")
        page.wait_for_selector("#said .last:is(.illegal, .impossible)")
        page.click("#note")
        page.fill("#note-text", "the judge was called")
        page.click("#flag")
        shows(page, "#history", "the judge was called")
        page.reload()
        shows(page, "#history", "the judge was called")
        assert saved(page, tmp_path) == ["played", "flagged"]

    def test_without_a_connection_everything_is_kept_and_judged_later(self, visit_quietly: Any) -> None:
        page = begun(visit_quietly)
        enter(page, "A fire-3 1")
        page.context.set_offline(True)
        for line in ("B death-2 1", "A nonsense", "A refresh"):
            page.fill("#line", line)
            page.press("#line", "Enter")
        until(page, "document.querySelectorAll('#history .unread').length === 3")
        page.context.set_offline(False)
        page.evaluate("dispatchEvent(new Event('online'))")
        until(page, "!document.querySelector('#history .unread')")
        said = page.locator("#history").inner_text()
        assert "Bo plays Death 2" in said
        assert "A nonsense" in said


class TestPasting:
    """Somebody has a chat or a save, and the questions in it are answered by tapping."""

    CHAT = f"{SHEET}\nA plays Fire 3 face up, B refreshes"

    def paste(self, page: Page, text: str) -> None:
        page.wait_for_selector("body.lively")
        page.click("#paste summary")
        page.fill('#pasted [name="text"]', text)
        page.locator("#pasted button").click()

    @pytest.mark.sampled(4)
    @pytest.mark.parametrize("path", ["/table", "/table/record"])
    def test_a_chat_is_asked_about_and_becomes_a_record(self, table: Any, path: str) -> None:
        page = table(path, width=360, height=800)
        self.paste(page, self.CHAT)
        shows(page, "#question", "Fire 3")
        page.click('#picker [data-answer="2"]')
        page.wait_for_selector("#history .past")
        shows(page, "#history", "Ada plays Fire 3 face up in line 2.")

    def test_a_save_becomes_the_table_once_its_question_is_answered(self, table: Any) -> None:
        page = table("/table", width=360, height=800)
        laid = laid_out(SIDES, MadeTable())
        laid.put("Card", "Fire 2", -2.0, -4.0)
        self.paste(page, laid.save().decode())
        shows(page, "#question", "Fire 2")
        page.click('#picker [data-answer="out"]')
        shows(page, "#picker", "Left out")
        page.click("#use-it")
        shows(page, "#position", LINE)

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize("scheme", ["dark", "light"])
    def test_axe_finds_nothing_in_a_question_nor_where_words_are_tapped(self, visit: Any, scheme: str) -> None:
        page = visit("/table/record?lang=it", width=360, height=800, bypass_csp=True, color_scheme=scheme)
        self.paste(page, self.CHAT)
        page.wait_for_selector("#question")
        assert violations(page) == []
        page.click("#use-it")
        page.click("#otherwise summary")
        page.wait_for_selector("#next-words button")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    def test_a_save_that_is_dropped_is_read(self, table: Any) -> None:
        page = table("/table")
        page.wait_for_selector("body.lively")
        save = laid_out(SIDES, MadeTable()).save().decode()
        moved = page.evaluate_handle(
            "(text) => { const one = new DataTransfer(); one.items.add(new File([text], 'save.json')); return one; }",
            save,
        )
        page.locator("#begin").dispatch_event("drop", {"dataTransfer": moved})
        until(page, "document.getElementById('use-it') || document.getElementById('position').textContent")
        if page.locator("#use-it").count():
            page.click("#use-it")
        shows(page, "#position", LINE)


class TestCompleting:
    """One field; a few letters and a key are a decision."""

    @pytest.mark.prove
    def test_a_game_is_typed_with_at_most_fourteen_keys_a_decision(self, visit: Any) -> None:
        page = visit("/table/record")
        page.wait_for_selector("body.lively")
        recorder = Recorder(page, "clean")
        recorder.begin()
        for event in recorder.left:
            recorder.record(event, completed)
        assert median(recorder.taps) <= 14
        assert recorder.is_where_the_sample_ends

    def test_tab_takes_the_first_line_enter_writes_down_what_was_chosen_and_a_closed_list_lets_tab_go(
        self, table: Any
    ) -> None:
        page = begun(table)
        field = page.locator("#line")
        field.focus()
        page.keyboard.type("a ? 3")
        shows(page, "#suggestions", "A ?* 3")
        assert field.get_attribute("aria-expanded") == "true"
        page.keyboard.press("Tab")
        until(page, "document.getElementById('line').value === 'A ?* 3'")
        page.keyboard.press("Escape")
        field.fill("")
        page.keyboard.type("a ?* 2")
        shows(page, "#suggestion-0", "A ?* 2")
        page.keyboard.press("ArrowDown")
        assert field.get_attribute("aria-activedescendant") == "suggestion-0"
        page.keyboard.press("Enter")
        shows(page, "#history", "line 2")
        field.focus()
        page.keyboard.type("b ?* 1")
        page.wait_for_selector("#suggestions [role=option]")
        page.keyboard.press("Enter")
        shows(page, "#history", "line 1")
        assert page.locator("#suggestions").is_hidden()
        assert field.get_attribute("aria-expanded") == "false"
        field.focus()
        page.keyboard.type("a")
        page.wait_for_selector("#suggestions [role=option]")
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") != "line"


def completed(recorder: Recorder, choice: Json) -> int:
    """Type the fewest letters after which Tab gives the line, and press Enter; how many keys that took."""
    page, line = recorder.page, str(choice["line"])
    offered = choices_at(recorder.game, recorder.header, recorder.state, "en")
    lines = [str(one["line"]) for one in offered if not one.get("passing")]
    completer = table_record.completer(table_record.Record(recorder.header, recorder.written), lines)
    short = next((line[:n] for n in range(1, len(line)) if completer.completions(line[:n])[:1] == [line]), "")
    page.locator("#line").focus()
    page.keyboard.type(short or str(choice["whole"]))
    if short:
        page.keyboard.press("Tab")
        until(page, f"document.getElementById('line').value === {json.dumps(line)}")
    page.keyboard.press("Enter")
    for card in choice["named"] or ():
        page.locator(f"#picker [data-card={json.dumps(card)}]").click()
    return len(short) + 2 if short else len(str(choice["whole"])) + 1


def begun(visit: Any, path: str = "/table/record") -> Page:
    """A page on which a game has begun."""
    page = visit(path)
    page.wait_for_selector("body.lively")
    page.fill('#from-sheet [name="sheet"]', SHEET)
    page.locator("#from-sheet button").click()
    page.wait_for_selector("#choices button")
    return page


def saved(page: Page, folder: Path) -> list[object]:
    """Save the record as a log; the types of its events."""
    page.click("#keeping summary")
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(folder / "game.jsonl")
    return [event_json(event)["type"] for event in open_log(folder / "game.jsonl")]


def enter(page: Page, line: str) -> None:
    """Type a line and wait until it is judged."""
    before = page.locator("#history .past").count()
    page.fill("#line", line)
    page.press("#line", "Enter")
    until(page, f"document.querySelectorAll('#history .past').length > {before}")


# Two recorders


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str, Store]]:
    """A server with a store: its address, a judge's token, and the store."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    config = {"AUDIT_API_BURST": 10**6}
    with Store(tmp_path / "games.db") as store, served(create_app(StoreLibrary(store), config=config)) as address:
        yield address, make_token("judge", "judge"), store


class TestTwoRecorders:
    """Two telephones at one game."""

    def send(self, page: Page, who: str, token: str) -> None:
        page.locator("#keeping").evaluate("one => { one.open = true; }")
        page.fill('#sending [name="who"]', who)
        page.fill('#sending [name="token"]', token)
        page.locator("#sending button").click()

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize("choice", ["add-mine", "keep-theirs", "amend-theirs"])
    def test_what_both_write_stands_once_and_the_second_sees_who_was_first_and_settles_it(
        self, visit_quietly: Any, shared: tuple[str, str, Store], choice: str
    ) -> None:
        at, token, store = shared
        ada = begun(lambda path: visit_quietly(path, at))
        self.send(ada, "Ada", token)
        shows(ada, "#kept", "Sent to the server: 0")
        game = str(ada.locator("#followed").get_attribute("href")).rpartition("/")[2]
        bo = begun(lambda path: visit_quietly(path, at))
        for page in (bo, ada):
            enter(page, "A fire-3 1")
        shows(ada, "#kept", "Sent to the server: 1")
        self.send(bo, "Bo", token)
        shows(bo, "#said", "Ada had written the same")
        assert store.version(game) == 1
        bo.route("**/api/v1/**", lambda route: route.abort())
        enter(ada, "B death-2 1")
        shows(ada, "#kept", "Sent to the server: 2")
        enter(bo, "B death-2 2 down")
        bo.unroute_all()
        self.send(bo, "Bo", token)
        bo.wait_for_selector(f"#{choice}")
        assert "Ada was first" in bo.locator("#picker").inner_text()
        bo.click(f"#{choice}")
        wanted = {"keep-theirs": 2, "add-mine": 3, "amend-theirs": 4}[choice]
        shows(bo, "#kept", f"Sent to the server: {wanted}")
        shows(ada, "#kept", f"Sent to the server: {wanted}")
        assert store.version(game) == wanted


class TestAServerThatDoesNotTakeIt:
    """A server of logs in a folder, to which nothing can be appended."""

    def test_the_record_is_sent_once_and_says_so_until_its_writer_asks_again(
        self, visit_quietly: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
        with served(create_app()) as address:
            page = begun(lambda path: visit_quietly(path, address))
            sent: list[str] = []
            page.on("request", lambda request: sent.append(request.url) if "/api/v1/games" in request.url else None)
            TestTwoRecorders().send(page, "Ada", make_token("judge", "judge"))
            shows(page, "#kept", "The server did not take it")
            page.wait_for_timeout(2 * 2500)
            assert len(sent) == 1
            page.locator("#sending button").click()
            page.wait_for_timeout(500)
            assert len(sent) == 2
            page.click("#save-sealed")
            shows(page, "#kept", "The seal is not signed")


@pytest.mark.slow
class TestRecordingWithoutANetwork:
    """A telephone without a network: the record is on it, and goes to a server when there is one again."""

    @pytest.mark.prove
    def test_a_game_is_recorded_reloaded_in_the_middle_and_then_sent(
        self, on_device: Any, device: tuple[Any, str], shared: tuple[str, str, Store]
    ) -> None:
        at, token, store = shared
        page = on_device("/table/record")
        recorder = Recorder(page, "clean")
        recorder.begin()
        for number, event in enumerate(recorder.left):
            if number == len(recorder.left) // 2:
                page.reload()
                page.page.frame_locator("iframe").locator("body.lively").wait_for()
                page.wait_for_selector("#history .past")
            recorder.record(event, tapped)
        assert recorder.is_where_the_sample_ends
        device[0].set_offline(False)
        send_to(page, at, token)
        shows(page, "#kept", f"Sent to the server: {len(recorder.written)}")
        device[0].set_offline(True)
        (game,) = store.heads()
        sent = [*audit(recorder.game, recorder.header, store.events(game))][-1].state
        assert line_at(recorder.header, sent) == line_at(recorder.header, recorder.state)


def send_to(page: Page, server: str, token: str) -> None:
    """Send a record to a server by its address."""
    page.locator("#keeping").evaluate("one => { one.open = true; }")
    for name, text in (("who", "Ada"), ("server", server), ("token", token)):
        page.fill(f'#sending [name="{name}"]', text)
    page.locator("#sending button").click()


PAGES = ("/table", "/table/record", f"/table?position={QUESTION}")


@pytest.mark.sampled(7)
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("scheme", "language"), [("dark", "en"), ("light", "fr"), ("dark", "it"), ("light", "pl")])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(visit: Any, path: str, scheme: str, language: str) -> None:
    address = f"{path}{'&' if '?' in path else '?'}lang={language}"
    page = visit(address, bypass_csp=True, color_scheme=scheme, width=360, has_touch=True)
    page.wait_for_selector("body.lively")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
