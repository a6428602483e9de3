"""Mistakes of dusk, of the night and at the end of a game of Altered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.model import Event
from audit.games.altered.event_rules.night import fate
from audit.games.altered.events import (
    ArenaTotals,
    CardPlayed,
    CharacterRested,
    CleanupChoice,
    CleanupDiscarded,
    DailyEffectEnded,
    DayStarted,
    ExpeditionAdvanced,
    ExpeditionTotals,
    MeetingDetected,
    PhaseStarted,
    PlayerLeft,
    PlayerPassed,
    QuickActionPlayed,
    TiebreakStarted,
    TumultEffectResolved,
    TumultRevealed,
    WinnerDeclared,
)
from audit.games.altered.places import expeditions, in_expedition, limit, place_of, region, split_place
from audit.games.altered.races import movers, opposing_stats, own_stats
from audit.games.altered.rules import day_overview, free_for_all, multiplayer, night, phases, two_against_two
from audit.games.altered.state import EXPEDITIONS, LANDMARKS, STATS, Character, State
from audit.games.altered.victory import outcome
from audit.games.altered.vocabulary import ExpeditionName, Stat, Stats
from bench import mistakes
from bench.mistakes import Mutant, Plant, Plants, changing, with_

ENDS = (
    multiplayer.WIN, free_for_all.VICTORY, free_for_all.VICTORY_FURTHER, free_for_all.VICTORY_ARENA,
    two_against_two.VICTORY, two_against_two.VICTORY_TWO_ALLIED, two_against_two.VICTORY_TWO_ARENA,
    two_against_two.VICTORY_TWO_FURTHER, two_against_two.VICTORY_THREE, two_against_two.VICTORY_FOUR_ARENA,
    two_against_two.VICTORY_FOUR_FURTHER, free_for_all.TIEBREAK_WINNER, free_for_all.TIEBREAK_AGAIN,
    two_against_two.TIEBREAK_WINNER, two_against_two.TIEBREAK_AGAIN,
)  # fmt: skip
Moment = mistakes.Moment[State]
TURNS = (CardPlayed, PlayerPassed, QuickActionPlayed)


def in_turn(change: Callable[[State, str], Iterable[Event]], *rules: Rule) -> Plant[State]:
    """In the afternoon, when somebody is to play: the change gets the position and whose turn it is."""
    return changing(TURNS, lambda moment, _: change(moment.state, moment.state.turn_of or ""), *rules)


# Dusk: expeditions, sums, Tumult cards


def racing(state: State) -> Iterator[tuple[str, ExpeditionName, str]]:
    """Every expedition with its player, name and place, if expeditions are compared and nothing else waits."""
    waits = state.progress.tumult_reached or state.progress.tumult_to_resolve or state.triggered
    if state.daily_effect == "progress" and state.day_kind == "normal" and not waits:
        yield from ((seat, name, place_of(seat, name)) for seat, name in expeditions(state))


def moving(test: Callable[[int, int, bool], bool], *rules: Rule, again: bool = False) -> Plant[State]:
    """An expedition advances by a stat of which that is true: own, opposing, in the region."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        state = moment.state
        for seat, name, place in racing(state):
            own, opposing, types = own_stats(state, place), opposing_stats(state, place), region(state, place)
            if own is None or opposing is None or types is None or (place in state.progress.advanced) != again:
                continue
            for stat in STATS:
                if test(getattr(own, stat), getattr(opposing, stat), stat in types):
                    yield ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat)

    return changing(Event, change, *rules)


def in_order(types: frozenset[str]) -> tuple[Stat, ...]:
    """Region types as an event tells them."""
    return tuple(stat for stat in STATS if stat in types)


def sums_wrong(moment: Moment, event: Event) -> Iterator[Event]:
    """The sums of an expedition are announced wrongly."""
    state = moment.state
    for seat, name, place in racing(state):
        own, opposing, types = own_stats(state, place), opposing_stats(state, place), region(state, place)
        if own is not None and opposing is not None and types is not None and place in state.facing:
            yield ExpeditionTotals(
                seq=0, player=seat, expedition=name, against=state.facing[place], region=in_order(types),
                own=Stats(own.forest + 1, own.mountain, own.water), opposing=opposing,
            )  # fmt: skip


def against_another(moment: Moment, event: Event) -> Iterator[Event]:
    """An expedition is compared with one it does not face."""
    state = moment.state
    for seat, name, place in racing(state):
        own, types = own_stats(state, place), region(state, place)
        for other in (place_of(*one) for one in expeditions(state)):
            opposing = own_stats(state, other)
            is_another = split_place(other)[0] != seat and state.facing.get(place) not in (None, other)
            if own and opposing and types and is_another:
                yield ExpeditionTotals(
                    seq=0, player=seat, expedition=name, against=other, region=in_order(types),
                    own=own, opposing=opposing,
                )  # fmt: skip


def tumult_not_reached(moment: Moment, event: Event) -> Iterator[Event]:
    state = moment.state
    moving_on = {place_of(seat, name) for seat, name, _ in movers(state)}
    for place, one in state.tumult.items() if any(racing(state)) else ():
        if not one.is_up and place != "centre" and split_place(place)[0] not in moving_on:
            yield TumultRevealed(seq=0, cards=one.cards, place=place)


def tumult_effect_forgotten(moment: Moment) -> Iterator[Mutant]:
    following = moment.events[min(moment.index + 1, len(moment.events) - 1)]
    last = isinstance(following, DailyEffectEnded) and len(moment.state.progress.tumult_to_resolve) == 1
    if isinstance(moment.event, TumultEffectResolved) and last:
        yield moment.wrong(moment.instead(), *moment.owed(following), phases.DUSK_TUMULT_EFFECT)


def tumult_of_another_place(moment: Moment, revealed: TumultRevealed) -> Iterator[Event]:
    for place, one in moment.state.tumult.items():
        if place not in ("centre", revealed.place) and revealed.place != "centre" and not one.is_up:
            yield replace(revealed, cards=one.cards)


# The night: Rest, cleanup, and the next day


def resting(test: Callable[[Character], bool], to: str, *rules: Rule) -> Plant[State]:
    """Characters of which that is true go, or stay, where they should not."""

    def change(moment: Moment, rested: CharacterRested) -> Iterator[Event]:
        found = in_expedition(moment.state, rested.card)
        if found and test(found[2]) and fate(found[2])[0] != to:
            yield replace(rested, to=to, statuses_removed=())

    return changing(CharacterRested, change, *rules)


def is_held(one: Character) -> bool:
    """Whether a status keeps it where it is."""
    return bool({"anchored", "asleep"} & set(one.statuses or ()))


def kept_beyond(moment: Moment, choice: CleanupChoice) -> Iterator[Event]:
    held = moment.state.side(choice.player).zone(choice.zone) or ()
    if len(held) > limit(moment.state, choice.player, choice.zone):
        yield replace(choice, kept=(*choice.kept, next(card for card in held if card not in choice.kept)))


def kept_from_elsewhere(moment: Moment, choice: CleanupChoice) -> Iterator[Event]:
    """Something is kept that is not in the zone."""
    side = moment.state.side(choice.player)
    elsewhere = [*(side.hand or ()), *side.discard]
    if choice.kept and elsewhere:
        yield replace(choice, kept=(*choice.kept[:-1], elsewhere[0]))


def choice_out_of_order(moment: Moment, choice: CleanupChoice) -> Iterator[Event]:
    state = moment.state
    for part in () if moment.game.rules.forced(state) else state.parts_left:
        seat, zone = split_place(part)
        if seat != choice.player:
            held = state.side(seat).zone(zone) or ()
            yield CleanupChoice(seq=0, player=seat, zone=zone, kept=held[: limit(state, seat, zone)])  # type: ignore


def discarded_by_another(moment: Moment, thrown: CleanupDiscarded) -> Iterator[Event]:
    """What one player has too much is thrown away by another."""
    for seat, cards in thrown.discarded.items():
        for other in moment.state.still_in:
            if other not in thrown.discarded:
                left = {name: value for name, value in thrown.discarded.items() if name != seat}
                yield replace(thrown, discarded={**left, other: cards})


def discarded_in_part(moment: Moment, thrown: CleanupDiscarded) -> Iterator[Event]:
    for seat, cards in thrown.discarded.items():
        if len(cards) > 1 or len(thrown.discarded) > 1:
            yield replace(thrown, discarded={**thrown.discarded, seat: cards[1:]})


def kept_discarded(moment: Moment, thrown: CleanupDiscarded) -> Iterator[Event]:
    """A card somebody has chosen to keep goes with the others."""
    for seat, cards in thrown.discarded.items():
        for zone in ("reserve", LANDMARKS):
            for card in moment.state.kept.get(place_of(seat, zone), ())[:1]:
                yield replace(thrown, discarded={**thrown.discarded, seat: (*cards, card)})


# The end: winners, meeting, tie-breaks


def sides(state: State) -> tuple[str, ...]:
    """The teams, or the players where there are none."""
    return tuple(name for name, _ in state.teams) or state.still_in


def not_qualified(moment: Moment, called: TiebreakStarted) -> Iterable[Event]:
    """One player too many, or too few, takes part in the tie-break."""
    others = tuple(seat for seat in moment.state.still_in if seat not in called.qualified)
    return [replace(called, qualified=(*called.qualified, *others[:1]) if others else called.qualified[:-1])]


def before_meeting(happens: Callable[[State], Event], *rules: Rule) -> Plant[State]:
    """Before night, where the expeditions have not met."""

    def change(moment: Moment, begun: PhaseStarted) -> Iterator[Event]:
        state = moment.state
        waits = state.day_kind != "normal" or state.limbo or state.triggered
        if begun.phase == "night" and not waits and outcome(state) is None:
            yield happens(state)

    return changing(PhaseStarted, change, *rules)


KINDS: Plants = {
    "moved on a tie": moving(lambda own, other, fits: own == other > 0 and fits, day_overview.STAT_HIGHER),
    "moved at zero": moving(
        lambda own, other, fits: own == other == 0 and fits, day_overview.STAT_POSITIVE, day_overview.STAT_HIGHER
    ),
    "moved though behind": moving(lambda own, other, fits: own < other and fits, day_overview.STAT_HIGHER),
    "moved by a stat of another region": moving(
        lambda own, other, fits: own > other and not fits, day_overview.STAT_OF_REGION
    ),
    "moved twice in a dusk": moving(lambda own, other, fits: own > other and fits, phases.DUSK_ONCE, again=True),
    "moved by two spaces": changing(ExpeditionAdvanced, with_(spaces=2), phases.DUSK_ONE_SPACE),
    "moved in the afternoon": in_turn(
        lambda state, seat: (
            [ExpeditionAdvanced(seq=0, player=seat, expedition="hero", stat="forest")]
            if seat and state.moment.resolving is None else ()
        ),
        day_overview.ONE_STAT_ENOUGH,
    ),
    "sums wrong": changing(Event, sums_wrong, day_overview.SUM_STATS),
    "compared with another": changing(
        Event, against_another, day_overview.SUM_STATS, multiplayer.RACE_NEIGHBOURS, two_against_two.FACING
    ),
    "Tumult card turned up unreached": changing(Event, tumult_not_reached, phases.DUSK_TUMULT_FLIP),
    "Tumult effect forgotten": tumult_effect_forgotten,
    "another effect of a Tumult card": changing(
        TumultEffectResolved, with_(effect="rain"), phases.DUSK_TUMULT_EFFECT
    ),
    "one Tumult card of the centre": changing(
        TumultRevealed, lambda _, e: [replace(e, cards=e.cards[:1])] if e.place == "centre" else (),
        two_against_two.CENTRE_FLIP, phases.DUSK_TUMULT_FLIP,
    ),
    "Tumult cards the same way up": changing(
        TumultRevealed, lambda _, e: [replace(e, second_reversed=False)] if e.place == "centre" else (),
        two_against_two.CENTRE_ORIENT,
    ),
    "Tumult card of another place": changing(TumultRevealed, tumult_of_another_place, phases.DUSK_TUMULT_FLIP),
    "Fleeting to the Reserve": resting(
        lambda one: "fleeting" in (one.statuses or ()), "reserve", day_overview.FLEETING
    ),
    "Anchored or Asleep to the Reserve": resting(is_held, "reserve", night.ANCHORED_ASLEEP_STAY),
    "Eternal to the Reserve": resting(
        lambda one: bool(one.eternal) and not is_held(one), "reserve", night.ETERNAL_STAYS
    ),
    "discarded at Rest": resting(lambda one: not one.statuses and not one.eternal, "discard", day_overview.REST),
    "stayed at Rest": resting(lambda one: not one.statuses and not one.eternal, "stays", day_overview.REST),
    "Anchored or Asleep not taken off": changing(
        CharacterRested, lambda _, e: [replace(e, statuses_removed=())] if e.statuses_removed else (),
        day_overview.ANCHORED_ASLEEP,
    ),
    "kept beyond the limit": changing(CleanupChoice, kept_beyond, night.CLEANUP_RESERVE, night.CLEANUP_LANDMARKS),
    "kept too few": changing(
        CleanupChoice, lambda _, e: [replace(e, kept=e.kept[:-1])] if e.kept else (), night.KEEP_TO_LIMIT
    ),
    "kept from elsewhere": changing(CleanupChoice, kept_from_elsewhere, night.CLEANUP_RESERVE, night.CLEANUP_LANDMARKS),
    "cleanup out of order": changing(CleanupChoice, choice_out_of_order, night.CHOICE_ORDER),
    "discarded by the wrong owner": changing(CleanupDiscarded, discarded_by_another, night.DISCARD_TOGETHER),
    "discarded in part": changing(CleanupDiscarded, discarded_in_part, night.DISCARD_TOGETHER),
    "discarded though kept": changing(CleanupDiscarded, kept_discarded, night.DISCARD_TOGETHER),
    "a day skipped": changing(DayStarted, lambda _, e: [replace(e, day=e.day + 1)], day_overview.FIVE_PHASES),
    "a wrong winner": changing(
        WinnerDeclared, lambda m, e: (replace(e, side=side) for side in sides(m.state) if side != e.side), *ENDS
    ),
    "a winner at a tie": changing(
        TiebreakStarted,
        lambda m, e: [WinnerDeclared(seq=0, side=m.state.teams[0][0] if m.state.teams else e.qualified[0])], *ENDS
    ),
    "a tie-break for nothing": changing(
        WinnerDeclared, lambda m, _: [TiebreakStarted(seq=0, qualified=m.state.still_in)], *ENDS
    ),
    "a tie-break with the wrong players": changing(TiebreakStarted, not_qualified, *ENDS),
    "won before meeting": before_meeting(
        lambda state: WinnerDeclared(seq=0, side=sides(state)[0]), multiplayer.WIN
    ),
    "met too soon": before_meeting(
        lambda state: MeetingDetected(seq=0, player=state.still_in[0], surplus=0),
        multiplayer.WIN, free_for_all.VICTORY, two_against_two.VICTORY,
    ),
    "surplus wrong": changing(
        MeetingDetected, lambda _, e: [replace(e, surplus=e.surplus + 1)], multiplayer.WIN,
        free_for_all.VICTORY_FURTHER, two_against_two.VICTORY_TWO_FURTHER,
    ),
    "left though in the tie-break": changing(
        PlayerLeft, lambda m, _: [PlayerLeft(seq=0, player=seat) for seat in m.state.tiebreak_players or ()],
        free_for_all.TIEBREAK_LEAVE,
    ),
    "Arena sums wrong": changing(
        ArenaTotals, lambda _, e: [replace(e, water=e.water + 1)],
        free_for_all.TIEBREAK_TOTALS, two_against_two.TIEBREAK_TEAM_TOTALS,
    ),
    "moved in a tie-break": changing(
        ArenaTotals,
        lambda m, _: [
            ExpeditionAdvanced(seq=0, player=seat, expedition=EXPEDITIONS[0], stat="forest")
            for seat in m.state.still_in[:1]
        ],
        free_for_all.TIEBREAK_KEEP_POSITIONS, two_against_two.TIEBREAK_EXTRA_DAY,
    ),
}  # fmt: skip
