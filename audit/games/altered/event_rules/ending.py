"""How a game ends: meetings, winners, tie-break days in the Arena."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations
from audit.games.altered.event_rules.base import AlteredEventRules, Due, Failures, blocked_by, by_mode, fails
from audit.games.altered.event_rules.days import extra_day
from audit.games.altered.events import MeetingDetected, PlayerLeft, TiebreakStarted, WinnerDeclared
from audit.games.altered.places import place_of
from audit.games.altered.rules import free_for_all, multiplayer, two_against_two
from audit.games.altered.seats import members, side_names
from audit.games.altered.state import EXPEDITIONS, State
from audit.games.altered.victory import (
    Outcome,
    is_beyond_the_rules,
    is_dusk_over,
    leavers,
    outcome,
    surplus,
    yet_to_meet,
)
from audit.games.altered.zones import less


class MeetingDetectedRules(AlteredEventRules[MeetingDetected]):
    """A player's two expeditions stand in one region; in any order, all who do."""

    event = MeetingDetected
    may_be_unchecked = True
    rules: Citations = (multiplayer.WIN,)
    at_any_time = True

    def criteria(self, state: State, event: MeetingDetected) -> Failures:
        rule = self.citations(state, event)[0]
        yield from blocked_by(state, rule)
        if not is_dusk_over(state):
            yield fails(rule, "meeting.moment")
        known = surplus(state, event.player)
        if known is not None and known < 0:
            yield fails(rule, "meeting.apart", {"player": event.player, "n": -known})
        elif known is not None and known != event.surplus:
            teams = two_against_two.VICTORY_TWO_FURTHER
            further = by_mode(state, multiplayer.WIN, free_for_all.VICTORY_FURTHER, teams)
            yield fails(further, "meeting.surplus", {"player": event.player, "n": known})
        if event.player in dict(state.meetings):
            yield fails(rule, "meeting.again", {"player": event.player})

    def unread(self, state: State, event: MeetingDetected) -> Failures:
        if surplus(state, event.player) is None:
            yield fails(multiplayer.WIN, "unread.advance", {"player": event.player})

    def citations(self, state: State, event: MeetingDetected) -> Citations:
        by_mode = {"ffa": free_for_all.VICTORY, "2v2": two_against_two.VICTORY}
        rule = by_mode.get(state.game.mode)
        return (rule, *self.rules) if rule else self.rules

    def candidates(self, state: State) -> Iterator[MeetingDetected]:
        for seat in yet_to_meet(state):
            yield MeetingDetected(seq=0, player=seat, surplus=surplus(state, seat) or 0)

    def happen(self, state: State, event: MeetingDetected) -> State:
        return replace(state, meetings=(*state.meetings, (event.player, event.surplus)))


class WinnerDeclaredRules(AlteredEventRules[WinnerDeclared]):
    """The side that has won."""

    event = WinnerDeclared
    may_be_unchecked = True
    rules: Citations = (multiplayer.WIN,)

    def criteria(self, state: State, event: WinnerDeclared) -> Failures:
        if _is_told_late(state, event):
            return
        found = _outcome_now(state)
        if found is None:
            yield fails(_arena_winner(state) if state.day_kind == "tiebreak" else multiplayer.WIN, "winner.nobody")
        elif is_beyond_the_rules(state):
            return
        elif found.winner is None:
            yield from (fails(rule, "winner.tie") for rule in found.rules)
        elif found.winner != event.side:
            yield from _has_won(state, found, found.winner)
        elif left := yet_to_meet(state):
            yield fails(multiplayer.WIN, "winner.others", {"player": left[0]})

    def may_come(self, state: State) -> bool:
        return super().may_come(state) or bool(state.played_on)

    def when_due(self, state: State) -> tuple[Due, ...]:
        return (self.due_now(state),) if any(self.candidates(state)) else ()

    def unread(self, state: State, event: WinnerDeclared) -> Failures:
        if is_beyond_the_rules(state):
            yield fails(multiplayer.WIN, "unread.tie")

    def citations(self, state: State, event: WinnerDeclared) -> Citations:
        found = outcome(state)
        return found.rules if found else self.rules

    def candidates(self, state: State) -> Iterator[WinnerDeclared]:
        found = outcome(state)
        if found and found.winner:
            yield WinnerDeclared(seq=0, side=found.winner)

    def happen(self, state: State, event: WinnerDeclared) -> State:
        return replace(state, winner=event.side)


def _is_told_late(state: State, event: WinnerDeclared) -> bool:
    """Whether the side had won before, and the game was played on all the same."""
    return any(seat in state.played_on for seat in members(state, event.side))


def _outcome_now(state: State) -> Outcome | None:
    return outcome(state) if is_dusk_over(state) else None


def _has_won(state: State, found: Outcome, winner: str) -> Failures:
    """That a side has won: it alone has met, or it has gone further."""
    key, data = _why(state, found, winner)
    return tuple(fails(rule, key, data) for rule in found.rules)


def _why(state: State, found: Outcome, winner: str) -> tuple[str, dict[str, object]]:
    met, data = dict(state.meetings), {"player": winner}
    beyond = {side: sum([met.get(seat, 0) for seat in members(state, side)]) for side in _met(state)}
    if found.rules[0] not in FURTHER or winner not in beyond or len(beyond) < 2:
        return ("winner.alone" if len(beyond) == 1 and state.day_kind == "normal" else "winner.other"), {**data}
    second = max((side for side in beyond if side != winner), key=lambda side: beyond[side])
    return "winner.further", {**data, "n": beyond[winner], "other": second, "most": beyond[second]}


def _met(state: State) -> list[str]:
    met = dict(state.meetings)
    return [side for side in side_names(state) if any(seat in met for seat in members(state, side))]


FURTHER = (
    free_for_all.VICTORY_FURTHER, two_against_two.VICTORY_TWO_FURTHER, two_against_two.VICTORY_FOUR_FURTHER,
)  # fmt: skip


def _arena_winner(state: State) -> Rule:
    """Who wins a tie-break day, by mode."""
    return by_mode(state, multiplayer.WIN, free_for_all.TIEBREAK_WINNER, two_against_two.TIEBREAK_WINNER)


class TiebreakStartedRules(AlteredEventRules[TiebreakStarted]):
    """A day in the Arena, for those who are level at the top."""

    event = TiebreakStarted
    may_be_unchecked = True
    rules: Citations = (free_for_all.TIEBREAK_EXTRA_DAY,)
    rules_of_duel: Citations = (multiplayer.WIN,)

    def criteria(self, state: State, event: TiebreakStarted) -> Failures:
        found = _outcome_now(state)
        if found is None:
            yield fails(extra_day(state), "tiebreak.no_tie")
        elif is_beyond_the_rules(state):
            return
        elif found.winner is not None:
            yield from _has_won(state, found, found.winner)
        elif set(event.qualified) != set(found.qualified):
            yield from (fails(rule, "tiebreak.qualified", {"players": found.qualified}) for rule in found.rules)

    def when_due(self, state: State) -> tuple[Due, ...]:
        return (self.due_now(state),) if any(self.candidates(state)) else ()

    def unread(self, state: State, event: TiebreakStarted) -> Failures:
        if is_beyond_the_rules(state):
            yield fails(multiplayer.WIN, "unread.tie")

    def citations(self, state: State, event: TiebreakStarted) -> Citations:
        found = outcome(state)
        return found.rules if found else self.rules

    def candidates(self, state: State) -> Iterator[TiebreakStarted]:
        found = outcome(state)
        if found and found.winner is None:
            yield TiebreakStarted(seq=0, qualified=found.qualified)

    def happen(self, state: State, event: TiebreakStarted) -> State:
        return replace(state, tiebreak_players=event.qualified)


class PlayerLeftRules(AlteredEventRules[PlayerLeft]):
    """Players who have no part in the tie-break leave, in any order."""

    event = PlayerLeft
    rules: Citations = (free_for_all.TIEBREAK_LEAVE,)
    rules_of_duel: Citations = (multiplayer.WIN,)

    def criteria(self, state: State, event: PlayerLeft) -> Failures:
        rule = by_mode(state, multiplayer.WIN, free_for_all.TIEBREAK_LEAVE, free_for_all.TIEBREAK_LEAVE)
        if state.tiebreak_players is None or event.player in state.tiebreak_players:
            yield fails(rule, "leave.stays", {"player": event.player})
        elif event.player not in state.still_in:
            yield fails(rule, "player.out", {"player": event.player})

    def citations(self, state: State, event: PlayerLeft) -> Citations:
        if state.game.mode == "duel":
            return (multiplayer.WIN,)
        again = (free_for_all.TIEBREAK_AGAIN,) if state.day_kind == "tiebreak" else ()
        return (*self.rules, *again)

    def candidates(self, state: State) -> Iterator[PlayerLeft]:
        return (PlayerLeft(seq=0, player=seat) for seat in leavers(state))

    def happen(self, state: State, event: PlayerLeft) -> State:
        """The expeditions opposite theirs now face each other. The token stays until the next morning hands it on."""
        facing = _without_player(state.facing, event.player)
        return replace(state, still_in=less(state.still_in, event.player), facing=facing)


def _without_player(facing: Mapping[str, str], seat: str) -> dict[str, str]:
    """The ring of facings without one player: the two expeditions that faced theirs face each other."""
    own = [place_of(seat, name) for name in EXPEDITIONS]
    ends = [facing[place] for place in own if place in facing and facing[place] not in own]
    kept = {one: other for one, other in facing.items() if one not in own and other not in own}
    if len(ends) == 2:
        kept |= {ends[0]: ends[1], ends[1]: ends[0]}
    return kept


RULES = (MeetingDetectedRules(), TiebreakStartedRules(), PlayerLeftRules(), WinnerDeclaredRules())
