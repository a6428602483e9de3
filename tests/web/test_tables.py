"""What each table marks and draws."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.web.made import dispute
from tests.web.other_tables import altered, reveal
from web.drawing import clipped, markup, wrapped
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


# A reveal


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
