"""Mistakes of the morning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered.events import CardsDrawn, FirstPlayerPassed, ManaPlaced, ObjectsReadied, PhaseStarted
from audit.games.altered.rules import day_overview, day_structure, phases
from audit.games.altered.seats import after
from audit.games.altered.state import State
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_altered.planting import Change, changing, ids, in_turn, instead, table, with_


def token_to_another(moment: Moment, event: Event) -> Iterator[Event]:
    """The token goes round the other way, or stays."""
    passed = cast(FirstPlayerPassed, event)
    for seat in table(moment).still_in:
        if seat != passed.to:
            yield replace(passed, to=seat)


def token_on_the_first_day(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.day == 1 and state.phase == "morning" and state.first_player and isinstance(moment.event, ObjectsReadied):
        heir = after(state, state.first_player) or state.first_player
        yield instead(moment, FirstPlayerPassed(seq=0, from_=state.first_player, to=heir), phases.MORNING_TOKEN_PASS)


def one_card_readied(moment: Moment, event: Event) -> Iterator[Event]:
    """Only the cards that are named are readied, and not the orbs."""
    if table(moment).side(cast(ObjectsReadied, event).player).exhausted_orbs:
        yield replace(event, objects=())


def done_again(kind: type[Event]) -> Change:
    """The part of somebody who has had it."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        before = moment.events[moment.index - 1]
        if type(before) is kind:
            yield replace(before, seq=0)

    return change


def drawn_in_the_afternoon(moment: Moment, state: State) -> Iterator[Event]:
    if state.turn_of and state.moment.resolving is None:
        yield CardsDrawn(seq=0, player=state.turn_of, count=1, reason="luck")


def second_mana(moment: Moment) -> Iterator[Mutant]:
    """One more card by somebody who has had the choice."""
    before, state = moment.events[moment.index - 1], table(moment)
    if isinstance(before, ManaPlaced) and state.daily_effect == "mana" and (hand := state.side(before.player).hand):
        again = replace(before, seq=0, card=hand[0])
        yield instead(moment, again, phases.MORNING_MANA_ONE)


def mana_out_of_order(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if isinstance(moment.event, ManaPlaced) and len(state.parts_left) > 1:
        seat = state.parts_left[1]  # the one who goes ahead is at fault, though it shows a line later
        for card in (state.side(seat).hand or ())[:1]:
            events = moment.played_on(ManaPlaced(seq=0, player=seat, card=card), moment.event)
            yield Mutant(events, moment.index + 1, ids([phases.MORNING_MANA_ORDER]))


def mana_from_elsewhere(moment: Moment, event: Event) -> Iterator[Event]:
    """A card that is not in the hand becomes an orb."""
    placed = cast(ManaPlaced, event)
    side = table(moment).side(placed.player)
    yield from (replace(placed, card=card) for card in (*side.discard, *(side.deck or ()))[:1])


def lost(reason: str, to: str) -> Change:
    """A phase again that is over."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        if cast(PhaseStarted, event).phase == reason:
            yield replace(event, phase=to)

    return change


KINDS: dict[str, Plant] = {
    "token to the wrong player": changing(FirstPlayerPassed, token_to_another, day_overview.NEW_FIRST_PLAYER),
    "token passed on the first day": token_on_the_first_day,
    "orbs not readied": changing(ObjectsReadied, one_card_readied, phases.MORNING_READY_ALL),
    "three cards drawn": changing(CardsDrawn, with_(count=3), phases.MORNING_DRAW_TWO),
    "one card drawn": changing(CardsDrawn, with_(count=1), phases.MORNING_DRAW_TWO),
    "drawn twice in a morning": changing(CardsDrawn, done_again(CardsDrawn), day_overview.DRAW),
    "drawn without a reason": in_turn(drawn_in_the_afternoon, day_overview.DRAW),
    "two cards for mana": changing(ManaPlaced, with_(count=2), phases.MORNING_MANA_ONE),
    "mana twice in a morning": second_mana,
    "mana out of order": mana_out_of_order,
    "mana face up": changing(ManaPlaced, with_(face="up"), phases.MORNING_MANA_FACEDOWN),
    "mana from another zone": changing(ManaPlaced, with_(from_="reserve"), day_overview.MANA),
    "mana from nowhere": changing(ManaPlaced, mana_from_elsewhere, day_overview.MANA),
    "back to the morning": changing(PhaseStarted, lost("afternoon", "morning"), day_structure.PHASE_ORDER),
}  # fmt: skip
