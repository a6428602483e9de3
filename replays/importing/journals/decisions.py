"""What a decision of a journal asks for, and whether an event carries it out."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from audit.core.model import Event
from audit.games.compile.events import (
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
    cards_of,
    returned_cards,
)
from audit.games.compile.occasions import instructions
from audit.games.compile.parts import field_position
from audit.games.compile.state import SEATS, State, Text
from audit.games.compile.texts import next_instruction
from replays.importing.journals.reading import KNOWN_KINDS, JournalStep, Prompt, card_id, decision

CONTROL = "control"
"""Who asks where it is not a card: the control component."""


class JournalDecision(Struct, frozen=True):
    """One decision, made at line `at` of the journal. Lines of the field count from 1, `option` from 0; `src` asked."""

    do: str
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

    def loosened(self) -> JournalDecision:
        """The same as a decision of an unknown kind of which nothing but its prompt is known."""
        return replace(self, do="", cards=(), line=0)

    @property
    def is_known(self) -> bool:
        """Whether its kind is known."""
        return self.do in KNOWN_KINDS

    @property
    def is_open(self) -> bool:
        """Only the beginning of a decision: what follows settles the event. Of an unknown kind nobody can tell."""
        if not self.is_known:
            return True
        if self.do == "resolveOptionalEffectPrompt":
            return self.accept
        if self.do == "resolveControlMechanicPrompt":
            return self.side in SEATS
        return self.do in ("resolveCustomChoice", "shiftCard")

    def as_play(self) -> Played:
        """The play that was decided, whether the rules allow it or not."""
        face = "up" if self.face == "up" else "down"
        return Played(seq=0, player=self.by, card=self.card, line=self.line, face=face)  # type: ignore[arg-type]


def said(step: JournalStep, at: int) -> JournalDecision | None:
    """The decision of a journal's line, if there is one."""
    if step.dec is None:
        return None
    told, prompt = decision(step.dec), step.prompt or Prompt()
    card = told.card or prompt.card
    return JournalDecision(
        do=told.do,
        at=at,
        by=step.by or "",
        asked=prompt.type,
        src=card_id(prompt.src),
        card=card_id(card.c) if card else "",
        cards=tuple(map(card_id, told.cards)),
        line=told.line + 1 if told.line is not None else 0,
        face="up" if told.up else "down",
        accept=bool(told.accept),
        option=told.option,
        order=tuple(name.lower() for name in told.order),
        swap=told.swap or (0, 0),
        side=told.choice or prompt.target,
    )


def settled(state: State, event: Event, asked: tuple[JournalDecision, ...]) -> int:
    """How many of the decisions, from the first, the event carries out; 0 if it is not what was decided.

    A decision of an unknown kind may have come to nothing: it is passed over.
    """
    number = 0
    for tried, decided in enumerate(asked, 1):
        if agrees(state, event, decided):
            number = tried
        elif decided.is_known:
            break
        if not decided.is_open:
            break
    return 0 if number and _goes_on(state, event) else number


def _goes_on(state: State, event: Event) -> bool:
    """Whether one decision stands for this event and more: a group is moved card by card."""
    text = _text(state)
    return isinstance(event, Shifted) and text is not None and text.remaining is not None and len(text.remaining) > 1


def agrees(state: State, event: Event, decision: JournalDecision) -> bool:
    """Whether the event is what was decided, or may become it."""
    return _AGREES.get(decision.do, _by_prompt)(state, event, decision)


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


def _by_prompt(state: State, event: Event, decision: JournalDecision) -> bool:
    """A decision of another kind: what its prompt allows, if it names every card and the line that were named."""
    text = _text(state)
    if decision.src not in ("", CONTROL) and (text is None or text.card != decision.src):
        return False
    if decision.by and getattr(event, "player", None) not in (None, decision.by):
        return False
    is_refusal = isinstance(event, Resolved) or (isinstance(event, Chose) and event.accept is False)
    if is_refusal or not decision.accept:
        return is_refusal and not decision.cards
    if isinstance(event, Compiled | Recompiled) and decision.line:
        return event.line == decision.line
    names_all = set(cards_of(event)).issuperset(decision.cards)
    return names_all and (not decision.line or _line(state, event, decision))


_AGREES: dict[str, Callable[[State, Event, JournalDecision], bool]] = {
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
