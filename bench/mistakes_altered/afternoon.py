"""Mistakes of the afternoon: cards, quick actions, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered.events import (
    CardPlayed,
    CardSacrificed,
    FirstPlayerEffectUsed,
    HandShown,
    PhaseStarted,
    PlayerPassed,
    QuickActionPlayed,
)
from audit.games.altered.game_data import Cards
from audit.games.altered.rules import day_overview, day_structure, free_for_all, phases, quick_actions, two_against_two
from audit.games.altered.seats import is_mate
from audit.games.altered.state import LANDMARKS, MAX_USES_A_DAY, UNKNOWN, State
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_altered.planting import TURNS, changing, ids, in_turn, table

NOT_YOURS = (
    day_overview.FIRST_TURN,
    day_overview.CARD_OR_PASS,
    day_overview.ALTERNATE_TURNS,
    two_against_two.TURNS_CLOCKWISE,
)
COSTS = (phases.AFTERNOON_COST_HAND, phases.AFTERNOON_COST_RESERVE)


def card_of(state: State, seat: str, card: str, zone: str = "hand") -> CardPlayed:
    """That card played by that player for what it costs."""
    to = LANDMARKS if card in state.game.permanents else "hero_expedition"
    mana = getattr(state.game.costs[card], zone)
    return CardPlayed(seq=0, player=seat, card=card, from_=zone, to_zone=to, to_owner=seat, mana=mana)  # type: ignore


def _named(cards: Cards | None) -> Iterator[str]:
    """The cards that have a name: what is drawn from a discard pile shuffled anew has none, and no cost."""
    return (card for card in cards or () if card != UNKNOWN)


def too_expensive(moment: Moment, state: State) -> Iterator[Event]:
    seat = state.turn_of or ""
    side = state.side(seat)
    for zone, cards in (("hand", side.hand), ("reserve", side.reserve)):
        for card in _named(cards):
            event = card_of(state, seat, card, zone)
            if event.mana > (side.ready_orbs or 0):
                yield event


def for_another_price(moment: Moment, event: Event) -> Iterator[Event]:
    """The wrong cost is paid: one too little."""
    played = cast(CardPlayed, event)
    if played.mana:
        yield replace(played, mana=played.mana - 1)


def price_of_the_other_zone(moment: Moment, event: Event) -> Iterator[Event]:
    """What the card would cost from the other zone is paid."""
    played = cast(CardPlayed, event)
    cost = table(moment).game.costs[played.card]
    other = cost.reserve if played.from_ == "hand" else cost.hand
    if other is not None and other != played.mana and other <= (table(moment).side(played.player).ready_orbs or 0):
        yield replace(played, mana=other)


def affordable(state: State, seat: str) -> Iterator[CardPlayed]:
    """What that player could pay."""
    side = state.side(seat)
    for card in _named(side.hand):
        event = card_of(state, seat, card)
        if event.mana <= (side.ready_orbs or 0):
            yield event


def out_of_turn(moment: Moment, state: State) -> Iterator[Event]:
    for seat in state.still_in:
        if seat != state.turn_of and seat not in state.passed:
            yield from affordable(state, seat)
            yield PlayerPassed(seq=0, player=seat)


def after_passing(moment: Moment, state: State) -> Iterator[Event]:
    for seat in state.passed:
        yield from affordable(state, seat)
        yield PlayerPassed(seq=0, player=seat)


def quick_after_card(moment: Moment, state: State) -> Iterator[Event]:
    if state.last_action and state.last_action[1] == "card" and state.last_action[0] != state.turn_of:
        seat = state.last_action[0]
        yield QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="study", mana=0)


def quick_exhausted(moment: Moment, state: State) -> Iterator[Event]:
    for source, seat in state.exhausted.items():
        if seat == state.turn_of:
            yield QuickActionPlayed(seq=0, player=seat, source=source, action="muster", exhausts=source)


def quick_too_expensive(moment: Moment, state: State) -> Iterator[Event]:
    seat = state.turn_of or ""
    mana = (state.side(seat).ready_orbs or 0) + 1
    yield QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="study", mana=mana)


def quick_exhausting_another(moment: Moment, event: Event) -> Iterator[Event]:
    quick = cast(QuickActionPlayed, event)
    if quick.exhausts:
        yield replace(quick, exhausts=f"{quick.player}-banner")


def hundred_and_one(moment: Moment) -> Iterator[Mutant]:
    """One and the same quick action once too often in a day."""
    state = table(moment)
    if type(moment.event) not in TURNS or state.quick_uses:
        return
    seat = state.turn_of or ""
    event = QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="glance")
    if not cast(State, moment.game.rules.evolve(state, event)).triggered:
        events = moment.played_on(*[event] * (MAX_USES_A_DAY + 1))
        yield Mutant(events, moment.index + MAX_USES_A_DAY + 1, ids([quick_actions.USES_A_DAY]))


def card_elsewhere(moment: Moment, event: Event) -> Iterator[Event]:
    """A card that is in the deck or the discard is played from hand."""
    played, state = cast(CardPlayed, event), table(moment)
    side = state.side(played.player)
    for card in (*side.discard, *(side.deck or ())):
        other = card_of(state, played.player, card)
        if other.mana <= (side.ready_orbs or 0):
            yield other


def not_in_the_reserve(moment: Moment, event: Event) -> Iterator[Event]:
    played, state = cast(CardPlayed, event), table(moment)
    cost = state.game.costs[played.card].reserve
    if played.from_ == "hand" and cost is not None and cost <= (state.side(played.player).ready_orbs or 0):
        yield replace(played, from_="reserve", mana=cost)


def orb_played(moment: Moment, state: State) -> Iterator[Event]:
    seat = state.turn_of or ""
    for card in state.side(seat).known_orbs:
        event = card_of(state, seat, card)
        if event.mana <= (state.side(seat).ready_orbs or 0):
            yield event


def zone_of_a_mate(moment: Moment, event: Event) -> Iterator[Event]:
    played, state = cast(CardPlayed, event), table(moment)
    yield from (replace(played, to_owner=seat) for seat in state.seats if is_mate(state, played.player, seat))


def dusk_too_soon(moment: Moment, state: State) -> Iterator[Event]:
    yield PhaseStarted(seq=0, phase="dusk")


def hand_shown(moment: Moment, state: State) -> Iterator[Event]:
    seats = state.still_in
    if len(seats) > 1:
        yield HandShown(seq=0, player=seats[0], to=seats[1])


def somebody_elses_privilege(moment: Moment, state: State) -> Iterator[Event]:
    for seat in state.still_in:
        if seat != state.first_player and not is_mate(state, seat, state.first_player or ""):
            yield FirstPlayerEffectUsed(seq=0, player=seat, source=f"{seat}-hero")


def anothers_sacrificed(moment: Moment, state: State) -> Iterator[Event]:
    for seat in state.still_in:
        side = state.side(seat)
        for one in (*(side.hero or ()), *(side.companion or ())):
            if seat != state.turn_of:
                yield CardSacrificed(seq=0, player=state.turn_of or "", card=one.id, controller=seat)


KINDS: dict[str, Plant] = {
    "played without enough mana": in_turn(too_expensive, *COSTS),
    "played for too little": changing(CardPlayed, for_another_price, *COSTS),
    "played at the cost of another zone": changing(CardPlayed, price_of_the_other_zone, *COSTS),
    "not one's turn": in_turn(out_of_turn, *NOT_YOURS),
    "played after passing": in_turn(after_passing, day_overview.PASSED_OUT),
    "quick action after the card": in_turn(quick_after_card, phases.AFTERNOON_QUICK_BEFORE_CARD, *NOT_YOURS),
    "exhausted card used": in_turn(quick_exhausted, quick_actions.EXHAUST_OWN_OBJECT),
    "quick action without enough mana": in_turn(quick_too_expensive, quick_actions.LIKE_SPELLS),
    "another card exhausted": changing(QuickActionPlayed, quick_exhausting_another, quick_actions.EXHAUST_OWN_OBJECT),
    "quick action for the 101st time": hundred_and_one,
    "a card that is elsewhere": changing(CardPlayed, card_elsewhere, *COSTS),
    "not in the Reserve": changing(CardPlayed, not_in_the_reserve, *COSTS),
    "a Mana Orb played": in_turn(orb_played, phases.MORNING_MANA_BECOMES_ORB, *COSTS),
    "into a team-mate's zone": changing(CardPlayed, zone_of_a_mate, two_against_two.NO_TEAMMATE_ZONE),
    "dusk before all have passed": in_turn(
        dusk_too_soon, day_structure.AFTERNOON_ENDS, phases.AFTERNOON_CONTINUE_ALONE
    ),
    "hand shown": in_turn(hand_shown, free_for_all.HAND_SECRET, two_against_two.HAND_SECRET),
    "effect of the first player by another": in_turn(
        somebody_elses_privilege, day_overview.FIRST_TURN, free_for_all.FIRST_PLAYER_EFFECTS,
        two_against_two.FIRST_PLAYER_EFFECTS,
    ),
    "somebody else's card sacrificed": in_turn(anothers_sacrificed, two_against_two.SACRIFICE_OWN),
}  # fmt: skip
