"""Decks at the limits of the rules of construction, in a file and in a log of each mode, each limit both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from audit.core.model import Verdict
from audit.games.altered.decks import check_deck
from tests.altered.situations import audited, deck, first_finding

Told = Mapping[str, Any]


def of(rarity: str, *copies: int) -> list[dict[str, Any]]:
    """Cards of that rarity, so many copies of each."""
    return [{"name": f"{rarity} {n}", "copies": count, "rarity": rarity} for n, count in enumerate(copies)]


def kite(copies: int, **told: str) -> dict[str, Any]:
    return {"name": "kite", "copies": copies, **told}


HERO = {"name": "captain", "faction": "sun"}

ALLOWED: dict[str, Told] = {
    "the least of 39 cards": {"names": 13},
    "more than 39 cards": {"names": 20, "more": [kite(1)]},
    "fifteen rare cards": {"names": 8, "more": of("rare", 3, 3, 3, 3, 3)},
    "three unique cards": {"names": 12, "more": of("unique", 1, 1, 1)},
    "three unique cards of one name": {"names": 12, "more": of("unique", 3)},
    "three copies in three rarities": {
        "names": 12,
        "more": [kite(1), kite(1, rarity="rare"), kite(1, rarity="unique")],
    },
    "rarities with a capital": {"names": 8, "more": of("Rare", 3, 3, 3, 3, 3)},
    "a faction with a capital": {"names": 13, "more": [kite(1, faction="Sun")]},
    "a card of which nobody has told the faction": {"names": 13, "more": [kite(1, faction="")]},
    "tokens beside the deck": {"names": 13, "tokens": ["spark", "spark", "wisp"]},
}

FORBIDDEN: dict[str, tuple[str, Told]] = {
    "38 cards": ("min-39", {"names": 12, "more": [kite(2)]}),
    "38 cards and a token": ("tokens-not-counted", {"names": 12, "more": [kite(2)], "tokens": ["spark"]}),
    "no Hero": ("one-hero", {"names": 13, "heroes": []}),
    "two Heroes": ("one-hero", {"names": 13, "heroes": [HERO, {"name": "admiral", "faction": "sun"}]}),
    "the same Hero twice in one deck": ("one-hero", {"names": 13, "heroes": [HERO, HERO]}),
    "a card of another faction": ("faction", {"names": 13, "more": [kite(1, faction="moon")]}),
    "four copies": ("copies", {"names": 13, "more": [kite(4)]}),
    "four copies in two rarities": ("copies", {"names": 13, "more": [kite(2), kite(2, rarity="rare")]}),
    "four copies, once with a capital": ("copies", {"names": 13, "more": [kite(2), {**kite(2), "name": "Kite"}]}),
    "sixteen rare cards": ("rare", {"names": 8, "more": of("rare", 3, 3, 3, 3, 3, 1)}),
    "four unique cards": ("unique", {"names": 12, "more": of("unique", 1, 1, 1, 1)}),
    "a token among the cards": ("tokens-outside", {"names": 13, "more": of("token", 1)}),
    "a token by its name": ("tokens-outside", {"names": 13, "more": [kite(1)], "tokens": ["Kite"]}),
}


def as_file(told: Told) -> dict[str, Any]:
    """The deck as a file has it."""
    return {key: value for key, value in deck(told).items() if key not in ("type", "player")}


@pytest.mark.every("name", ALLOWED)
def test_a_deck_within_the_limits_is_allowed(name: str) -> None:
    assert check_deck(as_file(ALLOWED[name])) == ()
    for mode in ("duel", "ffa", "2v2"):
        assert audited({"mode": mode}, [deck(ALLOWED[name])])[-1].verdict is Verdict.LEGAL


@pytest.mark.every("name", FORBIDDEN)
def test_a_deck_beyond_a_limit_breaks_its_rule(name: str) -> None:
    rule, told = FORBIDDEN[name]
    assert check_deck(as_file(told))[0].rule.id == f"altered.deck.{rule}"
    for mode in ("duel", "ffa", "2v2"):
        finding = first_finding(audited({"mode": mode}, [deck(told)]))
        assert finding is not None
        assert (finding.verdict, finding.rules[0].id) == (Verdict.ILLEGAL, f"altered.deck.{rule}")


@pytest.mark.parametrize("mode", ["ffa", "2v2"])
def test_several_players_may_have_the_same_hero(mode: str) -> None:
    decks = [{**deck({"names": 13}), "player": player} for player in ("ann", "ben", "cid", "dot")]
    steps = audited({"mode": mode}, decks)
    assert first_finding(steps) is None
    assert all("altered.deck.same-hero" in [rule.id for rule in step.rules] for step in steps[1:])


@pytest.mark.parametrize("mode", ["ffa", "2v2"])
def test_decks_are_built_before_the_game(mode: str) -> None:
    going_on = {
        "mode": mode, "seats": ["ann", "ben", "cid", "dot"], "first_player": "ann", "day": 2, "phase": "afternoon",
        "limbo": [],
    }  # fmt: skip
    finding = first_finding(audited(going_on, [deck({"names": 13})]))
    assert finding is not None
    assert finding.rules[0].id == "altered.mp.constructed"
