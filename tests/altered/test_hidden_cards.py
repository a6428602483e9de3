"""Hands and decks that nobody sees, with a list of each deck: a card exists as often as it is in the list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from audit.core.model import Event, Verdict
from audit.core.steps import Step
from audit.games.altered import RULESET
from audit.games.altered.game import _each_copy
from audit.games.altered.setup_events import DeckRegistered
from replays.generating.telling import viewer_log
from replays.judging.positions import position_for
from tests.altered.situations import audited, events, first_finding, header

ANN = ["fox", "fox", "owl", "elk", "kite"]
BEN = ["goat", "newt", "moth", "crow"]
TABLE: dict[str, Any] = {
    "mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 2, "phase": "afternoon", "turn_of": "ann",
    "hands": {"ann": 3, "ben": 2}, "decks": {"ann": 1, "ben": 1}, "deck_lists": {"ann": ANN, "ben": BEN},
    "costs": {card: {"hand": 0, "reserve": 0} for card in (*ANN, *BEN)},
    "abilities": {card: [] for card in (*ANN, *BEN)},
    "characters": {"ann": {"hero": [{"id": "fox"}], "companion": []}, "ben": {"hero": [], "companion": []}},
    "orbs": {"ann": {"ready": 1, "exhausted": 0}, "ben": {"ready": 1, "exhausted": 0, "known": ["crow"]}},
    "reserve": {"ann": [], "ben": []}, "landmark_zone": {"ann": [], "ben": []}, "limbo": [],
}  # fmt: skip


def plays(player: str, card: str) -> Mapping[str, object]:
    return {
        "type": "card_played", "player": player, "card": card, "from": "hand", "to_zone": "hero_expedition",
        "to_owner": player, "mana": 0,
    }  # fmt: skip


def finding(steps: list[Step]) -> tuple[int | None, Verdict, str] | None:
    found = first_finding(steps)
    return (found.seq, found.verdict, found.violations[0].key) if found else None


def test_of_the_deck_of_another_player_neither_cards_nor_tokens_are_told() -> None:
    registered = DeckRegistered(seq=1, player="ann", heroes=(), cards=tuple(ANN), tokens=("imp",))
    for viewer, told in (("ann", registered), ("ben", replace(registered, cards=None, tokens=()))):
        assert RULESET.disclosure.redact(RULESET.rules.start(header(TABLE)), registered, viewer) == told


def test_cards_of_the_list_are_played_from_a_hand_that_nobody_sees() -> None:
    log = [plays("ann", "fox"), plays("ben", "goat"), plays("ann", "owl"), plays("ben", "newt")]
    assert finding(audited(TABLE, log)) is None


def test_a_third_fox_is_one_too_many_and_both_places_are_named() -> None:
    steps = audited(TABLE, [plays("ann", "fox"), plays("ben", "goat"), plays("ann", "fox")])
    assert finding(steps) == (3, Verdict.IMPOSSIBLE, "card.twice")
    assert steps[3].violations[0].data == {
        "card": "fox", "player": "ann", "zone": "hero_expedition", "other": "ann", "to": "hero_expedition",
    }  # fmt: skip


def test_a_card_that_stands_on_no_list_exists_once() -> None:
    placed = [("ann", "joker", "hand"), ("ann", "joker", "reserve"), ("ann", "fox", "hand"), ("ben", "fox", "hand")]
    assert [one.card for one in _each_copy(placed, {"fox": 2})] == ["joker", "joker", "fox", "fox#2"]


def test_hands_and_decks_of_which_nobody_has_told_hold_no_card_that_can_be_followed() -> None:
    told = {key: value for key, value in TABLE.items() if key not in ("hands", "decks")}
    held = RULESET.rules.holdings(RULESET.rules.start(header(told)))
    assert held is not None
    assert {(one.card, one.zone) for one in held.cards} == {("fox", "hero_expedition"), ("crow", "mana_zone")}


def test_who_draws_from_a_deck_of_which_nobody_has_told_writes_down_how_many() -> None:
    told = {key: value for key, value in TABLE.items() if key != "decks"}
    state = RULESET.rules.start(header(told))
    drawn = events([{"type": "cards_drawn", "player": "ann", "count": 2, "reason": "owl"}])[0]
    after = RULESET.rules.evolve(state, drawn)
    assert list(RULESET.disclosure.recorder("ann")(state, drawn, after)) == [drawn]


def test_what_became_an_orb_is_not_played_from_the_hand() -> None:
    found = first_finding(audited(TABLE, [plays("ann", "owl"), plays("ben", "crow")]))
    assert found is not None
    assert (found.seq, found.verdict) == (2, Verdict.IMPOSSIBLE)
    assert (found.violations[0].data["zone"], found.violations[0].data["to"]) == ("hero_expedition", "mana_zone")


@pytest.mark.parametrize("card", ["goat", "dragon"])
def test_a_card_of_the_other_deck_or_of_none_is_not_played(card: str) -> None:
    table = {**TABLE, "costs": {}, "abilities": {}}
    assert finding(audited(table, [plays("ann", card)])) == (1, Verdict.IMPOSSIBLE, "deck.other")


def test_without_a_list_nobody_can_tell() -> None:
    table = {key: value for key, value in TABLE.items() if key != "deck_lists"}
    assert finding(audited(table, [plays("ann", "goat")])) is None
    only = {**TABLE, "deck_lists": {"ann": ANN}}
    assert finding(audited(only, [plays("ann", "fox"), plays("ben", "owl")])) is None
    assert finding(audited(only, [plays("ann", "fox"), plays("ben", "fox")])) is None


MORNING = {
    **TABLE, "phase": "morning", "daily_effect": "draw", "decks": {"ann": 2, "ben": 3},
    "hands": {"ann": ["owl"], "ben": 1},
    "deck_lists": {"ann": [*ANN, "oar"], "ben": BEN}, "reserve": {"ann": ["elk"], "ben": []},
}  # fmt: skip
OTHER = {"type": "cards_drawn", "player": "ben", "count": 2}


def draws(*cards: str) -> Mapping[str, object]:
    return {"type": "cards_drawn", "player": "ann", "count": 2, "cards": list(cards)}


@pytest.mark.every(
    ("drawn", "key"),
    [
        (("fox", "kite"), None),
        (("elk", "kite"), "card.twice"),
        (("owl", "kite"), "card.twice"),
        (("goat", "kite"), "deck.other"),
        (("fox", "kite", "oar"), "draw.cards"),
    ],
)
def test_a_player_writes_down_what_she_draws(drawn: tuple[str, ...], key: str | None) -> None:
    """The elk lies in her Reserve, the owl is in her hand, and the goat is of the other deck."""
    found = first_finding(audited(MORNING, [draws(*drawn), OTHER]))
    assert (found and found.violations[0].key) == key


def test_she_does_not_draw_past_the_top_of_a_deck_that_is_known() -> None:
    known = {**MORNING, "decks": {"ann": ["fox", "kite", "oar"], "ben": 3}}
    assert finding(audited(known, [draws("fox", "kite"), OTHER])) is None
    assert finding(audited(known, [draws("fox", "oar"), OTHER])) == (1, Verdict.IMPOSSIBLE, "draw.top")


def test_after_a_card_nobody_saw_has_left_a_hand_none_of_it_is_certain() -> None:
    """One of three known cards becomes an orb, face down. Any of them may still be played, and no fourth."""
    table = {**MORNING, "daily_effect": "mana", "hands": {"ann": ["owl", "kite", "oar"], "ben": 1}}
    steps = audited(table, [{"type": "mana_placed", "player": "ann", "card": "?"}])
    assert steps[-1].state.side("ann").hand == ("?", "?")  # type: ignore[attr-defined]


def test_a_players_own_record_names_what_she_drew_and_hides_her_deck() -> None:
    table = {**MORNING, "decks": {"ann": ["fox", "kite"], "ben": ["goat", "newt", "moth"]}}
    log = events([{"type": "cards_drawn", "player": "ann", "count": 2}, OTHER])
    own, seen = viewer_log(RULESET, header(table), log, "ann")  # type: ignore[arg-type]
    assert own.setup["decks"] == {"ann": ["?", "?"], "ben": ["?", "?", "?"]}
    assert own.setup["deck_lists"] == {"ann": [*ANN, "oar"]}
    assert _cards(seen) == [("fox", "kite"), None]
    public, unseen = viewer_log(RULESET, header(table), log, "public")  # type: ignore[arg-type]
    assert public.setup["deck_lists"] == {}
    assert _cards(unseen) == [None, None]


def _cards(log: list[Event]) -> list[object]:
    return [getattr(event, "cards", None) for event in log]


def test_the_two_cards_of_the_morning_are_written_down_one_by_one() -> None:
    first, second = ({"type": "cards_drawn", "player": "ann", "count": 1, "cards": [card]} for card in ("fox", "kite"))
    steps = audited(MORNING, [first, second, OTHER])
    assert first_finding(steps) is None
    assert steps[-1].state.side("ann").hand == ("owl", "fox", "kite")  # type: ignore[attr-defined]
    assert finding(audited(MORNING, [first, OTHER])) == (1, Verdict.ILLEGAL, "draw.count")


def test_what_lies_face_down_on_the_board_is_known_to_nobody_at_the_table() -> None:
    """Not in the header, and not in a position, until it is turned up."""
    setup = {"mode": "duel", "seats": ["ann", "ben"], "tumult": {
        "ann hero 1": {"cards": ["gale"], "effect": "each draws", "face": "down"},
        "ben hero 1": {"cards": ["calm"], "effect": "none", "face": "up"},
    }}  # fmt: skip
    head = header(setup)
    for viewer in ("public", "ann", "ben"):
        told = RULESET.disclosure.recorded_header(head, viewer).setup["tumult"]
        assert told == {"ann hero 1": {"cards": ["?"], "face": "down"}, "ben hero 1": setup["tumult"]["ben hero 1"]}  # type: ignore[index]
        assert position_for(RULESET, RULESET.rules.start(head), viewer)["tumult"] == told
        view = RULESET.disclosure.view(RULESET.rules.start(head), viewer)["tumult"]
        assert view == {"ann hero 1": {"cards": ["?"], "face": "down"}, "ben hero 1": {"cards": ["calm"], "face": "up"}}
    assert RULESET.disclosure.recorded_header(head, "judge") == head
