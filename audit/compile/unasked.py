"""Events nobody asked for: which rule says that this was not to happen here."""

from __future__ import annotations

from itertools import chain

from audit.catalogue import TIMING, Rule
from audit.compile import rules
from audit.compile.citing import is_under
from audit.compile.clarified import clarification
from audit.compile.echoes import untrue
from audit.compile.events import (
    Chose,
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
    Uncovered,
)
from audit.compile.passed_by import can_act, possible
from audit.compile.procedures import announcement_broken
from audit.compile.progress import instructions, is_lost, opens_another, step_of
from audit.compile.state import (
    Compiling,
    Due,
    FieldPosition,
    Moment,
    Refreshing,
    State,
    Text,
    committed,
    field_position,
    zone_of,
)
from audit.compile.texts import STEPS, WAITING, silenced, steps_of
from audit.compile.verbs.picking import Pick, picked
from audit.model import Event
from audit.ruleset import Violation

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


def unasked(state: State, event: Event) -> tuple[Violation, ...]:
    """The rule that keeps this event from happening now; () where nothing in particular does."""
    if state.over:
        return (Violation(rules.victory.THREE_COMPILED, "over", {"player": state.over}),)
    if isinstance(event, Triggered):
        return (text_refused(state, event),)
    if skipped := _skipped(state, event) or _dropped(state, event):
        return (skipped,)
    if isinstance(event, Resolved):
        return outcome_refused(state, event)
    if covered := _covered_text(state, event):
        return covered
    if isinstance(event, Flipped | Shifted | Deleted | Returned):
        return _cards_refused(state, event)
    return _moment_refused(state, event) or untrue(state, event)


def _covered_text(state: State, event: Event) -> tuple[Violation, ...]:
    """The lower Start or End text that asks for this and lies covered, so that it does not act."""
    verb = _VERBS.get(type(event))
    phase = "start" if state.phase == "start" else "end"
    if state.stack or verb is None or (phase == "end" and not state.acted and state.phase == "action"):
        return ()
    for card, (box, entry) in WAITING[phase].items():
        place = field_position(state, card)
        if box != "bottom" or place is None or place.seat != state.player or not place.up or place.uncovered:
            continue
        if any(verb == one.verb for step in STEPS[card, box, entry] for one in (step, *chain(*step.options))):
            return (Violation(rules.field.BOTTOM_COMMAND, "triggered.covered", {"card": card}),)
    return ()


def _moment_refused(state: State, event: Event) -> tuple[Violation, ...]:
    match event:
        case Reshuffled():
            return (Violation(rules.deck.ONLY_DRAWING_RESHUFFLES, "reshuffle.unasked", {"player": event.player}),)
        case ControlReset():
            return (Violation(_control_rule(state), "control.unasked", {}),)
        case GameWon():
            return (Violation(_not_won(state), "won.not", {"player": event.player}),)
        case Passed():
            return (Violation(can_act(state), "passed.could", {"player": event.player}),)
        case PhaseBegan():
            return (Violation(rules.turn.PHASE_ORDER, "phase.order", {"phase": event.phase}),)
        case Discarded():
            return _discard_refused(state, event)
        case Chose() if event.what == "rearrange":
            return _order_kept(state)
        case Uncovered() if _left_together(state, event.card):
            data = {"card": event.card}
            return (Violation(rules.delete.WHOLE_LINE_IS_SILENT, "triggered.not_in_play", data),)
        case _:
            return ()


def _order_kept(state: State) -> tuple[Violation, ...]:
    """Why the protocols cannot stay as they are: the compile that was announced asks for another order."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Compiling or frame.again is None or not frame.choice:
        return ()
    return (announcement_broken(frame),)


def _control_rule(state: State) -> Rule:
    """Why the control component does not go back now."""
    if state.control is not None:
        return rules.control.DEALT_WITH_FIRST
    under_way = any(type(frame) in (Refreshing, Compiling) for frame in state.stack)
    return rules.control.BACK_EVEN_IF_UNUSED if under_way else rules.setup.CONTROL_NEUTRAL


def _not_won(state: State) -> Rule:
    """Why nobody has won, where a compile may be under way."""
    frame = next((frame for frame in state.stack if type(frame) is Compiling), None)
    if frame is None:
        return rules.victory.THREE_COMPILED
    side = state.side(frame.seat)
    again = side.protocols[frame.line - 1] in side.compiled
    return rules.recompile.PROTOCOL_STAYS if again else rules.compile.STEPS_IN_ORDER


def _discard_refused(state: State, event: Discarded) -> tuple[Violation, ...]:
    """Why nobody discards now: there is nothing in hand, or a refresh is no exchange."""
    frame = state.stack[-1] if state.stack else None
    if not state.side(event.player).hand:
        return (Violation(rules.discard.EMPTY_HAND, "discard.hand", {"card": (*event.cards, "")[0]}),)
    if type(frame) is Refreshing or (frame is None and state.phase == "action" and not state.acted):
        return (Violation(rules.refresh.NO_EXCHANGE, "discard.unasked", {"player": event.player}),)
    return ()


def _left_together(state: State, card: str) -> bool:
    """Whether the card has just left the field along with others."""
    return len(state.just_left) > 1 and card in state.just_left


def _cards_refused(state: State, event: Flipped | Shifted | Deleted | Returned) -> tuple[Violation, ...]:
    """Why cards that nothing picks stay as they are."""
    card = next(iter(picked(event)), "")
    if card in committed(state):
        kept = isinstance(event, Flipped)
        rule = rules.committed.KEEPS_FACING if kept else rules.committed.LANDS_REGARDLESS
        return (Violation(rule, "pick.committed", {"card": card}),)
    if isinstance(event, Flipped) and (broken := _flip_refused(state, card)):
        return broken
    if isinstance(event, Shifted) and _is_rearranging(state):
        return (Violation(rules.rearrange.CARDS_STAY, "shift.unasked", {"card": card}),)
    return _otherwise(state, card)


def _otherwise(state: State, card: str) -> tuple[Violation, ...]:
    """What the text under way does with the card instead."""
    text = state.stack[-1] if state.stack else None
    if type(text) is not Text or is_lost(state, text):
        return ()
    option = instructions(text)[0]
    if not isinstance(option, Pick) or card not in option.pickable(state, text):
        return ()
    return (Violation(option.rules[0], "resolved.outcome", {"card": text.card}),)


def _flip_refused(state: State, card: str) -> tuple[Violation, ...]:
    """Why a card is not turned over: in a trash all lie face up, and a flip that was answered is used up."""
    zone = zone_of(state, card)
    if zone and zone[1] == "trash":
        return (Violation(rules.discard.TRASH_IS_FACE_UP, "pick.not_on_field", {"card": card}),)
    frame = state.stack[-1] if state.stack else None
    answer = frame.moments[0] if type(frame) is Due else frame
    if isinstance(answer, Moment | Text) and answer.on == "flipped" and (own := clarification(answer.card, "flipped")):
        return (Violation(own, "flip.unasked", {"card": card}),)
    return ()


def _is_rearranging(state: State) -> bool:
    frame = state.stack[-1] if state.stack else None
    if isinstance(frame, Refreshing | Compiling):
        return frame.choice
    return type(frame) is Text and step_of(frame).verb in ("rearrange", "swap")


def _dropped(state: State, event: Event) -> Violation | None:
    """An instruction of a text that went out of sight, carried out all the same."""
    text = state.stack[-1] if state.stack else None
    if type(text) is not Text or not is_lost(state, text):
        return None
    if _VERBS.get(type(event)) not in {step.verb for step in steps_of(text)[text.step :]}:
        return None
    own = clarification(text.card, "resolved", TIMING)
    return Violation(own or rules.interrupt.LOST_TEXT_DROPPED, "text.lost", {"card": text.card})


def undoable(state: State, event: Event) -> tuple[Violation, ...]:
    """Why an instruction that cannot be carried out was not to be carried out like this."""
    text = state.stack[-1] if state.stack else None
    if type(text) is not Text or is_lost(state, text):
        return ()
    here = instructions(text)
    if any(option.ready(state, text) for option in here):
        return ()
    if isinstance(event, Reshuffled) and step_of(text).verb == "play":
        return (Violation(rules.deck.ONLY_DRAWING_RESHUFFLES, "reshuffle.unasked", {"player": event.player}),)
    return next((option.violations(state, event) for option in here if option.event is type(event)), ())


def draws_too_soon(state: State, event: Event) -> bool:
    """Whether this is the draw of a refresh for which the control component has not gone back."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Refreshing or not isinstance(event, Drew):
        return False
    return frame.control and not event.deck and event.player == frame.seat


def _skipped(state: State, event: Event) -> Violation | None:
    """An instruction that was not to be carried out, carried out all the same."""
    verb = _VERBS.get(type(event))
    for skipped in reversed(state.skipped):
        if skipped.verb == verb:
            return Violation(rules.effects.CONDITION_MUST_BE_MET, "skipped", {"card": skipped.card})
    return None


def text_refused(state: State, event: Triggered) -> Violation:
    """Why a text is not due."""
    data = {"card": event.card, "box": event.command}
    place = field_position(state, event.card)
    if _just_shown(state, event.card):
        return Violation(rules.reveal.WAKES_NOTHING, "triggered.unasked", data)
    if place is None:
        return Violation(_out_of_play(state, event.card), "triggered.not_in_play", data)
    if not place.up:
        return Violation(rules.field.FACE_DOWN_BLANK, "triggered.face_down", data)
    if event.command == "bottom" and not place.uncovered:
        return Violation(rules.field.BOTTOM_COMMAND, "triggered.covered", data)
    if event.command == "middle":
        return _middle_refused(state, event, place, data)
    return _outer_refused(state, event, place, data)


def only_shown(state: State, event: Event) -> tuple[Violation, ...]:
    """Why a card that has just been revealed does not act."""
    if isinstance(event, Triggered) and _just_shown(state, event.card):
        return (text_refused(state, event),)
    return ()


def _just_shown(state: State, card: str) -> bool:
    return _last_done(state, card) == "reveal"


def _last_done(state: State, card: str) -> str | None:
    """What the text under way has just done with that card."""
    text = state.stack[-1] if state.stack else None
    if type(text) is not Text or not text.step or text.last_picked != card:
        return None
    return steps_of(text)[text.step - 1].verb


def _out_of_play(state: State, card: str) -> Rule:
    if card in committed(state):
        return rules.committed.OUT_OF_PLAY
    return rules.delete.WHOLE_LINE_IS_SILENT if _left_together(state, card) else rules.target.FIELD_ONLY


def _outer_refused(state: State, event: Triggered, place: FieldPosition, data: dict[str, str]) -> Violation:
    """Why a text above or below is not due: it has a moment of its own."""
    now = event.card in WAITING.get(state.phase, {})
    if now and place.seat == state.player:
        return Violation(rules.start_end.NO_LATECOMERS, "triggered.late", data)
    if now:
        return Violation(rules.start_end.OWN_VISIBLE_TEXT, "triggered.moment", data)
    if event.on == "played":
        return Violation(rules.play.OUTER_BOXES_PASSIVE, "triggered.moment", data)
    if state.acted == "compiled" and state.phase == "compile" and event.card in WAITING["after_you_delete"]:
        return Violation(rules.compile.SILENT_DELETION, "triggered.moment", data)
    return Violation(rules.text.OUTER_BOXES_WHEN_THEY_SAY, "triggered.moment", data)


def _middle_refused(state: State, event: Triggered, place: FieldPosition, data: dict[str, str]) -> Violation:
    if not place.uncovered:
        return Violation(rules.text.COVERED_CARD_TURNED_UP, "triggered.covered", data)
    if (event.card, "middle", 0) not in STEPS:
        return Violation(rules.field.MIDDLE_COMMAND, "triggered.no_text", data)
    if silenced(state, place.line):
        return Violation(rules.effects.CARDS_BEAT_RULES, "triggered.silenced", data)
    if any(type(frame) is Text and frame.card == event.card for frame in state.stack):
        return Violation(rules.interrupt.NEWEST_GOES_FIRST, "triggered.again", data)
    used = not state.stack and not _last_done(state, event.card)
    return Violation(rules.field.MIDDLE_COMMAND if used else rules.text.WAYS_IN, "triggered.unasked", data)


def outcome_refused(state: State, event: Resolved) -> tuple[Violation, ...]:
    """Why an instruction does not end that way."""
    text = state.stack[-1] if state.stack else None
    if text is not None and type(text) is not Text:
        return ()
    here = text if text is not None and (text.card, text.box) == (event.card, event.command) else None
    if event.outcome == "declined":
        return (Violation(_not_declined(here), "resolved.declined", {"card": event.card}),)
    if event.outcome == "stopped" and here is not None and is_under(state, here.card):
        return (Violation(rules.target.TOP_COMMANDS_REACH_EACH_OTHER, "resolved.outcome", {"card": event.card}),)
    rule = possible(state, here) if here is not None else rules.effects.MUST_BE_APPLIED
    return (Violation(rule, "resolved.outcome", {"card": event.card}),)


def _not_declined(text: Text | None) -> Rule:
    if text is None:
        return rules.effects.MAY_ONLY_IF_SAID
    if step_of(text).verb in ("rearrange", "swap"):
        return rules.rearrange.CARD_ORDER_BINDS
    return rules.effects.NO_COSTS if opens_another(text) else rules.effects.MAY_ONLY_IF_SAID
