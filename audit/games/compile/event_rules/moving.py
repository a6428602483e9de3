"""A card moves to a line: it leaves its place, uncovers a card, is about to cover another, and lands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations, field_getter, mismatches, own_fields
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.automatic import resolve_automatic
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import Committed, Covered, Landed, Uncovered
from audit.games.compile.following import led_to, with_due
from audit.games.compile.moves import laid, lift, taken_away, text_moved, with_foreign, without_lost
from audit.games.compile.occasions import Occasion, OneEvent
from audit.games.compile.parts import (
    committed,
    field_position,
    is_known,
    movements,
    newest,
    opponent,
    protocol_of,
    pushed,
    side_of,
    swapped,
    top_of,
    with_line,
)
from audit.games.compile.readings import (
    CARDS_KEEP_OWNER,
    ESCAPE_LAYS_BARE_NOTHING,
    FACE_DOWN_UNITY_COUNTS,
    LAID_BARE_FIRST,
    LANDS_BEFORE_EXPOSED,
)
from audit.games.compile.state import (
    SEATS,
    CardMovement,
    CardsLeaving,
    Compiling,
    DueText,
    FieldPosition,
    PlacedCard,
    State,
)
from audit.games.compile.texts import WAITING, middle, waiting
from audit.games.compile.totals import UNITY

WHEN_COVERED: Final = frozenset((*WAITING["before_covered"], *WAITING.get("before_covered_by_unity", ())))
"""The cards with a text that acts before they are covered."""

MovementEvent = Committed | Covered | Uncovered | Landed
E = TypeVar("E", bound=MovementEvent)

_COMMITTED: Final = (
    rules.committed.LEAVES_FIRST,
    rules.committed.ANY_CHANGE_OF_PLACE,
    rules.committed.OUT_OF_PLAY,
)
_UNCOVERED: Final = (
    rules.cover.UNCOVERED_CARD,
    rules.field.STACK,
    rules.acts.SHIFT_LAYS_BARE_CARD_BELOW,
    rules.committed.EXPOSED_TEXT_FIRST,
)
_COVERED: Final = (
    rules.cover.COVER_TRIGGER_BEFORE_COVERING,
    rules.cover.COVER_TRIGGER_ANY_WAY_OF_COVERING,
    rules.cover.COVERED_CARD,
    rules.field.STACK,
)
_LANDED: Final = (
    rules.committed.LANDS_REGARDLESS,
    rules.committed.KEEPS_FACING,
    rules.committed.ANNOUNCED_LINE_STANDS,
    rules.committed.WHOLE_CHAIN_BEFORE_LANDING,
)
_SHIFTED: Final = (*_LANDED, rules.acts.SHIFT_ENDS_UP_UNCOVERED)
_QUEUED: Final = (*_SHIFTED, rules.committed.QUEUE)

_ORDER: Final = rules.effects.TURN_PLAYER_SETS_ORDER
_ONE_BEFORE_THE_OTHER: Final = frozenset((LAID_BARE_FIRST.name, LANDS_BEFORE_EXPOSED.name))

_WRONG_FIELD: Final[dict[tuple[type[Event], str], Rule]] = {
    (Committed, "to"): rules.committed.ANNOUNCED_LINE_STANDS,
    (Covered, "card"): rules.cover.COVERED_CARD,
    (Covered, "by"): rules.cover.COVERED_CARD,
    (Landed, "card"): rules.committed.QUEUE,
    (Landed, "line"): rules.committed.ANNOUNCED_LINE_STANDS,
}
"""The rule that a wrong step breaks, if it is not the first of its rules."""


class MovementStep(OneEvent[E]):
    """One step of a card movement."""

    def violations(self, state: State, event: E) -> Violations:
        if self.get_fields(event) == self.wanted_fields:
            return ()
        failed = mismatches(event, self.one, self.rules[0])
        return tuple([replace(item, rule=self._rule(state, event, item)) for item in failed])

    def goes_first(self, state: State, event: Event) -> Rule | None:
        failed = self.violations(state, event) if type(event) is self.event else ()  # type: ignore[arg-type]
        return failed[0].rule if failed else None

    def _rule(self, state: State, event: E, violation: Violation) -> Rule:
        if isinstance(event, Covered | Uncovered) and isinstance(self.one, Covered | Uncovered):
            there, found = field_position(state, self.one.card), field_position(state, event.card)
            if there and found and (there.seat, there.line) != (found.seat, found.line):
                return rules.field.STACK
            movement = next((m for m in movements(state) if m.card == event.card), None)
            if isinstance(event, Covered) and movement:
                return rules.committed.QUEUE if movement.order else rules.acts.SHIFT_ENDS_UP_UNCOVERED
        return _WRONG_FIELD.get((self.event, str(violation.data["field"])), violation.rule)


def movement_steps(state: State, movement: CardMovement) -> tuple[MovementStep[Any], ...]:
    """The next step of a card's way; two of which the turn player sets the order, where both set off a text."""
    below = top_of(state, movement.seat, movement.line) if movement.uncovered_cards else None
    if below is None or not _are_both_due(state, movement, below.card):
        return (_step(*next_step(state, movement)),)
    uncovered, covered = (
        Uncovered(seq=0, card=movement.uncovered_cards[0]),
        Covered(seq=0, card=below.card, by=movement.card),
    )
    return (
        MovementStep(uncovered, *_UNCOVERED, _ORDER, any_order=True),
        MovementStep(covered, *_COVERED, _ORDER, any_order=True),
    )


def _are_both_due(state: State, movement: CardMovement, below: str) -> bool:
    """Whether a text laid bare by the card and one of the card it is going to cover are due at the same moment."""
    if movement.under or below in movement.notified:
        return False
    if below not in WHEN_COVERED or state.switches & _ONE_BEFORE_THE_OTHER:
        return False
    uncovered = movement.uncovered_cards
    acts = any(middle(state, card, field_position(state, card), "uncovered") for card in uncovered)
    return acts and bool(_answers(state, movement, below))


def _answers(state: State, movement: CardMovement, below: str) -> tuple[DueText, ...]:
    """The texts of a card that act before that other one covers it."""
    texts = waiting(state, movement.seat, "before_covered")
    if protocol_of(movement.card) == UNITY and (movement.up or FACE_DOWN_UNITY_COUNTS.name in state.switches):
        texts = (*texts, *waiting(state, movement.seat, "before_covered_by_unity"))
    return tuple(due for due in texts if due.card == below)


def next_step(state: State, movement: CardMovement) -> tuple[type[MovementEvent], tuple[object, ...], Citations]:
    """What is due next on a card's way: the type of the event, its fields in their order, the rules by which it is."""
    card, line = movement.card, movement.line
    if not movement.committed:
        return Committed, (card, movement.origin, line), _COMMITTED
    if movement.uncovered_cards and LANDS_BEFORE_EXPOSED.name not in state.switches:
        return Uncovered, (movement.uncovered_cards[0],), _UNCOVERED
    stack = (state.a if movement.seat == "A" else state.b).lines[line - 1]
    if stack and not movement.under and stack[-1].card not in movement.notified:
        return Covered, (stack[-1].card, card), _COVERED
    if movement.played:
        return Landed, (card, line), _LANDED
    is_queued = any(type(frame) is CardMovement and frame.line == line for frame in state.stack[:-1])
    return Landed, (card, line), _QUEUED if is_queued else _SHIFTED


@lru_cache(maxsize=2048)
def _step(event: type[MovementEvent], fields: tuple[object, ...], why: Citations) -> MovementStep[Any]:
    return MovementStep(event(seq=0, **dict(zip(own_fields(event), fields, strict=True))), *why)  # type: ignore[arg-type]


class MovementRules(CompileEventRules[E]):
    """The rules of one step of a card's way."""

    is_part: bool = True

    def __init__(self) -> None:
        event: type[Event] = self.event
        self.get_fields = field_getter(event)

    def occasions(self, state: State) -> Iterable[Occasion[E]]:
        frame = state.stack[-1] if state.stack else None
        if type(frame) is not CardMovement:
            return ()
        return [step for step in movement_steps(state, frame) if step.event is self.event]

    def accept(self, state: State, event: E) -> Citations | None:
        frame = state.stack[-1] if state.stack else None
        if type(frame) is CardMovement and not frame.uncovered_cards and not state.over:
            due, fields, why = next_step(state, frame)
            if due is self.event and fields == self.get_fields(event):
                return why
        return super().accept(state, event)


class CommittedRules(MovementRules[Committed]):
    """The rules of leaving a place: from then on the card is committed to its line and cannot be picked."""

    event = Committed
    redundant_rules: Citations = (rules.committed.LEAVES_FIRST, rules.committed.ANY_CHANGE_OF_PLACE)

    def is_redundant(self, state: State, event: Committed) -> bool:
        """Cards leaving the field are on their way as soon as they are deleted or returned."""
        movement = next((movement for movement in movements(state) if movement.card == event.card), None)
        if movement is not None:
            return event.from_ in (None, movement.origin) and event.to in (None, movement.line)
        return event.card in committed(state) or event.card in state.just_left

    def player_of(self, state: State, event: Committed) -> str | None:
        return next((seat for seat in SEATS if event.from_ == "hand" and event.card in side_of(state, seat).hand), None)

    def apply(self, state: State, event: Committed) -> State:
        movement = state.stack[-1] if state.stack else None
        if type(movement) is not CardMovement or movement.committed or movement.card != event.card:
            return state
        order = sum(1 for _ in movements(state)) if len(state.stack) > 1 else 0
        if type(movement.origin) is not int:
            after = swapped(_without_played(state, movement), replace(movement, committed=True, order=order))
            return resolve_automatic(after) if order else after
        place = field_position(state, movement.card)
        freed = place is not None and not place.uncovered
        is_silent = ESCAPE_LAYS_BARE_NOTHING.name in state.switches and _is_being_emptied(state, place)
        state, uncovered = lift(state, (movement.card,), for_good=False)
        uncovered = () if is_silent else uncovered
        on_its_way = replace(movement, committed=True, uncovered_cards=uncovered, order=order, freed=freed)
        return resolve_automatic(swapped(state, on_its_way))


def _is_being_emptied(state: State, place: FieldPosition | None) -> bool:
    """Whether a compile under way has still to empty the line of that place."""
    lines = [frame.line for frame in state.stack if type(frame) is Compiling and not frame.deleted]
    return place is not None and place.line in lines


def _without_played(state: State, movement: CardMovement) -> State:
    """The hand, deck or trash the card is played from, without it; on another side it may come to be another's."""
    holder = movement.holder or movement.seat
    state = taken_away(state, holder, str(movement.origin), (movement.card,))
    if not movement.holder:
        return state
    if CARDS_KEEP_OWNER.name in state.switches:
        state = replace(state, lent=(*state.lent, movement.card))
    return state if is_known(movement.card) else with_foreign(state, movement.seat)


class UncoveredRules(MovementRules[Uncovered]):
    """The rules of a card becoming the last of its stack."""

    event = Uncovered
    keeps_skipped = True

    def occasions(self, state: State) -> Iterable[Occasion[Uncovered]]:
        frame = newest(state)
        if type(frame) is CardsLeaving:
            return (_step(Uncovered, (frame.uncovered_cards[0],), _UNCOVERED),)
        return super().occasions(state)

    def forbidden(self, state: State, event: Uncovered) -> Violations:
        if len(state.just_left) > 1 and event.card in state.just_left:
            return (Violation(rules.acts.DELETE_WHOLE_LINE_IS_SILENT, "triggered.not_in_play", {"card": event.card}),)
        return ()

    def happen(self, state: State, event: Uncovered) -> State:
        frame = newest(state)
        if not isinstance(frame, CardMovement | CardsLeaving) or event.card not in frame.uncovered_cards:
            return state
        why = led_to(state, event)
        left = tuple(card for card in frame.uncovered_cards if card != event.card)
        texts = middle(state, event.card, field_position(state, event.card), "uncovered")
        triggered = (*frame.triggered_by_uncover, *texts)
        if left:
            return swapped(state, replace(frame, uncovered_cards=left, triggered_by_uncover=triggered))
        return with_due(
            swapped(state, replace(frame, uncovered_cards=(), triggered_by_uncover=())), triggered, why
        )  # fmt: skip


class CoveredRules(MovementRules[Covered]):
    """The rules of a card being about to be covered."""

    event = Covered

    def apply(self, state: State, event: Covered) -> State:
        movement = state.stack[-1] if state.stack else None
        after = replace(state, just_left=()) if state.just_left else state
        if type(movement) is not CardMovement:
            return after
        after = swapped(after, replace(movement, notified=(*movement.notified, event.card)))
        if event.card not in WHEN_COVERED:
            return after
        return resolve_automatic(with_due(after, _answers(after, movement, event.card), led_to(state, event)))


class LandedRules(MovementRules[Landed]):
    """The rules of a card arriving."""

    event = Landed
    redundant_rules: Citations = (rules.committed.LANDS_REGARDLESS,)

    def is_redundant(self, state: State, event: Landed) -> bool:
        """Cards that left the field have arrived in trash or hand."""
        return event.line is None and event.card in state.just_left

    def apply(self, state: State, event: Landed) -> State:
        movement = state.stack[-1] if state.stack else None
        if type(movement) is not CardMovement or not movement.committed or movement.card != event.card:
            return state
        stack = (state.a if movement.seat == "A" else state.b).lines[movement.line - 1]
        placed = laid(stack, PlacedCard(movement.card, movement.up), movement.under)
        after = with_line(state, movement.seat, movement.line, placed, state.stack[:-1])
        if after.stack and stack and not movement.under:
            after = without_lost(after, stack[-1].card)
        if movement.uncovered_cards:
            after = pushed(after, CardsLeaving((), "", movement.uncovered_cards, why=led_to(state, event)))
            return resolve_automatic(after)
        if movement.played:
            on, own_text_acts = "played", movement.up
            if waits := _after_play(after, movement):
                after = with_due(after, waits, led_to(state, event))
        else:
            on, own_text_acts = "uncovered", movement.up and movement.freed
            after = text_moved(after, movement.card, movement.line)
        if own_text_acts and (texts := _middle_text(after, movement, len(stack), on)):
            after = with_due(after, texts, led_to(state, event))
        return resolve_automatic(after) if after.stack else after


def _middle_text(state: State, movement: CardMovement, index: int, on: str) -> tuple[DueText, ...]:
    """The middle text of a card that has come to lie face up, at that index of its stack or under another card."""
    place = FieldPosition(movement.seat, movement.line, index, up=True, uncovered=True)
    return middle(state, movement.card, field_position(state, movement.card) if movement.under else place, on)


def _after_play(state: State, movement: CardMovement) -> tuple[DueText, ...]:
    """The texts that wait for the play of a card in their line: they act once its own text is over."""
    texts = waiting(state, opponent(movement.player or movement.seat), "after_opponent_plays_in_this_line")
    if not texts:
        return ()
    places = {due: field_position(state, due.card) for due in texts}
    return tuple(due for due, place in places.items() if place is not None and place.line == movement.line)


RULES = (CommittedRules(), UncoveredRules(), CoveredRules(), LandedRules())
