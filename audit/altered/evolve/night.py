"""What the night changes: Rest and Cleanup."""

from __future__ import annotations

from msgspec.structs import replace

from audit.altered.events import CharacterRested, CleanupChoice, CleanupDiscarded
from audit.altered.evolve.common import Moves, characters_changed, come, less, put, sides_with, taken_from
from audit.altered.places import character, in_expedition, where
from audit.altered.state import RESERVE, Cards, Character, Side, State


def rested(state: State, event: CharacterRested) -> State:
    """A Character is in the Reserve, in the discard, or where it was with fewer statuses."""
    pending = less(state.pending, event.card)
    found = in_expedition(state, event.card)
    if event.to == "stays":
        sides = _relieved(state, event) if found else _appeared(state, event)
        return replace(state, pending=pending, sides=sides)
    seat = found[0] if found else event.player
    side = taken_from(state.side(seat), event.card)
    side = put(side, event.to, character(state.box, event.card))
    moment = come(state, event, event.card) if event.to == RESERVE else state.moment
    gone = {**state.gone, event.card: event.seq}
    return replace(
        state,
        pending=pending,
        sides=sides_with(state, seat, lambda _: side),
        moment=moment,
        gone=gone,
    )


def _appeared(state: State, event: CharacterRested) -> tuple[Side, ...]:
    """A Character nobody has told of: it may be in either expedition, so the sums of both are untold."""
    side = state.side(event.player)
    for zone in ("hero_expedition", "companion_expedition"):
        side = put(side, zone, Character(event.card))
    return sides_with(state, event.player, lambda _: side)


def _relieved(state: State, event: CharacterRested) -> tuple[Side, ...]:
    def change(one: Character) -> Character:
        if one.id != event.card:
            return one
        left = tuple(status for status in one.statuses or () if status not in event.statuses_removed)
        return replace(one, statuses=left)

    return characters_changed(state, change)


def chosen(state: State, event: CleanupChoice) -> State:
    """What a player keeps of a zone is announced."""
    part = where(event.player, event.zone)
    return replace(state, kept={**state.kept, part: event.kept}, pending=less(state.pending, part))


def discarded(state: State, event: CleanupDiscarded) -> State:
    """What nobody keeps is discarded."""
    sides = tuple(
        _thrown(side, event.discarded.get(seat, ())) for seat, side in zip(state.seats, state.sides, strict=True)
    )
    gone = {**state.gone, **{card: event.seq for cards in event.discarded.values() for card in cards}}
    return replace(state, sides=sides, discarded=True, gone=gone)


def _thrown(side: Side, cards: Cards) -> Side:
    for card in cards:
        side = taken_from(side, card)
    return replace(side, discard=(*side.discard, *cards)) if cards else side


MOVES: Moves = {CharacterRested: rested, CleanupChoice: chosen, CleanupDiscarded: discarded}
