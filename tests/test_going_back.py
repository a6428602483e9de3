"""What stands of a record: what was amended or taken back is out of the game, and nothing of it is lost."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from msgspec import ValidationError, convert

from audit.core.model import Event
from audit.core.record_events import (
    Amended,
    Checkpoint,
    Flagged,
    Gap,
    PositionSet,
    TakenBack,
    free_texts,
    is_about_the_record,
    left_at,
    standing,
    standing_ahead,
    superseded,
    words_named,
)
from audit.games.compile.events import Drew

TOLD: dict[str, object] = {"turn": 3}


def play(seq: int) -> Event:
    return Drew(seq=seq, player="A", count=1)


def record(last: int, *about: Event, first: int = 1) -> list[Event]:
    """A play a line, except for those lines that speak of the record."""
    there = {event.seq: event for event in about}
    return [there.get(seq) or play(seq) for seq in range(first, last + 1)]


def seqs(events: object) -> list[int]:
    assert isinstance(events, list | tuple)
    return [event.seq for event in events]


@pytest.mark.every(
    ("about", "stand", "gone"),
    [
        ([], [1, 2, 3, 4, 5, 6, 7], {}),
        ([Amended(seq=5, from_=3)], [1, 2, 6, 7], {3: 5, 4: 5}),
        ([Amended(seq=5, from_=1)], [6, 7], {1: 5, 2: 5, 3: 5, 4: 5}),
        ([Amended(seq=7, from_=7)], [1, 2, 3, 4, 5, 6], {}),
        ([TakenBack(seq=5, to=3)], [1, 2, 3, 6, 7], {4: 5}),
        ([TakenBack(seq=4, to=0)], [5, 6, 7], {1: 4, 2: 4, 3: 4}),
        ([TakenBack(seq=4, to=4)], [1, 2, 3, 5, 6, 7], {}),
        ([TakenBack(seq=4, to=6)], [1, 2, 3, 5, 6, 7], {}),
        ([Amended(seq=4, from_=3), TakenBack(seq=6, to=3)], [1, 2, 3, 7], {4: 6, 5: 6}),
        ([Amended(seq=4, from_=3), Amended(seq=6, from_=5)], [1, 2, 7], {3: 4, 5: 6}),
        ([Flagged(seq=3), Gap(seq=5)], [1, 2, 4, 6, 7], {}),
        ([PositionSet(seq=3, position=TOLD), Checkpoint(seq=5, position=TOLD)], [1, 2, 3, 4, 6, 7], {}),
    ],
    ids=[
        "nothing", "amended", "amended from the first line", "nothing yet amended", "taken back",
        "taken back to the start", "back to itself", "back to later", "an amendment taken back", "amended twice",
        "a flag and a gap", "a position set and one compared",
    ],
)  # fmt: skip
def test_what_stands(about: list[Event], stand: list[int], gone: dict[int, int]) -> None:
    events = record(7, *about)
    assert seqs(standing(events)) == stand
    assert superseded(events) == gone


def test_a_record_of_nothing_but_the_game_is_left_as_it_is() -> None:
    events = record(3)
    assert standing(events) is events


@pytest.mark.every(
    ("before", "position", "sets"),
    [
        ([Gap(seq=2)], TOLD, True),
        ([], TOLD, False),
        ([Gap(seq=2)], {}, False),
        ([Gap(seq=2), PositionSet(seq=3, position=TOLD)], TOLD, False),
        ([Gap(seq=2), PositionSet(seq=3, position={})], TOLD, True),
        ([Gap(seq=2), Checkpoint(seq=3, position=TOLD)], TOLD, False),
        ([Gap(seq=2), Flagged(seq=3)], TOLD, True),
    ],
    ids=[
        "after a gap", "nothing missing", "nothing told", "put down before", "put down empty", "compared before",
        "flagged in between",
    ],
)  # fmt: skip
def test_the_first_position_told_after_a_gap_is_where_the_game_goes_on(
    before: list[Event], position: dict[str, object], sets: bool
) -> None:
    stand = standing(record(6, *before, Checkpoint(seq=5, position=position)))
    assert (PositionSet(seq=5, position=position) in stand) is sets
    assert not any(isinstance(event, Checkpoint) for event in stand)


@pytest.mark.every(
    ("about", "stand"),
    [
        ([], [5, 6, 7, 8]), ([Amended(seq=7, from_=6)], [5, 8]), ([Amended(seq=7, from_=5)], [8]),
        ([Amended(seq=7, from_=4)], []), ([TakenBack(seq=7, to=5)], [5, 8]), ([TakenBack(seq=7, to=4)], [8]),
        ([TakenBack(seq=7, to=3)], []), ([Flagged(seq=7)], [5, 6, 7, 8]),
        ([Amended(seq=6, from_=5), TakenBack(seq=8, to=7)], [7]),
    ],
)  # fmt: skip
def test_what_stands_of_the_lines_ahead(about: list[Event], stand: list[int]) -> None:
    assert seqs(standing_ahead(record(8, *about, first=5))) == stand


def test_where_the_record_goes_on() -> None:
    assert left_at(Amended(seq=9, from_=4)) == 3
    assert left_at(TakenBack(seq=9, to=4)) == 4
    assert left_at(play(9)) is None
    assert left_at(Gap(seq=9)) is None


def test_some_kinds_of_lines_speak_of_the_record() -> None:
    assert is_about_the_record({"seq": 3, "type": "taken_back"})
    assert not is_about_the_record({"seq": 3, "type": "drew"})
    assert not is_about_the_record({"seq": 3})


def test_nothing_is_gone_from_a_record_that_has_not_begun() -> None:
    assert superseded([]) == {}


# Words that people write beside an event


def test_free_texts_are_those_that_are_written() -> None:
    assert free_texts(Amended(seq=9, from_=4, reason="miscounted", by="the judge")) == ["reason", "by"]
    assert free_texts(Drew(seq=9, player="A", note="quickly")) == ["note"]
    assert free_texts(play(9)) == []


@pytest.mark.parametrize(("length", "fits"), [(1000, True), (1001, False)])
def test_a_reason_has_up_to_a_thousand_characters(length: int, fits: bool) -> None:
    told = {"type": "amended", "seq": 2, "from": 1, "reason": "x" * length}
    with nullcontext() if fits else pytest.raises(ValidationError):
        assert convert(told, Amended).reason == told["reason"]


@pytest.mark.every(
    ("text", "card", "names"),
    [
        ("it was Fire 1, face down", "fire-1", True), ("it was fire 11", "fire-1", False),
        ("it was fire", "fire-1", False), ("a lady of the old wood", "a-lady-of-the-old-wood", True),
        ("a lady of the very old wood", "a-lady-of-the-very-old-wood", False), ("fire1", "fire-1", True),
        ("?3", "?3", False), ("nothing", "--", False),
    ],
)  # fmt: skip
def test_a_name_has_up_to_six_words(text: str, card: str, names: bool) -> None:
    assert bool(words_named(["yes", text], [card])) is names
