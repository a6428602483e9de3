"""Journals as another program would have written them, made from simulated games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from audit.core.model import Event, Header
from audit.core.ruleset import ruleset
from audit.games.compile.events import Chose, Compiled, Played, Refreshed, Reshuffled, Resolved, cards_of
from audit.games.compile.parts import winner
from audit.games.compile.state import SEATS, Clearing, State, Text
from audit.games.compile.totals import totals
from replays.generating.simulate import simulated
from replays.generating.telling import with_forced

GAME = ruleset("compile")
Line = dict[str, Any]

POOL = ("main-1", "aux-1")
"""The sets that journals are known of."""


def journal_of(seed: int, number: int) -> list[Line]:
    """A simulated game as the lines of a journal: each choice is a step, with the field at the next choice after it."""
    header, events = simulated(GAME, seed, "greedy", POOL, complete=False)
    protocols = header.setup["protocols"]
    assert isinstance(protocols, dict)
    head = {side: [name.title() for name in protocols[side]] for side in SEATS}
    stops = list(_stops(header, events))
    lines: list[Line] = [{"g": number, "k": "header", **head, "first": header.first or "A"}]
    lines.append({**step_line(number, stops[0][0], stops[0][0]), "k": "deal"})
    for (before, event), (after, _) in pairwise(stops):
        lines.append({**step_line(number, before, after), **said(before, event)})
    return [*lines, {"g": number, "k": "end", "winner": winner(stops[-1][0])}]


def _stops(header: Header, events: list[Event]) -> Iterator[tuple[State, Event | None]]:
    """Each position in which somebody decides, with the decision; the last position without one."""
    state = GAME.rules.start(header)
    for event, follows in with_forced(GAME, header, events):
        assert isinstance(state, State)
        if not follows and not isinstance(event, Reshuffled):
            yield state, event
        state = GAME.rules.evolve(state, event)
    assert isinstance(state, State)
    yield state, None


def step_line(number: int, before: State, after: State) -> Line:
    phase = "hand_limit" if after.phase == "cache" else after.phase
    return {
        "g": number,
        "t": before.turn,
        "of": before.player,
        "by": None,
        "after": {"turn": after.player, "ph": phase, "pend": _question(after)},
        "z": {**{seat: _side(after, seat) for seat in SEATS}, "ctl": after.control},
    }


def _question(state: State) -> Line | None:
    frame = state.stack[-1] if state.stack else None
    if frame is None:
        return None
    if isinstance(frame, Text):
        return {"type": "pick", "by": frame.seat, "src": frame.card.title()}
    return {"type": "discard"} if isinstance(frame, Clearing) else {"type": "control", "src": "control"}


def said(before: State, event: Event | None) -> Line:
    """The decision: the kinds a turn is made of by their names, all others by one name that no importer knows."""
    by = getattr(event, "player", None) or before.player
    if not before.stack:
        return {"k": "action", "by": by, "dec": _action(event)}
    refuses = isinstance(event, Resolved) or (isinstance(event, Chose) and event.accept is False)
    cards = [card.title() for card in cards_of(event)] if event and not refuses else []
    decision = {"do": "pick", "cards": cards, "accept": not refuses}
    return {"k": "choice", "by": by, "prompt": _question(before), "dec": decision}


def _action(event: Event | None) -> Line:
    if isinstance(event, Played):
        up = int(event.face == "up")
        return {"do": "playCard", "card": {"c": event.card.title()}, "line": event.line - 1, "up": up}
    if isinstance(event, Compiled):
        return {"do": "compile", "line": event.line - 1}
    return {"do": "fillHand" if isinstance(event, Refreshed) else "pick"}


def _side(state: State, seat: str) -> Line:
    side = state.side(seat)
    return {
        "pr": [name.title() for name in side.protocols],
        "co": [int(name in side.compiled) for name in side.protocols],
        "ln": [[placed.card.title() + ("" if placed.up else "*") for placed in stack] for stack in side.lines],
        "hd": [card.title() for card in side.hand],
        "dk": [card.title() for card in side.deck],
        "di": [card.title() for card in side.trash],
        "tv": list(totals(state, seat)),
    }
