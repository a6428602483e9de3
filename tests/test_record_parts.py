"""What a record is made of: where it can go back to, how positions are compared, what a type is called."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta, inspect

from audit.core.late_records import _up_to_the_next
from audit.core.model import Event
from audit.core.record import History, differences, mentions, words_in
from audit.core.steps import Bookmark
from audit.core.typed_setup import count_noun, describe_type, format_value, nearest
from audit.games.compile import RULESET
from audit.games.compile.events import Committed, Drew, PhaseBegan, Played

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


def test_the_last_event_of_all_may_be_amended_and_nothing_after_it() -> None:
    history = History()
    assert history.way_to(0) is None
    history.mark(1, bookmark(1))
    assert history.way_to(0) is None
    for seq in range(1, 7):
        history.mark(seq, bookmark(seq))
        history.events.append(Drew(seq=seq, player="A", count=1))
    assert [event.seq for event in history.backwards()] == [6, 5, 4, 3, 2, 1]
    way = history.way_to(6)
    assert way is not None
    assert (way[0].index, [event.seq for event in way[1]]) == (6, [6])
    assert history.way_to(7) is None


def test_an_amendment_leads_no_farther_back_than_some_thousand_events() -> None:
    history, whole = History(), History(reach=None)
    for seq in (64, 65, 4097):
        history.mark(seq, bookmark(seq))
        whole.mark(seq, bookmark(seq))
    for one in (history, whole):
        one.events.extend(Drew(seq=seq, player="A", count=1) for seq in range(1, 4098))
    assert history.way_to(63) is None
    for way, first in ((history.way_to(64), 65), (whole.way_to(63), 64)):
        assert way is not None
        assert (way[0].index, len(way[1])) == (first, 4098 - first)
    assert (len(history.events), len(whole.events)) == (4096, 4097)


# Comparing positions


@pytest.mark.every(
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
        ({"turn": 4, "player": "A"}, {"turn": 5, "player": "B"}, ("position.turn", 4, 5)),
        ({"hand": ["fire-1"]}, {"hand": ["?1"]}, None),
        ({"hand": ["fire-1"]}, {"hand": ()}, ("position.hand", ["fire-1"], ())),
        ({"hand": ["fire-1"]}, {"hand": "?1"}, None),
        ({"hand": ("fire-1",)}, {"hand": ["fire-1"]}, None),
        ({"hand": {"A": 2}}, {"hand": 2}, ("position.hand", {"A": 2}, 2)),
        ({"hand": 2}, {"hand": {"A": 2}}, ("position.hand", 2, {"A": 2})),
        ({"hand": 2}, {"hand": "?1"}, None),
        ({"turn": 4, "phase": "end"}, {"turn": 4}, None),
        ({"lines": [[2], [3]]}, {"lines": [[2], [4]]}, ("position.lines[1][0]", 3, 4)),
    ],
)
def test_a_table_is_compared_as_far_as_it_is_told(told: object, found: object, difference: object) -> None:
    assert next(differences(told, found), None) == difference


@pytest.mark.every(("word", "is_said"), [("A", True), ("life-2", True), ("B", False), ("life-3", False)])
def test_an_event_speaks_of_the_cards_and_players_in_its_fields(word: str, is_said: bool) -> None:
    assert mentions(DREW, frozenset({word})) is is_said


def test_the_words_of_a_position_are_those_at_any_depth() -> None:
    assert words_in("A", {"hand": ["fire-1", 3], "field": ({"card": "life-2"},)}, None, 4) == {"A", "fire-1", "life-2"}


# Late records


def test_a_late_choice_may_stand_behind_markers_and_parts_of_a_movement_only() -> None:
    marker, part = PhaseBegan(seq=1, phase="action"), Committed(seq=2, card="life-4")
    played = Played(seq=3, player="A", card="life-4", line=2, face="up")
    events: list[Event] = [marker, part, played, DREW]
    assert list(_up_to_the_next(RULESET.rules, events)) == [marker, part, played]


# Words for types


def described(kind: object) -> str:
    return describe_type(inspect.type_info(kind))


@pytest.mark.every(
    ("kind", "words"),
    [
        (int, "a whole number"),
        (Annotated[int, Meta(ge=1)], "a whole number of 1 or more"),
        (Annotated[int, Meta(le=3)], "a whole number of 3 or less"),
        (Annotated[int, Meta(ge=0, le=3)], "a whole number from 0 to 3"),
        (Annotated[float, Meta(ge=0, le=1)], "a number from 0 to 1"),
        (Annotated[int, Meta(extra={"unit": "card"})], "a whole number"),
        (Annotated[int, Meta(description="as printed.")], "a whole number (as printed)"),
        (str, "a text"),
        (Annotated[str, Meta(min_length=1)], "a text of at least 1 character"),
        (Annotated[str, Meta(min_length=2)], "a text of at least 2 characters"),
        (Annotated[str, Meta(min_length=0, max_length=9)], "a text of at most 9 characters"),
        (Annotated[str, Meta(min_length=3, max_length=9)], "a text of 3 to 9 characters"),
        (Annotated[str, Meta(min_length=1, max_length=1)], "a text of 1 character"),
        (Annotated[list[int], Meta(min_length=2, max_length=2)], "a list of 2 entries, each a whole number"),
        (Annotated[tuple[str, ...], Meta(max_length=4)], "a list of at most 4 entries, each a text"),
        (list[int], "a list, each a whole number"),
        (bool, "true or false"),
        (dict[str, int], "an object"),
        (Bookmark, "an object"),
        (object, "any value"),
        (bytes, "a value of another kind"),
        (Literal["up", "down"], '"down" or "up"'),
        (Literal["a", "c", "b"], '"a", "b" or "c"'),
        (Literal[3], "3"),
        (int | str | None, "a whole number or a text"),
    ],
)
def test_a_type_is_said_in_words(kind: object, words: str) -> None:
    assert described(kind) == words


@pytest.mark.every(
    ("value", "words"),
    [
        (True, "true"), (False, "false"), (None, "null"), (1, "1"), (0, "0"), (2.5, "2.5"), ("", '""'), ("up", '"up"'),
        ([], "an empty list"), ([1], "a list of 1"), ({}, "an object"),
        ("x" * 58, '"' + "x" * 58 + '"'), ("x" * 59, '"' + "x" * 56 + '…"'),
        (10**59, str(10**59)), (10**60, "1" + "0" * 56 + "…"),
    ],
)  # fmt: skip
def test_a_value_stands_in_a_message_as_in_a_log_and_is_cut_short(value: object, words: str) -> None:
    assert format_value(value) == words


@pytest.mark.every(("number", "words"), [(0, "0 lines"), (1, "1 line"), (2, "2 lines"), (12345, "12,345 lines")])
def test_lines_are_counted(number: int, words: str) -> None:
    assert count_noun(number, "line") == words


def test_the_nearest_word_is_offered_where_one_is_near() -> None:
    assert nearest("playd", ["drew", "played", "player"]) == ' (did you mean "played"?)'
    assert nearest("shuffled", ["drew", "played"]) == ""
    assert nearest("abcxy", ["abcde"]) == ' (did you mean "abcde"?)', "three letters of five"
    assert nearest("abxyz", ["abcde"]) == ""


@pytest.mark.every(
    ("told", "found", "where"),
    [
        (["ox", "elk"], ["elk", "ox"], []),
        (["?1", "ox"], ["ox", "elk"], []),
        (["?", "ox"], ["?", "fox"], []),
        (["ox", "ox"], ["ox", "elk"], ["position.hands.kim[1]"]),
        (
            [{"id": "a", "n": 1}, {"id": "b", "n": 1}],
            [{"id": "b", "n": 2}, {"id": "a", "n": 1}],
            ["position.hands.kim[1].n"],
        ),
    ],
)
def test_a_list_without_an_order_is_compared_card_by_card(told: object, found: object, where: list[str]) -> None:
    one, other = {"hands": {"kim": told}}, {"hands": {"kim": found}}
    assert [path for path, _, _ in differences(one, other, unordered=frozenset(("hands",)))] == where


def test_the_order_of_a_deck_counts() -> None:
    one, other = {"decks": {"kim": ["ox", "elk"]}}, {"decks": {"kim": ["elk", "ox"]}}
    assert len(list(differences(one, other, unordered=frozenset(("hands",))))) == 2
