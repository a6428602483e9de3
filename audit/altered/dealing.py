"""A random set-up for a game that plays itself: cards with costs and stats, regions, decks and hands."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from audit.altered.places import where
from audit.altered.state import EXPEDITIONS, STATS, State
from audit.errors import SetupError

SEATS = {"duel": ("p1", "p2"), "ffa": ("p1", "p2", "p3", "p4"), "2v2": ("p1", "p2", "p3", "p4")}
DECK = 40
HAND = 6
ORBS = 3
DISTANCE = 7
Json = dict[str, object]


def dealt(random: Random, pool: Sequence[str] = ()) -> Json:
    """Everything a game needs before its first day; the pool may name the modes to choose from."""
    if not set(pool) <= set(SEATS):
        raise SetupError("mode", f"one of {', '.join(SEATS)}")
    mode = random.choice(pool or ("duel", "duel", "ffa", "2v2"))
    seats = SEATS[mode]
    decks = {seat: [f"{seat}-{n:02}" for n in range(1, DECK + 1)] for seat in seats}
    cards = [card for deck in decks.values() for card in deck]
    for deck in decks.values():
        random.shuffle(deck)
    paths = [[_types(random) for _ in range(DISTANCE + 4)] for _ in range(2)]
    setup: Json = {
        "mode": mode,
        "seats": list(seats),
        "first_player": random.choice(seats),
        "meet_distance": DISTANCE,
        "facing": facing(seats),
        "hands": {seat: deck[:HAND] for seat, deck in decks.items()},
        "decks": {seat: deck[HAND:] for seat, deck in decks.items()},
        "orbs": {seat: {"ready": ORBS, "exhausted": 0} for seat in seats},
        "limits": {seat: {"reserve": random.choice((2, 2, 3)), "landmark_zone": 2} for seat in seats},
        "paths": {seat: dict(zip(EXPEDITIONS, paths, strict=True)) for seat in seats},
        **_cards(random, cards),
        "quick_actions": _quick_actions(seats),
        "reactions": _reactions(random, seats, decks),
        "tumult": _tumult(random, seats),
    }
    return setup | ({"teams": {"A": [seats[0], seats[2]], "B": [seats[1], seats[3]]}} if mode == "2v2" else {})


def _quick_actions(seats: tuple[str, ...]) -> Json:
    return {
        f"{seat}-hero:{name}": {"controller": seat, "exhausts": exhausts, "mana": mana}
        for seat in seats
        for name, exhausts, mana in (("muster", True, 0), ("study", False, 1))
    }


def _reactions(random: Random, seats: tuple[str, ...], decks: dict[str, list[str]]) -> Json:
    """Each Hero has one, and one card in four: what sets them off is drawn by lot."""
    sources = [(seat, f"{seat}-hero") for seat in seats]
    sources += [(seat, card) for seat, deck in decks.items() for card in deck if random.random() < 0.25]
    found: Json = {}
    for seat, source in sources:
        on = random.choice((*SET_OFF, *(BY_REST if source.endswith("hero") else ())))
        found[f"{source}:answer"] = {"controller": seat, "trigger": on.partition(":")[0], "on": on}
    return found


SET_OFF = (
    "card_played", "card_played:hero_expedition", "player_passed", "quick_action_played", "phase_started:noon",
    "phase_started:dusk", "expedition_advanced:companion", "objects_readied",
)  # fmt: skip
BY_REST = ("character_rested:reserve", "character_rested:reserve")
"""Only for those who are there throughout: in which order Characters rest, a log need not tell."""


def _tumult(random: Random, seats: tuple[str, ...]) -> Json:
    """A card face down on the way of some expeditions; in the centre two."""
    found: Json = {
        f"{seat} {name} {at}": {"cards": [f"tumult-{seat}-{name}-{at}"], "face": "down", "effect": "storm"}
        for seat in seats
        for name in EXPEDITIONS
        for at in random.sample((1, 2, 3), 1)
    }
    found["centre"] = {"cards": ["tumult-5", "tumult-6"], "face": "down", "effect": "calm", "at": 4}
    return found


def facing(seats: tuple[str, ...]) -> list[list[str]]:
    """Who faces whom: two players throughout, four in a ring."""
    if len(seats) == 2:
        return [[where(seat, name) for seat in seats] for name in EXPEDITIONS]
    a, b, c, d = seats
    pairs = [(a, b, "hero"), (c, d, "hero"), (b, c, "companion"), (d, a, "companion")]
    return [[where(one, name), where(other, name)] for one, other, name in pairs]


def _types(random: Random) -> list[str]:
    return sorted(random.sample(STATS, random.choice((1, 1, 2))))


def _cards(random: Random, cards: list[str]) -> Json:
    costs: Json = {}
    stats: Json = {}
    statuses: Json = {}
    abilities: Json = {}
    permanents = [card for card in cards if random.random() < 0.1]
    for card in cards:
        cost = random.randint(1, 6)
        costs[card] = {"hand": cost, "reserve": max(1, cost + random.choice((-1, 0, 0, 1)))}
        stats[card] = {stat: random.randint(0, cost + 1) for stat in STATS}
        statuses[card] = list(random.choice(((), (), (), ("fleeting",), ("anchored",), ("asleep",))))
        if random.random() < 0.03:
            abilities[card] = ["eternal"]
    return {"costs": costs, "stats": stats, "statuses": statuses, "abilities": abilities, "permanents": permanents}


def standing(state: State) -> float:
    """How far the player in turn has come, for players who think one step ahead."""
    side = state.side(state.turn_of or (state.pending[0] if state.pending else state.first or ""))
    strength = sum(
        one.stats.forest + one.stats.mountain + one.stats.water
        for one in (*(side.hero or ()), *(side.companion or ()))
        if one.stats
    )
    return 10.0 * ((side.hero_at or 0) + (side.companion_at or 0)) + strength + 0.5 * (side.ready or 0)
