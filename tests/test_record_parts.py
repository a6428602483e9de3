"""What a record is made of: where it can go back to, how positions are compared, what a type is called."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Meta, inspect

from audit.compile import RULESET
from audit.compile.events import Committed, Drew, PhaseBegan, Played
from audit.late_records import _up_to_the_next
from audit.model import Event
from audit.record import History, first_difference, mentions
from audit.schema_text import describe_type
from audit.steps import Bookmark

DREW = Drew(seq=4, player="A", cards=("life-1", "life-2"))


def bookmark(index: int) -> Bookmark:
    return Bookmark(None, (), index, 0, 0)


# Going back


def test_the_record_goes_back_to_before_the_event_that_is_amended() -> None:
    history = History()
    for seq in range(1, 9):
        history.mark(seq, bookmark(seq))
        history.events.append(Drew(seq=seq, player="A", count=1))
    way = history.way_to(4)
    assert way is not None
    assert (way[0].index, [event.seq for event in way[1]]) == (5, [5, 6, 7, 8])
    assert history.way_to(9) is None


# Comparing positions


@pytest.mark.parametrize(
    ("told", "found", "difference"),
    [
        ({"hand": 3}, {"hand": ["fire-1", "fire-2", "fire-3"]}, None),
        ({"hand": 3}, {"hand": ["fire-1", "fire-2"]}, ("position.hand", 3, 2)),
        ({"hand": ["fire-1", "?2"]}, {"hand": 2}, None),
        ({"hand": ["fire-1", "?2"]}, {"hand": ["fire-1", "fire-5"]}, None),
        ({"hand": ["fire-1", "?2"]}, {"hand": ["fire-3", "fire-5"]}, ("position.hand[0]", "fire-1", "fire-3")),
        ({"control": True}, {"control": ["A"]}, ("position.control", True, ["A"])),
        ({"turn": 4, "seq": 7}, {"turn": 4, "seq": 9}, None),
        ({"turn": 4}, {"turn": 5, "phase": "end"}, ("position.turn", 4, 5)),
    ],
)
def test_a_table_is_compared_as_far_as_it_is_told(told: object, found: object, difference: object) -> None:
    assert first_difference(told, found) == difference


@pytest.mark.parametrize(("word", "is_said"), [("A", True), ("life-2", True), ("B", False), ("life-3", False)])
def test_an_event_speaks_of_the_cards_and_players_in_its_fields(word: str, is_said: bool) -> None:
    assert mentions(DREW, frozenset({word})) is is_said


# Late records


def test_a_late_choice_may_stand_behind_markers_and_parts_of_a_movement_only() -> None:
    marker, part = PhaseBegan(seq=1, phase="action"), Committed(seq=2, card="life-4")
    played = Played(seq=3, player="A", card="life-4", line=2, face="up")
    events: list[Event] = [marker, part, played, DREW]
    assert list(_up_to_the_next(RULESET.rules, events)) == [marker, part, played]


# Words for types


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (int, "a whole number"),
        (Annotated[int, Meta(ge=1)], "a whole number of 1 or more"),
        (Annotated[int, Meta(le=3)], "a whole number of 3 or less"),
        (Annotated[int, Meta(ge=0, le=3)], "a whole number from 0 to 3"),
        (Annotated[int, Meta(extra={"unit": "card"})], "a whole number"),
        (Annotated[int, Meta(description="as printed.")], "a whole number (as printed)"),
    ],
)
def test_a_type_is_said_in_words(kind: object, words: str) -> None:
    assert describe_type(inspect.type_info(kind)) == words
