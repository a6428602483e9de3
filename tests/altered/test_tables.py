"""Tables of Altered as they are really played: where abilities work, whose a card is, what a text may change.

A legal log gets no finding, and what only a text decides gets no tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.altered.situations import audited
from tests.altered.test_real_play import Event, day, found, moved, passed, played, unchecked

# Where reactions work


def reacting(trigger: str, on: str = "card_played", **more: Any) -> dict[str, Any]:
    """A tower of Kim's in the Landmark zone that reacts."""
    ability = {"controller": "kim", "trigger": trigger, "on": on, **more}
    return day(
        landmark_zone={"kim": ["tower"], "leo": []}, hands={"kim": ["scout", "ox"], "leo": ["scout", "ox"]},
        abilities={"scout": [], "ox": []}, reactions={"tower:light": ability},
    )  # fmt: skip


def activated(source: str, name: str, trigger_seq: int, seat: str = "kim") -> Event:
    return {
        "type": "reaction_activated", "reaction": name, "source": source, "controller": seat, "trigger": "it happens",
        "trigger_seq": trigger_seq, "emblem": "e1",
    }  # fmt: skip


def reacted(emblem: str = "e1", seat: str = "kim") -> Event:
    return {"type": "reaction_played", "player": seat, "emblem": emblem}


OWN = ("when you play a card", "Quand vous jouez une carte", "quando giochi una carta", "Gdy zagrywasz kartę")
"""The same in the four languages: it is the controller's card that counts."""


@pytest.mark.every("trigger", OWN)
def test_a_landmark_reacts_to_its_own_player_only(trigger: str) -> None:
    told = [played("kim", "scout", 2), activated("tower", "light", 1), reacted(), played("leo", "scout", 2)]
    steps = audited(reacting(trigger), [*told, *passed("kim")])
    assert found(steps) == []
    assert 2 not in unchecked(steps)


@pytest.mark.every("trigger", OWN)
def test_a_reaction_of_a_landmark_is_forgotten(trigger: str) -> None:
    steps = audited(reacting(trigger), [played("kim", "scout", 2), played("leo", "scout", 2)])
    assert found(steps) == [(2, "altered.4.4.b")]


@pytest.mark.every("trigger", OWN)
def test_the_card_of_the_other_player_sets_nothing_off(trigger: str) -> None:
    told = [*passed("kim"), played("leo", "scout", 2), activated("tower", "light", 2)]
    assert found(audited(reacting(trigger), told)) == [(3, "altered.6.3.b")]


OTHER = (
    "whenever an opponent plays a card", "chaque fois qu'un adversaire joue une carte",
    "ogni volta che un avversario gioca una carta", "gdy przeciwnik zagrywa kartę",
)  # fmt: skip


@pytest.mark.every("trigger", OTHER)
def test_only_the_card_of_an_opponent_sets_it_off(trigger: str) -> None:
    legal = [played("kim", "scout", 2), played("leo", "scout", 2), activated("tower", "light", 2), reacted()]
    assert found(audited(reacting(trigger), legal)) == []
    wrong = [played("kim", "scout", 2), activated("tower", "light", 1)]
    assert found(audited(reacting(trigger), wrong)) == [(2, "altered.6.3.b")]


CREATED = (
    "when a token is created", "Quand un jeton est créé", "quando viene creata una pedina",
    "Gdy zostanie stworzony żeton", "when you create a token", "Quand vous créez un jeton",
    "quando crei un segnalino", "Gdy tworzysz żeton",
)  # fmt: skip


def hearing(trigger: str) -> dict[str, Any]:
    """The tower reacts to tokens; each player has a Spell in hand that may create one."""
    return reacting(trigger, "token_created") | {"hands": {seat: ["nest", "scout"] for seat in ("kim", "leo")}}


def created(seat: str) -> Event:
    return {
        "type": "token_created", "player": seat, "source": "nest", "token": "bug", "to_zone": "hero_expedition",
        "to_owner": seat,
    }  # fmt: skip


@pytest.mark.every("trigger", CREATED)
def test_a_token_sets_off_what_reacts_to_tokens(trigger: str) -> None:
    given, nest = hearing(trigger), played("kim", "nest", 2, "limbo")
    legal = [nest, created("kim"), activated("tower", "light", 2), reacted(), played("leo", "scout", 2)]
    steps = audited(given, legal)
    assert found(steps) == []
    assert 3 not in unchecked(steps)
    assert found(audited(given, [nest, created("kim"), played("leo", "scout", 2)])) == [(3, "altered.4.4.b")]


@pytest.mark.every(("trigger", "is_heard"), [(CREATED[0], True), (CREATED[4], False)])
def test_a_token_of_the_opponent_is_heard_where_the_text_says_so(trigger: str, is_heard: bool) -> None:
    told = [*passed("kim"), played("leo", "nest", 2, "limbo"), created("leo"), activated("tower", "light", 3)]
    assert (found(audited(hearing(trigger), told)) == []) is is_heard


def test_one_that_names_its_token_is_not_read() -> None:
    told = [played("kim", "nest", 2, "limbo"), created("kim"), played("leo", "scout", 2)]
    assert found(audited(hearing("when a Robot token is created"), told)) == []


@pytest.mark.parametrize(("status", "to"), [([], "reserve"), (["anchored"], "stays")], ids=["goes", "stays"])
def test_who_stays_at_rest_has_not_left(status: list[str], to: str) -> None:
    bye = {"controller": "kim", "trigger": "when I leave the Expedition", "on": "character_rested"}
    scout = {"hero": [{"id": "scout", "statuses": status}], "companion": []}
    given = day(
        "night", daily_effect="rest", reactions={"scout:bye": bye}, abilities={"scout": []},
        characters={"kim": scout, "leo": {"hero": [], "companion": []}},
    )  # fmt: skip
    rest: Event = {"type": "character_rested", "player": "kim", "card": "scout", "to": to}
    forgotten = [(2, "altered.4.2.e.next-phase")] if to == "reserve" else []
    assert found(audited(given, [rest, {"type": "day_started", "day": 4}])) == forgotten


def test_a_trigger_that_is_not_read_is_neither_missed_nor_denied() -> None:
    """The text says more than `on`: nobody knows here whether it was set off."""
    given = reacting("when you play a Character with the hat of your grandmother")
    assert found(audited(given, [played("kim", "scout", 2), played("leo", "scout", 2)])) == []
    steps = audited(given, [played("kim", "scout", 2), activated("tower", "light", 1), reacted()])
    assert found(steps) == []
    assert unchecked(steps)[2] == "unread.trigger"


def test_what_lies_in_the_reserve_does_not_react() -> None:
    given = reacting("when you play a card") | {"landmark_zone": {"kim": [], "leo": []}}
    given |= {"reserve": {"kim": ["tower"], "leo": []}}
    assert found(audited(given, [played("kim", "scout", 2), played("leo", "scout", 2)])) == []
    wrong = [played("kim", "scout", 2), activated("tower", "light", 1)]
    assert found(audited(given, wrong)) == [(2, "altered.6.3.b")]


def test_unless_its_setup_says_from_the_reserve() -> None:
    given = reacting("when you play a card", **{"from": "reserve"}) | {"landmark_zone": {"kim": [], "leo": []}}
    given |= {"reserve": {"kim": ["tower"], "leo": []}}
    legal = [played("kim", "scout", 2), activated("tower", "light", 1), reacted(), played("leo", "scout", 2)]
    assert found(audited(given, legal)) == []
    assert found(audited(given, [played("kim", "scout", 2), played("leo", "scout", 2)])) == [(2, "altered.4.4.b")]


def test_where_zones_are_not_known_nobody_says_that_the_source_was_not_there() -> None:
    given = reacting("when you play a card") | {"landmark_zone": {"leo": []}}
    steps = audited(given, [played("kim", "scout", 2), activated("tower", "light", 1), reacted()])
    assert found(steps) == []
    assert unchecked(steps)[2] == "unread.place"


def cleaning(on: str = "cleanup_discarded") -> dict[str, Any]:
    """Kim's Reserve is full, and the scout in it reacts to being discarded from there."""
    ability = {"controller": "kim", "trigger": "when I am discarded from the Reserve", "on": on}
    return day(
        "night", daily_effect="cleanup", reserve={"kim": ["scout", "ox", "whale"], "leo": []},
        reactions={"scout:farewell": ability}, abilities={},
    )  # fmt: skip


def cleaned(*kept: str) -> list[Event]:
    gone = [card for card in ("scout", "ox", "whale") if card not in kept]
    return [
        {"type": "cleanup_choice", "player": "kim", "zone": "reserve", "kept": list(kept)},
        {"type": "cleanup_discarded", "discarded": {"kim": gone}},
    ]


TOMORROW: Sequence[Event] = ({"type": "day_started", "day": 4},)


def test_cleanup_sets_off_a_reaction_whose_source_is_gone() -> None:
    told = [*cleaned("ox", "whale"), activated("scout", "farewell", 2), reacted(), *TOMORROW]
    assert found(audited(cleaning(), told)) == []


def test_the_reaction_to_cleanup_is_forgotten() -> None:
    assert found(audited(cleaning(), [*cleaned("ox", "whale"), *TOMORROW])) == [(3, "altered.4.2.e.next-phase")]


def test_who_is_kept_is_not_discarded() -> None:
    assert found(audited(cleaning(), [*cleaned("scout", "whale"), *TOMORROW])) == []
    wrong = [*cleaned("scout", "whale"), activated("scout", "farewell", 2)]
    assert found(audited(cleaning(), wrong)) == [(3, "altered.6.3.b")]


def test_cleanup_told_as_an_object_that_leaves_sets_off_the_same() -> None:
    told = [moved("scout", "reserve", "discard"), activated("scout", "farewell", 1), reacted(), *TOMORROW]
    assert found(audited(cleaning(), told)) == []
