"""Mistakes with compiling and with the control component."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.games.compile.events import (
    Chose,
    Compiled,
    ControlReset,
    ControlTaken,
    GameWon,
    PhaseBegan,
    Played,
    Rearranged,
    Recompiled,
)
from audit.games.compile.parts import opponent
from audit.games.compile.state import LINES
from audit.games.compile.totals import takes_control, total
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_compile.planting import instead, rules, table
from replays.generating.telling import renumbered


def compile_not_taken(moment: Moment) -> Iterator[Mutant]:
    """The line stands, and the player acts instead."""
    state, event = table(moment), moment.event
    if not isinstance(event, Compiled | Recompiled) or not state.side(event.player).hand:
        return
    card = state.side(event.player).hand[0]
    played = Played(seq=0, player=event.player, card=card, line=1, face="down")
    yield Mutant(
        moment.played_on(PhaseBegan(seq=0, phase="action"), played), moment.index + 1, rules("compile.mandatory")
    )


def compile_too_low(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase == "compile" and not state.stack and not state.acted and isinstance(moment.event, PhaseBegan):
        for line in LINES:
            own, theirs = total(state, state.player, line), total(state, opponent(state.player), line)
            if own >= 6 and (own < 10 or own <= theirs):
                again = state.side(state.player).protocols[line - 1] in state.side(state.player).compiled
                event = (Recompiled if again else Compiled)(seq=0, player=state.player, line=line)
                yield instead(moment, event, "compile.ten-or-more" if own < 10 else "compile.beats-opponent")


def compile_at_a_tie(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase == "compile" and not state.stack and not state.acted and isinstance(moment.event, PhaseBegan):
        for line in LINES:
            own, theirs = total(state, state.player, line), total(state, opponent(state.player), line)
            if 10 <= own <= theirs:
                again = state.side(state.player).protocols[line - 1] in state.side(state.player).compiled
                event = (Recompiled if again else Compiled)(seq=0, player=state.player, line=line)
                yield instead(moment, event, "compile.beats-opponent")


def compile_twice(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.acted == "compiled" and not state.stack and isinstance(moment.event, PhaseBegan):
        for line in LINES:
            again = state.side(state.player).protocols[line - 1] in state.side(state.player).compiled
            event = (Recompiled if again else Compiled)(seq=0, player=state.player, line=line)
            yield instead(moment, event, "compile.one-line-a-turn")


def control_without_choice(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    left = isinstance(event, Chose) and event.what == "rearrange"
    if left or (isinstance(event, Rearranged) and _by_control(moment)):
        yield Mutant(
            moment.instead(), moment.index + 1, rules("control.rearrangement-is-a-choice", "control.dealt-with-first")
        )


def _by_control(moment: Moment) -> bool:
    return isinstance(moment.events[moment.index - 1], ControlReset)


def control_not_returned(moment: Moment) -> Iterator[Mutant]:
    """The component stays where it is, and nothing is rearranged."""
    if isinstance(moment.event, ControlReset):
        following = moment.events[moment.index + 1]
        if isinstance(following, Chose | Rearranged):
            yield Mutant(
                moment.played_on(moment.events[moment.index + 2]), moment.index + 1,
                rules("control.back-on-compile", "control.back-on-refresh", "control.rearrangement-is-a-choice"),
            )  # fmt: skip


def control_not_taken(moment: Moment) -> Iterator[Mutant]:
    """The table forgets the component. In the player's next turn it would be forgotten once more."""
    events, start = moment.events, moment.index
    if isinstance(moment.event, ControlTaken):
        yield Mutant(renumbered([*events[:start], *events[start + 1 : start + 13]]), start + 1, rules("control.gained"))


def control_taken_without_lead(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase != "control" or state.stack or not isinstance(moment.event, PhaseBegan):
        return
    if state.control != state.player and not takes_control(state, state.player):
        yield instead(moment, ControlTaken(seq=0, player=state.player), "control.gained")


def same_order(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    if isinstance(event, Rearranged):
        same = replace(event, protocols=state.side(event.side).protocols)
        yield instead(moment, same, "rearrange.must-differ")


def wrong_winner(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, GameWon):
        yield instead(moment, GameWon(seq=0, player=opponent(event.player)), "victory.three-compiled")


KINDS: dict[str, Plant] = {
    "compile not taken": compile_not_taken,
    "compile below ten": compile_too_low,
    "compile at a tie": compile_at_a_tie,
    "compile taken twice": compile_twice,
    "control not taken": control_not_taken,
    "control not returned": control_not_returned,
    "control returned without its choice": control_without_choice,
    "control taken without the lead": control_taken_without_lead,
    "rearranged to the same order": same_order,
    "a wrong winner": wrong_winner,
}
