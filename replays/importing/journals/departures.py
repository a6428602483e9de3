"""What the source may have done that the rules do not offer, each departure by the trace it leaves.

A decision may have been carried out against the rules, an obligation passed over, or the snapshot shows a card moved
that the rules do not move. What is written into the log is what happened; judging it is the auditor's part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from audit.core.model import Event
from audit.games.compile.events import (
    Compiled,
    ControlReset,
    ControlTaken,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    PhaseBegan,
    Played,
    PutOnDeck,
    Rearranged,
    Recompiled,
    Refreshed,
    Reshuffled,
    Resolved,
    Returned,
    Shifted,
    TurnBegan,
)
from audit.games.compile.parts import field_position, opponent
from audit.games.compile.state import LINES, SEATS, Clearing, State, Text
from replays.importing.journals.decisions import JournalDecision
from replays.importing.journals.reading import Shown, Snapshot, card_id

Place = tuple[str, str, int]
"""Seat, zone (hand, deck, trash or field) and line of a card; the line is 0 outside of the field."""


def decided_event(state: State, decision: JournalDecision) -> Event | None:
    """The event that was decided, whether the rules allow it here or not; None where the decision names too little."""
    make = _DECIDED.get(decision.do)
    return make(state, decision) if make and decision.by else None


def passed_over(state: State) -> Iterator[Event]:
    """What a source writes that leaves out what is due: a text, a compile, a cache check, or the rest of the turn."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is Text:
        yield Resolved(seq=0, card=frame.card, command=frame.box, outcome="impossible")
    elif type(frame) is Clearing:
        yield PhaseBegan(seq=0, phase="end")
    elif frame is None and state.phase == "compile":
        yield PhaseBegan(seq=0, phase="action")
    if frame is None and state.phase == "action" and not state.acted:
        yield TurnBegan(seq=0, player=opponent(state.player), turn=state.turn + 1)


def shown_movements(state: State, snapshot: Snapshot) -> Iterator[Event]:
    """The events that would bring the position nearer to the snapshot, each by itself."""
    for seat in SEATS:
        yield from _drawn(state, snapshot, seat)
        yield from _reshuffled(state, snapshot, seat)
    after = {card: (place, face) for card, place, face in _placed(snapshot)}
    for seat in SEATS:
        yield from _from_hand(state, seat, after)
        yield from _from_field(state, seat, after)
        yield from _rearranged(state, snapshot, seat)
    yield from _control(state, snapshot)


def _placed(snapshot: Snapshot) -> Iterator[tuple[str, Place, str]]:
    """Every card with its place, and its face on the field."""
    for seat in SEATS:
        side = snapshot.side(seat)
        for zone, cards in (("hand", side.hd), ("deck", side.dk), ("trash", side.di)):
            yield from ((card_id(card), (seat, zone, 0), "") for card in cards)
        for line, stack in enumerate(side.ln, 1):
            yield from (
                (card_id(card), (seat, "field", line), "down" if card.endswith("*") else "up") for card in stack
            )


def _drawn(state: State, snapshot: Snapshot, seat: str) -> Iterator[Event]:
    """Cards from the top of a deck that are in a hand of the snapshot."""
    deck = state.side(seat).deck
    for player in SEATS:
        hand = set(map(card_id, snapshot.side(player).hd))
        number = next((n for n, card in enumerate(deck) if card not in hand), len(deck))
        for some in range(number, 0, -1):
            yield Drew(seq=0, player=player, cards=deck[:some], deck=seat if seat != player else None)


def _reshuffled(state: State, snapshot: Snapshot, seat: str) -> Iterator[Event]:
    """A new deck where the trash of the snapshot lacks cards; which order it has is for the journal to say."""
    trash = state.side(seat).trash
    if trash and not set(map(card_id, snapshot.side(seat).di)).issuperset(trash):
        yield Reshuffled(seq=0, player=seat)


def _from_hand(state: State, seat: str, after: dict[str, tuple[Place, str]]) -> Iterator[Event]:
    hand = state.side(seat).hand
    for owner in SEATS:
        if thrown := tuple(card for card in hand if after.get(card, (None,))[0] == (owner, "trash", 0)):
            yield Discarded(seq=0, player=seat, cards=thrown, trash=owner if owner != seat else None)
    for card in hand:
        place, face = after.get(card, (None, ""))
        if place and place[1] == "field":
            yield _played(seat, card, place, face)


def _played(seat: str, card: str, place: Place, face: str) -> Played:
    side = place[0] if place[0] != seat else None
    return Played(seq=0, player=seat, card=card, line=place[2], face=face, side=side)  # type: ignore[arg-type]


def _from_field(state: State, seat: str, after: dict[str, tuple[Place, str]]) -> Iterator[Event]:
    for line in LINES:
        for placed in state.side(seat).lines[line - 1]:
            place, face = after.get(placed.card, (None, ""))
            if place is None:
                continue
            if place == (seat, "field", line):
                if face != ("up" if placed.up else "down"):
                    yield _flipped(placed.card, is_up=placed.up)
            else:
                yield from _left(placed.card, seat, place)


def _left(card: str, seat: str, place: Place) -> Iterator[Event]:
    owner, zone, line = place
    if zone == "field" and owner == seat:
        yield Shifted(seq=0, card=card, to=line)
    elif zone == "trash":
        yield Deleted(seq=0, cards=(card,))
    elif zone == "hand":
        yield Returned(seq=0, card=card, to=owner)
    elif zone == "deck":
        yield PutOnDeck(seq=0, cards=(card,), deck=owner)


def _flipped(card: str, *, is_up: bool) -> Flipped:
    return Flipped(seq=0, card=card, face="down" if is_up else "up")


def _rearranged(state: State, snapshot: Snapshot, seat: str) -> Iterator[Event]:
    shown: Shown = snapshot.side(seat)
    protocols = tuple(name.lower() for name in shown.pr)
    if protocols != state.side(seat).protocols:
        yield from (Rearranged(seq=0, side=seat, protocols=protocols, by=by) for by in SEATS)


def _control(state: State, snapshot: Snapshot) -> Iterator[Event]:
    if snapshot.ctl == state.control:
        return
    if state.control:
        yield ControlReset(seq=0, player=state.control)
    if snapshot.ctl:
        yield ControlTaken(seq=0, player=snapshot.ctl)


# The events of decisions


def _play(state: State, decision: JournalDecision) -> Event | None:
    return decision.as_play() if decision.card and decision.line else None


def _refresh(state: State, decision: JournalDecision) -> Event:
    return Refreshed(seq=0, player=decision.by)


def _compile(state: State, decision: JournalDecision) -> Event | None:
    if decision.line not in LINES:
        return None
    side = state.side(decision.by)
    again = side.protocols[decision.line - 1] in side.compiled
    return (Recompiled if again else Compiled)(seq=0, player=decision.by, line=decision.line)


def _discard(state: State, decision: JournalDecision) -> Event | None:
    return Discarded(seq=0, player=decision.by, cards=decision.cards) if decision.cards else None


def _flip(state: State, decision: JournalDecision) -> Event | None:
    place = field_position(state, decision.card)
    return _flipped(decision.card, is_up=place.up) if place else None


def _delete(state: State, decision: JournalDecision) -> Event | None:
    return Deleted(seq=0, cards=(decision.card,)) if field_position(state, decision.card) else None


def _return(state: State, decision: JournalDecision) -> Event | None:
    place = field_position(state, decision.card)
    return Returned(seq=0, card=decision.card, to=place.seat) if place else None


def _shift(state: State, decision: JournalDecision) -> Event | None:
    is_there = decision.line in LINES and field_position(state, decision.card)
    return Shifted(seq=0, card=decision.card, to=decision.line) if is_there else None


_DECIDED: dict[str, Callable[[State, JournalDecision], Event | None]] = {
    "playCard": _play,
    "fillHand": _refresh,
    "compile": _compile,
    "discardCards": _discard,
    "flipCard": _flip,
    "deleteCard": _delete,
    "returnCard": _return,
    "shiftCard": _shift,
}
