"""Days, phases and daily effects, and what happens in the morning."""

from __future__ import annotations

from msgspec.structs import replace

from audit.altered.events import (
    CardsDrawn,
    DailyEffectEnded,
    DailyEffectStarted,
    DayStarted,
    FirstPlayerPassed,
    ManaDeclined,
    ManaPlaced,
    ObjectsReadied,
    PhaseStarted,
)
from audit.altered.evolve.common import Moves, begun, less, sides_with
from audit.altered.places import without
from audit.altered.stages import effects_after, effects_of, first_turn, parts
from audit.altered.state import UNKNOWN, Course, Side, State


def day_started(state: State, event: DayStarted) -> State:
    """A new day: nobody has passed, nothing has been used. One that has begun does not begin again."""
    if event.day <= state.day:
        return state
    return replace(
        state, moment=begun(state, event, "day_start"), day=event.day, day_told=event.seq > 0,
        kind=event.kind, phase=None, effect=None, todo=(), pending=(), unsure=False, passed=(), turn_of=None,
        acted=None, kept={}, discarded=False, met=(), arena={}, called=None, uses={}, activations={}, effects=(),
        limbo=(), triggered=(),
    )  # fmt: skip


def phase_started(state: State, event: PhaseStarted) -> State:
    """A new phase, with its daily effects to come; in the afternoon it is the first player's turn."""
    if event.phase == state.phase:
        return state
    phase = event.phase
    return replace(
        state, moment=begun(state, event, "phase_start"), course=Course(event.seq), phase=phase, effect=None,
        todo=effects_of(phase, state.day), pending=(), unsure=False, effects=(), acted=None,
        turn_of=first_turn(state) if phase == "afternoon" else None,
    )  # fmt: skip


def effect_started(state: State, event: DailyEffectStarted) -> State:
    """A daily effect begins."""
    if event.effect == state.effect:
        return state
    effect = event.effect
    return replace(
        state, moment=begun(state, event, None), effect=effect, todo=effects_after(state.phase, effect),
        pending=parts(state, effect), unsure=False,
    )  # fmt: skip


def effect_ended(state: State, event: DailyEffectEnded) -> State:
    """A daily effect is complete; what it set off may wait in Limbo. One that is over already changes nothing."""
    if event.effect != state.effect and event.effect not in state.todo:
        return state
    todo, course = state.todo, state.course
    if event.effect != state.effect:
        todo = effects_after(state.phase, event.effect)
    if course.reached or course.flipped:
        course = replace(course, reached=(), flipped=())
    moment = replace(state.moment, name="after_daily_effect", seq=event.seq, resolving=None)
    return replace(
        state,
        effect=None,
        todo=todo,
        unsure=False,
        pending=(),
        course=course,
        moment=moment,
    )


def token_passed(state: State, event: FirstPlayerPassed) -> State:
    """The token moves."""
    return replace(state, first=event.to, pending=())


def readied(state: State, event: ObjectsReadied) -> State:
    """Orbs and cards of a player are ready again."""
    player = event.player
    if event.objects != "all":
        kept = {card: by for card, by in state.exhausted.items() if card not in event.objects}
        return replace(state, exhausted=kept, pending=less(state.pending, player))
    kept = {card: by for card, by in state.exhausted.items() if by not in (player, "")}
    sides = sides_with(state, player, _all_ready)
    return replace(state, exhausted=kept, sides=sides, pending=less(state.pending, player))


def _all_ready(side: Side) -> Side:
    ready = None if side.ready is None or side.spent is None else side.ready + side.spent
    return replace(side, ready=ready, spent=0 if ready is not None else None)


def drawn(state: State, event: CardsDrawn) -> State:
    """Cards from the top of the deck, or as many unknown ones, go to hand."""
    sides = sides_with(state, event.player, lambda side: _drawn(side, event.count))
    pending = less(state.pending, event.player) if state.effect == "draw" else state.pending
    return replace(state, sides=sides, pending=pending)


def _drawn(side: Side, count: int) -> Side:
    deck = side.deck or ()
    cards = deck[:count] + (UNKNOWN,) * max(0, count - len(deck))
    hand = None if side.hand is None else side.hand + cards
    return replace(side, hand=hand, deck=None if side.deck is None else deck[count:])


def placed(state: State, event: ManaPlaced) -> State:
    """A card of the hand is a ready orb from now on."""
    sides = sides_with(state, event.player, lambda side: _placed(side, event.card))
    return replace(state, sides=sides, pending=less(state.pending, event.player))


def _placed(side: Side, card: str) -> Side:
    return replace(
        side,
        hand=None if side.hand is None else without(side.hand, card),
        ready=None if side.ready is None else side.ready + 1,
        orbs=side.orbs if card.startswith(UNKNOWN) else (*side.orbs, card),
    )


def declined(state: State, event: ManaDeclined) -> State:
    """The choice is made; where nobody wrote it down (seq 0), it has lapsed."""
    course = state.course
    if not event.seq:
        course = replace(course, lapsed=(*course.lapsed, event.player))
    return replace(state, pending=less(state.pending, event.player), course=course)


MOVES: Moves = {
    DayStarted: day_started,
    PhaseStarted: phase_started,
    DailyEffectStarted: effect_started,
    DailyEffectEnded: effect_ended,
    FirstPlayerPassed: token_passed,
    ObjectsReadied: readied,
    CardsDrawn: drawn,
    ManaPlaced: placed,
    ManaDeclined: declined,
}
