"""What more can be said of a step than which text asked for it: the rules that show in this very position."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import protocol_in
from audit.compile.events import Deleted, Flipped, Returned, Shifted
from audit.compile.state import CardMovement, FieldPosition, State, Text, committed, field_position, top_of
from audit.compile.words import Step
from audit.model import Event


def in_its_turn(state: State, text: Text, step: Step) -> tuple[Rule, ...]:
    """Why an instruction comes now, where others went before it."""
    if not text.step:
        return ()
    free: tuple[Rule, ...] = (rules.effects.FREE_SENTENCE_STANDS_ALONE,) if not (text.done or step.if_did) else ()
    waiting = len(state.stack) > 1 and any(type(frame) is Text for frame in state.stack[:-1])
    return (*free, rules.interrupt.UNWINDS_BACKWARDS) if waiting else free


def of_its_pick(state: State, text: Text, step: Step, event: Event, owned: bool) -> tuple[Rule, ...]:
    """What the card picked shows; `owned` tells that only own cards could be picked."""
    card = _first(event)
    place = field_position(state, card) if card else None
    if card is None or place is None:
        return ()
    more = list(_of_the_card(state, text, step, event, card, place))
    if owned:
        more.append(rules.effects.HITS_OWN_CARDS_IF_NEED_BE)
    if len(state.stack) > 1 and committed(state):
        more += _while_on_the_way(state, card)
    return tuple(more)


def _first(event: Event) -> str | None:
    if isinstance(event, Flipped | Shifted):
        return event.card
    if isinstance(event, Deleted):
        return event.cards[0] if event.cards else None
    return (event.card or (event.cards or (None,))[0]) if isinstance(event, Returned) else None


def _of_the_card(state: State, text: Text, step: Step, event: Event, card: str, place: FieldPosition) -> Iterator[Rule]:
    ref = step.target.ref if step.target else None
    if card == text.card and not ref:
        yield rules.target.ITSELF
    if isinstance(event, Flipped) and event.face == "up" and not place.uncovered:
        yield rules.text.COVERED_CARD_TURNED_UP
    if isinstance(event, Shifted) and place.up and not protocol_in(state, card, event.to):
        yield rules.shift.PROTOCOL_DOES_NOT_MATTER
    if isinstance(event, Shifted | Deleted) and ref == "this" and not place.uncovered:
        yield rules.delete.SELF_WHILE_COVERED


def _while_on_the_way(state: State, card: str) -> Iterator[Rule]:
    yield rules.committed.NOT_A_TARGET
    if card in laid_open(state):
        yield rules.committed.TWO_CARDS_OPEN


def laid_open(state: State) -> tuple[str, ...]:
    """The cards that are uncovered as long as a shifted card is on its way: under it before, and under it soon."""
    ends = [
        top_of(state, frame.seat, line)
        for frame in state.stack
        if type(frame) is CardMovement and frame.committed and isinstance(frame.origin, int)
        for line in (frame.origin, frame.line)
    ]
    return tuple(placed.card for placed in ends if placed)


def is_under(state: State, card: str) -> bool:
    """Whether the card lies on the field with another on it."""
    place = field_position(state, card)
    return place is not None and not place.uncovered
