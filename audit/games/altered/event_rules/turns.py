"""Whose turn it is in an afternoon, by which rules, whose it is next, and passing."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation
from audit.games.altered.event_rules.base import ChoiceRules, Failures, blocked_by, fails
from audit.games.altered.events import PlayerPassed
from audit.games.altered.game_data import Cards
from audit.games.altered.rules import (
    day_overview,
    day_structure,
    free_for_all,
    phases,
    timing_of_play,
    two_against_two,
)
from audit.games.altered.seats import after
from audit.games.altered.state import PhaseProgress, State
from audit.games.altered.triggers import begun
from audit.games.altered.zones import (
    less,
)


def not_on_turn(state: State, seat: str, *, quick: bool = False) -> Failures:
    """Why it is not this player's turn."""
    if state.phase != "afternoon":
        yield fails(timing_of_play.KINDS_OF_PLAY, "turn.phase", {"phase": state.phase})
        yield fails(timing_of_play.OWN_TURN, "turn.phase", {"phase": state.phase})
        if state.phase == "noon":
            yield fails(day_overview.NOON, "turn.phase", {"phase": state.phase})
    yield from blocked_by(state)
    if seat in state.passed:
        yield fails(day_overview.PASSED_OUT, "turn.passed", {"player": seat})
    elif state.seats and seat not in state.still_in:
        rule = timing_of_play.OWN_TURN if state.game.mode == "duel" else free_for_all.TIEBREAK_LEAVE
        yield fails(rule, "player.out", {"player": seat})
    elif state.turn_of is not None and seat != state.turn_of:
        yield _out_of_turn(state, seat, quick)
        yield fails(timing_of_play.OWN_TURN, "turn.other", {"player": state.turn_of})


def _out_of_turn(state: State, seat: str, quick: bool) -> Violation:
    data = {"player": state.turn_of}
    if _opens_afternoon(state):
        return fails(day_overview.FIRST_TURN, "turn.first", data)
    if state.last_action == (seat, "card"):
        if quick:
            return fails(phases.AFTERNOON_QUICK_BEFORE_CARD, "turn.quick_late", {"player": seat})
        return fails(day_overview.CARD_OR_PASS, "turn.one_card", {"player": seat})
    rule = two_against_two.TURNS_CLOCKWISE if len(state.seats) > 2 else day_overview.ALTERNATE_TURNS
    return fails(rule, "turn.other", data)


def _opens_afternoon(state: State) -> bool:
    """Whether the turn is the first of the afternoon: nobody has passed or paid since the morning."""
    is_untouched = state.last_action is None and not state.passed and state.turn_of in (None, state.first_player)
    return is_untouched and not any(side.exhausted_orbs for side in state.sides)


def turn_rules(state: State, seat: str) -> Citations:
    """Why it is this player's turn."""
    if _opens_afternoon(state):
        return (day_overview.FIRST_TURN,)
    if [other for other in state.still_in if other not in state.passed] == [seat]:
        return (phases.AFTERNOON_CONTINUE_ALONE, day_structure.AFTERNOON_ENDS)
    around = (two_against_two.TURNS_CLOCKWISE,) if len(state.seats) > 2 else ()
    return (*around, day_overview.ALTERNATE_TURNS)


def turn_after(state: State, seat: str, out: Cards) -> tuple[str | None, PhaseProgress]:
    """Whose turn is next; whoever has played before it was their turn is left out once."""
    turn, progress = after(state, seat, out), state.progress
    while turn in progress.played_early:
        progress = replace(progress, played_early=less(progress.played_early, str(turn)))
        turn = after(state, str(turn), out)
    return turn, progress


class PlayerPassedRules(ChoiceRules[PlayerPassed]):
    """The player on turn is out for the day."""

    event = PlayerPassed
    is_turn_act = True
    rules: Citations = (day_overview.CARD_OR_PASS, phases.AFTERNOON_PASS_FREE)

    def criteria(self, state: State, event: PlayerPassed) -> Failures:
        return not_on_turn(state, event.player)

    def citations(self, state: State, event: PlayerPassed) -> Citations:
        turn = turn_rules(state, event.player)
        return (phases.AFTERNOON_PASS_FREE, day_overview.CARD_OR_PASS, *turn, day_overview.PASSED_OUT)

    def candidates(self, state: State) -> Iterator[PlayerPassed]:
        if state.turn_of:
            yield PlayerPassed(seq=0, player=state.turn_of)

    def happen(self, state: State, event: PlayerPassed) -> State:
        out = (*state.passed, event.player) if event.player not in state.passed else state.passed
        turn, progress = turn_after(state, event.player, out)
        return replace(
            state, moment=begun(state, event, "after_pass"), passed=out, last_action=(event.player, "pass"),
            turn_of=turn, progress=progress,
        )  # fmt: skip


RULES = (PlayerPassedRules(),)
