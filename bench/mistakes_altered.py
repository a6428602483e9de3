"""The slips of a real table of Altered, planted one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import cast

from msgspec.structs import replace

from audit.altered.events import (
    ArenaTotals,
    CardPlayed,
    CardSacrificed,
    CardsDrawn,
    CharacterRested,
    CleanupChoice,
    CleanupDiscarded,
    DailyEffectEnded,
    DayStarted,
    ExpeditionAdvanced,
    ExpeditionTotals,
    FirstPlayerEffectUsed,
    FirstPlayerPassed,
    HandShown,
    ManaPlaced,
    MeetingDetected,
    ObjectsReadied,
    PhaseStarted,
    PlayerLeft,
    PlayerPassed,
    QuickActionPlayed,
    ReactionActivated,
    ReactionPlayed,
    Stats,
    TiebreakStarted,
    TumultEffectResolved,
    TumultRevealed,
    WinnerDeclared,
)
from audit.altered.options.ending import outcome
from audit.altered.options.limbo import due_player
from audit.altered.options.night import fate
from audit.altered.rules import day, ffa, mp, s1_3_2, s4_2, s4_2_5, s4_4, s5_1_1, s5_3, s6_3, two_v_two
from audit.altered.stages import movers, opposing_stats, own_stats
from audit.altered.state import (
    EXPEDITIONS,
    LANDMARKS,
    MOST_A_DAY,
    STATS,
    Character,
    State,
    after,
    apart,
    expeditions,
    in_expedition,
    is_mate,
    limit,
    region,
    where,
)
from audit.catalogue import Rule
from audit.model import Event
from bench.mistakes import Moment, Mutant, Plant

TURNS = (CardPlayed, PlayerPassed, QuickActionPlayed)
NOT_YOURS = (s1_3_2.D_FIRST, s1_3_2.D_CARD_OR_PASS, s1_3_2.D_ALTERNATE, two_v_two.TURNS_CLOCKWISE)
COSTS = (day.AFTERNOON_COST_HAND, day.AFTERNOON_COST_RESERVE)
ENDS = (
    mp.WIN, ffa.VICTORY, ffa.VICTORY_FURTHER, ffa.VICTORY_ARENA, two_v_two.VICTORY, two_v_two.VICTORY_TWO_ALLIED,
    two_v_two.VICTORY_TWO_ARENA, two_v_two.VICTORY_TWO_FURTHER, two_v_two.VICTORY_THREE,
    two_v_two.VICTORY_FOUR_ARENA, two_v_two.VICTORY_FOUR_FURTHER, ffa.TIEBREAK_WINNER, ffa.TIEBREAK_AGAIN,
    two_v_two.TIEBREAK_WINNER, two_v_two.TIEBREAK_AGAIN,
)  # fmt: skip


def table(moment: Moment) -> State:
    """The position as Altered knows it."""
    return cast(State, moment.state)


def ids(rules: Iterable[Rule]) -> frozenset[str]:
    """The rules that may be named first."""
    return frozenset(rule.id for rule in rules)


def instead(moment: Moment, event: Event, *rules: Rule) -> Mutant:
    """The players do this instead of what they may, and play on."""
    return Mutant(moment.played_on(event), moment.index + 1, ids(rules))


Change = Callable[[Moment, Event], Iterator[Event]]


def changing(kind: type[Event], change: Change, *rules: Rule) -> Plant:
    """Events of that type happen otherwise."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if type(moment.event) is kind:
            for event in change(moment, moment.event):
                yield instead(moment, event, *rules)

    return plant


def with_(**fields: object) -> Change:
    """The same event with other values, where it has not got them already."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        if any(getattr(event, name) != value for name, value in fields.items()):
            yield replace(event, **fields)

    return change


def in_turn(change: Callable[[Moment, State], Iterator[Event]], *rules: Rule) -> Plant:
    """In the afternoon, when somebody is to play."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if type(moment.event) in TURNS:
            for event in change(moment, table(moment)):
                yield instead(moment, event, *rules)

    return plant


# The morning


def token_to_another(moment: Moment, event: Event) -> Iterator[Event]:
    """The token goes round the other way, or stays."""
    passed = cast(FirstPlayerPassed, event)
    for seat in table(moment).still_in:
        if seat != passed.to:
            yield replace(passed, to=seat)


def token_on_the_first_day(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.day == 1 and state.phase == "morning" and state.first and isinstance(moment.event, ObjectsReadied):
        heir = after(state, state.first) or state.first
        yield instead(moment, FirstPlayerPassed(seq=0, from_=state.first, to=heir), day.MORNING_TOKEN_PASS)


def one_card_readied(moment: Moment, event: Event) -> Iterator[Event]:
    """Only the cards that are named are readied, and not the orbs."""
    if table(moment).side(cast(ObjectsReadied, event).player).spent:
        yield replace(event, objects=())


def done_again(kind: type[Event]) -> Change:
    """The part of somebody who has had it."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        before = moment.events[moment.index - 1]
        if type(before) is kind:
            yield replace(before, seq=0)

    return change


def drawn_in_the_afternoon(moment: Moment, state: State) -> Iterator[Event]:
    if state.turn_of and state.resolving is None:
        yield CardsDrawn(seq=0, player=state.turn_of, count=1, reason="luck")


def second_mana(moment: Moment) -> Iterator[Mutant]:
    """One more card by somebody who has had the choice."""
    before, state = moment.events[moment.index - 1], table(moment)
    if isinstance(before, ManaPlaced) and state.effect == "mana" and (hand := state.side(before.player).hand):
        again = replace(before, seq=0, card=hand[0])
        yield instead(moment, again, day.MORNING_MANA_ONE)


def mana_out_of_order(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if isinstance(moment.event, ManaPlaced) and len(state.pending) > 1 and state.day_told:
        seat = state.pending[1]  # that the first has not placed one, nobody knows before they do
        for card in (state.side(seat).hand or ())[:1]:
            events = moment.played_on(ManaPlaced(seq=0, player=seat, card=card), moment.event)
            yield Mutant(events, moment.index + 2, ids([day.MORNING_MANA_ORDER]))


def mana_from_elsewhere(moment: Moment, event: Event) -> Iterator[Event]:
    """A card that is not in the hand becomes an orb."""
    placed = cast(ManaPlaced, event)
    side = table(moment).side(placed.player)
    yield from (replace(placed, card=card) for card in (*side.discard, *(side.deck or ()))[:1])


# The afternoon


def card_of(state: State, seat: str, card: str, zone: str = "hand") -> CardPlayed:
    """That card played by that player for what it costs."""
    to = LANDMARKS if card in state.box.permanents else "hero_expedition"
    mana = getattr(state.box.costs[card], zone)
    return CardPlayed(seq=0, player=seat, card=card, from_=zone, to_zone=to, to_owner=seat, mana=mana)  # type: ignore


def too_expensive(moment: Moment, state: State) -> Iterator[Event]:
    seat = state.turn_of or ""
    side = state.side(seat)
    for zone, cards in (("hand", side.hand), ("reserve", side.reserve)):
        for card in cards or ():
            event = card_of(state, seat, card, zone)
            if event.mana > (side.ready or 0):
                yield event


def for_another_price(moment: Moment, event: Event) -> Iterator[Event]:
    """The wrong cost is paid: one too little."""
    played = cast(CardPlayed, event)
    if played.mana:
        yield replace(played, mana=played.mana - 1)


def price_of_the_other_zone(moment: Moment, event: Event) -> Iterator[Event]:
    """What the card would cost from the other zone is paid."""
    played = cast(CardPlayed, event)
    cost = table(moment).box.costs[played.card]
    other = cost.reserve if played.from_ == "hand" else cost.hand
    if other is not None and other != played.mana and other <= (table(moment).side(played.player).ready or 0):
        yield replace(played, mana=other)


def affordable(state: State, seat: str) -> Iterator[CardPlayed]:
    """What that player could pay."""
    side = state.side(seat)
    for card in side.hand or ():
        event = card_of(state, seat, card)
        if event.mana <= (side.ready or 0):
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
    if state.acted and state.acted[1] == "card" and state.acted[0] != state.turn_of:
        seat = state.acted[0]
        yield QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="study", mana=0)


def quick_exhausted(moment: Moment, state: State) -> Iterator[Event]:
    for source, seat in state.exhausted.items():
        if seat == state.turn_of:
            yield QuickActionPlayed(seq=0, player=seat, source=source, action="muster", exhausts=source)


def quick_too_expensive(moment: Moment, state: State) -> Iterator[Event]:
    seat = state.turn_of or ""
    mana = (state.side(seat).ready or 0) + 1
    yield QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="study", mana=mana)


def quick_exhausting_another(moment: Moment, event: Event) -> Iterator[Event]:
    quick = cast(QuickActionPlayed, event)
    if quick.exhausts:
        yield replace(quick, exhausts=f"{quick.player}-banner")


def hundred_and_one(moment: Moment) -> Iterator[Mutant]:
    """One and the same quick action once too often in a day."""
    state = table(moment)
    if type(moment.event) not in TURNS or state.uses:
        return
    seat = state.turn_of or ""
    event = QuickActionPlayed(seq=0, player=seat, source=f"{seat}-hero", action="glance")
    if not cast(State, moment.game.evolve(state, event)).triggered:
        events = moment.played_on(*[event] * (MOST_A_DAY + 1))
        yield Mutant(events, moment.index + MOST_A_DAY + 1, ids([s5_3.D]))


def card_elsewhere(moment: Moment, event: Event) -> Iterator[Event]:
    """A card that is in the deck or the discard is played from hand."""
    played, state = cast(CardPlayed, event), table(moment)
    side = state.side(played.player)
    for card in (*side.discard, *(side.deck or ())):
        other = card_of(state, played.player, card)
        if other.mana <= (side.ready or 0):
            yield other


def not_in_the_reserve(moment: Moment, event: Event) -> Iterator[Event]:
    played, state = cast(CardPlayed, event), table(moment)
    cost = state.box.costs[played.card].reserve
    if played.from_ == "hand" and cost is not None and cost <= (state.side(played.player).ready or 0):
        yield replace(played, from_="reserve", mana=cost)


def orb_played(moment: Moment, state: State) -> Iterator[Event]:
    seat = state.turn_of or ""
    for card in state.side(seat).orbs:
        event = card_of(state, seat, card)
        if event.mana <= (state.side(seat).ready or 0):
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
        if seat != state.first and not is_mate(state, seat, state.first or ""):
            yield FirstPlayerEffectUsed(seq=0, player=seat, source=f"{seat}-hero")


def anothers_sacrificed(moment: Moment, state: State) -> Iterator[Event]:
    for seat in state.still_in:
        side = state.side(seat)
        for one in (*(side.hero or ()), *(side.companion or ())):
            if seat != state.turn_of:
                yield CardSacrificed(seq=0, player=state.turn_of or "", card=one.id, controller=seat)


# Reactions


def reaction_out_of_order(moment: Moment, event: Event) -> Iterator[Event]:
    state = table(moment)
    due = due_player(state)
    for emblem in state.limbo:
        if emblem.controller != due:
            yield ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)


def reaction_of_another(moment: Moment, event: Event) -> Iterator[Event]:
    """Somebody plays an emblem that another controls."""
    reaction = cast(ReactionPlayed, event)
    yield from (replace(reaction, player=seat) for seat in table(moment).still_in if seat != reaction.player)


def reaction_forgotten(moment: Moment) -> Iterator[Mutant]:
    """The last reaction in Limbo is not played."""
    following = moment.events[moment.index + 1 :][:1]
    alone = isinstance(moment.event, ReactionPlayed) and len(table(moment).limbo) == 1
    if alone and following and not isinstance(following[0], ReactionActivated):
        rules = (s4_4.B, s4_2.E_NEXT_PHASE, s4_2.E_NEXT_EFFECT, s5_1_1.D, day.DUSK_AT_DUSK_FIRST)
        yield Mutant(moment.instead(), moment.index + 1, ids(rules))


def reaction_again(moment: Moment) -> Iterator[Mutant]:
    before = moment.events[moment.index - 1]
    if isinstance(before, ReactionPlayed) and not isinstance(moment.event, ReactionActivated):
        yield instead(moment, replace(before, seq=0), s4_4.B)


def reaction_in_an_effect(moment: Moment) -> Iterator[Mutant]:
    """A reaction does not wait for the daily effect to be over."""
    state = table(moment)
    if state.effect and state.limbo and not state.triggered and moment.game.forced(state) is None:
        emblem = next(one for one in state.limbo if one.controller == due_player(state))
        event = ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)
        yield instead(moment, event, s4_2.D)


def reaction_to_nothing(moment: Moment, state: State) -> Iterator[Event]:
    for key, known in state.box.reactions.items():
        source, _, name = key.partition(":")
        if known.controller in state.still_in:
            yield ReactionActivated(
                seq=0, reaction=name, source=source, controller=known.controller, trigger=known.trigger,
                trigger_seq=max(1, state.last), emblem=f"{source}.none",
            )  # fmt: skip


def activated_for_another(moment: Moment, event: Event) -> Iterator[Event]:
    """The emblem is given to another player than the controller."""
    activated = cast(ReactionActivated, event)
    for seat in table(moment).still_in:
        if seat != activated.controller:
            yield replace(activated, controller=seat)


# Dusk


def racing(moment: Moment) -> bool:
    """Expeditions are compared, and nothing else waits."""
    state = table(moment)
    return (
        state.effect == "progress"
        and state.kind == "normal"
        and not (state.reached or state.flipped or state.triggered)
    )


def moving(test: Callable[[int, int, bool], bool], *rules: Rule, again: bool = False) -> Plant:
    """An expedition advances by a stat of which that is true: own, opposing, in the region."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        state = table(moment)
        for place in expeditions(state) if racing(moment) else ():
            own, opposing, types = own_stats(state, place), opposing_stats(state, place), region(state, place)
            if own is None or opposing is None or types is None or (place in state.advanced) != again:
                continue
            seat, name = apart(place)
            for stat in STATS:
                if test(getattr(own, stat), getattr(opposing, stat), stat in types):
                    event = ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat)  # type: ignore
                    yield instead(moment, event, *rules)

    return plant


def at_another_time(moment: Moment, state: State) -> Iterator[Event]:
    if state.resolving is None and state.turn_of:
        yield ExpeditionAdvanced(seq=0, player=state.turn_of, expedition="hero", stat="forest")


def sums_wrong(moment: Moment) -> Iterator[Mutant]:
    """The sums of an expedition are announced wrongly."""
    state = table(moment)
    for place in expeditions(state) if racing(moment) else ():
        seat, name = apart(place)
        own, opposing, types = own_stats(state, place), opposing_stats(state, place), region(state, place)
        if own is None or opposing is None or types is None or place not in state.faces:
            continue
        event = ExpeditionTotals(
            seq=0, player=seat, expedition=name, against=state.faces[place], region=tuple(sorted(types)),  # type: ignore
            own=Stats(own.forest + 1, own.mountain, own.water), opposing=opposing,
        )  # fmt: skip
        yield instead(moment, event, s1_3_2.E_SUM)


def against_another(moment: Moment) -> Iterator[Mutant]:
    """An expedition is compared with one it does not face."""
    state = table(moment)
    for place in expeditions(state) if racing(moment) else ():
        seat, name = apart(place)
        own, types = own_stats(state, place), region(state, place)
        for other in expeditions(state):
            opposing = own_stats(state, other)
            if own and opposing and types and apart(other)[0] != seat and state.faces.get(place) not in (None, other):
                event = ExpeditionTotals(
                    seq=0, player=seat, expedition=name, against=other, region=tuple(sorted(types)),  # type: ignore
                    own=own, opposing=opposing,
                )  # fmt: skip
                yield instead(moment, event, s1_3_2.E_SUM, mp.RACE_NEIGHBOURS, two_v_two.FACING)


def tumult_not_reached(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    moving_on = {place for place, _ in movers(state)}
    for place, one in state.tumult.items() if racing(moment) else ():
        if not one.up and place != "centre" and apart(place)[0] not in moving_on:
            event = TumultRevealed(seq=0, cards=one.cards, place=place)
            yield instead(moment, event, day.DUSK_TUMULT_FLIP)


def tumult_effect_forgotten(moment: Moment) -> Iterator[Mutant]:
    last = isinstance(moment.events[min(moment.index + 1, len(moment.events) - 1)], DailyEffectEnded)
    if isinstance(moment.event, TumultEffectResolved) and len(table(moment).flipped) == 1 and last:
        rules = moment.owed(moment.events[moment.index + 1])
        yield Mutant(moment.instead(), moment.index + 1, rules | ids([day.DUSK_TUMULT_EFFECT]))


def tumult_by_halves(moment: Moment, event: Event) -> Iterator[Event]:
    revealed = cast(TumultRevealed, event)
    if revealed.place == "centre":
        yield replace(revealed, cards=revealed.cards[:1])


def tumult_same_way_up(moment: Moment, event: Event) -> Iterator[Event]:
    if cast(TumultRevealed, event).place == "centre":
        yield replace(event, second_reversed=False)


def tumult_of_another_place(moment: Moment, event: Event) -> Iterator[Event]:
    revealed, state = cast(TumultRevealed, event), table(moment)
    for place, one in state.tumult.items():
        if place not in ("centre", revealed.place) and revealed.place != "centre" and not one.up:
            yield replace(revealed, cards=one.cards)


# Night


def resting(test: Callable[[Character], bool], to: str, *rules: Rule) -> Plant:
    """Characters of which that is true go, or stay, where they should not."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        found = in_expedition(table(moment), cast(CharacterRested, event).card)
        if found and test(found[2]) and fate(found[2])[0] != to:
            yield replace(event, to=to, statuses_removed=())

    return changing(CharacterRested, change, *rules)


def statuses_kept(moment: Moment, event: Event) -> Iterator[Event]:
    if cast(CharacterRested, event).statuses_removed:
        yield replace(event, statuses_removed=())


def is_held(one: Character) -> bool:
    """Whether a status keeps it where it is."""
    return bool({"anchored", "asleep"} & set(one.statuses or ()))


def kept_beyond(moment: Moment, event: Event) -> Iterator[Event]:
    choice, state = cast(CleanupChoice, event), table(moment)
    held = state.side(choice.player).zone(choice.zone) or ()
    if len(held) > limit(state, choice.player, choice.zone):
        yield replace(choice, kept=(*choice.kept, next(card for card in held if card not in choice.kept)))


def kept_too_few(moment: Moment, event: Event) -> Iterator[Event]:
    choice = cast(CleanupChoice, event)
    if choice.kept:
        yield replace(choice, kept=choice.kept[:-1])


def kept_from_elsewhere(moment: Moment, event: Event) -> Iterator[Event]:
    """Something is kept that is not in the zone."""
    choice, state = cast(CleanupChoice, event), table(moment)
    elsewhere = [*(state.side(choice.player).hand or ()), *state.side(choice.player).discard]
    if choice.kept and elsewhere:
        yield replace(choice, kept=(*choice.kept[:-1], elsewhere[0]))


def choice_out_of_order(moment: Moment, event: Event) -> Iterator[Event]:
    choice, state = cast(CleanupChoice, event), table(moment)
    if moment.game.forced(state):
        return
    for part in state.pending:
        seat, zone = apart(part)
        if seat != choice.player:
            held = state.side(seat).zone(zone) or ()
            yield CleanupChoice(seq=0, player=seat, zone=zone, kept=held[: limit(state, seat, zone)])  # type: ignore


def discarded_by_another(moment: Moment, event: Event) -> Iterator[Event]:
    """What one player has too much is thrown away by another."""
    thrown, state = cast(CleanupDiscarded, event), table(moment)
    for seat, cards in thrown.discarded.items():
        for other in state.still_in:
            if other not in thrown.discarded:
                left = {name: value for name, value in thrown.discarded.items() if name != seat}
                yield replace(thrown, discarded={**left, other: cards})


def discarded_in_part(moment: Moment, event: Event) -> Iterator[Event]:
    thrown = cast(CleanupDiscarded, event)
    for seat, cards in thrown.discarded.items():
        if len(cards) > 1 or len(thrown.discarded) > 1:
            yield replace(thrown, discarded={**thrown.discarded, seat: cards[1:]})


def kept_discarded(moment: Moment, event: Event) -> Iterator[Event]:
    """A card somebody has chosen to keep goes with the others."""
    thrown, state = cast(CleanupDiscarded, event), table(moment)
    for seat, cards in thrown.discarded.items():
        for zone in ("reserve", LANDMARKS):
            for card in state.kept.get(where(seat, zone), ())[:1]:
                yield replace(thrown, discarded={**thrown.discarded, seat: (*cards, card)})


def another_day(moment: Moment, event: Event) -> Iterator[Event]:
    yield replace(event, day=cast(DayStarted, event).day + 1)


# How it ends


def other_winner(moment: Moment, event: Event) -> Iterator[Event]:
    won, state = cast(WinnerDeclared, event), table(moment)
    sides = [name for name, _ in state.teams] or state.still_in
    yield from (replace(won, side=side) for side in sides if side != won.side)


def winner_at_a_tie(moment: Moment, event: Event) -> Iterator[Event]:
    state = table(moment)
    yield WinnerDeclared(seq=0, side=state.teams[0][0] if state.teams else cast(TiebreakStarted, event).qualified[0])


def tiebreak_for_nothing(moment: Moment, event: Event) -> Iterator[Event]:
    yield TiebreakStarted(seq=0, qualified=table(moment).still_in)


def not_qualified(moment: Moment, event: Event) -> Iterator[Event]:
    """One player too many, or too few, takes part in the tie-break."""
    called, state = cast(TiebreakStarted, event), table(moment)
    others = tuple(seat for seat in state.still_in if seat not in called.qualified)
    yield replace(called, qualified=(*called.qualified, *others[:1]) if others else called.qualified[:-1])


def nobody_has_met(moment: Moment) -> Iterator[Mutant]:
    """The winner is declared before the expeditions have met."""
    state = table(moment)
    night = isinstance(moment.event, PhaseStarted) and moment.event.phase == "night"
    if night and state.kind == "normal" and not state.limbo and not state.triggered and outcome(state) is None:
        side = state.teams[0][0] if state.teams else state.still_in[0]
        yield instead(moment, WinnerDeclared(seq=0, side=side), mp.WIN)


def met_too_soon(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    night = isinstance(moment.event, PhaseStarted) and moment.event.phase == "night"
    if night and state.kind == "normal" and not state.limbo and not state.triggered and outcome(state) is None:
        event = MeetingDetected(seq=0, player=state.still_in[0], surplus=0)
        yield instead(moment, event, mp.WIN, ffa.VICTORY, two_v_two.VICTORY)


def surplus_wrong(moment: Moment, event: Event) -> Iterator[Event]:
    yield replace(event, surplus=cast(MeetingDetected, event).surplus + 1)


def wrong_one_leaves(moment: Moment, event: Event) -> Iterator[Event]:
    """A player who is in the tie-break leaves."""
    for seat in table(moment).called or ():
        yield PlayerLeft(seq=0, player=seat)


def arena_wrong(moment: Moment, event: Event) -> Iterator[Event]:
    yield replace(event, water=cast(ArenaTotals, event).water + 1)


def moved_in_a_tiebreak(moment: Moment, event: Event) -> Iterator[Event]:
    for seat in table(moment).still_in[:1]:
        yield ExpeditionAdvanced(seq=0, player=seat, expedition=EXPEDITIONS[0], stat="forest")  # type: ignore


def lost(reason: str, to: str) -> Change:
    """A phase again that is over."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        if cast(PhaseStarted, event).phase == reason:
            yield replace(event, phase=to)

    return change


KINDS: dict[str, Plant] = {
    "token to the wrong player": changing(FirstPlayerPassed, token_to_another, s1_3_2.B_FIRST_PLAYER),
    "token passed on the first day": token_on_the_first_day,
    "orbs not readied": changing(ObjectsReadied, one_card_readied, day.MORNING_READY_ALL),
    "three cards drawn": changing(CardsDrawn, with_(count=3), day.MORNING_DRAW_TWO),
    "one card drawn": changing(CardsDrawn, with_(count=1), day.MORNING_DRAW_TWO),
    "drawn twice in a morning": changing(CardsDrawn, done_again(CardsDrawn), s1_3_2.B_DRAW),
    "drawn without a reason": in_turn(drawn_in_the_afternoon, s1_3_2.B_DRAW),
    "two cards for mana": changing(ManaPlaced, with_(count=2), day.MORNING_MANA_ONE),
    "mana twice in a morning": second_mana,
    "mana out of order": mana_out_of_order,
    "mana face up": changing(ManaPlaced, with_(face="up"), day.MORNING_MANA_FACEDOWN),
    "mana from another zone": changing(ManaPlaced, with_(from_="reserve"), s1_3_2.B_MANA),
    "mana from nowhere": changing(ManaPlaced, mana_from_elsewhere, s1_3_2.B_MANA),
    "played without enough mana": in_turn(too_expensive, *COSTS),
    "played for too little": changing(CardPlayed, for_another_price, *COSTS),
    "played at the cost of another zone": changing(CardPlayed, price_of_the_other_zone, *COSTS),
    "not one's turn": in_turn(out_of_turn, *NOT_YOURS),
    "played after passing": in_turn(after_passing, s1_3_2.D_PASSED_OUT),
    "quick action after the card": in_turn(quick_after_card, day.AFTERNOON_QUICK_BEFORE_CARD, *NOT_YOURS),
    "exhausted card used": in_turn(quick_exhausted, s5_3.C),
    "quick action without enough mana": in_turn(quick_too_expensive, s5_3.A),
    "another card exhausted": changing(QuickActionPlayed, quick_exhausting_another, s5_3.C),
    "quick action for the 101st time": hundred_and_one,
    "a card that is elsewhere": changing(CardPlayed, card_elsewhere, *COSTS),
    "not in the Reserve": changing(CardPlayed, not_in_the_reserve, *COSTS),
    "a Mana Orb played": in_turn(orb_played, day.MORNING_MANA_BECOMES_ORB, *COSTS),
    "into a team-mate's zone": changing(CardPlayed, zone_of_a_mate, two_v_two.NO_TEAMMATE_ZONE),
    "dusk before all have passed": in_turn(dusk_too_soon, s4_2.F, day.AFTERNOON_CONTINUE_ALONE),
    "hand shown": in_turn(hand_shown, ffa.HAND_SECRET, two_v_two.HAND_SECRET),
    "effect of the first player by another": in_turn(
        somebody_elses_privilege, ffa.FIRST_PLAYER_EFFECTS, two_v_two.FIRST_PLAYER_EFFECTS
    ),
    "somebody else's card sacrificed": in_turn(anothers_sacrificed, two_v_two.SACRIFICE_OWN),
    "reaction out of initiative order": changing(
        ReactionPlayed, reaction_out_of_order, s4_4.C_INITIATIVE_FIRST, s4_4.C_INITIATIVE_REGAINED,
        day.NOON_FIRST_PLAYER_FIRST,
    ),
    "reaction of another player": changing(ReactionPlayed, reaction_of_another, s4_4.B),
    "reaction forgotten": reaction_forgotten,
    "reaction played twice": reaction_again,
    "reaction inside a daily effect": reaction_in_an_effect,
    "reaction to nothing": in_turn(reaction_to_nothing, s6_3.B),
    "emblem for another player": changing(ReactionActivated, activated_for_another, s6_3.B),
    "moved on a tie": moving(lambda own, other, fits: own == other > 0 and fits, s1_3_2.E_STRICT),
    "moved at zero": moving(
        lambda own, other, fits: own == other == 0 and fits, s1_3_2.E_POSITIVE, s1_3_2.E_STRICT
    ),
    "moved though behind": moving(lambda own, other, fits: own < other and fits, s1_3_2.E_STRICT),
    "moved by a stat of another region": moving(lambda own, other, fits: own > other and not fits, s1_3_2.E_MATCH),
    "moved twice in a dusk": moving(lambda own, other, fits: own > other and fits, day.DUSK_ONCE, again=True),
    "moved by two spaces": changing(ExpeditionAdvanced, with_(spaces=2), day.DUSK_ONE_SPACE),
    "moved in the afternoon": in_turn(at_another_time, s1_3_2.E_ONE_STAT_ENOUGH),
    "sums wrong": sums_wrong,
    "compared with another": against_another,
    "Tumult card turned up unreached": tumult_not_reached,
    "Tumult effect forgotten": tumult_effect_forgotten,
    "another effect of a Tumult card": changing(
        TumultEffectResolved, with_(effect="rain"), day.DUSK_TUMULT_EFFECT
    ),
    "one Tumult card of the centre": changing(TumultRevealed, tumult_by_halves, two_v_two.CENTRE_FLIP),
    "Tumult cards the same way up": changing(TumultRevealed, tumult_same_way_up, two_v_two.CENTRE_ORIENT),
    "Tumult card of another place": changing(TumultRevealed, tumult_of_another_place, day.DUSK_TUMULT_FLIP),
    "Fleeting to the Reserve": resting(lambda one: "fleeting" in (one.statuses or ()), "reserve", s1_3_2.F_FLEETING),
    "Anchored or Asleep to the Reserve": resting(is_held, "reserve", s4_2_5.B_ANCHORED_ASLEEP_STAY),
    "Eternal to the Reserve": resting(
        lambda one: bool(one.eternal) and not is_held(one), "reserve", s4_2_5.B_ETERNAL_STAYS
    ),
    "discarded at Rest": resting(lambda one: not one.statuses and not one.eternal, "discard", s1_3_2.F_REST),
    "stayed at Rest": resting(lambda one: not one.statuses and not one.eternal, "stays", s1_3_2.F_REST),
    "Anchored or Asleep not taken off": changing(CharacterRested, statuses_kept, s1_3_2.F_ANCHORED_ASLEEP),
    "kept beyond the limit": changing(
        CleanupChoice, kept_beyond, s4_2_5.C_RESERVE, s4_2_5.C_LANDMARK
    ),
    "kept too few": changing(CleanupChoice, kept_too_few, s4_2_5.C_KEEP_TO_LIMIT),
    "kept from elsewhere": changing(CleanupChoice, kept_from_elsewhere, s4_2_5.C_RESERVE, s4_2_5.C_LANDMARK),
    "cleanup out of order": changing(CleanupChoice, choice_out_of_order, s4_2_5.C_CHOICE_ORDER),
    "discarded by the wrong owner": changing(CleanupDiscarded, discarded_by_another, s4_2_5.C_SIMULTANEOUS),
    "discarded in part": changing(CleanupDiscarded, discarded_in_part, s4_2_5.C_SIMULTANEOUS),
    "discarded though kept": changing(CleanupDiscarded, kept_discarded, s4_2_5.C_SIMULTANEOUS),
    "a day skipped": changing(DayStarted, another_day, s1_3_2.A),
    "back to the morning": changing(PhaseStarted, lost("afternoon", "morning"), s4_2.A),
    "a wrong winner": changing(WinnerDeclared, other_winner, *ENDS),
    "a winner at a tie": changing(TiebreakStarted, winner_at_a_tie, *ENDS),
    "a tie-break for nothing": changing(WinnerDeclared, tiebreak_for_nothing, *ENDS),
    "a tie-break with the wrong players": changing(TiebreakStarted, not_qualified, *ENDS),
    "won before meeting": nobody_has_met,
    "met too soon": met_too_soon,
    "surplus wrong": changing(
        MeetingDetected, surplus_wrong, ffa.VICTORY_FURTHER, two_v_two.VICTORY_TWO_FURTHER
    ),
    "left though in the tie-break": changing(PlayerLeft, wrong_one_leaves, ffa.TIEBREAK_LEAVE),
    "Arena sums wrong": changing(
        ArenaTotals, arena_wrong, ffa.TIEBREAK_TOTALS, two_v_two.TIEBREAK_TEAM_TOTALS
    ),
    "moved in a tie-break": changing(
        ArenaTotals, moved_in_a_tiebreak, ffa.TIEBREAK_KEEP_POSITIONS, two_v_two.TIEBREAK_EXTRA_DAY
    ),
}  # fmt: skip
