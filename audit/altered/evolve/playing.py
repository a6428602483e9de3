"""What is played in the afternoon, and what effects do at any time."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from audit.altered.events import (
    CardPlayed,
    CardSacrificed,
    FirstPlayerEffectUsed,
    HandShown,
    PlayerPassed,
    QuickActionPlayed,
    TargetChosen,
    TokenCreated,
)
from audit.altered.evolve.common import Moves, begun, characters_changed, come, less, paid, put, sides_with, taken_from
from audit.altered.places import character, without
from audit.altered.seats import after
from audit.altered.state import Cards, Character, Course, Resolving, Side, State


def quick_action(state: State, event: QuickActionPlayed) -> State:
    """Orbs and the object are exhausted; the turn goes on."""
    key = use_of(event)
    sides = sides_with(state, event.player, lambda side: paid(side, event.mana)) if event.mana else state.sides
    exhausted = {**state.exhausted, event.exhausts: event.player} if event.exhausts else state.exhausted
    resolving = Resolving(event.player, (event.source,), event.seq)
    return replace(
        state, moment=begun(state, event, "after_quick_action", resolving), acted=(event.player, "quick"),
        sides=sides, exhausted=exhausted, uses={**state.uses, key: state.uses.get(key, 0) + 1},
    )  # fmt: skip


def use_of(event: QuickActionPlayed) -> str:
    """One and the same quick action: of which object, which one."""
    return f"{event.source}:{event.action}"


def card_played(state: State, event: CardPlayed) -> State:
    """The card is paid for and lies where it was played; the turn goes to the next player."""
    turn, course = _turn_after(state, event.player, state.passed)
    resolving = Resolving(event.player, (event.card,), event.seq)
    return replace(
        state, moment=begun(state, event, "after_card", resolving, born={event.card: event.seq}),
        acted=(event.player, "card"), turn_of=turn, course=course, sides=_paid_and_put(state, event),
        gone=_back(state, event.card),
    )  # fmt: skip


def _paid_and_put(state: State, event: CardPlayed) -> tuple[Side, ...]:
    """The sides with the card paid for and where it was played, in the zone of whomever it was played to."""
    arrived = character(state.box, event.card)
    if event.player == event.to_owner:
        return sides_with(state, event.player, lambda side: put(_played(side, event), event.to_zone, arrived))
    paid_for = replace(state, sides=sides_with(state, event.player, lambda side: _played(side, event)))
    return sides_with(paid_for, event.to_owner, lambda side: put(side, event.to_zone, arrived))


def _played(side: Side, event: CardPlayed) -> Side:
    side = paid(side, event.mana)
    if event.from_ == "hand":
        return side if side.hand is None else replace(side, hand=without(side.hand, event.card))
    return side if side.reserve is None else replace(side, reserve=without(side.reserve, event.card))


def _back(state: State, card: str) -> Mapping[str, int]:
    return {name: seq for name, seq in state.gone.items() if name != card} if card in state.gone else state.gone


def passed(state: State, event: PlayerPassed) -> State:
    """The player is out for the day."""
    out = (*state.passed, event.player) if event.player not in state.passed else state.passed
    turn, course = _turn_after(state, event.player, out)
    return replace(
        state, moment=begun(state, event, "after_pass"), passed=out, acted=(event.player, "pass"),
        turn_of=turn, course=course,
    )  # fmt: skip


def _turn_after(state: State, seat: str, out: Cards) -> tuple[str | None, Course]:
    """Whose turn is next; whoever has had it before it came is left out once."""
    turn, course = after(state, seat, out), state.course
    while turn in course.ahead:
        course = replace(course, ahead=less(course.ahead, str(turn)))
        turn = after(state, str(turn), out)
    return turn, course


def targeted(state: State, event: TargetChosen) -> State:
    """What an effect is applied to may have changed: stats and statuses of these Characters are untold from now on."""
    targets = set(event.targets)
    known = any(c.id in targets for side in state.sides for c in (*(side.hero or ()), *(side.companion or ())))
    if not known:
        return state

    def untold(one: Character) -> Character:
        return Character(one.id) if one.id in targets else one

    return replace(state, sides=characters_changed(state, untold))


def sacrificed(state: State, event: CardSacrificed) -> State:
    """The card lies in the discard of its controller."""
    side = taken_from(state.side(event.controller), event.card)
    side = replace(side, discard=(*side.discard, event.card))
    sides = sides_with(state, event.controller, lambda _: side)
    return replace(state, sides=sides, gone={**state.gone, event.card: event.seq})


def token_created(state: State, event: TokenCreated) -> State:
    """The token lies where the effect put it."""
    token = event.token
    sides = sides_with(state, event.to_owner, lambda side: put(side, event.to_zone, character(state.box, token)))
    return replace(state, sides=sides, moment=come(state, event, token), gone=_back(state, token))


def no_change(state: State, event: FirstPlayerEffectUsed | HandShown) -> State:
    """Nothing changes on the table."""
    return state


MOVES: Moves = {
    QuickActionPlayed: quick_action,
    CardPlayed: card_played,
    PlayerPassed: passed,
    TargetChosen: targeted,
    CardSacrificed: sacrificed,
    TokenCreated: token_created,
    FirstPlayerEffectUsed: no_change,
    HandShown: no_change,
}
