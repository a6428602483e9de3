"""What each table marks and draws."""

from __future__ import annotations

import re
from copy import deepcopy

import pytest
from flask import Flask

from tests.web.made import dispute
from tests.web.other_tables import altered, reveal
from web.drawing.tree import clipped, markup, wrapped
from web.site.labels import frame_words
from web.tables import table

HOW = {"layout": "wide", "line": 1, "bottom": "A", "hide": False, "link": "LINE"}


def drawn(app: Flask, ruleset: str, states: list[dict[str, object]], step: int) -> str:
    game = table(ruleset)
    changes = game.changes(states, [None] * len(states))
    with app.test_request_context("/?lang=en"):
        return str(markup(game.draw(states[step], changes[step], game.words(states, {}, "en"), HOW)))


# Compile


def test_every_step_marks_what_it_changed() -> None:
    steps = dispute()
    changes = table("compile").changes([s["state"] for s in steps], [s["event"] for s in steps])  # type: ignore[misc]
    assert [change.get("marks", {}) for change in changes] == [
        {},
        {"fire-2": "commit"},
        {"fire-2": "land"},
        {"death-5": "play"},
        {"fire-2": "cover", "life-1": "play"},
        {"life-1": "flip"},
        {"death-5": "delete", "trash:B": "delete"},
        {"protocol:A:1": "compile", "control": "control"},
    ]


def test_a_card_that_is_only_announced_says_its_line(app: Flask) -> None:
    steps = deepcopy(dispute()[:2])
    steps[1].update(
        state=deepcopy(steps[0]["state"]), event={"type": "played", "player": "A", "card": "fire-2", "line": 3}
    )
    changes = table("compile").changes([s["state"] for s in steps], [s["event"] for s in steps])  # type: ignore[misc]
    assert changes[1] == {"marks": {"fire-2": "play"}, "line": 3}
    for step in steps:
        step["state"]["sides"]["A"]["hand"] = 3  # type: ignore[index]
    unseen = table("compile").changes([s["state"] for s in steps], [s["event"] for s in steps])  # type: ignore[misc]
    assert unseen[1]["line"] == 3


def test_a_card_in_flight_remembers_where_it_left() -> None:
    steps = dispute()
    changes = table("compile").changes([s["state"] for s in steps], [s["event"] for s in steps])  # type: ignore[misc]
    assert changes[1]["origins"] == {"fire-2": ["A", "hand", 0]}
    assert changes[1]["ghosts"] == [{"card": "fire-2", "mark": "commit", "seat": "A", "line": 0}]
    assert "origins" not in changes[2]


@pytest.mark.parametrize("cards", range(1, 19))
def test_however_high_a_stack_it_stays_on_its_side(app: Flask, cards: int) -> None:
    state = dispute()[0]["state"]
    assert isinstance(state, dict)
    state["sides"]["A"]["lines"][0] = [{"card": f"fire-{n % 6}", "face": "up"} for n in range(cards)]
    text = drawn(app, "compile", [state], 0)
    boxes = re.findall(r'class="card up[^"]*".*?<rect x="8" y="(\d+)" width="248" height="(\d+)"', text)
    assert len(boxes) == cards
    assert max(int(y) + int(height) for y, height in boxes) <= 606


# Words


def test_a_long_text_ends_with_an_ellipsis_and_never_outgrows_its_lines() -> None:
    words = "one two three four five six seven"
    assert wrapped(words, 9, 3) == ["one two", "three", "four fiv…"]
    assert wrapped(words, 99, 1) == [words]
    assert clipped("abcdef", 4) == "abc…"


# What is pending


def pending(app: Flask, language: str, ruleset: str, frame: dict[str, object]) -> str:
    """Something under way, as it is said beside the table."""
    states = {"altered": altered, "lotr-reveal": reveal}[ruleset]()
    with app.test_request_context(f"/?lang={language}"):
        return frame_words(frame, table(ruleset).words(states, {}, language))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Cleanup (2 left)"),
        ("fr", "Nettoyage (reste 2)"),
        ("it", "Pulizia (ancora 2)"),
        ("pl", "Sprzątanie (pozostało 2)"),
    ],
)
def test_a_daily_effect_that_is_open_is_said_in_words(app: Flask, language: str, said: str) -> None:
    assert pending(app, language, "altered", {"effect": "cleanup", "rest": 2}) == said


def test_a_card_being_revealed_is_called_by_its_name(app: Flask) -> None:
    assert pending(app, "en", "lotr-reveal", {"card": "old-keep#2", "rest": 0}) == "Old Keep (2)"
    assert pending(app, "fr", "lotr-reveal", {"what": "replacement", "frame": "f1"}) == "échange"


# A reveal


def test_cards_and_what_is_due_are_said_in_the_language_of_the_page(app: Flask) -> None:
    states = reveal()
    frames = states[1]["frames"]
    assert isinstance(frames, dict)
    frames["f1"]["due"] = [{"step": "9", "what": "child", "source": "eastern-crows#1"}]
    game = table("lotr-reveal")
    with app.test_request_context("/?lang=fr"):
        text = str(markup(game.draw(states[1], {}, game.words(states, {}, "fr"), HOW)))
    assert "carte appelée: Corbeaux de l" in text
    assert "<dt>zone de Cheminement</dt><dd>Old Keep</dd>" in text


def test_a_nested_reveal_runs_inside_the_step_that_opened_it(app: Flask) -> None:
    text = drawn(app, "lotr-reveal", reveal(), 1)
    outer = text.index('data-card="old-keep"')
    step_nine, inner, step_ten = (text.index(part, outer) for part in ('"n">9<', 'data-card="knight"', '"n">10<'))
    assert outer < step_nine < inner < step_ten
    assert "surges waiting for step 12: 1" in text
    assert re.search(r'<li class="done lost"><span class="n">7</span>', text)


def test_windows_are_doors_open_or_shut(app: Flask) -> None:
    text = drawn(app, "lotr-reveal", reveal(), 0)
    assert len(re.findall(r'class="door open"', text)) == 6
    assert len(re.findall(r'class="door shut"', drawn(app, "lotr-reveal", reveal(), 1))) == 5


def test_what_stopped_is_struck_through_and_what_changed_is_marked(app: Flask) -> None:
    text = drawn(app, "lotr-reveal", reveal(), 2)
    assert 'class="track stopped" data-card="knight"' in text
    assert "<dt>threat of p1</dt><dd>28</dd>" in text
    assert re.search(r'<div class="changed"><dt>threat of p1', text)
    assert "<dd>1</dd>" in text


# Altered


def test_the_expedition_that_leads_where_its_region_asks_is_told_apart(app: Flask) -> None:
    text = drawn(app, "altered", altered(), 1)
    assert len(re.findall(r'class="stat lead"', text)) == 1
    assert len(re.findall(r'class="stat idle"', text)) == 4
    assert 'aria-current="step">dusk' in text
    assert "e1 · p2" in text


def test_a_seat_that_is_out_and_a_day_of_tie_break_are_said(app: Flask) -> None:
    text = drawn(app, "altered", altered(), 2)
    assert 'class="seat out"' in text
    assert "tie-break day" in text
    assert "no longer in play" in text


def test_how_much_may_stay_at_night_stands_beside_each_zone(app: Flask) -> None:
    assert drawn(app, "altered", altered(), 1).count('class="limit">≤ 2<') == 4
    assert drawn(app, "altered", altered(), 2).count('class="limit over">3 &gt; 2<') == 1


def test_the_other_side_is_named_and_not_pointed_at(app: Flask) -> None:
    assert "against p2, Hero expedition" in drawn(app, "altered", altered(), 0)
