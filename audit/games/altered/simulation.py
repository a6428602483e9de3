"""Random games: a set-up with cards, regions, decks and hands, and what a log that says everything adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from audit.core.errors import SetupError
from audit.core.model import Event
from audit.core.ruleset import Simulation
from audit.games.altered import events as e
from audit.games.altered.places import expeditions, place_of, region, split_place, total
from audit.games.altered.setup_events import ExpeditionsFaced, FirstPlayerDrawn, GameConfigured, Seated, TeamFormed
from audit.games.altered.state import EXPEDITIONS, STATS, State
from audit.games.altered.vocabulary import Stats

if TYPE_CHECKING:
    from random import Random

SEATS = {"duel": ("p1", "p2"), "ffa": ("p1", "p2", "p3", "p4"), "2v2": ("p1", "p2", "p3", "p4")}
DECK = 40
HAND = 6
ORBS = 3
DISTANCE = 7
Json = dict[str, object]


class AlteredSimulation(Simulation[State]):
    """Games of Altered at random."""

    def setup(self, random: Random, pool: Sequence[str] = ()) -> Json:
        return dealt(random, pool)

    def optional_events_before(self, state: State, event: Event) -> Iterator[Event]:
        """The setup, effects that begin and end, checks and sums.

        What the effects do is left out: only the cards say it.
        """
        if isinstance(event, e.DayStarted) and not state.day and not state.last_seq:
            yield from _set_up(state)
        elif isinstance(event, e.ExpeditionAdvanced | e.DailyEffectEnded) and _is_about_to_compare(state):
            yield from _sums(state)
        elif not isinstance(event, e.ReactionActivated) and _is_new_moment(state):
            yield from _effect(state)
            if state.moment.reason != "day_start" and state.moment.reason is not None:
                yield e.ReactionCheck(seq=0, reason=state.moment.reason)

    def score(self, state: State) -> float:
        """How far the player in turn has come, and how strong their Characters are."""
        side = state.side(state.turn_of or (state.parts_left[0] if state.parts_left else state.first_player or ""))
        strength = sum(
            one.stats.forest + one.stats.mountain + one.stats.water
            for one in (*(side.hero or ()), *(side.companion or ()))
            if one.stats
        )
        advance = (side.hero_advance or 0) + (side.companion_advance or 0)
        return 10.0 * advance + strength + 0.5 * (side.ready_orbs or 0)


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
        "deck_lists": {seat: sorted(deck) for seat, deck in decks.items()},
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
"""Only for Characters that are there throughout: a log need not say in which order they rest."""


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
        return [[place_of(seat, name) for seat in seats] for name in EXPEDITIONS]
    a, b, c, d = seats
    pairs = [(a, b, "hero"), (c, d, "hero"), (b, c, "companion"), (d, a, "companion")]
    return [[place_of(one, name), place_of(other, name)] for one, other, name in pairs]


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
        statuses[card] = list(random.choice(((), (), (), ("fleeting",), ("anchored",), ("anchored",))))
        abilities[card] = ["eternal"] if random.random() < 0.03 else []
    return {"costs": costs, "stats": stats, "statuses": statuses, "abilities": abilities, "permanents": permanents}


# What a complete log has besides


def _set_up(state: State) -> Iterator[Event]:
    """What the header says already, as events."""
    if state.first_player is not None:
        yield GameConfigured(seq=0, mode=state.game.mode, players=state.seats, meet_distance=state.meeting_distance)
        yield from (TeamFormed(seq=0, team=team, players=players) for team, players in state.teams)
        yield Seated(seq=0, order=state.seats)
        yield ExpeditionsFaced(seq=0, pairs=tuple((one, other) for one, other in state.facing.items() if one < other))
        yield FirstPlayerDrawn(seq=0, player=state.first_player)


def _is_new_moment(state: State) -> bool:
    """Whether nothing but emblems has come since a moment with a name began."""
    newest = max(state.moment.seq, state.limbo[-1].seq if state.limbo else 0)
    return state.moment.reason is not None and state.last_seq == newest


def _effect(state: State) -> Iterator[Event]:
    """A quick action and a reaction have an effect, carried out before anything else."""
    played = state.moment.resolving
    if played is not None and state.moment.reason in ("after_quick_action", "after_reaction"):
        yield e.EffectStarted(seq=0, player=played.player, source=played.names[-1])
        yield e.EffectEnded(seq=0, player=played.player, source=played.names[-1])


def _is_about_to_compare(state: State) -> bool:
    """Whether it is dusk, the sums count, and nobody has advanced yet."""
    return state.daily_effect == "progress" and state.day_kind == "normal" and not state.progress.advanced


def _sums(state: State) -> Iterator[Event]:
    """Of every expedition whose region, Characters and opponent are known."""
    for seat, name in expeditions(state):
        place = place_of(seat, name)
        facing, types, own = state.facing.get(place), region(state, place), _total_at(state, place)
        opposing = _total_at(state, facing) if facing else None
        if facing and types is not None and own is not None and opposing is not None:
            yield e.ExpeditionTotals(
                seq=0, player=seat, expedition=name, against=facing, own=own, opposing=opposing,
                region=tuple(stat for stat in STATS if stat in types),
            )  # fmt: skip


def _total_at(state: State, place: str) -> Stats | None:
    seat, name = split_place(place)
    return total(state.side(seat).characters(name))
