"""What a recorder sees happen although the position does not know enough to expect it.

A hand that nobody has seen, cards whose costs or texts are not known here, sums that are announced.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.model import Event
from audit.games.altered.daily_effects import next_part
from audit.games.altered.events import (
    ArenaTotals,
    CardPlayed,
    DailyEffectEnded,
    ExpeditionAdvanced,
    ExpeditionTotals,
    QuickActionPlayed,
)
from audit.games.altered.game_data import Cost
from audit.games.altered.places import (
    arena_total,
    place_of,
    places_to_play,
    region,
    split_place,
    total,
    where_played,
    zones_of,
)
from audit.games.altered.races import may_advance
from audit.games.altered.state import EXPEDITIONS, STATS, UNKNOWN, State
from audit.games.altered.vocabulary import Stats

SUPPORT = "support"
"""How the action is called by which a card is discarded from the Reserve."""


def is_dusk_open(state: State) -> bool:
    """Whether an expedition may have advanced at this dusk of which nobody has told what decides it."""
    if state.daily_effect != "progress" or state.day_kind != "normal" or state.winner is not None:
        return False
    if state.triggered or state.open_effects or next_part(state):
        return False
    return any(may_advance(state, place_of(seat, name)) for seat in state.still_in for name in EXPEDITIONS)


def untold(state: State) -> Iterator[Event]:
    """What the player on turn may play of which nobody has told the cost, and at dusk what may have happened."""
    if state.phase == "afternoon" and state.turn_of:
        yield from _of_untold_cost(state, state.turn_of)
        yield from _from_reserve(state, state.turn_of)
        yield from _plays(state, state.turn_of)
    elif state.phase == "dusk" and state.daily_effect in (None, "progress"):
        yield from _arena(state) if state.day_kind == "tiebreak" else _races(state)
        if is_dusk_open(state):
            yield DailyEffectEnded(seq=0, effect="progress")


def _of_untold_cost(state: State, player: str) -> Iterator[CardPlayed]:
    """Cards of the hand and the Reserve, also one that nobody has named, to wherever they may be played."""
    side = state.side(player)
    hand = dict.fromkeys(UNKNOWN if card.startswith(UNKNOWN) else card for card in side.hand or (UNKNOWN,))
    for card in hand:
        if state.game.costs.get(card, Cost()).hand is None:
            for zone in where_played(state.game, card):
                yield CardPlayed(seq=0, player=player, card=card, from_="hand", to_zone=zone, to_owner=player)
    for card in dict.fromkeys(side.reserve or ()):
        if not card.startswith(UNKNOWN) and state.game.costs.get(card, Cost()).reserve is None:
            for zone in where_played(state.game, card):
                yield CardPlayed(seq=0, player=player, card=card, from_="reserve", to_zone=zone, to_owner=player)


def _from_reserve(state: State, player: str) -> Iterator[QuickActionPlayed]:
    """The support ability that a card of the Reserve may have."""
    told = {name.partition(":")[0] for name in state.game.quick_actions}
    for card in dict.fromkeys(state.side(player).reserve or ()):
        is_told = card in told or card in state.game.abilities
        if not is_told and not card.startswith(UNKNOWN) and state.game.types.get(card, "character") == "character":
            yield QuickActionPlayed(seq=0, player=player, source=card, action=SUPPORT)


def _plays(state: State, player: str) -> Iterator[CardPlayed]:
    side = state.side(player)
    if side.hand is not None and not any(card.startswith(UNKNOWN) for card in side.hand):
        return
    for card in state.game.deck_lists.get(player) or state.game.costs:
        cost = state.game.costs.get(card, Cost()).hand
        if cost is None or cost > (cost if side.ready_orbs is None else side.ready_orbs) or any(zones_of(state, card)):
            continue
        for zone in places_to_play(state.game, card):
            yield CardPlayed(
                seq=0, player=player, card=card, from_="hand", to_zone=zone, to_owner=player, mana=cost
            )  # fmt: skip


def _races(state: State) -> Iterator[Event]:
    """The sums of two expeditions that face each other, and the advance of one that has not advanced yet."""
    for seat, name in ((seat, name) for seat in state.seats for name in EXPEDITIONS):
        place = place_of(seat, name)
        if place in state.progress.advanced or state.side(seat).characters(name) == ():
            continue
        types = tuple(stat for stat in STATS if stat in (region(state, place) or ()))
        if (against := state.facing.get(place)) and types and place not in state.progress.comparisons:
            own, opposing = (_sums(state, one) for one in (place, against))
            if own and opposing:
                yield ExpeditionTotals(
                    seq=0, player=seat, expedition=name, against=against, region=types, own=own, opposing=opposing
                )  # fmt: skip
        yield from (ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat) for stat in types or STATS)


def _sums(state: State, place: str) -> Stats | None:
    seat, name = split_place(place)
    return total(state.side(seat).characters(name))


def _arena(state: State) -> Iterator[ArenaTotals]:
    for side in state.parts_left:
        if sums := arena_total(state, side):
            yield ArenaTotals(seq=0, side=side, forest=sums.forest, mountain=sums.mountain, water=sums.water)
