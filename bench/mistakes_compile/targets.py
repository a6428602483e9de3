"""Mistakes with plays and with what a text points at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.compile.event_rules.picking import Pick
from audit.games.compile.events import Deleted, Flipped, Played, Returned, Shifted
from audit.games.compile.game import RULES
from audit.games.compile.occasions import instructions
from audit.games.compile.parts import committed, field_position, field_positions, movements
from audit.games.compile.progress import is_lost, next_instruction
from audit.games.compile.state import LINES, State, Text
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_compile.planting import PICKS, at_action, instead, table


def wrong_line(moment: Moment) -> Iterator[Mutant]:
    event, state = moment.event, table(moment)
    if isinstance(event, Played) and event.from_ == "hand" and event.face == "up":
        protocol = event.card.rpartition("-")[0]
        for line in moment.random.sample(LINES, 3):
            if protocol not in (state.a.protocols[line - 1], state.b.protocols[line - 1]) and at_action(state):
                yield instead(moment, replace(event, line=line), "play.face-up-needs-protocol")


def wrong_face(moment: Moment) -> Iterator[Mutant]:
    event, state = moment.event, table(moment)
    if isinstance(event, Played) and event.face == "down" and event.from_ == "hand":
        turned = replace(event, face="up")
        if refused(state, turned):
            yield instead(moment, turned, "play.face-up-needs-protocol", "effects.cards-beat-rules")


def refused(state: State, event: Event) -> bool:
    """Whether such an event is expected and this one is refused."""
    expected = [*RULES.event_rules[type(event)].expected(state)]
    return bool(expected) and bool(RULES.violations(state, event))


def picking(state: State, event: Event) -> Pick[Any] | None:
    """The instruction that picks a card of the field by this event."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or is_lost(state, frame) or not isinstance(event, PICKS):
        return None
    found = [o for o in instructions(frame) if isinstance(o, Pick) and o.event is type(event)]
    return found[0] if found and next_instruction(frame).count == 1 else None


def with_card(event: Event, card: str, state: State) -> Event:
    """The same done to another card."""
    place = field_position(state, card)
    if isinstance(event, Flipped):
        return replace(event, card=card, face="down" if place is None or place.up else "up")
    if isinstance(event, Deleted):
        return replace(event, cards=(card,))
    if isinstance(event, Returned):
        return replace(event, card=card, to=place.seat if place else event.to)
    if isinstance(event, Shifted) and place:
        to = next(line for line in LINES if line != place.line)
        return replace(event, card=card, from_=place.line, to=to)
    return event


def covered_target(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    pick = picking(state, moment.event)
    if pick and pick.target.cover == "uncovered" and not pick.target.ref and not pick.declared.in_lines:
        for card, place in field_positions(state):
            if not place.uncovered and pick.target.owner == "any" and pick.target.face == "any":
                yield instead(moment, with_card(moment.event, card, state), "target.uncovered-by-default")


def committed_target(moment: Moment) -> Iterator[Mutant]:
    """A card on its way is picked. Of one that is being deleted, what makes that a way may be named too."""
    state = table(moment)
    pick = picking(state, moment.event)
    if pick and not pick.target.ref:
        to_a_line = [movement.card for movement in movements(state)]
        for card in committed(state):
            own = () if card in to_a_line else ("committed.any-change-of-place",)
            yield instead(moment, with_card(moment.event, card, state), "committed.not-a-target", *own)


def wrong_owner(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    pick = picking(state, moment.event)
    if pick and pick.target.owner != "any" and pick.target.cover == "uncovered" and pick.target.face == "any":
        frame = cast(Text, state.stack[-1])
        for card, place in field_positions(state):
            if place.uncovered and (place.seat == frame.seat) != (pick.target.owner == "you"):
                yield instead(moment, with_card(moment.event, card, state), "target.both-sides")


KINDS: dict[str, Plant] = {
    "wrong line for a face-up play": wrong_line,
    "wrong face for a play": wrong_face,
    "covered card targeted": covered_target,
    "committed card targeted": committed_target,
    "target of the wrong owner": wrong_owner,
}
