"""What a decision of a journal asks for, and whether an event carries it out."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from audit.compile.events import (
    Chose,
    Compiled,
    Deleted,
    Discarded,
    Flipped,
    OwnerChanged,
    Played,
    Rearranged,
    Recompiled,
    Refreshed,
    Resolved,
    Returned,
    Revealed,
    Shifted,
    returned_cards,
)
from audit.compile.occasions import instructions
from audit.compile.progress import next_instruction
from audit.compile.state import SEATS, State, Text, field_position
from audit.model import Event
from replays.importing.reading import Do, JournalStep, Prompt

CONTROL = "control"
"""Who asks where it is not a card: the control component."""


class JournalDecision(Struct, frozen=True):
    """One decision, made at line `at` of the journal. Lines of the field count from 1, `option` from 0; `src` asked."""

    do: Do
    at: int
    by: str
    asked: str = ""
    src: str = ""
    card: str = ""
    cards: tuple[str, ...] = ()
    line: int = 0
    face: str = ""
    accept: bool = True
    option: int = 0
    order: tuple[str, ...] = ()
    swap: tuple[int, int] = (0, 0)
    side: str = ""

    @property
    def is_open(self) -> bool:
        """Only the beginning of a decision: what follows settles the event."""
        if self.do == "resolveOptionalEffectPrompt":
            return self.accept
        if self.do == "resolveControlMechanicPrompt":
            return self.side in SEATS
        return self.do in ("resolveCustomChoice", "shiftCard")

    def as_play(self) -> Played:
        """The play that was decided, whether the rules allow it or not."""
        face = "up" if self.face == "up" else "down"
        return Played(seq=0, player=self.by, card=self.card, line=self.line, face=face)  # type: ignore[arg-type]


def card_id(name: str) -> str:
    """`Fire-2*` of a journal is our fire-2."""
    return name.rstrip("*").lower()


def said(step: JournalStep, at: int) -> JournalDecision | None:
    """The decision of a journal's line, if there is one."""
    decision, prompt = step.dec, step.prompt or Prompt()
    if decision is None:
        return None
    card = decision.card or prompt.card
    return JournalDecision(
        do=decision.do,
        at=at,
        by=step.by or "",
        asked=prompt.type,
        src=card_id(prompt.src),
        card=card_id(card.c) if card else "",
        cards=tuple(map(card_id, decision.cards)),
        line=decision.line + 1 if decision.line is not None else 0,
        face="up" if decision.up else "down",
        accept=bool(decision.accept),
        option=decision.option,
        order=tuple(name.lower() for name in decision.order),
        swap=decision.swap or (0, 0),
        side=decision.choice or prompt.target,
    )


def settled(state: State, event: Event, asked: tuple[JournalDecision, ...]) -> int:
    """How many of the decisions, from the first, the event carries out; 0 if it is not what was decided."""
    number = 0
    for decision in asked:
        if not agrees(state, event, decision):
            break
        number += 1
        if not decision.is_open:
            break
    return 0 if number and _goes_on(state, event) else number


def _goes_on(state: State, event: Event) -> bool:
    """Whether one decision stands for this event and more: a group is moved card by card."""
    text = _text(state)
    return isinstance(event, Shifted) and text is not None and text.remaining is not None and len(text.remaining) > 1


def agrees(state: State, event: Event, decision: JournalDecision) -> bool:
    """Whether the event is what was decided, or may become it."""
    return _AGREES[decision.do](state, event, decision)


def _text(state: State) -> Text | None:
    frame = state.stack[-1] if state.stack else None
    return frame if type(frame) is Text else None


def _asks(state: State, decision: JournalDecision) -> bool:
    text = _text(state)
    return text is not None and text.card == decision.src


def _played(state: State, event: Event, decision: JournalDecision) -> bool:
    return isinstance(event, Played) and (event.player, event.card, event.line, event.face) == (
        decision.by, decision.card, decision.line, decision.face,
    )  # fmt: skip


def _refreshed(state: State, event: Event, decision: JournalDecision) -> bool:
    return isinstance(event, Refreshed) and event.player == decision.by


def _compiled(state: State, event: Event, decision: JournalDecision) -> bool:
    return isinstance(event, Compiled | Recompiled) and event.line == decision.line


def _discarded(state: State, event: Event, decision: JournalDecision) -> bool:
    if not isinstance(event, Discarded) or event.player != decision.by:
        return False
    return sorted(event.cards) == sorted(decision.cards)


def _flipped(state: State, event: Event, decision: JournalDecision) -> bool:
    return isinstance(event, Flipped) and event.card == decision.card


def _shifted(state: State, event: Event, decision: JournalDecision) -> bool:
    return isinstance(event, Shifted) and event.card == decision.card


def _deleted(state: State, event: Event, decision: JournalDecision) -> bool:
    return isinstance(event, Deleted) and event.cards == (decision.card,)


def _returned(state: State, event: Event, decision: JournalDecision) -> bool:
    return isinstance(event, Returned) and returned_cards(event) == (decision.card,)


def _revealed(state: State, event: Event, decision: JournalDecision) -> bool:
    if isinstance(event, OwnerChanged):
        return event.card == decision.card
    return isinstance(event, Revealed) and event.cards == (decision.card,)


def _line(state: State, event: Event, decision: JournalDecision) -> bool:
    if isinstance(event, Played):
        return event.line == decision.line
    if isinstance(event, Shifted):
        return event.to == decision.line and decision.card in ("", event.card)
    if isinstance(event, Chose):
        return event.what == "line" and event.line == decision.line
    if isinstance(event, Resolved):
        return event.outcome == "impossible" and _asks(state, decision)
    cards = event.cards if isinstance(event, Deleted) else returned_cards(event) if isinstance(event, Returned) else ()
    places = [place for card in cards if (place := field_position(state, card))]
    return bool(places) and all(place.line == decision.line for place in places)


def _rearranged(state: State, event: Event, decision: JournalDecision) -> bool:
    if isinstance(event, Chose):
        same = state.side(decision.side or decision.by).protocols == decision.order
        return event.accept is False and decision.src == CONTROL and same
    if not isinstance(event, Rearranged) or event.side != (decision.side or decision.by):
        return False
    return event.protocols == decision.order


def _control(state: State, event: Event, decision: JournalDecision) -> bool:
    if isinstance(event, Rearranged):
        return event.side == decision.side
    return isinstance(event, Chose) and event.what == "rearrange" and event.accept is False


def _swapped(state: State, event: Event, decision: JournalDecision) -> bool:
    if not isinstance(event, Rearranged) or event.side != (decision.side or decision.by):
        return False
    order = list(state.side(event.side).protocols)
    one, other = decision.swap
    order[one], order[other] = order[other], order[one]
    return event.protocols == tuple(order)


def _permission(state: State, event: Event, decision: JournalDecision) -> bool:
    """A "may", which the source asks about even where nothing can be done."""
    if not _asks(state, decision):
        return False
    if isinstance(event, Resolved) and event.outcome == "impossible":
        return True
    declined = isinstance(event, Resolved) and event.outcome == "declined"
    return declined is not decision.accept


def _option(state: State, event: Event, decision: JournalDecision) -> bool:
    text = _text(state)
    if text is None or text.card != decision.src:
        return False
    branches = next_instruction(text).options
    if decision.option >= len(branches):
        return False
    return any(
        type(event) is option.event and option.declared.verb == branches[decision.option][0].verb
        for option in instructions(text)
    )


_AGREES: dict[Do, Callable[[State, Event, JournalDecision], bool]] = {
    "playCard": _played,
    "fillHand": _refreshed,
    "compile": _compiled,
    "discardCards": _discarded,
    "flipCard": _flipped,
    "shiftCard": _shifted,
    "deleteCard": _deleted,
    "returnCard": _returned,
    "revealCard": _revealed,
    "selectLane": _line,
    "rearrangeProtocols": _rearranged,
    "resolveControlMechanicPrompt": _control,
    "resolveSwapProtocols": _swapped,
    "resolveOptionalEffectPrompt": _permission,
    "resolveCustomChoice": _option,
}
