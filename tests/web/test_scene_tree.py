"""How a table is drawn on a page, whatever the game: a small made-up one, and the three games' positions."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from audit.core.scene import Area, Card, Counter, Face, Scene, Token, Track, TrackStep, Zone, captions
from audit.core.scene_changes import CHANGED, LEFT, Changes, Ghost
from tests.web.made import dispute
from tests.web.other_tables import altered, reveal
from web.drawing.tree import clipped, markup, wrapped
from web.publishing.bundle import SHEETS
from web.scenes import scene_maker_of, scene_picture
from web.scenes.board_layout import COLUMN, layout, needs_of
from web.scenes.cards import How
from web.scenes.facing import columns, focused
from web.scenes.tree import scene_tree
from web.scenes.wire import Wire

STATIC = Path(__file__).resolve().parents[2] / "web" / "static"
OAK = Face("Oak", "oak", "leaf", "4", (("crown", "Shades."), ("root", "")))
FERN = Face("Fern", "fern", "leaf", "1")


def garden(*cards: Card, coming: tuple[Card, ...] = (), hand: tuple[Card, ...] = (Card("fern", FERN),)) -> Scene:
    """Two gardeners across two beds: Ann's first bed has these cards."""
    beds = (
        Zone("ann.1", "bed 1", "play", "stack", cards, coming=coming, head=Counter("ann.sun", "Sun", "12", leads=True)),
        Zone("ann.2", "bed 2", "play", "stack", head=Counter("ann.rain", "Rain", "0", done=True)),
    )
    hands = (Zone("ann.hand", "hand", "hand", cards=hand, secret=True), Zone("ann.bag", "bag", "deck", "pile", count=3))
    ann = Area("ann", "ann", (*hands, *beds), owner="ann", is_turn=True)
    ben = Area("ben", "ben", (
        Zone("ben.hand", "hand", "hand", count=2), Zone("ben.heap", "heap", "discard", "pile", (Card("fern#2", FERN),)),
        Zone("ben.1", "bed 1", "play", "stack", head=Counter("ben.sun", "Sun", "0")),
        Zone("ben.2", "bed 2", "play", "stack", head=Counter("ben.rain", "Rain", "0")),
    ), owner="ben")  # fmt: skip
    field = Area("garden", "The garden", (ann, ben, Token("spade", "spade", "ben")), "facing")
    return Scene("The garden", field, captions("en"))


def html(scene: Scene, changes: Changes | None = None, how: How | None = None) -> str:
    return str(markup(scene_tree(scene, changes or Changes(), how or {"bottom": "ann", "column": 1})))


def test_everything_that_can_be_touched_carries_its_key() -> None:
    text = html(garden(Card("oak", OAK)))
    keys = re.findall(r'data-key="(.*?)"', text)
    assert set(keys) == {
        "ann.hand", "fern", "ann.bag", "ben.hand", "ben.heap", "spade", "ann.1", "ann.sun", "oak", "ann.2", "ann.rain",
        "ben.1", "ben.sun", "ben.2", "ben.rain",
    }  # fmt: skip


def test_the_card_on_top_is_whole_and_those_below_it_are_not() -> None:
    text = html(garden(Card("oak", OAK), Card("fern", FERN)))
    assert 'aria-label="Oak, face up, underneath, ann, bed 1"' in text
    assert 'aria-label="Fern, face up, on top, ann, bed 1"' in text
    assert re.search(r'class="card up under" data-key="oak"', text)


def test_a_card_under_another_has_its_first_text_in_a_picture_if_one_line_holds_it() -> None:
    for text, is_shown in (("Water it.", True), ("Water it at noon and then again. " * 3, False)):
        oak = Card("oak", Face("Oak", texts=(("top", text),)))
        drawn = scene_picture(garden(oak, Card("fern", FERN)), Changes(), {"bottom": "ann"}, {"": ""}, "")
        assert bool(re.search(r'class="t1 words"[^>]*>Water it', drawn)) == is_shown


def test_a_card_that_lies_face_up_and_has_no_face_is_called_by_its_key() -> None:
    assert 'data-key="moss"' in html(garden(Card("moss")))


def test_a_back_says_what_it_hides_to_those_who_know_and_nothing_to_others() -> None:
    assert '<span class="corner">Oak</span>' in html(garden(Card("oak", OAK, down=True, value="2")))
    hidden = html(garden(Card("?1", down=True, value="2")))
    assert '<span class="corner">face down</span>' in hidden
    assert 'aria-label="unknown card, face down, on top, ann, bed 1"' in hidden


def test_what_left_is_a_ghost_and_what_comes_is_dashed() -> None:
    changes = Changes({"oak": "commit"}, (Ghost("ann.hand", Card("oak", OAK), "commit"),), {"oak": "ann.hand"}, "ann.1")
    text = html(garden(coming=(Card("oak", OAK),)), changes)
    assert 'class="card chip ghost" data-key="oak"' in text
    assert 'class="card chip flight" data-key="oak"' in text
    assert 'aria-label="Oak, on its way"' in text


def test_the_table_turns_round() -> None:
    mine, theirs = (html(garden(), how={"bottom": seat}) for seat in ("ann", "ben"))
    assert 'class="facing turn-bottom"' in mine
    assert 'class="facing turn-top"' in theirs
    assert re.findall('data-key="ann.([12])"', mine) == ["1", "2"]
    assert re.findall('data-key="ann.([12])"', theirs) == ["2", "1"], "what is on my left is on their right"
    assert 'class="token top"' in mine
    assert 'class="token bottom"' in theirs


def test_the_other_columns_are_a_tap_away() -> None:
    text = html(garden(), how={"bottom": "ann", "column": 2, "link": "?column=COLUMN"})
    assert re.findall(r'class="opens" href="\?column=(\d)"', text) == ["1"]
    assert columns(garden()) == ["bed 1", "bed 2"]
    assert [focused(garden(), zone) for zone in ("ben.2", "ann.1", "elsewhere")] == [2, 1, 1]


def test_a_head_says_its_total_and_whether_it_leads_or_is_done() -> None:
    text = html(garden())
    assert 'aria-label="ann, bed 1: Sun, total 12"' in text
    assert '<b class="value lead">12</b>' in text
    assert 'aria-label="ann, bed 2: Rain, done, total 0"' in text


def test_names_have_no_power() -> None:
    nasty = Face('<img src=x onerror="alert(1)">')
    assert "<img" not in html(garden(Card("oak", nasty)))
    assert "<img" not in scene_picture(garden(Card("oak", nasty)), Changes(), {}, {"": ""}, "<img>")


@pytest.mark.parametrize("cards", range(1, 19))
def test_however_high_a_stack_its_picture_stays_on_its_side(cards: int) -> None:
    scene = garden(*(Card(f"oak#{number}", OAK) for number in range(cards)))
    text = scene_picture(scene, Changes(), {"bottom": "ann"}, {"": ""}, "")
    boxes = re.findall(rf'class="card up[^"]*".*?<rect x="6" y="(\d+)" width="{COLUMN}" height="(\d+)"', text)
    assert len(boxes) == cards
    assert max(int(y) + int(height) for y, height in boxes) <= layout(needs_of(scene, Changes(), "ann")).bottom.edge


def test_a_picture_has_an_arrow_from_where_a_card_left() -> None:
    changes = Changes(ghosts=(Ghost("ann.hand", Card("oak", OAK), "commit"),), origins={"oak": "ann.hand"})
    text = scene_picture(garden(coming=(Card("oak", OAK),)), changes, {"bottom": "ann"}, {"": ""}, "A title")
    ElementTree.fromstring(text)
    assert text.count('class="arrow"') == 1
    assert "<title>A title</title>" in text


# As they travel


def test_every_card_and_face_travels_once() -> None:
    wire = Wire()
    first, second = (wire.scene(garden(Card("oak", OAK), Card("fern", FERN))) for _ in range(2))
    assert first == second
    assert [face["title"] for face in wire.faces] == ["Fern", "Oak"]
    assert {card["key"] for card in wire.cards} == {"fern", "oak", "fern#2"}


def test_a_game_that_has_grown_keeps_its_numbers() -> None:
    wire = Wire(100)
    wire.scene(garden())
    before = wire.size()
    wire.scene(garden(Card("oak", OAK)))
    oak = {"title": "Oak", "id": "oak", "sign": "leaf", "value": "4", "texts": [["crown", "Shades."], ["root", ""]]}
    table = {"first": [102, 101], "cards": [{"key": "oak", "face": 101}], "faces": [oak]}
    assert wire.between(before, wire.size()) == table


# Words


def test_a_long_text_ends_with_an_ellipsis_and_never_outgrows_its_lines() -> None:
    words = "one two three four five six seven"
    assert wrapped(words, 9, 3) == ["one two", "three", "four fiv…"]
    assert wrapped(words, 99, 1) == [words]
    assert clipped("abcdef", 4) == "abc…"


# The three games


def shown(ruleset: str, state: dict[str, object], language: str = "en") -> str:
    return html(scene_maker_of(ruleset).scene(state, language))


def test_a_nested_reveal_runs_inside_the_step_that_opened_it() -> None:
    text = shown("lotr-reveal", reveal()[1])
    outer = text.index('data-key="old-keep" aria-label')
    step_nine, inner, step_ten = (text.index(part, outer) for part in ('"n">9<', 'data-key="knight"', '"n">10<'))
    assert outer < step_nine < inner < step_ten
    assert "surges waiting for step 12: 1" in text
    assert re.search(r'<li class="done lost" data-key="f1.7">', text)


def test_windows_are_doors_open_or_shut() -> None:
    assert len(re.findall(r'class="door open" title', shown("lotr-reveal", reveal()[0]))) == 6
    assert len(re.findall(r'class="door shut" title', shown("lotr-reveal", reveal()[1]))) == 5


@pytest.mark.parametrize("page", ["viewer.css", "desk.css"])
def test_no_sheet_of_a_table_has_a_rule_for_a_word_of_its_steps_alone(page: str) -> None:
    sheets = "".join((STATIC / name).read_text("utf-8") for name in SHEETS[page])
    words = ("open", "shut", "ahead", "now", "done", "skipped")
    assert [word for word in words if re.search(rf"(?:^|[,}}])\s*\.{word}\s*[,{{]", sheets, re.M)] == []


@pytest.mark.parametrize(("language", "said"), [("en", "respond here now"), ("pl", "można teraz odpowiedzieć")])
def test_what_a_door_says_stands_below_its_steps_once(language: str, said: str) -> None:
    assert shown("lotr-reveal", reveal()[0], language).count(f"{said}</span>") == 1


def test_cards_and_what_is_due_are_said_in_the_language_of_the_page() -> None:
    state = reveal()[1]
    frames = state["frames"]
    assert isinstance(frames, dict)
    frames["f1"]["due"] = [{"step": "9", "what": "child", "source": "eastern-crows#1"}]
    text = shown("lotr-reveal", state, "fr")
    assert "carte appelée\N{NO-BREAK SPACE}: Corbeaux de l" in text
    assert '<span class="title">zone de Cheminement</span>' in text


def test_the_expedition_that_leads_where_its_region_asks_is_told_apart() -> None:
    text = shown("altered", altered()[1])
    assert len(re.findall(r'class="stat lead"', text)) == 1
    assert len(re.findall(r'class="stat idle"', text)) == 4
    assert re.search(r'aria-current="step"[^>]*>dusk', text)
    waiting = r'data-key="e1">.*?<b class="name">reed: reaction</b></span><span class="quiet">p2</span>'
    assert re.search(waiting, text)


def test_a_card_shows_its_kind_its_numbers_and_its_states_by_signs_that_have_names() -> None:
    state = altered()[1]
    state["cards"] = {"moss": {"type": "spell", "costs": {"hand": 3, "reserve": 2}, "stats": None}}
    text = shown("altered", state)
    oak, moss = (re.search(rf'data-key="{card}">.*?</li>', text).group() for card in ("oak", "moss"))  # type: ignore[union-attr]
    assert re.findall(r'class="figure" title="(.*?)"', oak) == ["forest 3", "mountain 0", "water 1"]
    assert re.findall(r'href="#s-(\w+)"/></svg><span class="word">(\w+)', oak) == [
        ("fleeting", "fleeting"),
        ("eternal", "eternal"),
    ]
    assert 'class="card chip tint' in text[text.index('data-key="moss"') - 60 :]
    assert "Spell</span>" in moss
    assert 'title="mana cost from hand/Reserve 3/2"' in moss


def test_an_empty_zone_of_a_player_has_no_box() -> None:
    text = shown("altered", altered()[1])
    assert "p1.reserve" in text
    assert "p1.discard" not in text


def test_a_seat_that_is_out_and_a_day_of_tie_break_are_said() -> None:
    text = shown("altered", altered()[2])
    assert 'class="box out"' in text
    assert "tie-break day" in text
    assert "no longer in play" in text


def test_how_much_may_stay_at_night_stands_beside_each_zone() -> None:
    assert shown("altered", altered()[1]).count('class="limit">≤ 2<') == 4
    assert shown("altered", altered()[2]).count('class="limit over">3 &gt; 2<') == 1


def test_the_other_side_is_named_and_not_pointed_at() -> None:
    assert "against p2, Hero expedition" in shown("altered", altered()[0])


def test_every_text_of_a_card_has_its_place() -> None:
    state = dispute()[2]["state"]
    assert isinstance(state, dict)
    texts = re.findall(r'<span class="text( none| of-\d)', shown("compile", state))
    assert texts == [" none", " of-1", " none"]


def test_a_game_that_is_not_installed_is_shown_as_a_list() -> None:
    text = shown("patience", {"turn": 2, "piles": {"left": ["ace"], "right": []}})
    assert '<div class="fact" data-key="piles.left"><dt>left</dt><dd>ace</dd></div>' in text


def test_steps_of_a_path_name_who_stands_there() -> None:
    steps = (TrackStep("p.0", "", number=""), TrackStep("p.1", "Fox", "now", "F", signs=(("fox", "Fox"),)))
    scene = Scene("Path", Area("all", "Path", (Track("p", "path", steps, "path"),)), captions("en"))
    drawn = html(scene, Changes({"p.0": LEFT, "p.1": CHANGED}))
    assert re.search(
        r'<li class="here changed" data-key="p.1" title="Fox"><svg class="i sign" role="img" aria-label="Fox">', drawn
    )
    assert '<li class="space left" data-key="p.0"><span class="gone"></span></li>' in drawn


def test_the_side_of_a_player_is_headed_by_the_name_with_the_seat_beside_it() -> None:
    named = str(markup(scene_tree(garden(), Changes(), {"players": {"ann": "Ada", "ben": "Ben"}})))
    assert '<b>Ada</b><span class="quiet">ann</span>' in named
    assert "<b>Ben</b>" in named
    assert ">ben<" not in named


def test_on_a_path_the_expeditions_come_from_both_ends_and_who_has_passed_is_said_in_the_afternoon_alone() -> None:
    afternoon, dusk, _ = altered()
    afternoon["sides"]["p1"]["passed"] = True  # type: ignore[index]
    drawn = [html(scene_maker_of("altered").scene(state, "en")) for state in (afternoon, dusk)]
    here = re.findall(r'<li class="here" data-key="p1.path.(\d)" title="([^"]*)"', drawn[0])
    assert here == [("2", "Hero expedition"), ("4", "Companion expedition")], "of a way of six spaces"
    assert ["has passed" in text for text in drawn] == [True, False]
