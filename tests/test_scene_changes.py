"""What a step has changed on a table, told from how the table lay before and after it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from audit.core.scene import Area, Card, Counter, Face, Part, Scene, Token, Track, TrackStep, Zone
from audit.core.scene_changes import Changes, Ghost, changes

KING, ACE = Card("king", Face("King")), Card("ace", Face("Ace"))


def table(**zones: tuple[Card, ...]) -> Scene:
    """Two hands, a heap, a pack, two stacks and a row; zones that are not named are empty."""
    parts = (
        Zone("hand", "hand", "hand", cards=zones.get("hand", ())),
        Zone("guest", "guest", "hand", cards=zones.get("guest", ())),
        Zone("pack", "pack", "deck", "pile", zones.get("pack", ())),
        Zone("heap", "heap", "discard", "pile", zones.get("heap", ())),
        Zone("left", "left", "play", "stack", zones.get("left", ()), coming=zones.get("coming", ())),
        Zone("right", "right", "play", "stack", zones.get("right", ())),
        Zone("row", "row", "play", cards=zones.get("row", ())),
    )
    return on(*parts)


def on(*parts: Part, tabs: tuple[Counter, ...] = ()) -> Scene:
    return Scene("", Area("all", "", parts, tabs=tabs), {})


def change(before: Scene, after: Scene, touched: tuple[str, ...] = (), icon: str = "event") -> Changes:
    return changes([before, after], [(), touched], ["", icon])[1]


# Cards


@pytest.mark.every(
    ("before", "after", "mark"),
    [
        ("pack", "heap", "discard"), ("coming", "heap", "delete"), ("coming", "hand", "return"),
        ("pack", "coming", "commit"), ("pack", "left", "play"), ("hand", "guest", "give"), ("hand", "pack", "move"),
    ],
)  # fmt: skip
def test_rarer_moves_have_names_too(before: str, after: str, mark: str) -> None:
    found = change(table(**{before: (ACE, KING)}), table(**{before: (ACE,), after: (KING,)}))
    assert found.marks["king"] == mark


def test_a_card_from_nowhere_is_played_if_it_comes_into_play() -> None:
    assert change(table(), table(left=(KING,))).marks == {"king": "play"}
    assert change(table(), table(coming=(KING,))).marks == {}
    assert "king" not in change(table(), table(hand=(KING,))).marks


def test_a_card_that_vanishes_leaves_a_ghost_in_play_alone() -> None:
    assert change(table(left=(KING,)), table(), icon="delete").ghosts == (Ghost("left", KING, "delete", 0),)
    for zone in ("hand", "coming", "pack", "heap"):
        assert change(table(**{zone: (KING,)}), table(), icon="delete").ghosts == ()


def test_a_card_that_lands_leaves_no_ghost_on_its_way() -> None:
    assert change(table(coming=(KING,)), table(right=(KING,))).ghosts == ()


def test_what_a_card_does_tells_more_than_that_the_event_speaks_of_it() -> None:
    assert change(table(hand=(KING,)), table(left=(KING,)), ("king",), "trigger").marks["king"] == "play"
    assert change(table(left=(KING,)), table(left=(KING,)), ("king",), "trigger").marks == {"king": "trigger"}


def test_only_in_a_stack_does_a_card_lie_on_another() -> None:
    assert "king" not in change(table(row=(KING,)), table(row=(KING, ACE))).marks
    assert change(table(left=(KING,)), table(left=(KING, ACE))).marks["king"] == "lay-on"


def test_a_card_of_which_more_is_said_has_changed() -> None:
    assert change(table(left=(KING,)), table(left=(replace(KING, spent=True),))).marks == {"king": "changed"}


def test_a_card_that_was_on_its_way_already_set_out_from_nowhere_known() -> None:
    scenes = [table(), table(coming=(KING,)), table(coming=(KING,))]
    assert [dict(each.origins) for each in changes(scenes, [()] * 3, [""] * 3)] == [{}, {}, {}]


def test_a_card_that_is_drawn_is_on_no_way() -> None:
    assert change(table(pack=(KING,)), table(hand=(KING,))).origins == {}


def test_a_card_that_vanishes_on_its_way_is_on_its_way_no_longer() -> None:
    scenes = [table(hand=(KING,)), table(coming=(KING,)), table()]
    assert [dict(each.origins) for each in changes(scenes, [()] * 3, [""] * 3)] == [{}, {"king": "hand"}, {}]


def test_a_card_may_say_itself_where_it_set_out() -> None:
    told = table(coming=(replace(KING, origin="guest"),))
    assert change(table(hand=(KING,)), told).origins == change(told, told).origins == {"king": "guest"}
    assert change(table(), table(hand=(replace(KING, origin="guest"),))).origins == {}


def test_a_ghost_lies_where_the_card_lay() -> None:
    assert change(table(left=(ACE, KING)), table(left=(ACE,))).ghosts == (Ghost("left", KING, "event", 1),)
    assert change(table(left=(KING, ACE)), table(left=(ACE,), heap=(KING,))).ghosts == (
        Ghost("left", KING, "delete", 0),
    )


# A card nobody knew that is turned over

BACK = Card("?1", down=True)


def test_a_card_that_gets_a_name_as_it_is_turned_over_is_the_same_card() -> None:
    found = change(table(left=(ACE, BACK)), table(left=(ACE, KING)))
    assert (found.marks, found.ghosts) == ({"king": "turn-over"}, ())


@pytest.mark.every(
    ("before", "after"),
    [
        (table(left=(BACK, Card("?2", down=True))), table(left=(KING, ACE))),
        (table(left=(BACK,)), table(left=(Card("?2", down=True),))),
        (table(left=(BACK,)), table(left=(KING, ACE))),
        (table(row=(BACK,)), table(row=(KING,))),
        (table(left=(BACK,)), table(right=(KING,))),
    ],
    ids=["two at once", "still a back", "another one more", "in a row", "in another stack"],
)
def test_where_nobody_can_say_which_card_it_was_one_goes_and_another_comes(before: Scene, after: Scene) -> None:
    found = change(before, after)
    assert "turn-over" not in found.marks.values()
    assert BACK in [ghost.card for ghost in found.ghosts]


# Heaps and hidden hands


def holding(number: int | None, role: str = "hand", **zones: tuple[Card, ...]) -> Scene:
    """A table with one more zone of which only the number of cards is seen."""
    hidden = Zone("backs", "backs", role, count=number)  # type: ignore[arg-type]
    return on(hidden, *(part for part in table(**zones).area.parts if part.key != "guest"))


@pytest.mark.every(
    ("left", "shown", "marks"),
    [
        (3, {}, ["move", "move"]), (4, {"left": (KING,)}, ["play"]), (4, {"heap": (KING,)}, ["discard"]),
        (3, {"left": (KING,), "heap": (ACE,)}, ["play", "discard"]), (3, {"left": (KING,)}, ["play", "move"]),
        (5, {"left": (KING,)}, []), (6, {}, []), (None, {}, []),
    ],
)  # fmt: skip
def test_backs_are_left_where_hidden_cards_go_from_a_hand(
    left: int | None, shown: dict[str, tuple[Card, ...]], marks: list[str]
) -> None:
    found = change(holding(5), holding(left, **shown))
    assert sorted(ghost.mark for ghost in found.ghosts) == sorted(marks)
    assert all((ghost.zone, ghost.card, ghost.at) == ("backs", Card("", down=True), None) for ghost in found.ghosts)


def test_a_card_from_a_hidden_hand_is_marked_by_what_it_did() -> None:
    assert change(holding(5), holding(4, heap=(KING,))).marks["king"] == "discard"
    assert change(holding(5), holding(4)).marks == {}
    there = change(holding(5, left=(ACE,)), holding(4, left=(ACE,)))
    assert (there.marks, [ghost.mark for ghost in there.ghosts]) == ({}, ["move"]), "the ace lay there before"
    assert change(holding(5, "deck"), holding(4, "deck")).ghosts == ()
    assert change(on(Zone("backs", "backs", "hand", cards=(KING,))), holding(0)).ghosts == ()
    assert change(table(), holding(4)).ghosts == ()


def seen(role: str, count: int | None, layout: str = "row", unknown: bool = False) -> Scene:
    return on(Zone("z", "z", role, layout, count=count, unknown=unknown))  # type: ignore[arg-type]


@pytest.mark.every(
    ("role", "before", "after", "mark"),
    [
        ("deck", 0, 6, "renew"), ("discard", 2, 3, "discard"), ("hand", 9, 10, "draw"), ("hand", 3, 2, None),
        ("hand", 3, 3, None), ("play", 2, 3, "changed"), ("play", 3, 2, "changed"),
    ],
)  # fmt: skip
def test_a_counted_zone_says_what_it_grows_by(role: str, before: int, after: int, mark: str | None) -> None:
    assert change(seen(role, before), seen(role, after)).marks.get("z") == mark


def test_a_hand_of_which_nobody_knows_any_more_has_not_grown() -> None:
    assert change(seen("hand", 3), seen("hand", 5, unknown=True)).marks == {}


def test_a_heap_grows_by_what_its_newest_card_did() -> None:
    before, after = table(left=(KING,), hand=(ACE,)), table(heap=(KING, ACE))
    assert change(before, after).marks["heap"] == "discard"
    assert change(before, replace(after, area=table(heap=(ACE, KING)).area)).marks["heap"] == "delete"
    assert change(table(left=(KING,)), table(heap=(ACE, KING))).marks["heap"] == "delete"
    assert change(table(heap=(ACE,)), table(heap=(ACE, Card("?")))).marks["heap"] == "discard", "nobody saw from where"


def test_an_open_hand_has_changed_with_its_cards_and_a_stack_says_it_by_its_cards_alone() -> None:
    assert change(table(hand=(KING,)), table(left=(KING,))).marks == {"king": "play", "hand": "changed"}


def test_a_zone_has_changed_if_more_is_said_of_it_and_not_if_it_is_called_otherwise() -> None:
    def zone(title: str, *facts: str, number: str = "1") -> Scene:
        return on(Zone("z", title, "play", facts=facts, counters=(Counter("c", "c", number),)))

    assert change(zone("river"), zone("river", "frozen")).marks == {"z": "changed"}
    assert change(zone("river"), zone("stream")).marks == {}
    assert change(zone("river"), zone("river", number="2")).marks == {"c": "changed"}


# Counters, tokens, steps


@pytest.mark.every(
    ("before", "after", "mark"),
    [
        (Counter("t", "t", "1"), Token("t", "t"), "changed"),
        (Token("t", "t"), Zone("t", "t"), "changed"),
        (Zone("t", "t"), Token("t", "t"), "changed"),
        (Counter("t", "t", "1"), Counter("t", "u", "1"), "changed"),
        (Counter("t", "t", "1"), Counter("t", "t", "1"), None),
        (Token("t", "t", "ann"), Token("t", "t"), "token"),
    ],
)
def test_one_thing_in_the_place_of_another(before: Part, after: Part, mark: str | None) -> None:
    assert change(on(before), on(after)).marks.get("t") == mark


def headed(head: Counter) -> Scene:
    return on(Zone("stack", "stack", "play", "stack", head=head))


def test_a_head_that_was_a_token_or_a_step_before_is_new() -> None:
    for before in (Token("h", "Sun"), Token("h", "Rain"), Track("t", "t", (TrackStep("h", "Sun"),)), Zone("h", "Sun")):
        assert change(on(before), headed(Counter("h", "Rain", "0"))).marks["h"] == "changed"
        assert change(headed(Counter("h", "Rain", "0")), on(before)).marks["h"] == "changed"


def test_the_name_of_a_head_tells_more_than_that_it_is_done() -> None:
    before, after = headed(Counter("h", "Sun", "0")), headed(Counter("h", "Rain", "0", done=True))
    assert change(before, after).marks == {"h": "reorder"}


@pytest.mark.every(
    ("before", "after", "mark"),
    [
        (TrackStep("s", state="ahead"), TrackStep("s", state="now"), "changed"),
        (TrackStep("s", state="now"), TrackStep("s", state="done"), None),
        (TrackStep("s", state="ahead"), TrackStep("s", state="skipped"), None),
        (TrackStep("s", "one", "now"), TrackStep("s", "two", "now"), None),
    ],
)
def test_a_step_is_news_when_the_game_comes_to_it(before: TrackStep, after: TrackStep, mark: str | None) -> None:
    assert change(on(Track("t", "t", (before,))), on(Track("t", "t", (after,)))).marks.get("s") == mark


def test_things_at_any_depth_and_on_tabs_say_that_they_have_changed() -> None:
    def scene(value: str) -> Scene:
        inner = Area("inner", "", (Counter("deep", "deep", value),), tabs=(Counter("tab", "tab", value),))
        return on(inner, Counter("beside", "beside", value), tabs=(Counter("top", "top", value),))

    assert set(change(scene("1"), scene("2")).marks) == {"deep", "tab", "beside", "top"}


def test_what_an_event_speaks_of_is_marked_unless_it_is_a_place_or_not_there() -> None:
    scene = on(Zone("place", "place", "play"), Counter("number", "number", "1"))
    assert change(scene, scene, ("place", "number", "nowhere"), "trigger").marks == {"number": "trigger"}


# Where to look


@pytest.mark.every(
    ("before", "after", "touched", "focus"),
    [
        (table(hand=(KING,)), table(left=(KING,)), ("right",), "left"),
        (table(hand=(KING,)), table(coming=(KING,)), ("right",), "left"),
        (table(coming=(KING,)), table(coming=(KING,)), ("right",), "right"),
        (table(coming=(KING,)), table(coming=(KING,)), (), "left"),
        (table(left=(KING,)), table(hand=(KING,)), (), "left"),
        (table(left=(KING,)), on(Zone("hand", "hand", "hand", cards=(KING,))), (), ""),
        (table(pack=(KING,)), table(hand=(KING,)), (), ""),
        (table(left=(KING,)), table(left=(KING,)), (), ""),
        (table(hand=(KING,), left=(ACE,)), table(hand=(KING,), left=(ACE,)), ("king", "right"), "right"),
        (headed(Counter("h", "Sun", "0")), headed(Counter("h", "Rain", "0")), (), "stack"),
    ],
    ids=[
        "a card lands", "a card sets out", "a place is named", "a card is coming", "a card has left",
        "the place is gone", "a card is drawn", "nothing happens", "a card in hand and a place", "a head turns",
    ],
)  # fmt: skip
def test_the_eye_is_led_to_what_happens(before: Scene, after: Scene, touched: tuple[str, ...], focus: str) -> None:
    assert change(before, after, touched).focus == focus


def test_a_game_that_has_not_begun_has_no_changes() -> None:
    assert changes([], [], []) == []
    assert changes([table()], [()], [""]) == [Changes()]
