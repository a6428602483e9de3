"""Cards change their place, and unknown cards get their names. No criterion is checked here."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from audit.games.compile.following import with_due
from audit.games.compile.parts import is_known, opponent, pushed, seats_of_cards, side_of, with_line, with_side
from audit.games.compile.readings import DELETION_NOT_COMMITTED, RETURNS_COMMIT
from audit.games.compile.state import ALL_CARDS, SEATS, UNKNOWN, CardsLeaving, PlacedCard, Side, State, Text
from audit.games.compile.texts import waiting

T = TypeVar("T")


def taken_from(zone: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    """A hand or deck without these cards: by name, else unknown cards, those nearest the top first.

    An unknown card taken out of known ones may have been any of them: what is left is then unknown too.
    """
    number = len(cards)
    if zone[:number] == cards:
        return zone[number:]
    left = list(zone)
    for card in cards:
        if card in left:
            left.remove(card)
        elif is_known(card):
            left.pop(_stand_in(left)) if left else None
        elif left:
            left = [UNKNOWN] * (len(left) - 1)
    return tuple(left)


def _stand_in(cards: list[str]) -> int:
    """The index of the unknown card that stands for a named one."""
    anonymous = next((i for i, card in enumerate(cards) if card == UNKNOWN), None)
    if anonymous is not None:
        return anonymous
    return next((i for i, card in enumerate(cards) if not is_known(card)), len(cards) - 1)


def with_hand(state: State, seat: str, hand: tuple[str, ...]) -> State:
    """The position with another hand."""
    return with_side(state, seat, replace(side_of(state, seat), hand=hand[:ALL_CARDS]))


def with_hidden_hand(state: State, seat: str) -> State:
    """The position after any card of a hand may have left it: what was known to be in it may be elsewhere."""
    hand = tuple([UNKNOWN if is_known(card) else card for card in side_of(state, seat).hand])
    return with_hand(state, seat, hand)


def taken_away(state: State, seat: str, zone: str, cards: tuple[str, ...]) -> State:
    """The position without these cards of a deck or hand; an unknown one may have been any of the known ones.

    A card said to come from a hand and known to lie in the deck or trash is taken from there: it exists once.
    """
    side = state.a if seat == "A" else state.b
    if zone == "hand" and len(cards) == 1 and cards[0] not in side.hand and is_known(cards[0]):
        zone = next((one for one in ("deck", "trash") if cards[0] in getattr(side, one)), zone)
    held = side.hand if zone == "hand" else side.deck if zone == "deck" else side.trash
    if len(cards) == 1 and cards[0] in held:
        at = held.index(cards[0])
        return with_side(state, seat, with_zone(side, zone, held[:at] + held[at + 1 :]))
    unseen = any(card not in held and not is_known(card) for card in cards)
    if unseen and any(is_stranger(side, card) for card in held):
        state = with_foreign(state, seat)
    return with_side(state, seat, with_zone(side, zone, taken_from(held, cards)))


def with_zone(side: Side, zone: str, cards: tuple[str, ...]) -> Side:
    """The side with other cards in its deck, trash or hand."""
    if zone == "hand":
        return replace(side, hand=cards)
    return replace(side, deck=cards) if zone == "deck" else replace(side, trash=cards)


def is_stranger(side: Side, card: str) -> bool:
    """Whether a card is known not to be of the deck of that side."""
    return is_known(card) and card.rpartition("-")[0] not in side.protocols


def with_foreign(state: State, seat: str) -> State:
    """The position after cards of the other deck came among the unknown cards of that seat."""
    return state if seat in state.foreign else replace(state, foreign=tuple(sorted((*state.foreign, seat))))


def lift(state: State, cards: tuple[str, ...], for_good: bool = True) -> tuple[State, tuple[str, ...]]:
    """Take cards off the field at once; also returns the cards this uncovers, from line 1 of each side.

    `for_good`: the texts of these cards that are under way are lost. A shifted card keeps them.
    """
    going, all_going, uncovered_cards = list(cards), frozenset(cards), list[str]()
    for seat in SEATS:
        for line, stack in enumerate(side_of(state, seat).lines, 1):
            if stack and going and not all_going.isdisjoint([placed.card for placed in stack]):
                left = _left(stack, going)
                state = with_line(state, seat, line, left)
                if left and left[-1] is not stack[-1]:
                    uncovered_cards.append(left[-1].card)
    if for_good and any(type(frame) is Text for frame in state.stack):
        for card in cards:
            state = without_lost(state, card)
    return state, tuple(uncovered_cards)


def _left(stack: tuple[PlacedCard, ...], going: list[str]) -> tuple[PlacedCard, ...]:
    """What stays of a stack; the cards found in it are taken off the list of those that go."""
    left = []
    for placed in stack:
        if placed.card in going:
            going.remove(placed.card)
        else:
            left.append(placed)
    return tuple(left)


def without_lost(state: State, card: str) -> State:
    """The position without the texts of a card that is no longer visible (interrupt.lost-text-dropped).

    A top box stays visible under another card.
    """
    if not _is_under_way(state, card):
        return state
    stack = tuple(
        replace(frame, text_hidden=True) if type(frame) is Text and frame.card == card and frame.box != "top" else frame
        for frame in state.stack
    )
    return replace(state, stack=stack)


def _is_under_way(state: State, card: str) -> bool:
    """Whether a text of the card is being carried out."""
    return bool(state.stack) and any(type(frame) is Text and frame.card == card for frame in state.stack)


def text_moved(state: State, card: str, line: int) -> State:
    """The position after a card came to another line: its texts under way mean that line now."""
    if not _is_under_way(state, card):
        return state
    stack = tuple(
        replace(frame, line=line) if type(frame) is Text and frame.card == card else frame for frame in state.stack
    )
    return replace(state, stack=stack)


def arrived(state: State, cards: tuple[tuple[str, str], ...], zone: str) -> State:
    """Cards that left the field have come to the trash or hand of their owner."""
    for seat in SEATS:
        if come := [card for card, owner in cards if owner == seat]:
            side = side_of(state, seat)
            held = side.trash if zone == "trash" else side.hand
            there = (*come, *side.deck) if zone == "deck" else (*held, *come)
            state = with_side(state, seat, with_zone(side, zone, there[:ALL_CARDS]))
    return replace(state, just_left=tuple([card for card, _ in cards]))


def top_named(state: State, seat: str, cards: tuple[str, ...]) -> State:
    """The position after the top cards of a deck are shown: they get their names."""
    side = side_of(state, seat)
    return with_side(state, seat, replace(side, deck=(*cards[: len(side.deck)], *side.deck[len(cards) :])))


def named(state: State, seat: str, cards: tuple[str, ...]) -> State:
    """The position after a hand is shown: its unknown cards get their names."""
    hand = side_of(state, seat).hand
    new = [card for card in cards if card not in hand]
    shown = tuple(new.pop(0) if not is_known(card) and new else card for card in hand)
    return with_hand(state, seat, shown)


def renamed(state: State, handle: str, card: str) -> State:
    """The position with an unknown card known, wherever it is spoken of."""
    return _replaced(state, handle, card)


def _replaced(value: T, handle: str, card: str) -> T:
    if value == handle:
        return card  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(_replaced(item, handle, card) for item in value)  # type: ignore[return-value]
    if isinstance(value, Struct):
        fields = {name: _replaced(getattr(value, name), handle, card) for name in value.__struct_fields__}
        return type(value)(**fields)
    return value


def laid(stack: tuple[PlacedCard, ...], placed: PlacedCard, under: str | None) -> tuple[PlacedCard, ...]:
    """A stack with one more card: outermost, or just below the card named."""
    if under is None:
        return (*stack, placed)
    index = next((i for i, there in enumerate(stack) if there.card == under), len(stack))
    return (*stack[:index], placed, *stack[index:])


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
