"""Who has won at the end of a dusk, or who plays a tie-break day: by mode, by rule."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.event_rules import Citations
from audit.games.altered.game_data import Cards
from audit.games.altered.rules import free_for_all, multiplayer, two_against_two
from audit.games.altered.seats import members, side_names, side_of
from audit.games.altered.state import STATS, State
from audit.games.altered.vocabulary import Stats


def surplus(state: State, seat: str) -> int | None:
    """Advances beyond the meeting distance; below zero before the expeditions meet."""
    side = side_of(state, seat)
    if state.meeting_distance is None or side.hero_advance is None or side.companion_advance is None:
        return None
    return side.hero_advance + side.companion_advance - state.meeting_distance


def leavers(state: State) -> Cards:
    """Players who have no part in the tie-break that was called and are still there."""
    called = state.tiebreak_players
    return tuple([seat for seat in state.still_in if seat not in called]) if called is not None else ()


class Outcome(Struct, frozen=True):
    """Who has won, or who plays a tie-break day, and by which rules."""

    rules: Citations
    winner: str | None = None
    qualified: Cards = ()


def is_dusk_over(state: State) -> bool:
    """Whether nothing of the dusk is left, so that it is clear who has met."""
    return state.phase == "dusk" and not state.daily_effect and not state.effects_left and not state.is_phase_uncertain


def yet_to_meet(state: State) -> Cards:
    """Players whose expeditions are in one region although the log has not said that they met."""
    if state.day_kind == "tiebreak":
        return ()
    said = dict(state.meetings)
    return tuple(
        seat
        for seat in state.still_in
        if seat not in said and seat not in state.played_on and (more := surplus(state, seat)) is not None and more >= 0
    )


def with_all_met(state: State) -> State:
    """The position in which it has been said of everybody whose expeditions have met."""
    met = tuple([(seat, surplus(state, seat) or 0) for seat in yet_to_meet(state)])
    return replace(state, meetings=(*state.meetings, *met)) if met else state


def played_on(state: State) -> State:
    """The position in which the game goes on although somebody has won: those who have met do not meet again."""
    met = tuple([seat for seat, _ in with_all_met(state).meetings if seat not in state.played_on])
    return replace(state, winner=None, meetings=(), arena_totals={}, played_on=(*state.played_on, *met))


def outcome(state: State) -> Outcome | None:
    """The outcome of the dusk; None if nobody has met."""
    if state.day_kind == "tiebreak":
        return arena_outcome(state)
    if not state.meetings:
        return None
    found = dict(state.meetings)
    return team_outcome(state, found) if state.teams else single_outcome(state, found)


def single_outcome(state: State, met: Mapping[str, int]) -> Outcome:
    """Everybody for themselves: the highest surplus wins, else those who share it go on."""
    best = max(met.values())
    leaders = tuple(seat for seat in state.still_in if met.get(seat) == best)
    if len(met) == 1:
        return Outcome(each_once((*_rules_of_meeting(state), multiplayer.WIN)), next(iter(met)))
    if state.game.mode == "duel":
        return _of_duel(leaders)
    if len(leaders) == 1:
        return Outcome((free_for_all.VICTORY_FURTHER, *_rules_of_meeting(state)), leaders[0])
    return Outcome(
        (free_for_all.VICTORY_ARENA, free_for_all.TIEBREAK_EXTRA_DAY, free_for_all.TIEBREAK_KEEP_POSITIONS),
        qualified=leaders,
    )


def _of_duel(leaders: Cards) -> Outcome:
    """Both players of a duel are level in something: as in Free for All, though the document does not say so."""
    one = len(leaders) == 1
    return Outcome((multiplayer.WIN,), leaders[0]) if one else Outcome((multiplayer.WIN,), qualified=leaders)


def is_beyond_the_rules(state: State) -> bool:
    """Whether both players of a duel have met: the document covers the ties of four players only."""
    return state.game.mode == "duel" and (state.day_kind == "tiebreak" or len(state.meetings) > 1)


def _rules_of_meeting(state: State) -> Citations:
    return (multiplayer.WIN,) if state.game.mode == "duel" else (free_for_all.VICTORY,)


def team_outcome(state: State, met: Mapping[str, int]) -> Outcome:
    """Teams: by how many have met, and by the surplus."""
    by_team = {name: tuple(seat for seat in members(state, name) if seat in met) for name, _ in state.teams}
    sums = {name: sum(met[seat] for seat in seats) for name, seats in by_team.items() if seats}
    best = max(sums, key=lambda name: sums[name])
    level = len(sums) > 1 and len(set(sums.values())) == 1
    match len(met), len(sums):
        case 1, _:
            return Outcome((two_against_two.VICTORY, multiplayer.WIN), best)
        case 2, 1:
            return Outcome((two_against_two.VICTORY_TWO_ALLIED, two_against_two.VICTORY), best)
        case 2, _ if level:
            return _tie(state, two_against_two.VICTORY_TWO_ARENA)
        case 2, _:
            return Outcome((two_against_two.VICTORY_TWO_FURTHER, two_against_two.VICTORY), best)
        case 3, _:
            pair = max(by_team, key=lambda name: len(by_team[name]))
            return Outcome((two_against_two.VICTORY_THREE, two_against_two.VICTORY), pair)
    if level:
        return _tie(state, two_against_two.VICTORY_FOUR_ARENA)
    return Outcome((two_against_two.VICTORY_FOUR_FURTHER, two_against_two.VICTORY), best)


def _tie(state: State, rule: Rule) -> Outcome:
    return Outcome((rule, two_against_two.TIEBREAK_EXTRA_DAY), qualified=state.still_in)


def types_won(arena: Mapping[str, Stats]) -> dict[str, Cards]:
    """Which region types each side has won: those in which its total is above every other."""
    return {
        side: tuple(
            stat
            for stat in STATS
            if all(getattr(own, stat) > getattr(other, stat) for name, other in arena.items() if name != side)
        )
        for side, own in arena.items()
    }


def arena_outcome(state: State) -> Outcome | None:
    """Who has won the most region types; several who share that play another day."""
    if set(state.arena_totals) != set(side_names(state)) or not state.arena_totals:
        return None
    won = {side: len(types) for side, types in types_won(state.arena_totals).items()}
    best = tuple(side for side in side_names(state) if won[side] == max(won.values()))
    if state.game.mode == "duel":
        return _of_duel(best)
    if len(best) == 1:
        if state.teams:
            return Outcome((two_against_two.TIEBREAK_WINNER,), best[0])
        shared = any(_is_shared(state.arena_totals, stat) for stat in STATS)
        example = (free_for_all.TIEBREAK_EXAMPLE,) if shared else ()
        return Outcome((free_for_all.TIEBREAK_WINNER, free_for_all.TIEBREAK_TYPE_WON, *example), best[0])
    if state.teams:
        return Outcome((two_against_two.TIEBREAK_AGAIN, two_against_two.TIEBREAK_EXTRA_DAY), qualified=state.still_in)
    return Outcome(
        (free_for_all.TIEBREAK_AGAIN, free_for_all.TIEBREAK_TYPE_WON, free_for_all.TIEBREAK_EXTRA_DAY), qualified=best
    )


def _is_shared(arena: Mapping[str, Stats], stat: str) -> bool:
    amounts = sorted(getattr(sums, stat) for sums in arena.values())
    return len(amounts) > 1 and amounts[-1] == amounts[-2]
