"""A table said once: what there is on it, and what a step has changed, told by keys alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from audit.core.catalogue import LANGUAGES
from audit.core.scene import (
    Area,
    Card,
    Counter,
    Face,
    Scene,
    Token,
    Track,
    TrackStep,
    Zone,
    captions,
    listed,
    pending_words,
)
from audit.core.scene_changes import Changes, changes
from replays.terminal.scene_lines import scene_lines

ROOT = Path(__file__).resolve().parent.parent
KING, ACE = Card("king", Face("King")), Card("ace", Face("Ace"))


def table(**zones: tuple[Card, ...]) -> Scene:
    """A hand, a heap, a pack and two stacks; zones that are not named are empty."""
    parts = (
        Zone("hand", "hand", "hand", cards=zones.get("hand", ())),
        Zone("pack", "pack", "deck", "pile", zones.get("pack", ())),
        Zone("heap", "heap", "discard", "pile", zones.get("heap", ())),
        Zone("left", "left", "play", "stack", zones.get("left", ()), coming=zones.get("coming", ())),
        Zone("right", "right", "play", "stack", zones.get("right", ()), coming=zones.get("turned_aside", ())),
    )
    return Scene("A table", Area("all", "A table", parts), captions("en"))


def headed(head: Counter) -> Zone:
    return Zone("stack", "stack", "play", "stack", head=head)


def change(before: Scene, after: Scene, touched: tuple[str, ...] = (), icon: str = "event") -> Changes:
    return changes([before, after], [(), touched], ["", icon])[1]


@pytest.mark.every(
    ("before", "after", "mark"),
    [
        ("pack", "hand", "draw"), ("hand", "left", "play"), ("hand", "coming", "commit"), ("left", "coming", "commit"),
        ("coming", "left", "land"), ("left", "heap", "delete"), ("hand", "heap", "discard"), ("left", "hand", "return"),
        ("left", "right", "move"), ("heap", "pack", "renew"),
    ],
)  # fmt: skip
def test_a_move_is_called_by_where_it_leads_from_and_to(before: str, after: str, mark: str) -> None:
    assert change(table(**{before: (KING,)}), table(**{after: (KING,)})).marks["king"] == mark


@pytest.mark.every(("zone", "leaves"), [("hand", True), ("left", True), ("pack", False), ("heap", False)])
def test_a_card_leaves_a_ghost_where_it_was_seen_to_lie(zone: str, leaves: bool) -> None:
    ghosts = change(table(**{zone: (KING,)}), table(right=(KING,))).ghosts
    assert [(ghost.zone, ghost.card) for ghost in ghosts] == ([(zone, KING)] if leaves else [])


def test_a_card_that_nobody_can_follow_leaves_a_ghost_with_the_mark_of_the_event() -> None:
    (ghost,) = change(table(left=(KING,)), table(), icon="return").ghosts
    assert (ghost.zone, ghost.mark) == ("left", "return")


def test_a_card_laid_on_another_and_taken_from_it_again() -> None:
    assert change(table(left=(KING,)), table(left=(KING, ACE))).marks == {"king": "lay-on", "ace": "play"}
    assert change(table(left=(KING, ACE)), table(left=(KING,))).marks == {"king": "lay-bare"}


def test_a_card_turned_over() -> None:
    back = Card("king", Face("King"), down=True)
    assert change(table(left=(KING,)), table(left=(back,))).marks == {"king": "turn-over"}


def test_a_card_on_its_way_remembers_where_it_set_out_until_it_arrives() -> None:
    scenes = [table(hand=(KING,)), table(coming=(KING,)), table(coming=(KING,)), table(left=(KING,))]
    found = changes(scenes, [()] * 4, [""] * 4)
    assert [each.origins for each in found] == [{}, {"king": "hand"}, {"king": "hand"}, {}]


def test_a_card_on_its_way_that_is_turned_aside_is_still_on_its_way() -> None:
    found = change(table(coming=(KING,)), table(turned_aside=(KING,)))
    assert (found.marks, found.ghosts) == ({}, ())


def test_cards_of_one_name_are_not_told_apart() -> None:
    unknown = Card("?")
    found = change(table(hand=(unknown, unknown)), table(hand=(unknown,), left=(unknown,)))
    assert "?" not in found.marks
    assert found.ghosts == ()


def test_what_an_event_speaks_of_is_marked_though_it_stays() -> None:
    found = change(table(left=(KING,)), table(left=(KING,)), ("king", "right", "not there"), "trigger")
    assert found.marks == {"king": "trigger"}
    assert found.focus == "left"


def test_an_event_about_a_place_leads_the_eye_there() -> None:
    assert change(table(hand=(KING,)), table(hand=(KING,)), ("king", "right"), "play").focus == "right"


@pytest.mark.every(
    ("before", "after", "key", "mark"),
    [
        (Counter("a", "a", "1"), Counter("a", "a", "2"), "a", "changed"),
        (Token("t", "t"), Token("t", "t", "ann"), "t", "token"),
        (Token("t", "t"), Counter("t", "t", "1"), "t", "changed"),
        (Track("t", "t", (TrackStep("s", "s"),)), Track("t", "t", (TrackStep("s", "s", "now"),)), "s", "changed"),
        (Zone("z", "z", count=1), Zone("z", "z", count=2), "z", "changed"),
        (Zone("z", "z", "hand", count=1), Zone("z", "z", "hand", count=2), "z", "draw"),
        (headed(Counter("h", "Sun", "0")), headed(Counter("h", "Rain", "0")), "h", "reorder"),
        (headed(Counter("h", "Sun", "0")), headed(Counter("h", "Sun", "0", done=True)), "h", "complete"),
    ],
)  # fmt: skip
def test_counters_tokens_steps_and_heads_say_that_they_have_changed(
    before: Zone, after: Zone, key: str, mark: str
) -> None:
    scenes = (Scene("", Area("all", "", (part,)), {}) for part in (before, after))
    assert change(*scenes).marks[key] == mark


def test_a_total_that_follows_its_cards_is_no_news() -> None:
    before, after = (Zone("z", "z", "play", "stack", head=Counter("h", "h", value)) for value in "12")
    assert change(*(Scene("", Area("all", "", (part,)), {}) for part in (before, after))).marks == {}


def test_a_number_beside_a_row_of_cards_changes_without_the_row() -> None:
    before, after = (Zone("z", "z", "play", counters=(Counter("c", "c", value),)) for value in "12")
    assert change(*(Scene("", Area("all", "", (part,)), {}) for part in (before, after))).marks == {"c": "changed"}


def test_what_was_not_there_before_has_not_changed() -> None:
    before, after = (Scene("", Area("all", "", parts), {}) for parts in ((), (Counter("a", "a", "1"),)))
    assert change(before, after).marks == {}


def test_a_hand_that_was_not_known_has_not_drawn() -> None:
    before, after = Zone("z", "z", "hand", unknown=True, count=0), Zone("z", "z", "hand", count=5)
    assert change(*(Scene("", Area("all", "", (part,)), {}) for part in (before, after))).marks == {}


def test_a_token_that_is_called_otherwise_has_not_moved() -> None:
    before, after = (Token("t", title, "ann") for title in ("first", "second"))
    assert change(*(Scene("", Area("all", "", (part,)), {}) for part in (before, after))).marks == {}


# A game without a description


def test_a_game_that_describes_nothing_is_a_list_of_what_can_be_seen() -> None:
    scene = listed({"turn": 3, "player": "ann", "rows": [{"dice": [1, 2]}], "won": False, "left": None}, "en")
    assert scene_lines(scene) == [
        "turn    3", "player  ann", "rows", "  1", "    dice  1, 2", "won     –", "left    –",
    ]  # fmt: skip
    assert str(scene.chapter) == "3 · ann"


# The words


def test_what_is_under_way_says_what_is_left_and_that_it_waits() -> None:
    (item,) = listed({}, "en", [{"card": "king", "rest": 2}]).pending
    assert pending_words(item, captions("en")) == "king 2"


@pytest.mark.every("file", sorted((ROOT / "audit").glob("**/text/en/scene.toml")))
@pytest.mark.every("language", LANGUAGES)
def test_every_word_of_a_table_is_there_in_every_language(file: Path, language: str) -> None:
    english = tomllib.loads(file.read_text("utf-8"))
    other = tomllib.loads((file.parents[1] / language / "scene.toml").read_text("utf-8"))
    assert list(english) == list(other)
    assert all(other.values())
