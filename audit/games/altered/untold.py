"""What a recorder sees happen although the position does not know enough to expect it.

A hand that nobody has seen, cards whose texts are not known here, sums that are announced.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.model import Event
from audit.games.altered.events import ArenaTotals, CardPlayed, ExpeditionAdvanced, ExpeditionTotals
from audit.games.altered.game_data import Cost
from audit.games.altered.places import arena_total, place_of, places_to_play, region, split_place, total, zones_of
from audit.games.altered.state import EXPEDITIONS, STATS, UNKNOWN, State
from audit.games.altered.vocabulary import Stats


def untold(state: State) -> Iterator[Event]:
    """What the player on turn may play from a hand that is not known, and at dusk what may be announced."""
    if state.phase == "afternoon" and state.turn_of:
        yield from _plays(state, state.turn_of)
    elif state.phase == "dusk" and state.daily_effect in (None, "progress"):
        yield from _arena(state) if state.day_kind == "tiebreak" else _races(state)


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
        if place in state.progress.advanced:
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
