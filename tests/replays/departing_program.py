"""Journals of a program that departs from the rules once: a game is played by the rules, but for one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from random import Random
from typing import Any

from audit.core.event_rules import Expectation
from audit.core.model import Event
from audit.games.compile import RULESET
from audit.games.compile.event_rules.draw_occasions import drawn
from audit.games.compile.events import (
    Compiled,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    PhaseBegan,
    Played,
    Recompiled,
    Refreshed,
    Reshuffled,
    Resolved,
    Returned,
    Shifted,
    TurnBegan,
)
from audit.games.compile.parts import opponent, winner
from audit.games.compile.procedures import to_draw
from audit.games.compile.state import LINES, SEATS, Clearing, Refreshing, State, Text
from replays.generating.simulate import simulated
from tests.replays.made_journal import POOL, Line, said, step_line

Due = list[Expectation[Any]]
Departure = Callable[[State, Due, Random], Event | None]

MAX_CANDIDATES = 300
MAX_DECISIONS = 400
MAX_DECISIONS_AFTER = 25
BEFORE_FIRST, BEFORE_LAST = 4, 30


def departing_journal(departure: Departure, seed: int, number: int) -> tuple[list[Line], int] | None:
    """A game with one departure, and the line that shows it first; None if it never had its occasion."""
    random = Random(f"{departure.__name__} {seed}")
    header, _ = simulated(RULESET, seed, pool=POOL, most=0)
    stops, at = _stops(RULESET.rules.start(header), departure, random)
    if at is None or any("?" in card for state, _ in stops for seat in SEATS for card in state.side(seat).hand):
        return None
    protocols = header.setup["protocols"]
    assert isinstance(protocols, dict)
    head = {seat: [name.title() for name in protocols[seat]] for seat in SEATS}
    lines: list[Line] = [{"g": number, "k": "header", **head, "first": header.first or "A"}]
    lines.append({**step_line(number, stops[0][0], stops[0][0]), "k": "deal"})
    lines += [
        {**step_line(number, state, after), **said(state, event)} for (state, event), (after, _) in pairwise(stops)
    ]
    return [*lines, {"g": number, "k": "end", "winner": winner(stops[-1][0])}], at


def _stops(state: State, departure: Departure, random: Random) -> tuple[list[tuple[State, Event | None]], int | None]:
    """Each position in which somebody decides, with the decision, and the line of the journal that shows the departure.

    The header is line 0, the deal line 1, and each decision one line more.
    """
    stops: list[tuple[State, Event | None]] = []
    at, first = None, random.randrange(BEFORE_FIRST, BEFORE_LAST)
    while len(stops) < MAX_DECISIONS and (at is None or len(stops) < at + MAX_DECISIONS_AFTER):
        due, forced = list(RULESET.rules.expected(state)), RULESET.rules.forced(state)
        event = departure(state, due, random) if at is None and len(stops) >= first else None
        if event:
            stops += [(state, event)] if _is_decided(event, forced) else []
            at = len(stops) + 1
        elif forced:
            event = forced[1]
        else:
            event = _chosen(state, due, random)
            if event is None:
                break
            stops += [] if isinstance(event, Reshuffled) else [(state, event)]
        state = RULESET.rules.evolve(state, event)
    while forced := None if winner(state) else RULESET.rules.forced(state):
        state = RULESET.rules.evolve(state, forced[1])
    return [*stops, (state, None)], at


def _is_decided(event: Event, forced: object) -> bool:
    if isinstance(event, Compiled):
        return True
    return forced is None and not isinstance(event, Drew | PhaseBegan | Resolved | TurnBegan)


def _chosen(state: State, due: Due, random: Random) -> Event | None:
    """One of the events that may come next and names its cards."""
    events = [e for option in due for e in islice(option.candidates(state), MAX_CANDIDATES) if "?" not in repr(e)]
    return random.choice(events) if events else None


# Departures, each where it has its occasion


def plays_in_a_line_without_its_protocol(state: State, due: Due, random: Random) -> Event | None:
    allowed = {
        (e.card, e.line) for option in due if option.event is Played for e in option.candidates(state) if e.face == "up"
    }
    hand = state.side(state.player).hand
    wrong = [(card, line) for card in hand for line in LINES if (card, line) not in allowed]
    if not _acts(state) or not wrong:
        return None
    card, line = random.choice(wrong)
    return Played(seq=0, player=state.player, card=card, line=line, face="up")  # type: ignore[arg-type]


def refreshes_with_five_cards(state: State, due: Due, random: Random) -> Event | None:
    five = len(state.side(state.player).hand) >= 5
    return Refreshed(seq=0, player=state.player) if _acts(state) and five else None


def passes_a_compile_by(state: State, due: Due, random: Random) -> Event | None:
    compiles = any(option.event in (Compiled, Recompiled) for option in due)
    return PhaseBegan(seq=0, phase="action") if state.phase == "compile" and compiles and not state.stack else None


def compiles_too_low(state: State, due: Due, random: Random) -> Event | None:
    compiles = any(option.event in (Compiled, Recompiled) for option in due)
    if state.phase != "compile" or compiles or state.stack:
        return None
    return Compiled(seq=0, player=state.player, line=random.choice(LINES))  # type: ignore[arg-type]


def skips_a_text(state: State, due: Due, random: Random) -> Event | None:
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or not due or any(option.event is Resolved for option in due):
        return None
    return Resolved(seq=0, card=frame.card, command=frame.box, outcome="impossible")


def clears_no_cache(state: State, due: Due, random: Random) -> Event | None:
    return PhaseBegan(seq=0, phase="end") if state.stack and type(state.stack[-1]) is Clearing else None


def acts_on_another_card(state: State, due: Due, random: Random) -> Event | None:
    for option in due:
        if option.event in (Flipped, Deleted, Shifted, Returned):
            allowed = {card for e in option.candidates(state) for card in (getattr(e, "card", ""), *_cards(e))}
            others = [place for place in _field(state) if place[0] not in allowed]
            return _on(option.event, *random.choice(others)) if others else None
    return None


def draws_one_more(state: State, due: Due, random: Random) -> Event | None:
    return _draws_otherwise(state, due, 1)


def draws_one_less(state: State, due: Due, random: Random) -> Event | None:
    return _draws_otherwise(state, due, -1)


def keeps_control(state: State, due: Due, random: Random) -> Event | None:
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Refreshing or not frame.control or not state.side(frame.seat).deck:
        return None
    return drawn(state, frame.seat, frame.seat, to_draw(state, frame.seat))


def lets_the_other_player_discard(state: State, due: Due, random: Random) -> Event | None:
    option = next((option for option in due if option.event is Discarded), None)
    if option is None:
        return None
    other = opponent(next(iter(option.candidates(state))).player)
    hand = state.side(other).hand
    return Discarded(seq=0, player=other, cards=hand[:1]) if hand else None


def _acts(state: State) -> bool:
    return not state.stack and state.phase == "action" and not state.acted


def _cards(event: Event) -> tuple[str, ...]:
    return getattr(event, "cards", None) or ()


def _field(state: State) -> Iterator[tuple[str, str, int, bool]]:
    """Every card on the field, with its seat, line and whether it is face up."""
    for seat in SEATS:
        for line in LINES:
            yield from ((placed.card, seat, line, placed.up) for placed in state.side(seat).lines[line - 1])


def _on(kind: type[Event], card: str, seat: str, line: int, is_up: bool) -> Event:
    if kind is Flipped:
        return Flipped(seq=0, card=card, face="down" if is_up else "up")
    if kind is Deleted:
        return Deleted(seq=0, cards=(card,))
    if kind is Shifted:
        return Shifted(seq=0, card=card, to=line % len(LINES) + 1)  # type: ignore[arg-type]
    return Returned(seq=0, card=card, to=seat)  # type: ignore[arg-type]


def _draws_otherwise(state: State, due: Due, more: int) -> Event | None:
    option = next((option for option in due if option.event is Drew), None)
    if option is None:
        return None
    event = next(iter(option.candidates(state)))
    number, deck = len(event.cards or ()) + more, state.side(event.deck or event.player).deck
    return drawn(state, event.player, event.deck or event.player, number) if 0 < number <= len(deck) else None
