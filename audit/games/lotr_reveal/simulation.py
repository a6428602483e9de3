"""Random games: a setup of cards of our own, and the markers of a complete log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from audit.core.errors import SetupError
from audit.core.model import Event
from audit.core.ruleset import Simulation
from audit.games.lotr_reveal import events as e
from audit.games.lotr_reveal.cards import (
    AMBUSH,
    CANCEL_AND_REPLACE,
    CANCEL_CARD,
    CANCEL_EFFECT,
    DISCARD,
    DOOMED,
    EXHAUST,
    GUARDED,
    GUARDED_X,
    HUNT,
    NAME_TYPE,
    PERIL,
    READY,
    SHUFFLE,
    SURGE,
)
from audit.games.lotr_reveal.lookup import frame_of
from audit.games.lotr_reveal.state import Frame, State
from audit.games.lotr_reveal.steps import INDEX, S12, WINDOWS, name_of
from audit.games.lotr_reveal.zones import is_staging_over

if TYPE_CHECKING:
    from random import Random

Entry = dict[str, object]

_GRANT: Entry = {"effect": "grant_keyword", "keyword": SURGE, "to": "goblin"}

_ENEMIES = ("orc", "wolf", "raider", "troll", "goblin-scout", "warg", "bandit", "wight")
_LOCATIONS = ("old-ford", "dark-pass", "watchtower", "marsh", "ruined-keep", "narrow-path")
_TREACHERIES = ("cold-rain", "black-tide", "weariness", "false-trail", "rumour", "thick-fog")


class RevealSimulation(Simulation[State]):
    """Games of reveals, played at random."""

    def setup(self, random: Random, pool: Sequence[str] = ()) -> Entry:
        """Some rounds of a card for each player, fewer where the deck runs out; the pool names encounter cards."""
        every = (*_ENEMIES, *_LOCATIONS, *_TREACHERIES)
        if not set(pool) <= set(every):
            raise SetupError("encounter_deck", f"some of {', '.join(every)}")
        seats = [f"p{number}" for number in range(1, random.choice((1, 2, 2, 3)) + 1)]
        cards: dict[str, object] = {}
        for names, kind in ((_ENEMIES, _enemy), (_LOCATIONS, _location), (_TREACHERIES, _treachery)):
            known = [name for name in names if not pool or name in pool]
            for name in random.sample(known, random.randint(min(3, len(known)), len(known))):
                cards[name] = kind(random)
        deck = [copy for card in cards for copy in _copies(random, card)]
        random.shuffle(deck)
        return {
            "players": seats,
            "first_player": seats[0],
            "encounter_deck": deck,
            "encounter_cards": sorted(deck),
            "encounter_discard": [],
            "staging_area": [],
            "engaged": {},
            "cards": cards,
            "in_play": _in_play(random, seats),
            "threat": {seat: random.randint(20, 35) for seat in seats},
            "hand_size": {seat: random.randint(1, 6) for seat in seats},
            "characters": {
                f"hero-{seat}-{number}": {"ready": random.random() < 0.5, "damage": 0}
                for seat in seats
                for number in (1, 2)
            },
            "reveals": len(seats) * random.randint(1, 6),
        }

    def optional_events_before(self, state: State, event: Event) -> Iterator[Event]:
        """Every step from the one a card has reached to that of the event, and every window between them.

        Before the first card of another round it is told what happened at the table since the last one.
        """
        is_staging = isinstance(event, e.RevealStarted) and event.cause == "staging"
        if is_staging and not state.frames and is_staging_over(state):
            return _between_rounds(state)
        if isinstance(event, e.RevealStarted | e.PlacementStarted):
            frame = frame_of(state, event.parent)
            goal = S12 if event.cause == "surge" else 0
        else:
            frame = frame_of(state, getattr(event, "frame", None))
            goal = INDEX[getattr(event, "step", "1")]
        return _on_the_way(frame, goal) if frame is not None else iter(())


def _between_rounds(state: State) -> Iterator[Event]:
    """The end of a round and the beginning of the next, up to the first card of its staging step."""
    seats = state.setup.seats
    yield e.PhaseStarted(seq=0, phase="refresh")
    yield e.CharactersReadied(seq=0)
    for seat in seats:
        yield e.ThreatMoved(seq=0, player=seat, delta=1)
    yield e.FirstPlayerPassed(seq=0, to=seats[(seats.index(state.first) + 1) % len(seats)])
    yield e.PhaseStarted(seq=0, phase="quest")
    for number, seat in enumerate(seats):
        own = [name for name, source in state.sources.items() if source.commits and source.owner == seat]
        heroes = [name for name in state.characters if name.startswith(f"hero-{seat}")]
        is_all = (state.roots + number) % 3
        yield e.CharactersCommitted(seq=0, player=seat, characters=tuple((*own, *heroes) if is_all else heroes[:1]))


def _on_the_way(frame: Frame, goal: int) -> Iterator[Event]:
    for step in range(frame.step, goal):
        if step in WINDOWS:
            yield e.WindowPassed(seq=0, frame=frame.id, step=name_of(step))
        yield e.StepEntered(seq=0, frame=frame.id, step=name_of(step + 1))


def _copies(random: Random, card: str) -> list[str]:
    return [card, *(f"{card}#{number}" for number in range(2, random.choice((1, 1, 2, 3)) + 1))]


def _enemy(random: Random) -> Entry:
    card: Entry = {"type": "enemy", "hit_points": random.randint(1, 5), "keywords": _keywords(random, AMBUSH)}
    if random.random() < 0.4:
        card["traits"] = [random.choice(("goblin", "undead"))]
    if random.random() < 0.2:
        card["resistance"] = random.randint(1, 2)
    if random.random() < 0.15:
        card["immune"] = True
    if random.random() < 0.25:
        card["outcome_effects"] = [_outcome(random, "defeated")]
    return _revealing(random, card)


def _location(random: Random) -> Entry:
    card: Entry = {"type": "location", "quest_points": random.randint(1, 4), "keywords": _keywords(random, "villager")}
    if random.random() < 0.3:
        card["outcome_effects"] = [_outcome(random, "explored")]
    return _revealing(random, card)


def _treachery(random: Random) -> Entry:
    card: Entry = {"type": "treachery", "keywords": _keywords(random, None), "has_when_revealed": True}
    if random.random() < 0.4:
        card["text"] = "1 damage to each exhausted character"
    if random.random() < 0.2:
        card["gains"] = [random.choice((SURGE, f"{DOOMED} 1"))]
    return card


def _revealing(random: Random, card: Entry) -> Entry:
    if random.random() < 0.25:
        card["has_when_revealed"] = True
    return card


def _outcome(random: Random, trigger: str) -> Entry:
    effects: tuple[Entry, ...] = (
        {"effect": "raise threat by 3"},
        {"effect": "first player draws a card"},
        {"effect": "shuffle into encounter deck"},
    )
    return {"trigger": trigger, **random.choice(effects)}


def _keywords(random: Random, entering: str | None) -> dict[str, bool | int | str]:
    found: dict[str, bool | int | str] = {}
    if random.random() < 0.3:
        found[SURGE] = True
    if random.random() < 0.3:
        found[DOOMED] = random.randint(1, 3)
    if random.random() < 0.15:
        found[PERIL] = True
    if random.random() < 0.1:
        found[HUNT] = random.randint(1, 2)
    if entering and random.random() < 0.25:
        found.update(random.choice(({entering: True}, {GUARDED: True}, {GUARDED_X: "enemy"})))
    return found


def _in_play(random: Random, seats: list[str]) -> dict[str, object]:
    some = {name: entry for name, entry in _sources(random, seats).items() if random.random() < 0.4}
    return dict(some)


def _sources(random: Random, seats: list[str]) -> dict[str, Entry]:
    def owner() -> str:
        return random.choice(seats)

    hero = f"hero-{seats[0]}-1"
    ears: Entry = {"response": CANCEL_CARD, "disposition": SHUFFLE, "replacement": True, "cost": "none"}
    return {
        "quick-blade": {"owner": owner(), "committed": True, "on_reveal": _damage(random)},
        "keen-scout": {"owner": owner(), "on_reveal": {"effect": "progress", "amount": 1, "to": "location"}},
        "goblin-chief": {"side": "encounter", "on_reveal": _GRANT},
        "sharp-ears": {"owner": owner(), **ears},
        "firm-mind": {"owner": owner(), "response": CANCEL_EFFECT, "cost": DISCARD},
        "wise-words": {"owner": owner(), "response": CANCEL_AND_REPLACE, "cost": EXHAUST},
        "lamp": {"owner": owner(), "response": NAME_TYPE, "cost": "none"},
        "fleet-foot": {"owner": owner(), "response": READY, "step": "4.5", "attached_to": hero, "cost": EXHAUST},
        "pit-trap": {"owner": owner(), "enters_with": {"effect": "attach", "to": "enemy"}},
        "grave-song": {"owner": owner(), "enters_with": {"effect": "engage", "to": "undead"}},
        "watch-fire": {"side": "encounter", "forced": {"step": "10", "effect": "deal 1 damage to a character"}},
        "ill-omen": {"side": "encounter", "forced": {"step": "11", "effect": "raise threat by 1"}},
        "bell": {"owner": owner(), "response": "other", "step": random.choice(("10", "11", "5.0")), "cost": EXHAUST},
    }  # fmt: skip


def _damage(random: Random) -> Entry:
    return {"effect": "damage", "amount": random.randint(1, 2), "to": "enemy"}
