"""What may be told and never has to be: the set-up, effects that open and close, checks, sums. For a log that says all.

What the effects do is not told here, for it stands on the cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.altered.events import (
    DailyEffectEnded,
    DayStarted,
    EffectEnded,
    EffectStarted,
    ExpeditionAdvanced,
    ExpeditionsFaced,
    ExpeditionTotals,
    FirstPlayerDrawn,
    GameConfigured,
    ReactionActivated,
    ReactionCheck,
    Seated,
    Stats,
    TeamFormed,
)
from audit.altered.places import apart, expeditions, region, total
from audit.altered.state import STATS, State
from audit.model import Event


def optional_events_before(state: State, event: Event) -> Iterator[Event]:
    """Everything that a log which says all has before that event."""
    if isinstance(event, DayStarted) and not state.day and not state.last:
        yield from _set_up(state)
    elif isinstance(event, ExpeditionAdvanced | DailyEffectEnded) and _are_to_be_compared(state):
        yield from _sums(state)
    elif not isinstance(event, ReactionActivated) and _is_fresh(state):
        yield from _effect(state)
        if state.moment.name != "day_start":
            yield ReactionCheck(seq=0, reason=state.moment.name)  # type: ignore[arg-type]


def _set_up(state: State) -> Iterator[Event]:
    """What the header has told already."""
    if state.first is not None:
        yield GameConfigured(seq=0, mode=state.box.mode, players=state.seats, meet_distance=state.distance)  # type: ignore[arg-type]
        yield from (TeamFormed(seq=0, team=team, players=players) for team, players in state.teams)
        yield Seated(seq=0, order=state.seats)
        yield ExpeditionsFaced(seq=0, pairs=tuple((one, other) for one, other in state.faces.items() if one < other))
        yield FirstPlayerDrawn(seq=0, player=state.first)


def _is_fresh(state: State) -> bool:
    """Whether nothing but emblems has come since a moment with a name began."""
    newest = max(state.moment.seq, state.limbo[-1].seq if state.limbo else 0)
    return state.moment.name is not None and state.last == newest


def _effect(state: State) -> Iterator[Event]:
    """A quick action and a reaction have an effect, carried out before anything else."""
    played = state.moment.resolving
    if played is not None and state.moment.name in ("after_quick_action", "after_reaction"):
        yield EffectStarted(seq=0, player=played.player, source=played.names[-1])
        yield EffectEnded(seq=0, player=played.player, source=played.names[-1])


def _are_to_be_compared(state: State) -> bool:
    """Whether it is dusk, the sums count, and nobody has advanced yet."""
    return state.effect == "progress" and state.kind == "normal" and not state.advanced


def _sums(state: State) -> Iterator[Event]:
    """Of every expedition whose region, Characters and opponent are known."""
    for place in expeditions(state):
        (seat, name), facing = apart(place), state.faces.get(place)
        types, own = region(state, place), _total_at(state, place)
        opposing = _total_at(state, facing) if facing else None
        if facing and types is not None and own is not None and opposing is not None:
            told = tuple(stat for stat in STATS if stat in types)
            yield ExpeditionTotals(
                seq=0,
                player=seat,
                expedition=name,  # type: ignore[arg-type]
                against=facing,
                region=told,  # type: ignore[arg-type]
                own=own,
                opposing=opposing,
            )


def _total_at(state: State, place: str) -> Stats | None:
    seat, name = apart(place)
    return total(state.side(seat).characters(name))
