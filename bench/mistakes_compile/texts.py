"""Mistakes with texts: what has to be done, when, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.compile.events import Deleted, Drew, Flipped, PhaseBegan, Resolved, Returned, Triggered, TurnBegan
from audit.games.compile.occasions import instructions
from audit.games.compile.parts import field_positions, opponent
from audit.games.compile.progress import is_lost, next_instruction
from audit.games.compile.state import DueTexts, State, Text
from audit.games.compile.texts import CARD_INSTRUCTIONS, WAITING, card_instructions
from bench.mistakes import Moment, Mutant, Plant, is_up
from bench.mistakes_compile.planting import WAITED, instead, rules, table


def mandatory_not_done(moment: Moment) -> Iterator[Mutant]:
    state, frame = table(moment), (table(moment).stack or (None,))[-1]
    if type(frame) is not Text or is_lost(state, frame):
        return
    if next_instruction(frame).optional or next_instruction(frame).verb == "bar":
        return
    if len(left := card_instructions(frame)[frame.next_index :]) > 1 and moment.game.rules.forced(state):
        return  # the log may have passed over this one, and speak of the next
    if any(option.event is type(moment.event) for option in instructions(frame)):
        said = Resolved(seq=0, card=frame.card, command=frame.box, outcome="declined")
        own = ["rearrange.card-order-binds"] if left[0].verb in ("rearrange", "swap") else []
        own += ["effects.no-costs"] if len(left) > 1 and left[1].if_did else []
        yield instead(moment, said, "effects.must-be-applied", "effects.may-only-if-said", *own)


def may_forced(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, Resolved) and event.outcome == "declined":
        said = replace(event, outcome="impossible")
        yield instead(moment, said, "effects.may-only-if-said", "effects.must-be-applied")


def without_condition(moment: Moment) -> Iterator[Mutant]:
    """The conditional half is done though the first half was not."""
    state, event = table(moment), moment.event
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or not isinstance(event, Resolved) or event.outcome not in ("declined", "impossible"):
        return
    steps = CARD_INSTRUCTIONS[frame.card, frame.box, frame.entry]
    following = steps[frame.next_index + 1] if frame.next_index + 1 < len(steps) else None
    if following is None or following.if_did != "previous" or following.verb not in ("delete", "flip", "return"):
        return
    for card, place in field_positions(state):
        if place.uncovered and not (following.target and following.target.ref):
            done: Event = Deleted(seq=0, cards=(card,))
            if following.verb == "flip":
                done = Flipped(seq=0, card=card, face="down" if place.up else "up")
            if following.verb == "return":
                done = Returned(seq=0, card=card, to=place.seat)
            yield Mutant(moment.played_on(event, done), moment.index + 2, rules("effects.condition-must-be-met"))


def interrupts_out_of_order(moment: Moment) -> Iterator[Mutant]:
    """The older text goes on, as it could if there were no newer one, while that has just come into force."""
    state, event = table(moment), moment.event
    frame = state.stack[-1] if state.stack else None
    older = state.stack[-2] if len(state.stack) > 1 else None
    if type(frame) is DueTexts and type(older) is Text and isinstance(event, Triggered) and len(frame.texts) == 1:
        depth = len(state.stack)
        later, at = state, moment.index
        while at < len(moment.events) - 1 and at < moment.index + 60:
            later = cast(State, moment.game.rules.evolve(later, moment.events[at]))
            at += 1
            if len(later.stack) < depth and later.stack and later.stack[-1:] and type(later.stack[-1]) is Text:
                break
        top = later.stack[-1] if later.stack else None
        if at < len(moment.events) - 1 and type(top) is Text and top.card == older.card:
            early = moment.events[at]
            if isinstance(early, Resolved | Triggered) or moment.comes_up(early):
                return
            if any(moment.game.rules.interleavings(state, early)):
                order = [early, *moment.events[moment.index : at]]
                yield Mutant(moment.instead(*order, skip=len(order)), moment.index + 1, rules(
                    "interrupt.newest-goes-first", "text.middle-at-once", "play.middle-text-resolved",
                    "after.waits-for-the-whole-event", "cover-trigger.before-covering", "interrupt.unwinds-backwards",
                    "effects.reading-order",
                ))  # fmt: skip


def lost_text_resolved(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    frame = state.stack[-1] if state.stack else None
    if not isinstance(event, Resolved) or event.outcome != "stopped" or type(frame) is not Text:
        return
    declared = next_instruction(frame)
    if declared.verb == "draw" and isinstance(declared.count, int) and declared.source == "deck":
        seat = frame.seat if declared.who == "you" else opponent(frame.seat)
        deck = state.side(seat).deck
        if len(deck) >= declared.count:
            yield instead(moment, Drew(seq=0, player=seat, cards=deck[: declared.count]), "interrupt.lost-text-dropped")
    if declared.verb in ("flip", "delete") and declared.target and not declared.target.ref:
        for card, place in field_positions(state):
            if place.uncovered:
                done: Event = Flipped(seq=0, card=card, face="down" if place.up else "up")
                done = done if declared.verb == "flip" else Deleted(seq=0, cards=(card,))
                yield instead(moment, done, "interrupt.lost-text-dropped")


def covered_bottom_box(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase not in WAITED or state.stack or not isinstance(moment.event, Triggered | PhaseBegan | TurnBegan):
        return
    for card, place in field_positions(state):
        box = WAITING[state.phase].get(card, ("", 0))[0]
        if box == "bottom" and place.up and not place.uncovered and place.seat == state.player:
            yield instead(moment, Triggered(seq=0, card=card, command="bottom", on=state.phase), "field.bottom-command")


def latecomer(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase not in WAITED or state.stack:
        return
    for card, place in field_positions(state):
        if card not in WAITING[state.phase] or not place.up or place.seat != state.player:
            continue
        box, _ = WAITING[state.phase][card]
        due = any(moment_due.card == card for moment_due in state.due)
        if (place.uncovered or box == "top") and not due and not _has_acted(moment, card):
            late = Triggered(seq=0, card=card, command=box, on=state.phase)
            yield instead(moment, late, "start-end.no-latecomers")


def _has_acted(moment: Moment, card: str) -> bool:
    """Whether its Start or End text has had its turn in this part."""
    for event in reversed(moment.events[: moment.index]):
        if isinstance(event, PhaseBegan | TurnBegan):
            return False
        if isinstance(event, Triggered) and event.card == card and event.on == table(moment).phase:
            return True
    return False


def choice_left_out(moment: Moment) -> Iterator[Mutant]:
    """What was chosen is not written down: a target, a discard, a use of a permission."""
    state = table(moment)
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or moment.game.rules.forced(state) is not None or moment.index + 3 >= len(moment.events):
        return
    following = moment.events[moment.index + 1]
    if not is_up(moment.game, state, following):  # else what is left out may come later
        yield Mutant(moment.instead(), moment.index + 1, moment.owed(following))


KINDS: dict[str, Plant] = {
    "mandatory effect not done": mandatory_not_done,
    "may forced": may_forced,
    "conditional half without its condition": without_condition,
    "wrong order of two interrupts": interrupts_out_of_order,
    "text resolved after it was lost": lost_text_resolved,
    "effect of a covered bottom box": covered_bottom_box,
    "start or end effect of a latecomer": latecomer,
    "a choice left out": choice_left_out,
}
