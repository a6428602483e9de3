"""The mistakes of a real table of Altered, planted one at a time: of the morning, the afternoon and of reactions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered.event_rules.reactions import first_to_react
from audit.games.altered.events import (
    CardPlayed,
    CardSacrificed,
    CardsDrawn,
    EffectEnded,
    EffectStarted,
    FirstPlayerEffectUsed,
    FirstPlayerPassed,
    HandShown,
    ManaPlaced,
    ObjectsReadied,
    PhaseStarted,
    PlayerPassed,
    QuickActionPlayed,
    ReactionActivated,
    ReactionCheck,
    ReactionPlayed,
)
from audit.games.altered.game_data import Cards
from audit.games.altered.rules import (
    day_overview,
    day_structure,
    free_for_all,
    phases,
    quick_actions,
    reaction_check,
    reactions,
    timing_of_play,
    two_against_two,
)
from audit.games.altered.seats import after, is_mate
from audit.games.altered.state import LANDMARKS, MAX_USES_A_DAY, UNKNOWN, State
from bench import mistakes, mistakes_altered_dusk
from bench.mistakes import Mutant, Plants, changing, with_
from bench.mistakes_altered_dusk import TURNS, in_turn

POOLS = ()
NOT_YOURS = (
    day_overview.FIRST_TURN,
    day_overview.CARD_OR_PASS,
    day_overview.ALTERNATE_TURNS,
    two_against_two.TURNS_CLOCKWISE,
)
COSTS = (phases.AFTERNOON_COST_HAND, phases.AFTERNOON_COST_RESERVE)
Moment = mistakes.Moment[State]

# The morning


def token_on_the_first_day(moment: Moment, event: Event) -> Iterator[Event]:
    state = moment.state
    if state.day == 1 and state.phase == "morning" and state.first_player:
        heir = after(state, state.first_player) or state.first_player
        yield FirstPlayerPassed(seq=0, from_=state.first_player, to=heir)


def drawn_again(moment: Moment, event: Event) -> Iterator[Event]:
    """The part of somebody who has had it."""
    before = moment.events[moment.index - 1]
    if isinstance(before, CardsDrawn):
        yield replace(before, seq=0)


def drawn_in_the_afternoon(state: State, seat: str) -> Iterator[Event]:
    if seat and state.moment.resolving is None:
        yield CardsDrawn(seq=0, player=seat, count=1, reason="luck")


def second_mana(moment: Moment, event: Event) -> Iterator[Event]:
    """One more card by somebody who has had the choice."""
    before, state = moment.events[moment.index - 1], moment.state
    if isinstance(before, ManaPlaced) and state.daily_effect == "mana" and (hand := state.side(before.player).hand):
        yield replace(before, seq=0, card=hand[0])


def mana_out_of_order(moment: Moment) -> Iterator[Mutant]:
    state = moment.state
    if isinstance(moment.event, ManaPlaced) and len(state.parts_left) > 1:
        seat = state.parts_left[1]  # the one who goes ahead is at fault, though it shows a line later
        for card in (state.side(seat).hand or ())[:1]:
            events = moment.played_on(ManaPlaced(seq=0, player=seat, card=card), moment.event)
            yield moment.wrong(events, phases.MORNING_MANA_ORDER)


def mana_from_elsewhere(moment: Moment, placed: ManaPlaced) -> Iterator[Event]:
    """A card that is not in the hand becomes an orb."""
    side = moment.state.side(placed.player)
    yield from (replace(placed, card=card) for card in (*side.discard, *(side.deck or ()))[:1])


# The afternoon: cards, quick actions, whose turn it is


def card_of(state: State, seat: str, card: str, zone: str = "hand") -> CardPlayed:
    """That card played by that player for what it costs."""
    to = LANDMARKS if card in state.game.permanents else "hero_expedition"
    mana = getattr(state.game.costs[card], zone)
    return CardPlayed(seq=0, player=seat, card=card, from_=zone, to_zone=to, to_owner=seat, mana=mana)  # type: ignore


def _named(cards: Cards | None) -> Iterator[str]:
    """The cards that have a name: what is drawn from a discard pile shuffled anew has none, and no cost."""
    return (card for card in cards or () if card != UNKNOWN)


def orbs(state: State, seat: str) -> int:
    """The mana that player can pay."""
    return state.side(seat).ready_orbs or 0


def too_expensive(state: State, seat: str) -> Iterator[Event]:
    side = state.side(seat)
    for zone, cards in (("hand", side.hand), ("reserve", side.reserve)):
        events = (card_of(state, seat, card, zone) for card in _named(cards))
        yield from (event for event in events if (event.mana or 0) > orbs(state, seat))


def price_of_the_other_zone(moment: Moment, played: CardPlayed) -> Iterator[Event]:
    """What the card would cost from the other zone is paid."""
    cost = moment.state.game.costs[played.card]
    other = cost.reserve if played.from_ == "hand" else cost.hand
    if other is not None and other != played.mana and other <= orbs(moment.state, played.player):
        yield replace(played, mana=other)


def affordable(state: State, seat: str, cards: Iterable[str]) -> Iterator[CardPlayed]:
    """Those of the cards that the player could pay, played from hand."""
    events = (card_of(state, seat, card) for card in cards)
    return (event for event in events if (event.mana or 0) <= orbs(state, seat))


def plays_or_passes(state: State, seats: Iterable[str]) -> Iterator[Event]:
    """What these players could do if it were their turn."""
    for seat in seats:
        yield from affordable(state, seat, _named(state.side(seat).hand))
        yield PlayerPassed(seq=0, player=seat)


def quick_after_card(state: State, turn_of: str) -> Iterator[Event]:
    if state.last_action and state.last_action[1] == "card" and state.last_action[0] != state.turn_of:
        seat = state.last_action[0]
        yield QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="study", mana=0)


def hundred_and_one(moment: Moment) -> Iterator[Mutant]:
    """One and the same quick action once too often in a day."""
    state = moment.state
    if not isinstance(moment.event, TURNS) or state.quick_uses:
        return
    seat = state.turn_of or ""
    event = QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="glance")
    after_it = moment.game.rules.evolve(state, event)
    if isinstance(after_it, State) and not after_it.triggered:
        events = moment.played_on(*[event] * (MAX_USES_A_DAY + 1))
        yield moment.wrong(events, quick_actions.USES_A_DAY, after=MAX_USES_A_DAY)


def card_elsewhere(moment: Moment, played: CardPlayed) -> Iterator[Event]:
    """A card that is in the deck or the discard is played from hand."""
    side = moment.state.side(played.player)
    return affordable(moment.state, played.player, (*side.discard, *(side.deck or ())))


def not_in_the_reserve(moment: Moment, played: CardPlayed) -> Iterator[Event]:
    cost = moment.state.game.costs[played.card].reserve
    if played.from_ == "hand" and cost is not None and cost <= orbs(moment.state, played.player):
        yield replace(played, from_="reserve", mana=cost)


def somebody_elses_privilege(state: State, turn_of: str) -> Iterator[Event]:
    for seat in state.still_in:
        if seat != state.first_player and not is_mate(state, seat, state.first_player or ""):
            yield FirstPlayerEffectUsed(seq=0, player=seat, source=f"{seat}-hero")


def anothers_sacrificed(state: State, turn_of: str) -> Iterator[Event]:
    for side, seat in ((state.side(seat), seat) for seat in state.still_in if seat != state.turn_of):
        for one in (*(side.hero or ()), *(side.companion or ())):
            yield CardSacrificed(seq=0, player=turn_of, card=one.id, controller=seat)


# Reactions and their emblems


def reaction_out_of_order(moment: Moment, event: Event) -> Iterator[Event]:
    due = first_to_react(moment.state)
    for emblem in moment.state.limbo:
        if emblem.controller != due:
            yield ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)


def reaction_forgotten(moment: Moment) -> Iterator[Mutant]:
    """The last reaction in Limbo is not played, nor is what it does."""
    rest = moment.events[moment.index + 1 :]
    own = list(takewhile(lambda event: isinstance(event, EffectStarted | EffectEnded | ReactionCheck), rest))
    following = rest[len(own) :][:1]
    alone = isinstance(moment.event, ReactionPlayed) and len(moment.state.limbo) == 1
    if alone and following and not isinstance(following[0], ReactionActivated):
        yield moment.wrong(
            moment.instead(skip=1 + len(own)), reaction_check.INITIATIVE_CHOOSES, day_structure.NEXT_PHASE,
            day_structure.NEXT_DAILY_EFFECT, timing_of_play.REACTION_OBLIGATORY, phases.DUSK_AT_DUSK_FIRST,
        )  # fmt: skip


def reaction_again(moment: Moment, event: Event) -> Iterator[Event]:
    before = moment.events[moment.index - 1]
    if isinstance(before, ReactionPlayed) and not isinstance(event, ReactionActivated):
        yield replace(before, seq=0)


def reaction_in_an_effect(moment: Moment, event: Event) -> Iterator[Event]:
    """A reaction does not wait for the daily effect to be over."""
    state = moment.state
    if state.daily_effect and state.limbo and not state.triggered and moment.game.rules.forced(state) is None:
        emblem = next(one for one in state.limbo if one.controller == first_to_react(state))
        yield ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)


def reaction_to_nothing(state: State, turn_of: str) -> Iterator[Event]:
    for key, known in state.game.reactions.items():
        source, _, name = key.partition(":")
        if known.controller in state.still_in:
            yield ReactionActivated(
                seq=0, reaction=name, source=source, controller=known.controller, trigger=known.trigger,
                trigger_seq=max(1, state.last_seq), emblem=f"{source}.none",
            )  # fmt: skip


KINDS: Plants = {
    "token to the wrong player": changing(
        FirstPlayerPassed, lambda m, e: (replace(e, to=seat) for seat in m.state.still_in if seat != e.to),
        day_overview.NEW_FIRST_PLAYER,
    ),
    "token passed on the first day": changing(ObjectsReadied, token_on_the_first_day, phases.MORNING_TOKEN_PASS),
    "orbs not readied": changing(
        ObjectsReadied, lambda m, e: [replace(e, objects=())] if m.state.side(e.player).exhausted_orbs else (),
        phases.MORNING_READY_ALL,
    ),
    "three cards drawn": changing(CardsDrawn, with_(count=3), phases.MORNING_DRAW_TWO),
    "one card drawn": changing(CardsDrawn, with_(count=1), phases.MORNING_DRAW_TWO),
    "drawn twice in a morning": changing(CardsDrawn, drawn_again, day_overview.DRAW),
    "drawn without a reason": in_turn(drawn_in_the_afternoon, day_overview.DRAW),
    "two cards for mana": changing(ManaPlaced, with_(count=2), phases.MORNING_MANA_ONE),
    "mana twice in a morning": changing(Event, second_mana, phases.MORNING_MANA_ONE),
    "mana out of order": mana_out_of_order,
    "mana face up": changing(ManaPlaced, with_(face="up"), phases.MORNING_MANA_FACEDOWN),
    "mana from another zone": changing(ManaPlaced, with_(from_="reserve"), day_overview.MANA),
    "mana from nowhere": changing(ManaPlaced, mana_from_elsewhere, day_overview.MANA),
    "back to the morning": changing(
        PhaseStarted, lambda _, e: [replace(e, phase="morning")] if e.phase == "afternoon" else (),
        day_structure.PHASE_ORDER,
    ),
    "played without enough mana": in_turn(too_expensive, *COSTS),
    "played for too little": changing(CardPlayed, lambda _, e: [replace(e, mana=e.mana - 1)] if e.mana else (), *COSTS),
    "played at the cost of another zone": changing(CardPlayed, price_of_the_other_zone, *COSTS),
    "not one's turn": in_turn(
        lambda state, seat: plays_or_passes(state, [s for s in state.still_in if s not in (seat, *state.passed)]),
        *NOT_YOURS,
    ),
    "played after passing": in_turn(lambda state, _: plays_or_passes(state, state.passed), day_overview.PASSED_OUT),
    "quick action after the card": in_turn(quick_after_card, phases.AFTERNOON_QUICK_BEFORE_CARD, *NOT_YOURS),
    "exhausted card used": in_turn(
        lambda state, seat: (
            QuickActionPlayed(seq=0, player=seat, source=source, action="muster", exhausts=source)
            for source, of in state.exhausted.items() if of == state.turn_of
        ),
        quick_actions.EXHAUST_OWN_OBJECT,
    ),
    "quick action without enough mana": in_turn(
        lambda state, seat: [
            QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="study", mana=orbs(state, seat) + 1)
        ],
        quick_actions.LIKE_SPELLS,
    ),
    "another card exhausted": changing(
        QuickActionPlayed, lambda _, e: [replace(e, exhausts=f"{e.player}-banner")] if e.exhausts else (),
        quick_actions.EXHAUST_OWN_OBJECT,
    ),
    "quick action for the 101st time": hundred_and_one,
    "a card that is elsewhere": changing(CardPlayed, card_elsewhere, day_overview.CARD_OR_PASS, *COSTS),
    "not in the Reserve": changing(CardPlayed, not_in_the_reserve, *COSTS),
    "a Mana Orb played": in_turn(
        lambda state, seat: affordable(state, seat, state.side(seat).known_orbs),
        phases.MORNING_MANA_BECOMES_ORB, *COSTS,
    ),
    "into a team-mate's zone": changing(
        CardPlayed,
        lambda m, e: (replace(e, to_owner=seat) for seat in m.state.seats if is_mate(m.state, e.player, seat)),
        two_against_two.NO_TEAMMATE_ZONE,
    ),
    "dusk before all have passed": in_turn(
        lambda *_: [PhaseStarted(seq=0, phase="dusk")],
        day_structure.AFTERNOON_ENDS, phases.AFTERNOON_CONTINUE_ALONE,
    ),
    "hand shown": in_turn(
        lambda state, _: (
            [HandShown(seq=0, player=state.still_in[0], to=state.still_in[1])] if len(state.still_in) > 1 else ()
        ),
        free_for_all.HAND_SECRET, two_against_two.HAND_SECRET,
    ),
    "effect of the first player by another": in_turn(
        somebody_elses_privilege, day_overview.FIRST_TURN, free_for_all.FIRST_PLAYER_EFFECTS,
        two_against_two.FIRST_PLAYER_EFFECTS,
    ),
    "somebody else's card sacrificed": in_turn(anothers_sacrificed, two_against_two.SACRIFICE_OWN),
    "reaction out of initiative order": changing(
        ReactionPlayed, reaction_out_of_order, reaction_check.INITIATIVE_FIRST, reaction_check.INITIATIVE_REGAINED,
        phases.NOON_FIRST_PLAYER_FIRST,
    ),
    "reaction of another player": changing(
        ReactionPlayed, lambda m, e: (replace(e, player=seat) for seat in m.state.still_in if seat != e.player),
        reaction_check.INITIATIVE_CHOOSES,
    ),
    "reaction forgotten": reaction_forgotten,
    "reaction played twice": changing(Event, reaction_again, reaction_check.INITIATIVE_CHOOSES),
    "reaction inside a daily effect": changing(Event, reaction_in_an_effect, day_structure.CHECK_AFTER_DAILY_EFFECT),
    "reaction to nothing": in_turn(reaction_to_nothing, reactions.CREATES_EMBLEM),
    "emblem for another player": changing(
        ReactionActivated,
        lambda m, e: (replace(e, controller=seat) for seat in m.state.still_in if seat != e.controller),
        reactions.CREATES_EMBLEM,
    ),
    **mistakes_altered_dusk.KINDS,
}  # fmt: skip
