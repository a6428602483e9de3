"""How a game ends: meetings, who wins by mode, tie-break days in the Arena."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from audit.altered.events import MeetingDetected, PlayerLeft, Stats, TiebreakStarted, WinnerDeclared
from audit.altered.options.days import leavers
from audit.altered.options.told import Listed, Offers, Refused, Rules, fails, held_up
from audit.altered.rules import ffa, mp, two_v_two
from audit.altered.seats import members, side_names, surplus
from audit.altered.state import STATS, Cards, State
from audit.catalogue import Rule, each_once
from audit.ruleset import Obligation


class Outcome(Struct, frozen=True):
    """Who has won, or who plays a tie-break day, and by which rules."""

    rules: Rules
    winner: str | None = None
    qualified: Cards = ()


def is_over(state: State) -> bool:
    """Whether the dusk is done, so that it can be told who has met."""
    return state.phase == "dusk" and not state.effect and not state.todo and not state.unsure


def yet_to_meet(state: State) -> Cards:
    """Players whose expeditions stand in one region without its having been said."""
    if state.kind == "tiebreak":
        return ()
    said = dict(state.met)
    return tuple(
        seat for seat in state.still_in if seat not in said and (more := surplus(state, seat)) is not None and more >= 0
    )


def outcome(state: State) -> Outcome | None:
    """What the dusk comes to; None where nobody has met."""
    if state.kind == "tiebreak":
        return arena_outcome(state)
    if not state.met:
        return None
    found = dict(state.met)
    return team_outcome(state, found) if state.teams else single_outcome(state, found)


def single_outcome(state: State, met: Mapping[str, int]) -> Outcome:
    """Everybody for themselves: the highest surplus wins, else those who share it go on."""
    best = max(met.values())
    leaders = tuple(seat for seat in state.still_in if met.get(seat) == best)
    if len(met) == 1:
        return Outcome(each_once((*_met_rules(state), mp.WIN)), next(iter(met)))
    if len(leaders) == 1:
        return Outcome((ffa.VICTORY_FURTHER, *_met_rules(state)), leaders[0])
    return Outcome((ffa.VICTORY_ARENA, ffa.TIEBREAK_EXTRA_DAY, ffa.TIEBREAK_KEEP_POSITIONS), qualified=leaders)


def _met_rules(state: State) -> Rules:
    return (mp.WIN,) if state.box.mode == "duel" else (ffa.VICTORY,)


def team_outcome(state: State, met: Mapping[str, int]) -> Outcome:
    """Teams: by how many have met, and by the surplus."""
    by_team = {name: tuple(seat for seat in members(state, name) if seat in met) for name, _ in state.teams}
    sums = {name: sum(met[seat] for seat in seats) for name, seats in by_team.items() if seats}
    best = max(sums, key=lambda name: sums[name])
    level = len(sums) > 1 and len(set(sums.values())) == 1
    match len(met), len(sums):
        case 1, _:
            return Outcome((two_v_two.VICTORY, mp.WIN), best)
        case 2, 1:
            return Outcome((two_v_two.VICTORY_TWO_ALLIED, two_v_two.VICTORY), best)
        case 2, _ if level:
            return _tie(state, two_v_two.VICTORY_TWO_ARENA)
        case 2, _:
            return Outcome((two_v_two.VICTORY_TWO_FURTHER, two_v_two.VICTORY), best)
        case 3, _:
            pair = max(by_team, key=lambda name: len(by_team[name]))
            return Outcome((two_v_two.VICTORY_THREE, two_v_two.VICTORY), pair)
    if level:
        return _tie(state, two_v_two.VICTORY_FOUR_ARENA)
    return Outcome((two_v_two.VICTORY_FOUR_FURTHER, two_v_two.VICTORY), best)


def _tie(state: State, rule: Rule) -> Outcome:
    return Outcome((rule, two_v_two.TIEBREAK_EXTRA_DAY), qualified=state.still_in)


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
    if set(state.arena) != set(side_names(state)) or not state.arena:
        return None
    won = {side: len(types) for side, types in types_won(state.arena).items()}
    best = tuple(side for side in side_names(state) if won[side] == max(won.values()))
    if len(best) == 1:
        if state.teams:
            return Outcome((two_v_two.TIEBREAK_WINNER,), best[0])
        shared = any(_is_shared(state.arena, stat) for stat in STATS)
        example = (ffa.TIEBREAK_EXAMPLE,) if shared else ()
        return Outcome((ffa.TIEBREAK_WINNER, ffa.TIEBREAK_TYPE_WON, *example), best[0])
    if state.teams:
        return Outcome((two_v_two.TIEBREAK_AGAIN, two_v_two.TIEBREAK_EXTRA_DAY), qualified=state.still_in)
    return Outcome((ffa.TIEBREAK_AGAIN, ffa.TIEBREAK_TYPE_WON, ffa.TIEBREAK_EXTRA_DAY), qualified=best)


def _is_shared(arena: Mapping[str, Stats], stat: str) -> bool:
    amounts = sorted(getattr(sums, stat) for sums in arena.values())
    return len(amounts) > 1 and amounts[-1] == amounts[-2]


class Meet(Listed):
    """A player's two expeditions stand in one region; in any order, all who do."""

    event = MeetingDetected
    rules = (mp.WIN,)

    def broken(self, state: State, event: MeetingDetected) -> Refused:
        rule = self.citations(state, event)[0]
        yield from held_up(state, rule)
        if not is_over(state):
            yield fails(rule, "meeting.moment")
        known = surplus(state, event.player)
        if known is not None and known < 0:
            yield fails(rule, "meeting.apart", {"player": event.player, "n": -known})
        elif known is not None and known != event.surplus:
            yield fails(_surplus_rule(state), "meeting.surplus", {"player": event.player, "n": known})
        if event.player in dict(state.met):
            yield fails(rule, "meeting.again", {"player": event.player})

    def citations(self, state: State, event: MeetingDetected) -> Rules:  # type: ignore[override]
        by_mode = {"ffa": (ffa.VICTORY, mp.WIN), "2v2": (two_v_two.VICTORY, mp.WIN)}
        return by_mode.get(state.box.mode, self.rules)

    def candidates(self, state: State) -> Offers:
        for seat in yet_to_meet(state):
            yield MeetingDetected(seq=0, player=seat, surplus=surplus(state, seat) or 0)


def _surplus_rule(state: State) -> Rule:
    return two_v_two.VICTORY_TWO_FURTHER if state.box.mode == "2v2" else ffa.VICTORY_FURTHER


class Declare(Listed):
    """The side that has won."""

    event = WinnerDeclared
    rules = (mp.WIN,)

    def broken(self, state: State, event: WinnerDeclared) -> Refused:
        found = outcome(state) if is_over(state) else None
        if found is None:
            rule = arena_winner(state) if state.kind == "tiebreak" else mp.WIN
            yield fails(rule, "winner.nobody")
        elif found.winner is None:
            yield from (fails(rule, "winner.tie") for rule in found.rules)
        elif found.winner != event.side:
            yield from (fails(rule, "winner.other", {"player": found.winner}) for rule in found.rules)
        elif left := yet_to_meet(state):
            yield fails(mp.WIN, "winner.others", {"player": left[0]})

    def citations(self, state: State, event: WinnerDeclared) -> Rules:  # type: ignore[override]
        found = outcome(state)
        return found.rules if found else self.rules

    def candidates(self, state: State) -> Offers:
        found = outcome(state)
        if found and found.winner:
            yield WinnerDeclared(seq=0, side=found.winner)


def arena_winner(state: State) -> Rule:
    """Who wins a tie-break day, by mode."""
    return two_v_two.TIEBREAK_WINNER if state.box.mode == "2v2" else ffa.TIEBREAK_WINNER


class CallTiebreak(Listed):
    """A day in the Arena, for those who are level at the top."""

    event = TiebreakStarted
    rules = (ffa.TIEBREAK_EXTRA_DAY,)

    def broken(self, state: State, event: TiebreakStarted) -> Refused:
        found = outcome(state) if is_over(state) else None
        if found is None:
            yield fails(two_v_two.TIEBREAK_EXTRA_DAY if state.teams else ffa.TIEBREAK_EXTRA_DAY, "tiebreak.no_tie")
        elif found.winner is not None:
            yield from (fails(rule, "winner.other", {"player": found.winner}) for rule in found.rules)
        elif set(event.qualified) != set(found.qualified):
            yield from (fails(rule, "tiebreak.qualified", {"players": found.qualified}) for rule in found.rules)

    def citations(self, state: State, event: TiebreakStarted) -> Rules:  # type: ignore[override]
        found = outcome(state)
        return found.rules if found else self.rules

    def candidates(self, state: State) -> Offers:
        found = outcome(state)
        if found and found.winner is None:
            yield TiebreakStarted(seq=0, qualified=found.qualified)


class LeaveGame(Listed):
    """Players who have no part in the tie-break leave, in any order."""

    event = PlayerLeft
    rules = (ffa.TIEBREAK_LEAVE,)

    def broken(self, state: State, event: PlayerLeft) -> Refused:
        if state.called is None or event.player in state.called:
            yield fails(ffa.TIEBREAK_LEAVE, "leave.stays", {"player": event.player})
        elif event.player not in state.still_in:
            yield fails(ffa.TIEBREAK_LEAVE, "player.out", {"player": event.player})

    def citations(self, state: State, event: PlayerLeft) -> Rules:  # type: ignore[override]
        return (ffa.TIEBREAK_LEAVE, ffa.TIEBREAK_AGAIN) if state.kind == "tiebreak" else self.rules

    def candidates(self, state: State) -> Offers:
        return (PlayerLeft(seq=0, player=seat) for seat in leavers(state))


MEET, MAYBE_MEET = Meet(), Meet(Obligation.REDUNDANT)
DECLARE, CALL, LEAVE = Declare(), CallTiebreak(), LeaveGame()
NO_WINNER, NO_TIE = Declare(Obligation.EXPIRES), CallTiebreak(Obligation.EXPIRES)
"""Not up, but what somebody may think is up: where there is a tie, a winner; where there is a winner, a tie."""
