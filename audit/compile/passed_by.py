"""What is due before something else may happen, and the rule that puts it first."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import PERMISSION, Rule
from audit.compile import rules
from audit.compile.citing import is_under, laid_open
from audit.compile.clarified import clarification
from audit.compile.criteria import protocol_in, protocol_of
from audit.compile.events import GameWon, Landed, Played
from audit.compile.progress import instructions
from audit.compile.state import LINES, CardMovement, Compiling, Due, Frame, Refreshing, State, Text, field_position
from audit.compile.texts import steps_of
from audit.compile.totals import compilable
from audit.compile.turn.acting import BARS, PLAY, moment_refused
from audit.compile.turn.compiling import is_barred
from audit.compile.verbs import VERBS
from audit.compile.verbs.discarding import Discard
from audit.compile.verbs.drawing import draw_number
from audit.compile.verbs.field import Shift
from audit.compile.verbs.hands import can_refresh
from audit.compile.verbs.picking import Pick
from audit.model import Event, type_name


def passed_by(state: State, event: Event) -> Iterator[Rule]:
    """Why what waits comes before this event, the nearest reason first."""
    frame = state.stack[-1] if state.stack else None
    if isinstance(frame, Refreshing | Compiling) and (frame.control or frame.choice):
        yield from _control_first(state, frame)
    elif type(frame) is Text:
        yield from _ahead_of(state, event, frame)
        yield from _why_now(state, frame)
    elif type(frame) is Due:
        yield from _moment(state, frame.moments[0].on)


def _control_first(state: State, frame: Refreshing | Compiling) -> Iterator[Rule]:
    if not frame.choice:
        return
    text = state.stack[-2] if len(state.stack) > 1 else None
    if type(text) is Text and (own := clarification(text.card, "rearranged")):
        yield own
    yield rules.control.DEALT_WITH_FIRST


def _ahead_of(state: State, event: Event, text: Text) -> Iterator[Rule]:
    """What puts the text under way before this very event."""
    if isinstance(event, GameWon) and any(type(frame) is Compiling for frame in state.stack):
        yield rules.compile.STEPS_IN_ORDER
    if isinstance(event, Landed):
        yield from _before_landing(state, event, text)
    elif any(_does(step.verb, event) for step in steps_of(text)[text.step + 1 :]):
        yield rules.effects.READING_ORDER
    elif any(_is_for(frame, event) for frame in state.stack[:-1]):
        yield rules.interrupt.UNWINDS_BACKWARDS if text.step else rules.interrupt.NEWEST_GOES_FIRST


def _does(verb: str, event: Event) -> bool:
    return verb in VERBS and VERBS[verb].event is type(event)


def _is_for(frame: Frame, event: Event) -> bool:
    """Whether the event is what an older text goes on with."""
    return type(frame) is Text and any(_does(step.verb, event) for step in steps_of(frame)[frame.step :])


def _before_landing(state: State, event: Landed, text: Text) -> Iterator[Rule]:
    """What keeps a card from arriving just yet."""
    at = next(
        (n for n, frame in enumerate(state.stack) if type(frame) is CardMovement and frame.card == event.card), None
    )
    if at is None:
        return
    movement = state.stack[at]
    assert isinstance(movement, CardMovement)
    if sum(type(frame) is Text for frame in state.stack[at:]) > 1:
        yield rules.committed.WHOLE_CHAIN_BEFORE_LANDING
    elif text.on == "before_covered":
        yield rules.cover_trigger.BEFORE_COVERING if movement.played else rules.cover_trigger.ANY_WAY_OF_COVERING
    elif text.on == "uncovered":
        yield rules.committed.EXPOSED_TEXT_FIRST


def _why_now(state: State, text: Text) -> Iterator[Rule]:
    """Why the instruction of the text is due at all."""
    if text.step and not text.done:
        yield rules.effects.FREE_SENTENCE_STANDS_ALONE
    elif text.step:
        yield rules.effects.MUST_BE_APPLIED
    else:
        yield from _moment(state, text.on)


def _moment(state: State, on: str) -> Iterator[Rule]:
    """Why a text comes due at such a moment."""
    if on == "played":
        yield rules.play.MIDDLE_TEXT_RESOLVED
    elif on == "uncovered" and any(type(frame) is CardMovement for frame in state.stack):
        yield rules.shift.LAYS_BARE_CARD_BELOW
    elif on in ("uncovered", "flipped"):
        yield rules.text.MIDDLE_AT_ONCE
    elif on == "before_covered":
        yield rules.cover_trigger.BEFORE_COVERING
    elif on in ("start", "end"):
        yield rules.start_end.OWN_VISIBLE_TEXT
    elif on == "after_you_draw" and state.acted == "refreshed":
        yield rules.refresh.COUNTS_AS_DRAWING
    else:
        yield rules.text.OUTER_BOXES_WHEN_THEY_SAY


# What can be done after all


def can_act(state: State) -> Rule:
    """What lets the player in turn do something, who says that nothing can be done."""
    if state.phase in ("start", "control", "compile") and compilable(state, state.player):
        return rules.compile.MANDATORY
    if late := moment_refused(state, state.player):
        return late.rule
    plays = list(PLAY.candidates(state))
    if not plays:
        able = can_refresh(state, state.player)
        return rules.turn.REFRESH_IF_NOTHING_TO_PLAY if able else rules.turn.STUCK_PLAYER
    if is_barred(state, state.player) and BARS:
        return BARS[0]
    return _may_be_played(state, next((play for play in plays if play.face == "up"), plays[0]))


def _may_be_played(state: State, play: Played) -> Rule:
    own = protocol_of(play.card) in state.side(play.player).protocols
    if play.face == "up":
        return rules.play.WITHOUT_USEFUL_EFFECT if own else rules.owner.FACE_UP_AT_OPPONENTS_PROTOCOL
    return rules.play.FACE_DOWN_ANY_LINE if own else rules.recompile.CARD_FACE_DOWN_ANYWHERE


def possible(state: State, text: Text) -> Rule:
    """What makes an instruction possible that is said to be impossible."""
    option = instructions(text)[0]
    if isinstance(option, Pick) and (rule := _pick_possible(state, text, option)):
        return rule
    if option.step.verb in ("rearrange", "swap"):
        return rules.rearrange.CARD_ORDER_BINDS
    if own := clarification(text.card, type_name(option.event), PERMISSION):
        return own
    if isinstance(option, Discard):
        held = len(state.side(option.actor(text)).hand)
        if 0 < held < draw_number(state, text, option.step):
            return rules.effects.AS_FAR_AS_POSSIBLE
    free = text.step and not text.done
    return rules.effects.FREE_SENTENCE_STANDS_ALONE if free else rules.effects.MUST_BE_APPLIED


def _pick_possible(state: State, text: Text, option: Pick) -> Rule | None:
    """What lets a text pick one of the only cards there are."""
    if option.target.ref:
        this = option.target.ref == "this" and is_under(state, text.card)
        return rules.delete.SELF_WHILE_COVERED if this else None
    cards = option.pickable(state, text)
    if not cards:
        return None
    if set(cards) <= set(laid_open(state)):
        return rules.committed.TWO_CARDS_OPEN
    if isinstance(option, Shift) and all(_is_elsewhere_everywhere(state, card) for card in cards):
        return rules.shift.PROTOCOL_DOES_NOT_MATTER
    if cards == [text.card] and option.target.owner == "any":
        return rules.target.ITSELF
    own = all((place := field_position(state, card)) and place.seat == text.seat for card in cards)
    return rules.effects.HITS_OWN_CARDS_IF_NEED_BE if own else None


def _is_elsewhere_everywhere(state: State, card: str) -> bool:
    """Whether a card lies face up and no line but its own has its protocol."""
    place = field_position(state, card)
    if place is None or not place.up:
        return False
    return not any(protocol_in(state, card, line) for line in LINES if line != place.line)
