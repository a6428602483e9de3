"""Mistakes with the texts of Compile: what has to be done, when, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.compile.card_rulings import CARD_RULES
from audit.games.compile.events import Deleted, Drew, Flipped, PhaseBegan, Resolved, Returned, Triggered, TurnBegan
from audit.games.compile.occasions import instructions
from audit.games.compile.parts import field_positions, opponent
from audit.games.compile.state import DueTexts, State, Text
from audit.games.compile.texts import CARD_INSTRUCTIONS, WAITING, card_instructions, is_lost, next_instruction
from bench import mistakes
from bench.mistakes import Mutant, Plant, Plants, is_up

WAITED = ("start", "end")
Moment = mistakes.Moment[State]
E = TypeVar("E", bound=Event)


def acting(state: State) -> Text | None:
    """The text that is being carried out."""
    frame = state.stack[-1] if state.stack else None
    return frame if type(frame) is Text else None


def instead(moment: Moment, event: Event, *ids: str) -> Mutant:
    """The players do this instead of what they may, and play on. The acting card's own rules tell more than any."""
    frame = acting(moment.state)
    return moment.wrong(moment.played_on(event), *ids, *(CARD_RULES.get(frame.card, ()) if frame else ()))


def changing(
    kind: type[E] | tuple[type[E], ...], change: Callable[[Moment, E], Iterable[Event]], *ids: str
) -> Plant[State]:
    """Events of that type happen otherwise, as in any game; the acting card's own rules may be named too."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if isinstance(moment.event, kind):
            yield from (instead(moment, event, *ids) for event in change(moment, moment.event))

    return plant


def mandatory_not_done(moment: Moment) -> Iterator[Mutant]:
    state, frame = moment.state, acting(moment.state)
    if frame is None or is_lost(state, frame):
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


def without_condition(moment: Moment) -> Iterator[Mutant]:
    """The conditional half is done though the first half was not."""
    event, frame = moment.event, acting(moment.state)
    if frame is None or not isinstance(event, Resolved) or event.outcome not in ("declined", "impossible"):
        return
    steps = CARD_INSTRUCTIONS[frame.card, frame.box, frame.entry]
    following = steps[frame.next_index + 1] if frame.next_index + 1 < len(steps) else None
    if following is None or following.if_did != "previous" or following.verb not in ("delete", "flip", "return"):
        return
    if not (following.target and following.target.ref):
        for done in done_to_uncovered(moment.state, following.verb):
            yield moment.wrong(moment.played_on(event, done), "effects.condition-must-be-met", after=1)


def done_to_uncovered(state: State, verb: str) -> Iterator[Event]:
    """Each uncovered card flipped, returned or deleted."""
    for card, place in field_positions(state):
        if place.uncovered and verb == "flip":
            yield Flipped(seq=0, card=card, face="down" if place.up else "up")
        elif place.uncovered:
            yield Returned(seq=0, card=card, to=place.seat) if verb == "return" else Deleted(seq=0, cards=(card,))


def interrupts_out_of_order(moment: Moment) -> Iterator[Mutant]:
    """The older text goes on, as it could if there were no newer one, while that has just come into force."""
    state, event = moment.state, moment.event
    frame = state.stack[-1] if state.stack else None
    older = state.stack[-2] if len(state.stack) > 1 else None
    if type(frame) is DueTexts and type(older) is Text and isinstance(event, Triggered) and len(frame.texts) == 1:
        depth = len(state.stack)
        later, at = state, moment.index
        while at < len(moment.events) - 1 and at < moment.index + 60:
            later = cast(State, moment.game.rules.evolve(later, moment.events[at]))
            at += 1
            if len(later.stack) < depth and acting(later):
                break
        top = acting(later)
        if at < len(moment.events) - 1 and top and top.card == older.card:
            early = moment.events[at]
            if isinstance(early, Resolved | Triggered) or moment.comes_up(early):
                return
            if any(moment.game.rules.interleavings(state, early)):
                order = [early, *moment.events[moment.index : at]]
                yield moment.wrong(
                    moment.instead(*order, skip=len(order)),
                    "interrupt.newest-goes-first", "text.middle-at-once", "play.middle-text-resolved",
                    "after.waits-for-the-whole-event", "cover-trigger.before-covering", "interrupt.unwinds-backwards",
                    "effects.reading-order",
                )  # fmt: skip


def lost_text_resolved(moment: Moment, event: Resolved) -> Iterator[Event]:
    state, frame = moment.state, acting(moment.state)
    if event.outcome != "stopped" or frame is None:
        return
    declared = next_instruction(frame)
    if declared.verb == "draw" and isinstance(declared.count, int) and declared.source == "deck":
        seat = frame.seat if declared.who == "you" else opponent(frame.seat)
        deck = state.side(seat).deck
        if len(deck) >= declared.count:
            yield Drew(seq=0, player=seat, cards=deck[: declared.count])
    if declared.verb in ("flip", "delete") and declared.target and not declared.target.ref:
        yield from done_to_uncovered(state, declared.verb)


def covered_bottom_box(moment: Moment, event: Event) -> Iterator[Event]:
    state = moment.state
    for card, place in field_positions(state) if state.phase in WAITED and not state.stack else ():
        box = WAITING[state.phase].get(card, ("", 0))[0]
        if box == "bottom" and place.up and not place.uncovered and place.seat == state.player:
            yield Triggered(seq=0, card=card, command="bottom", on=state.phase)


def latecomer(moment: Moment, event: Event) -> Iterator[Event]:
    state = moment.state
    for card, place in field_positions(state) if state.phase in WAITED and not state.stack else ():
        if card not in WAITING[state.phase] or not place.up or place.seat != state.player:
            continue
        box, _ = WAITING[state.phase][card]
        due = any(moment_due.card == card for moment_due in state.due)
        if (place.uncovered or box == "top") and not due and not _has_acted(moment, card):
            yield Triggered(seq=0, card=card, command=box, on=state.phase)


def _has_acted(moment: Moment, card: str) -> bool:
    """Whether its Start or End text has had its turn in this part."""
    for event in reversed(moment.events[: moment.index]):
        if isinstance(event, PhaseBegan | TurnBegan):
            return False
        if isinstance(event, Triggered) and event.card == card and event.on == moment.state.phase:
            return True
    return False


def choice_left_out(moment: Moment) -> Iterator[Mutant]:
    """What was chosen is not written down: a target, a discard, a use of a permission."""
    state = moment.state
    is_choice = acting(state) and moment.game.rules.forced(state) is None and moment.index + 3 < len(moment.events)
    following = moment.events[min(moment.index + 1, len(moment.events) - 1)]
    if is_choice and not is_up(moment.game, state, following):  # else what is left out may come later
        yield moment.wrong(moment.instead(), *moment.owed(following))


KINDS: Plants = {
    "mandatory effect not done": mandatory_not_done,
    "may forced": changing(
        Resolved, lambda _, e: [replace(e, outcome="impossible")] if e.outcome == "declined" else (),
        "effects.may-only-if-said", "effects.must-be-applied",
    ),
    "conditional half without its condition": without_condition,
    "wrong order of two interrupts": interrupts_out_of_order,
    "text resolved after it was lost": changing(Resolved, lost_text_resolved, "interrupt.lost-text-dropped"),
    "effect of a covered bottom box": changing(
        (Triggered, PhaseBegan, TurnBegan), covered_bottom_box, "field.bottom-command"
    ),
    "start or end effect of a latecomer": changing(Event, latecomer, "start-end.no-latecomers"),
    "a choice left out": choice_left_out,
}  # fmt: skip
