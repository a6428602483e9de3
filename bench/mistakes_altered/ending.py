"""Mistakes at the end: winners, meeting, tie-breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered.events import (
    ArenaTotals,
    ExpeditionAdvanced,
    MeetingDetected,
    PhaseStarted,
    PlayerLeft,
    TiebreakStarted,
    WinnerDeclared,
)
from audit.games.altered.rules import free_for_all, multiplayer, two_against_two
from audit.games.altered.state import EXPEDITIONS
from audit.games.altered.victory import outcome
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_altered.planting import changing, instead, table

ENDS = (
    multiplayer.WIN, free_for_all.VICTORY, free_for_all.VICTORY_FURTHER, free_for_all.VICTORY_ARENA,
    two_against_two.VICTORY, two_against_two.VICTORY_TWO_ALLIED, two_against_two.VICTORY_TWO_ARENA,
    two_against_two.VICTORY_TWO_FURTHER, two_against_two.VICTORY_THREE, two_against_two.VICTORY_FOUR_ARENA,
    two_against_two.VICTORY_FOUR_FURTHER, free_for_all.TIEBREAK_WINNER, free_for_all.TIEBREAK_AGAIN,
    two_against_two.TIEBREAK_WINNER, two_against_two.TIEBREAK_AGAIN,
)  # fmt: skip


def other_winner(moment: Moment, event: Event) -> Iterator[Event]:
    won, state = cast(WinnerDeclared, event), table(moment)
    sides = [name for name, _ in state.teams] or state.still_in
    yield from (replace(won, side=side) for side in sides if side != won.side)


def winner_at_a_tie(moment: Moment, event: Event) -> Iterator[Event]:
    state = table(moment)
    yield WinnerDeclared(seq=0, side=state.teams[0][0] if state.teams else cast(TiebreakStarted, event).qualified[0])


def tiebreak_for_nothing(moment: Moment, event: Event) -> Iterator[Event]:
    yield TiebreakStarted(seq=0, qualified=table(moment).still_in)


def not_qualified(moment: Moment, event: Event) -> Iterator[Event]:
    """One player too many, or too few, takes part in the tie-break."""
    called, state = cast(TiebreakStarted, event), table(moment)
    others = tuple(seat for seat in state.still_in if seat not in called.qualified)
    yield replace(called, qualified=(*called.qualified, *others[:1]) if others else called.qualified[:-1])


def nobody_has_met(moment: Moment) -> Iterator[Mutant]:
    """The winner is declared before the expeditions have met."""
    state = table(moment)
    night = isinstance(moment.event, PhaseStarted) and moment.event.phase == "night"
    if night and state.day_kind == "normal" and not state.limbo and not state.triggered and outcome(state) is None:
        side = state.teams[0][0] if state.teams else state.still_in[0]
        yield instead(moment, WinnerDeclared(seq=0, side=side), multiplayer.WIN)


def met_too_soon(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    night = isinstance(moment.event, PhaseStarted) and moment.event.phase == "night"
    if night and state.day_kind == "normal" and not state.limbo and not state.triggered and outcome(state) is None:
        event = MeetingDetected(seq=0, player=state.still_in[0], surplus=0)
        yield instead(moment, event, multiplayer.WIN, free_for_all.VICTORY, two_against_two.VICTORY)


def surplus_wrong(moment: Moment, event: Event) -> Iterator[Event]:
    yield replace(event, surplus=cast(MeetingDetected, event).surplus + 1)


def wrong_one_leaves(moment: Moment, event: Event) -> Iterator[Event]:
    """A player who is in the tie-break leaves."""
    for seat in table(moment).tiebreak_players or ():
        yield PlayerLeft(seq=0, player=seat)


def arena_wrong(moment: Moment, event: Event) -> Iterator[Event]:
    yield replace(event, water=cast(ArenaTotals, event).water + 1)


def moved_in_a_tiebreak(moment: Moment, event: Event) -> Iterator[Event]:
    for seat in table(moment).still_in[:1]:
        yield ExpeditionAdvanced(seq=0, player=seat, expedition=EXPEDITIONS[0], stat="forest")


KINDS: dict[str, Plant] = {
    "a wrong winner": changing(WinnerDeclared, other_winner, *ENDS),
    "a winner at a tie": changing(TiebreakStarted, winner_at_a_tie, *ENDS),
    "a tie-break for nothing": changing(WinnerDeclared, tiebreak_for_nothing, *ENDS),
    "a tie-break with the wrong players": changing(TiebreakStarted, not_qualified, *ENDS),
    "won before meeting": nobody_has_met,
    "met too soon": met_too_soon,
    "surplus wrong": changing(
        MeetingDetected, surplus_wrong, multiplayer.WIN, free_for_all.VICTORY_FURTHER,
        two_against_two.VICTORY_TWO_FURTHER,
    ),
    "left though in the tie-break": changing(PlayerLeft, wrong_one_leaves, free_for_all.TIEBREAK_LEAVE),
    "Arena sums wrong": changing(
        ArenaTotals, arena_wrong, free_for_all.TIEBREAK_TOTALS, two_against_two.TIEBREAK_TEAM_TOTALS
    ),
    "moved in a tie-break": changing(
        ArenaTotals, moved_in_a_tiebreak, free_for_all.TIEBREAK_KEEP_POSITIONS, two_against_two.TIEBREAK_EXTRA_DAY
    ),
}  # fmt: skip
