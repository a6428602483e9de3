"""What is up while something is under way: a text, a card on its way, texts due at one moment.

The newest thing under way acts; whatever is older waits (topic interrupts).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from audit.catalogue import TIMING, Rule
from audit.compile import rules
from audit.compile.clarified import CARD_RULES, clarification
from audit.compile.events import Committed, Covered, Landed, Resolved, Triggered, Uncovered
from audit.compile.procedures import DiscardToLimit, compile_options, new_deck_first, refresh_options
from audit.compile.progress import instructions, is_lost, opens_another, step_of
from audit.compile.readings import LAID_BARE_FIRST, LANDS_BEFORE_EXPOSED
from audit.compile.state import (
    CardMovement,
    CardsLeaving,
    Clearing,
    Compiling,
    Due,
    Moment,
    Refreshing,
    State,
    Text,
    field_position,
    movements,
    top_of,
)
from audit.compile.texts import WAITING, middle, waiting
from audit.compile.verbs.choosing import Chosen
from audit.compile.verbs.drawing import DrawCards, deck_of, draw_number
from audit.compile.verbs.hands import showing_nothing
from audit.compile.verbs.whole_lines import NameLine, empty_lines
from audit.compile.words import Step
from audit.model import Event
from audit.ruleset import Exactly, Option, Violation

Options = Iterable[Option[State]]


def under_way(state: State) -> Options:
    frame = state.stack[-1]
    if type(frame) is CardMovement:
        return trip_options(state, frame)
    if type(frame) is Text:
        return text_options(state, frame)
    if type(frame) is Due:
        return due_options(state, frame.moments)
    if type(frame) is CardsLeaving:
        return (_laid_bare(frame.uncovered_cards[0]),)
    if type(frame) is Refreshing:
        return refresh_options(state, frame)
    if type(frame) is Compiling:
        return compile_options(state, frame)
    assert isinstance(frame, Clearing)
    return (DiscardToLimit(frame.seat),)


def text_options(state: State, text: Text) -> Iterator[Option[State]]:
    """The next instruction of a text, or why it is not carried out."""
    if is_lost(state, text):
        own = clarification(text.card, "resolved", TIMING)
        yield _over(text, "stopped", rules.interrupt.LOST_TEXT_DROPPED, *((own,) if own else ()))
        return
    step = step_of(text)
    ready = [option for option in instructions(text) if option.ready(state, text)]
    if not ready:
        yield _over(text, "impossible", rules.effects.AS_FAR_AS_POSSIBLE, *_why_impossible(text, step))
        yield from (option for option in map(showing_nothing, instructions(text)) if option)
        return
    for option in ready:
        yield from _new_deck_for(state, text, option) or (Chosen(option, text.chosen) if text.chosen else option,)
    if lines := empty_lines(state, text):
        yield NameLine(ready[0].actor(text), lines)
    if step.optional:
        yield _over(text, "declined", rules.effects.MAY_ONLY_IF_SAID)


def _over(text: Text, outcome: str, *why: Rule) -> Option[State]:
    resolved = Resolved(seq=0, card=text.card, command=text.box, outcome=outcome)  # type: ignore[arg-type]
    return Exactly(resolved, *why)


def _why_impossible(text: Text, step: Step) -> Iterator[Rule]:
    if step.verb == "discard":
        yield rules.discard.EMPTY_HAND
    if step.verb == "play" and step.source == "deck" and text.remaining != ():
        yield rules.deck.TOP_CARD_EFFECTS_FAIL
        yield from CARD_RULES.get(text.card, ())
    if text.on == "played":
        yield rules.play.WITHOUT_USEFUL_EFFECT
    if opens_another(text):
        yield rules.effects.NO_COSTS


def _new_deck_for(state: State, text: Text, option: Option[State]) -> tuple[Option[State], ...]:
    if not isinstance(option, DrawCards):
        return ()
    player = option.actor(text)
    return new_deck_first(state, player, deck_of(option.step, player), draw_number(state, text, option.step))


_COMMITTED = (
    rules.committed.LEAVES_FIRST,
    rules.committed.ANY_CHANGE_OF_PLACE,
    rules.committed.OUT_OF_PLAY,
)
_UNCOVERED = (
    rules.cover.UNCOVERED_CARD,
    rules.field.STACK,
    rules.shift.LAYS_BARE_CARD_BELOW,
    rules.committed.EXPOSED_TEXT_FIRST,
)
_COVERED = (
    rules.cover_trigger.BEFORE_COVERING,
    rules.cover_trigger.ANY_WAY_OF_COVERING,
    rules.cover.COVERED_CARD,
    rules.field.STACK,
)
_LANDED = (
    rules.committed.LANDS_REGARDLESS,
    rules.committed.KEEPS_FACING,
    rules.committed.ANNOUNCED_LINE_STANDS,
    rules.committed.WHOLE_CHAIN_BEFORE_LANDING,
)
_SHIFTED = (*_LANDED, rules.shift.ENDS_UP_UNCOVERED)
_QUEUED = (*_SHIFTED, rules.committed.QUEUE)

_WRONG_FIELD: dict[tuple[type[Event], str], Rule] = {
    (Committed, "to"): rules.committed.ANNOUNCED_LINE_STANDS,
    (Covered, "card"): rules.cover.COVERED_CARD,
    (Covered, "by"): rules.cover.COVERED_CARD,
    (Landed, "card"): rules.committed.QUEUE,
    (Landed, "line"): rules.committed.ANNOUNCED_LINE_STANDS,
}
"""What a leg told wrongly is at odds with, where it is not the first of its rules."""


class MovementStep(Option[State]):
    """One leg of a card's way: what its fields are, the event itself being made only where somebody wants it."""

    def __init__(self, event: type[Event], rules: tuple[Rule, ...], **fields: object) -> None:
        self.event = event
        self.rules = rules
        self.fields = fields

    def violations(self, state: State, event: Event) -> tuple[Violation, ...]:
        for name, wanted in self.fields.items():
            if getattr(event, name) not in (None, wanted):
                return tuple(
                    replace(item, rule=self._rule(state, event, item))
                    for item in Exactly[State](self.single_candidate(state), *self.rules).violations(state, event)
                )
        return ()

    def _rule(self, state: State, event: Event, broken: Violation) -> Rule:
        if isinstance(event, Covered | Uncovered):
            there, found = field_position(state, str(self.fields["card"])), field_position(state, event.card)
            if there and found and (there.seat, there.line) != (found.seat, found.line):
                return rules.field.STACK
            if isinstance(event, Covered) and (
                movement := next((t for t in movements(state) if t.card == event.card), None)
            ):
                return rules.committed.QUEUE if movement.order else rules.shift.ENDS_UP_UNCOVERED
        return _WRONG_FIELD.get((self.event, str(broken.data["field"])), broken.rule)

    def candidates(self, state: State) -> Iterator[Event]:
        yield self.single_candidate(state)

    def single_candidate(self, state: State) -> Event:
        return self.event(seq=0, **self.fields)  # type: ignore[arg-type]


def trip_option(state: State, movement: CardMovement) -> Option[State]:
    """The next leg of a card's way to a line."""
    if not movement.committed:
        return MovementStep(Committed, _COMMITTED, card=movement.card, from_=movement.origin, to=movement.line)
    if movement.uncovered_cards and LANDS_BEFORE_EXPOSED.name not in state.switches:
        return _laid_bare(movement.uncovered_cards[0])
    below = top_of(state, movement.seat, movement.line)
    if below and not movement.under and below.card not in movement.notified:
        return MovementStep(Covered, _COVERED, card=below.card, by=movement.card)
    return MovementStep(Landed, _landing(state, movement), card=movement.card, line=movement.line)


def trip_options(state: State, movement: CardMovement) -> tuple[Option[State], ...]:
    """The next leg of a card's way; the two between which the turn player sets the order, where both wake a text."""
    below = top_of(state, movement.seat, movement.line)
    if below is None or not _are_both_due(state, movement, below.card):
        return (trip_option(state, movement),)
    uncovered = MovementStep(Uncovered, (*_UNCOVERED, _ORDER), card=movement.uncovered_cards[0])
    covered = MovementStep(Covered, (*_COVERED, _ORDER), card=below.card, by=movement.card)
    uncovered.ordering = covered.ordering = True
    return (uncovered, covered)


_ORDER = rules.effects.TURN_PLAYER_SETS_ORDER


def _are_both_due(state: State, movement: CardMovement, below: str) -> bool:
    """Whether a text laid bare by the card and one of the card it is going to cover are due at the same moment."""
    if not movement.committed or not movement.uncovered_cards or movement.under or below in movement.notified:
        return False
    if below not in WAITING["before_covered"] or state.switches & _ONE_BEFORE_THE_OTHER:
        return False
    uncovered = movement.uncovered_cards
    acts = any(middle(state, card, field_position(state, card), "uncovered") for card in uncovered)
    return acts and any(moment.card == below for moment in waiting(state, movement.seat, "before_covered"))


_ONE_BEFORE_THE_OTHER = frozenset((LAID_BARE_FIRST.name, LANDS_BEFORE_EXPOSED.name))


def _laid_bare(card: str) -> Option[State]:
    return MovementStep(Uncovered, _UNCOVERED, card=card)


def _landing(state: State, movement: CardMovement) -> tuple[Rule, ...]:
    if movement.played:
        return _LANDED
    queued = any(type(frame) is CardMovement and frame.line == movement.line for frame in state.stack[:-1])
    return _QUEUED if queued else _SHIFTED


_IN_A_PART = (
    rules.start_end.OWN_VISIBLE_TEXT,
    rules.text.OUTER_BOXES_WHEN_THEY_SAY,
    rules.start_end.NO_LATECOMERS,
)
_MOMENTS: dict[str, tuple[Rule, ...]] = {
    "played": (rules.play.MIDDLE_TEXT_RESOLVED, rules.text.MIDDLE_AT_ONCE),
    "flipped": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.interrupt.NEWEST_GOES_FIRST),
    "uncovered": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.interrupt.NEWEST_GOES_FIRST),
    "before_covered": (rules.cover_trigger.BEFORE_COVERING, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "start": _IN_A_PART,
    "end": _IN_A_PART,
    "before_compile_delete": (rules.compile.SILENT_DELETION, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
}
_AFTER = (rules.after.WAITS_FOR_THE_WHOLE_EVENT, rules.text.OUTER_BOXES_WHEN_THEY_SAY)
_BOXES: dict[str, tuple[Rule, ...]] = {
    "top": (rules.field.TOP_COMMAND, rules.play.OUTER_BOXES_PASSIVE),
    "middle": (rules.field.MIDDLE_COMMAND,),
    "bottom": (rules.field.BOTTOM_COMMAND, rules.play.OUTER_BOXES_PASSIVE),
}


@lru_cache
def _trigger_rules(on: str, box: str, card: str, *order: Rule) -> tuple[Rule, ...]:
    return (*_MOMENTS.get(on, _AFTER), *_BOXES[box], *order, *CARD_RULES.get(card, ()))


class Trigger(Option[State]):
    """A text comes into force, or its moment has come."""

    event = Triggered
    ordering = True

    def __init__(self, moment: Moment, *order: Rule) -> None:
        self.moment = moment
        self.rules = _trigger_rules(moment.on, moment.box, moment.card, *order)

    def violations(self, state: State, event: Triggered) -> tuple[Violation, ...]:  # type: ignore[override]
        moment = self.moment
        if event.card == moment.card and event.command == moment.box:
            return ()
        rule = self._waiting(state, event) or self.rules[0]
        data = {"card": moment.card, "box": moment.box}
        return (Violation(rule, "triggered.other", data, not_intended=event.card != moment.card),)

    def _waiting(self, state: State, event: Triggered) -> Rule | None:
        """Why a text that is due has to wait for this one."""
        older = (moment for frame in state.stack[:-1] if type(frame) is Due for moment in frame.moments)
        found = next((m for m in older if (m.card, m.box) == (event.card, event.command)), None)
        if found is None:
            return None
        after = found.on.startswith("after")
        return rules.after.WAITS_FOR_THE_WHOLE_EVENT if after else rules.interrupt.NEWEST_GOES_FIRST

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        moment = self.moment
        refreshed = moment.on == "after_you_draw" and _by_refresh(state)
        place = field_position(state, moment.card) if moment.box == "top" else None
        more: tuple[Rule, ...] = (rules.refresh.COUNTS_AS_DRAWING,) if refreshed else ()
        if place is not None and not place.uncovered:
            more = (*more, rules.target.TOP_COMMANDS_REACH_EACH_OTHER)
        return (*self.rules, *more) if more else self.rules

    def candidates(self, state: State) -> Iterator[Event]:
        moment = self.moment
        yield Triggered(seq=0, card=moment.card, command=moment.box, on=moment.on)


def _by_refresh(state: State) -> bool:
    """Whether the draw just made was that of the refresh taken in this turn."""
    return state.acted == "refreshed" and all(type(frame) is Due for frame in state.stack)


def live(state: State, moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Those of the texts due that can still be read."""
    return tuple(moment for moment in moments if not is_lost(state, _text_for(moment)))


def _text_for(moment: Moment) -> Text:
    return Text(moment.card, moment.box, moment.entry, moment.seat, 0, on=moment.on)


def due_options(state: State, moments: tuple[Moment, ...]) -> tuple[Option[State], ...]:
    """Texts due at one moment; with more than one, the turn player sets the order."""
    if len(moments) < 2:
        return tuple(Trigger(moment) for moment in moments)
    free = rules.start_end.ORDER_IS_FREE if moments[0].on in ("start", "end") else rules.effects.TURN_PLAYER_SETS_ORDER
    return tuple(Trigger(moment, free) for moment in moments)
