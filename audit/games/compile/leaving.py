"""Cards leave the field for the trash or a hand."""

from __future__ import annotations

from msgspec.structs import replace

from audit.games.compile.following import with_due
from audit.games.compile.moves import arrived, lift
from audit.games.compile.parts import opponent, pushed, seats_of_cards
from audit.games.compile.readings import DELETION_NOT_COMMITTED, RETURNS_COMMIT
from audit.games.compile.state import CardsLeaving, State
from audit.games.compile.texts import waiting


def leave(
    state: State, cards: tuple[str, ...], to: str, why: tuple[int, ...], actor: str | None, silent: bool = False
) -> State:
    """The position after cards leave the field. Texts that wait for this act after everything that follows from it."""
    owners = owners_of_cards(state)
    going = tuple([(card, owners[card]) for card in cards if card in owners])
    return left_for(state, going, to, why, actor, silent)


def owners_of_cards(state: State) -> dict[str, str]:
    """Whose the cards of the field are: of the player on whose side they lie, unless a reading says otherwise."""
    seats = seats_of_cards(state)
    if not state.lent:
        return seats
    return {card: opponent(seat) if card in state.lent else seat for card, seat in seats.items()}


def left_for(
    state: State, going: tuple[tuple[str, str], ...], to: str, why: tuple[int, ...], actor: str | None, silent: bool
) -> State:
    """The position after cards leave the field, each for the zone of the player that is named with it."""
    if not going:
        return state
    state, uncovered = lift(state, tuple(card for card, _ in going))
    if state.lent:
        state = replace(state, lent=tuple(card for card in state.lent if card not in dict(going)))
    if actor and to == "trash":
        state = with_due(state, waiting(state, actor, "after_you_delete"), why)
    uncovered = () if silent else uncovered
    if uncovered and _is_committed(state, to):
        return pushed(state, CardsLeaving(going, to, uncovered, why=why))
    state = arrived(state, going, to)
    return pushed(state, CardsLeaving((), to, uncovered, why=why)) if uncovered else state


def _is_committed(state: State, to: str) -> bool:
    """Whether cards leaving the field for there are on their way while the texts they lay bare act."""
    switch = DELETION_NOT_COMMITTED.name if to == "trash" else RETURNS_COMMIT.name
    return (switch in state.switches) == (to != "trash")
