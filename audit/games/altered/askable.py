"""What may be asked of a card, a zone or an expedition at the table, whether the rules allow it or not."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.model import Event
from audit.games.altered.events import (
    BoostsChanged,
    CardPlayed,
    CardSacrificed,
    CardsDrawn,
    CharacterRested,
    CleanupChoice,
    ExpeditionAdvanced,
    ManaDeclined,
    ManaPlaced,
    ObjectLeft,
    ObjectsReadied,
    PlayerPassed,
    QuickActionPlayed,
    ReactionPlayed,
    StatusGained,
    StatusLost,
    TumultEffectResolved,
    TumultRevealed,
)
from audit.games.altered.game_data import Cost
from audit.games.altered.places import place_of, region, where_played
from audit.games.altered.state import EXPEDITIONS, HERO, LANDMARKS, RESERVE, STATS, UNKNOWN, Character, State
from audit.games.altered.untold import SUPPORT
from audit.games.altered.vocabulary import ExpeditionName, Zone

STATUSES = ("fleeting", "anchored", "asleep")


def askable(state: State, key: str) -> Iterator[Event]:
    """What can be done with what has that key on the scene, the most usual first; nothing for any other key."""
    for seat in state.seats:
        yield from _of_place(state, seat, key)
        yield from _of_card(state, seat, key)
    for name, action in state.game.quick_actions.items():
        source, _, said = name.partition(":")
        if source == key:
            exhausts = source if action.exhausts else None
            yield QuickActionPlayed(
                seq=0, player=action.controller, source=source, action=said, exhausts=exhausts, mana=action.mana
            )  # fmt: skip
    for emblem in state.limbo:
        if emblem.id == key:
            yield ReactionPlayed(seq=0, player=emblem.controller, emblem=key)
    for place, tumult in state.tumult.items():
        if key in tumult.cards:
            yield TumultRevealed(seq=0, cards=(key,), place=place)
            if tumult.effect:
                yield TumultEffectResolved(seq=0, card=key, effect=tumult.effect)


def _of_place(state: State, seat: str, key: str) -> Iterator[Event]:
    if key == f"{seat}.hand":
        yield PlayerPassed(seq=0, player=seat)
    if key == f"{seat}.deck":
        yield CardsDrawn(seq=0, player=seat, count=2)
    if key == f"{seat}.mana":
        yield ManaDeclined(seq=0, player=seat)
        yield ObjectsReadied(seq=0, player=seat)
    for name in EXPEDITIONS:
        here = f"{seat}.{name}"
        for stat in STATS:
            if key in (here, f"{here}.{stat}") and stat in (region(state, place_of(seat, name)) or STATS):
                yield ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat)


def _of_card(state: State, seat: str, card: str) -> Iterator[Event]:
    """What can be done with a card that lies on the side of a player; nothing if it does not, or has no name."""
    side = state.side(seat)
    if card.startswith(UNKNOWN):
        return
    if card in (side.hand or ()):
        yield from _plays(state, seat, card, is_from_hand=True)
        yield ManaPlaced(seq=0, player=seat, card=card)
    if card in (side.reserve or ()):
        yield from _plays(state, seat, card, is_from_hand=False)
        yield CleanupChoice(seq=0, player=seat, zone=RESERVE, kept=(card,))
        yield from (ObjectLeft(seq=0, object=card, from_=RESERVE, to=to) for to in _elsewhere(RESERVE))
        if all(name.partition(":")[0] != card for name in state.game.quick_actions):
            yield QuickActionPlayed(seq=0, player=seat, source=card, action=SUPPORT)
    if card in (side.landmarks or ()):
        yield CleanupChoice(seq=0, player=seat, zone=LANDMARKS, kept=(card,))
        yield CardSacrificed(seq=0, player=seat, card=card, controller=seat)
        yield from (ObjectLeft(seq=0, object=card, from_=LANDMARKS, to=to) for to in _elsewhere(LANDMARKS))
    for name in EXPEDITIONS:
        for one in side.characters(name) or ():
            if one.id == card:
                yield from _of_character(seat, name, one)


def _plays(state: State, seat: str, card: str, *, is_from_hand: bool) -> Iterator[Event]:
    """The card played wherever cards of its type are, for what it costs, if anybody has told that."""
    cost = state.game.costs.get(card, Cost())
    mana = cost.hand if is_from_hand else cost.reserve
    for zone in where_played(state.game, card):
        yield CardPlayed(
            seq=0, player=seat, card=card, from_="hand" if is_from_hand else "reserve", to_zone=zone, to_owner=seat,
            mana=mana,
        )  # fmt: skip


def _of_character(seat: str, expedition: ExpeditionName, one: Character) -> Iterator[Event]:
    card = one.id
    zone: Zone = "hero_expedition" if expedition == HERO else "companion_expedition"
    yield CharacterRested(seq=0, player=seat, card=card, to="reserve")
    yield CharacterRested(seq=0, player=seat, card=card, to="discard")
    yield CharacterRested(seq=0, player=seat, card=card, to="stays")
    yield CardSacrificed(seq=0, player=seat, card=card, controller=seat)
    yield from (ObjectLeft(seq=0, object=card, from_=zone, to=to) for to in _elsewhere(zone))
    yield BoostsChanged(seq=0, card=card, count=1)
    held = one.statuses or ()
    yield from (StatusLost(seq=0, card=card, status=status) for status in held)
    yield from (StatusGained(seq=0, card=card, status=status) for status in STATUSES if status not in held)


def _elsewhere(zone: Zone) -> tuple[Zone, ...]:
    """Where an effect usually sends an object of that zone."""
    others: tuple[Zone, ...] = (RESERVE, "hand", "discard")
    return tuple([other for other in others if other != zone])
