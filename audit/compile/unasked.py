"""Events nobody asked for: which rule says that this was not to happen here."""

from __future__ import annotations

from audit.compile import rules
from audit.compile.events import (
    ControlReset,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    GameWon,
    OwnerChanged,
    Passed,
    PhaseBegan,
    Played,
    Rearranged,
    Reshuffled,
    Resolved,
    Returned,
    Revealed,
    Shifted,
    Triggered,
)
from audit.compile.progress import instructions, is_lost, step_of
from audit.compile.state import Refreshing, State, Text, committed, spot
from audit.compile.texts import STEPS, WAITING, silenced
from audit.model import Event
from audit.ruleset import Broken

_VERBS: dict[type[Event], str] = {
    Deleted: "delete",
    Discarded: "discard",
    Drew: "draw",
    Flipped: "flip",
    Returned: "return",
    Revealed: "reveal",
    Shifted: "shift",
    Played: "play",
    OwnerChanged: "give",
    Rearranged: "rearrange",
}


def unasked(state: State, event: Event) -> tuple[Broken, ...]:
    """The rule that keeps this event from happening now; () where nothing in particular does."""
    if state.over:
        return (Broken(rules.victory.THREE_COMPILED, "over", {"player": state.over}),)
    if isinstance(event, Triggered):
        return (_text_refused(state, event),)
    if skipped := _skipped(state, event):
        return (skipped,)
    if isinstance(event, Resolved):
        return _outcome_refused(event)
    if isinstance(event, Reshuffled):
        return (Broken(rules.deck.ONLY_DRAWING_RESHUFFLES, "reshuffle.unasked", {"player": event.player}),)
    if isinstance(event, ControlReset):
        return (Broken(rules.control.DEALT_WITH_FIRST, "control.unasked", {}),)
    if isinstance(event, GameWon):
        return (Broken(rules.victory.THREE_COMPILED, "won.not", {"player": event.player}),)
    if isinstance(event, Passed):
        return (Broken(rules.turn.STUCK_PLAYER, "passed.could", {"player": event.player}),)
    if isinstance(event, PhaseBegan):
        return (Broken(rules.turn.PHASE_ORDER, "phase.order", {"phase": event.phase}),)
    return ()


def _outcome_refused(event: Resolved) -> tuple[Broken, ...]:
    """Why an instruction cannot end that way."""
    if event.outcome == "declined":
        return (Broken(rules.effects.MAY_ONLY_IF_SAID, "resolved.declined", {"card": event.card}),)
    return (Broken(rules.effects.MUST_BE_APPLIED, "resolved.outcome", {"card": event.card}),)


def undoable(state: State, event: Event) -> tuple[Broken, ...]:
    """Why an instruction that cannot be carried out was not to be carried out like this."""
    text = state.stack[-1] if state.stack else None
    if type(text) is not Text or is_lost(state, text):
        return ()
    here = instructions(text)
    if any(option.ready(state, text) for option in here):
        return ()
    if isinstance(event, Reshuffled) and step_of(text).verb == "play":
        return (Broken(rules.deck.ONLY_DRAWING_RESHUFFLES, "reshuffle.unasked", {"player": event.player}),)
    return next((option.refusals(state, event) for option in here if option.event is type(event)), ())


def draws_too_soon(state: State, event: Event) -> bool:
    """Whether this is the draw of a refresh for which the control component has not gone back."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Refreshing or not isinstance(event, Drew):
        return False
    return frame.control and not event.deck and event.player == frame.seat


def _skipped(state: State, event: Event) -> Broken | None:
    """An instruction that was not to be carried out, carried out all the same."""
    verb = _VERBS.get(type(event))
    for skipped in reversed(state.skipped):
        if skipped.verb == verb:
            return Broken(rules.effects.CONDITION_MUST_BE_MET, "skipped", {"card": skipped.card})
    return None


def _text_refused(state: State, event: Triggered) -> Broken:
    """Why a text is not due."""
    data = {"card": event.card, "box": event.command}
    place = spot(state, event.card)
    if place is None:
        rule = rules.committed.OUT_OF_PLAY if event.card in committed(state) else rules.target.FIELD_ONLY
        return Broken(rule, "triggered.not_in_play", data)
    if not place.up:
        return Broken(rules.field.FACE_DOWN_BLANK, "triggered.face_down", data)
    if event.command == "bottom" and not place.uncovered:
        return Broken(rules.field.BOTTOM_COMMAND, "triggered.covered", data)
    if event.command == "middle":
        return _middle_refused(state, event, data)
    if event.card in WAITING.get(state.phase, {}) and place.seat == state.player:
        return Broken(rules.start_end.NO_LATECOMERS, "triggered.late", data)
    return Broken(rules.text.OUTER_BOXES_WHEN_THEY_SAY, "triggered.moment", data)


def _middle_refused(state: State, event: Triggered, data: dict[str, str]) -> Broken:
    place = spot(state, event.card)
    assert place is not None
    if not place.uncovered:
        return Broken(rules.text.COVERED_CARD_TURNED_UP, "triggered.covered", data)
    if (event.card, "middle", 0) not in STEPS:
        return Broken(rules.field.MIDDLE_COMMAND, "triggered.no_text", data)
    if silenced(state, place.line):
        return Broken(rules.effects.CARDS_BEAT_RULES, "triggered.silenced", data)
    if any(type(frame) is Text and frame.card == event.card for frame in state.stack):
        return Broken(rules.interrupt.NEWEST_GOES_FIRST, "triggered.again", data)
    return Broken(rules.text.WAYS_IN, "triggered.unasked", data)
