"""Duels at random in which effects told in words draw, move, ready and create: nothing of that is a finding.

Nor is it if a log of these duels holds the choices and the doings of effects alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import LOG_VERSION, Event, Header, Player
from audit.games.altered import RULESET
from audit.games.altered.events import (
    CardPlayed,
    CardsDrawn,
    EffectEnded,
    EffectStarted,
    ExpeditionAdvanced,
    ManaPlaced,
    ObjectLeft,
    ObjectsReadied,
    QuickActionPlayed,
    ReactionPlayed,
    TargetChosen,
    TokenCreated,
)
from audit.games.altered.simulation import dealt
from audit.games.altered.state import EXPEDITIONS, State
from audit.games.altered.vocabulary import Zone
from replays.generating.simulate import chosen, uniform
from replays.generating.telling import choices

RULES = RULESET.rules
MAX_EVENTS = 400
EXPEDITION_ZONES: tuple[Zone, ...] = ("hero_expedition", "companion_expedition")
FROM_EXPEDITION: tuple[Zone, ...] = (*EXPEDITION_ZONES, "hand", "reserve", "discard", "deck", "mana_zone", "removed")


class Duel:
    """A duel that is played at random, with what has happened so far."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        setup = dealt(self.random, ("duel",))
        if seed % 2:
            setup.pop("abilities")
        if seed % 3 == 0:
            setup["reactions"] = {}
        seats = tuple(map(str, setup["seats"]))  # type: ignore[call-overload]
        players = tuple(Player(seat) for seat in seats)
        self.header = Header(log=LOG_VERSION, ruleset="altered", players=players, setup=setup)
        self.state = RULES.start(self.header)
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        event = numbered(event, len(self.events) + 1)
        self.events.append(event)
        self.state = RULES.evolve(self.state, event)

    def play(self, days: int) -> None:
        while len(self.events) < MAX_EVENTS and self.state.day <= days:
            event = chosen(RULESET, self.state, list(RULES.expected(self.state)), uniform, self.random)  # type: ignore
            if event is None:
                return
            self.play_one(event)

    def play_one(self, event: Event) -> None:
        if isinstance(event, CardPlayed) and self.random.random() < 0.2:
            to: Zone = self.random.choice(("limbo", "discard", "reserve"))
            event = replace(event, to_zone=to)
        self.add(event)
        if isinstance(event, CardPlayed | QuickActionPlayed | ReactionPlayed) and self.random.random() < 0.5:
            self.carry_out(event.player)
        if isinstance(event, CardPlayed) and event.to_zone == "limbo" and self.random.random() < 0.7:
            goes: Zone = self.random.choice(("reserve", "discard"))
            self.add(ObjectLeft(seq=0, object=event.card, from_="limbo", to=goes))

    def carry_out(self, player: str) -> None:
        """An effect told in words, and what it does."""
        if self.state.triggered:
            return
        played = self.state.moment.resolving
        source = played.names[-1] if played else player
        self.add(EffectStarted(seq=0, player=player, source=source, effect="words of a card"))
        for _ in range(self.random.randint(0, 2)):
            doing = self.random.choice(list(doings(self.state, self.random, player)))
            self.add(doing)
        self.add(EffectEnded(seq=0, player=player, source=source))


def doings(state: State, random: Random, player: str) -> Iterator[Event]:
    """One of each kind of thing that an effect may do now."""
    side = state.side(player)
    yield CardsDrawn(seq=0, player=player, count=random.randint(1, 3), reason=random.choice(("morning", "spell")))
    yield ObjectsReadied(seq=0, player=player, objects=("orb",))
    yield TokenCreated(
        seq=0, player=player, source="x", token="bug", to_owner=player, to_zone=random.choice(EXPEDITION_ZONES)
    )
    yield ExpeditionAdvanced(
        seq=0, player=random.choice(state.still_in), expedition=random.choice(EXPEDITIONS), stat="forest",
        spaces=random.choice((1, 2, -1)),
    )  # fmt: skip
    if side.deck:
        yield ObjectLeft(seq=0, object=side.deck[0], from_="deck", to="reserve")
        yield ManaPlaced(seq=0, player=player, card=side.deck[0], from_="deck")
    for owner in state.sides:
        for zone, group in zip(EXPEDITION_ZONES, (owner.hero, owner.companion), strict=True):
            for one in group or ():
                yield ObjectLeft(seq=0, object=one.id, from_=zone, to=random.choice(FROM_EXPEDITION))
                yield TargetChosen(seq=0, player=player, source="x", wording="target Character", targets=(one.id,))
        for card in owner.reserve or ():
            yield ObjectLeft(seq=0, object=card, from_="reserve", to=random.choice(("hand", "discard")))


@pytest.mark.every("seed", range(12))
def test_nothing_is_found_where_effects_do_what_their_words_say(seed: int) -> None:
    duel = Duel(seed)
    duel.play(4)
    told = list(audit(RULESET, duel.header, duel.events))
    assert [(step.seq, step.violations) for step in told if step.verdict.is_finding] == []
    brief = choices(RULESET, duel.header, duel.events)  # type: ignore[arg-type]
    assert [(s.seq, s.violations) for s in audit(RULESET, duel.header, brief) if s.verdict.is_finding] == []
