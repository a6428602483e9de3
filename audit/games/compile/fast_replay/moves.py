"""Where each type of event moves cards, if the events alone say so: one function each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import length_hint

from audit.core.model import Event
from audit.games.compile.cards import EARLIER
from audit.games.compile.declarations import ALL, CardInstruction
from audit.games.compile.events import (
    Chose,
    Committed,
    Compiled,
    ControlReset,
    ControlTaken,
    Copied,
    Covered,
    Deleted,
    Discarded,
    Drafted,
    Drew,
    Flipped,
    GameEnded,
    GameWon,
    Identified,
    Landed,
    OwnerChanged,
    PhaseBegan,
    Played,
    ProtocolTurned,
    PutOnDeck,
    Rearranged,
    Recompiled,
    Reshuffled,
    Returned,
    Revealed,
    Shifted,
    Shuffled,
    StacksSwapped,
    Triggered,
    TurnBegan,
    Uncovered,
    returned_cards,
)
from audit.games.compile.fast_replay.places import (
    COMPILED,
    CONTROL,
    DECK,
    DOWN,
    FIELD,
    HAND,
    LINES,
    PROTOCOLS,
    TRASH,
    Cards,
    Places,
    UnrecordedMoveError,
    beside,
    named,
    without,
)
from audit.games.compile.texts import CARD_INSTRUCTIONS, WAITING

Rest = Iterator[Event]

WITH_MIDDLE = frozenset(card for card, box, _ in CARD_INSTRUCTIONS if box == "middle")
WHEN_COVERED = frozenset((*WAITING["before_covered"], *WAITING.get("before_covered_by_unity", ()))).difference(EARLIER)
STANDS_IN_FOR_RETURN = frozenset(WAITING.get("before_return_to_opponent", ()))
ESCAPES = frozenset(WAITING["before_compile_delete"])


_ZONES = {"hand": HAND, "deck": DECK, "trash": TRASH}


def note_turns(places: Places, rest: Rest) -> int:
    """Note the moves of whole turns, and return how many events are left from the first turn that is not noted on.

    The first event begins a turn. It stops in the first turn that is not recorded completely; moves of that turn
    already noted are undone.
    """
    places.left = length_hint(rest)
    noted_by, phase = _NOTED.get, PhaseBegan
    try:
        for event in rest:
            kind = type(event)
            if kind is not phase:  # nearly half of all events begin a phase
                note = noted_by(kind)
                if note is not None:
                    note(places, event, rest)
    except (UnrecordedMoveError, LookupError, ValueError):
        pass
    return places.left


def _turn_began(places: Places, event: TurnBegan, rest: Rest) -> None:
    turn = (event.player, event.turn)
    if turn in (places.turn, (places.start.player, places.start.turn)):  # a heading that is written once more
        raise UnrecordedMoveError
    places.turn = turn
    places.at_turn = places.now.copy()
    places.left = length_hint(rest) + 1


def _played(places: Places, event: Played, rest: Rest) -> None:
    now, card, seat = places.now, event.card, event.player
    at = _ZONES[event.from_][event.deck or seat]
    now[at] = without(now[at], card)
    _land(now, card if event.face == "up" else card + DOWN, card, LINES[event.side or seat] + event.line, rest)


def _shifted(places: Places, event: Shifted, rest: Rest) -> None:
    index, lying = places.find(event.card)
    left = places.now[index] = without(places.now[index], lying)
    _land(places.now, lying, event.card, beside(index, event.to), rest, left)


def _land(now: list[Cards], lying: str, card: str, index: int, rest: Rest, left: Cards = ()) -> None:
    """The rest of a card's way, if nothing comes between."""
    event = next(rest, None)
    if type(event) is not Committed or event.card != card:
        raise UnrecordedMoveError
    event = next(rest, None)
    if left and type(event) is Uncovered:
        _triggers_nothing(left[-1], event)
        event = next(rest, None)
    if type(event) is Covered:
        if event.card in WHEN_COVERED and now[index][-1:] != (event.card + DOWN,):
            raise UnrecordedMoveError
        event = next(rest, None)
    if type(event) is not Landed or event.card != card:
        raise UnrecordedMoveError
    now[index] += (lying,)


def _triggers_nothing(uncovered_cards: str, event: Event | None) -> None:
    if type(event) is not Uncovered or event.card != named(uncovered_cards) or uncovered_cards in WITH_MIDDLE:
        raise UnrecordedMoveError


def _flipped(places: Places, event: Flipped, rest: Rest) -> None:
    if event.is_:
        raise UnrecordedMoveError
    index, lying = places.find(event.card)
    is_up = event.face == "up" if event.face else lying.endswith(DOWN)
    turned = event.card if is_up else event.card + DOWN
    places.now[index] = tuple([turned if card == lying else card for card in places.now[index]])


def _drew(places: Places, event: Drew, rest: Rest) -> None:
    now, cards, at = places.now, event.cards, DECK[event.deck or event.player]
    if cards is None or now[at][: len(cards)] != cards:
        raise UnrecordedMoveError
    now[at] = now[at][len(cards) :]
    now[HAND[event.player]] += cards


def _discarded(places: Places, event: Discarded, rest: Rest) -> None:
    holder = event.deck or event.player
    now, at = places.now, (DECK if event.from_ == "deck" else HAND)[holder]
    for card in event.cards:
        now[at] = without(now[at], card)
    now[TRASH[event.trash or holder]] += event.cards


def _reshuffled(places: Places, event: Reshuffled, rest: Rest) -> None:
    now, deck, trash = places.now, DECK[event.player], TRASH[event.player]
    if event.deck is None:
        raise UnrecordedMoveError
    made, cards = event.deck, now[deck] + now[trash]
    if len(made) == len(now[trash]):
        made = now[deck] + made
    if len(made) != len(cards) or set(made) != set(cards):
        raise UnrecordedMoveError
    now[deck], now[trash] = made, ()


def _deleted(places: Places, event: Deleted, rest: Rest) -> None:
    """Deleted or returned cards arrive at once if the cards they uncovered have no text."""
    lifted, uncovered_cards = places.lift(event.cards)
    for card in uncovered_cards:
        _triggers_nothing(card, next(rest, None))
    _arrive(places, lifted, TRASH)


def _returned(places: Places, event: Returned, rest: Rest) -> None:
    if any(STANDS_IN_FOR_RETURN.intersection(stack) for stack in (places.now[index] for index in FIELD)):
        raise UnrecordedMoveError
    lifted, _ = places.lift(returned_cards(event))
    _arrive(places, lifted, HAND)


def _arrive(places: Places, lifted: tuple[Cards, Cards], zone: dict[str, int]) -> None:
    for at, cards in zip(zone.values(), lifted, strict=True):
        places.now[at] += cards


def _compiled(places: Places, event: Compiled | Recompiled, rest: Rest) -> None:
    """Control, the deletion of the whole line, the protocol; a text that stands in for the deletion comes between."""
    now, seat = places.now, event.player
    next_event = next(rest, None)
    if type(next_event) is ControlReset:
        _control_used(places, next(rest, None))
        next_event = next(rest, None)
    elif now[CONTROL] == (seat,):
        raise UnrecordedMoveError
    ours, theirs = (at + event.line for at in LINES.values())
    if type(next_event) is not Deleted or not next_event.cards or not ESCAPES.isdisjoint(now[ours] + now[theirs]):
        raise UnrecordedMoveError
    lifted, _ = places.lift(next_event.cards, (ours, theirs))
    if now[ours] or now[theirs]:
        raise UnrecordedMoveError
    _arrive(places, lifted, TRASH)
    protocol = now[PROTOCOLS[seat]][event.line - 1]
    if protocol in now[COMPILED[seat]]:
        places.recompiled = places.left
    else:
        now[COMPILED[seat]] += (protocol,)


def _control_used(places: Places, next_event: Event | None) -> None:
    places.now[CONTROL] = ()
    if type(next_event) is Rearranged:
        _rearranged(places, next_event)
    elif type(next_event) is not Chose or next_event.what != "rearrange" or next_event.accept is not False:
        raise UnrecordedMoveError


def _rearranged(places: Places, event: Rearranged, rest: Rest | None = None) -> None:
    """A recompile looks at the protocol of the line again for its reward, and it may be another by now."""
    if places.recompiled == places.left:
        raise UnrecordedMoveError
    places.now[PROTOCOLS[event.side]] = event.protocols


def _control_taken(places: Places, event: ControlTaken, rest: Rest) -> None:
    places.now[CONTROL] = (event.player,)


def _control_reset(places: Places, event: ControlReset, rest: Rest) -> None:
    places.now[CONTROL] = ()


def _owner_changed(places: Places, event: OwnerChanged, rest: Rest) -> None:
    now, giver, taker = places.now, HAND[event.from_], HAND[event.to]
    if event.why == "claimed":
        raise UnrecordedMoveError
    if event.why != "recompile":
        now[giver] = without(now[giver], event.card)
        now[taker] += (event.card,)
    elif event.card not in now[taker]:
        raise UnrecordedMoveError


def _revealed(places: Places, event: Revealed, rest: Rest) -> None:
    if event.is_:
        raise UnrecordedMoveError


def _triggered(places: Places, event: Triggered, rest: Rest) -> None:
    if event.card in _DECIDING:
        raise UnrecordedMoveError


def _unclear(places: Places, event: Event, rest: Rest) -> None:
    raise UnrecordedMoveError


def _decides(declared: CardInstruction) -> bool:
    """Whether the instruction says more of where cards go than the events do."""
    branches = (more for branch in declared.options for more in branch)
    group = declared.together or (declared.verb == "return" and declared.count == ALL)
    return declared.at == "under_this" or declared.verb == "bar" or group or any(map(_decides, branches))


_DECIDING = frozenset(card for (card, _, _), text in CARD_INSTRUCTIONS.items() if any(map(_decides, text)))

_NOTED: dict[type[Event], Callable[..., None]] = {
    TurnBegan: _turn_began,
    Played: _played,
    Shifted: _shifted,
    Flipped: _flipped,
    Drew: _drew,
    Discarded: _discarded,
    Reshuffled: _reshuffled,
    Deleted: _deleted,
    Returned: _returned,
    Compiled: _compiled,
    Recompiled: _compiled,
    Rearranged: _rearranged,
    ControlTaken: _control_taken,
    ControlReset: _control_reset,
    OwnerChanged: _owner_changed,
    Revealed: _revealed,
    Triggered: _triggered,
    Shuffled: _unclear,
    PutOnDeck: _unclear,
    Copied: _unclear,
    StacksSwapped: _unclear,
    ProtocolTurned: _unclear,
    Identified: _unclear,
    Drafted: _unclear,
    GameWon: _unclear,
    GameEnded: _unclear,
}
"""Every other type of event leaves the cards where they are."""
