"""Dusk: sums are compared, and expeditions advance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violations
from audit.core.model import Event
from audit.games.altered.carrying_out import is_resolving, not_by_text, unread_text
from audit.games.altered.event_rules.base import (
    AlteredEventRules,
    Failures,
    by_mode,
    fails,
    is_unread_resolving,
    not_in_daily_effect,
)
from audit.games.altered.event_rules.days import extra_day
from audit.games.altered.events import (
    ArenaTotals,
    CharacterRested,
    CleanupChoice,
    ExpeditionAdvanced,
    ExpeditionTotals,
)
from audit.games.altered.game_data import Cards
from audit.games.altered.places import arena_total, compared_in, place_of, region, region_types, split_place
from audit.games.altered.races import (
    certain_stats,
    is_uncertain,
    known_stats,
    movers,
    opposing_stats,
    own_stats,
    stats_ahead,
)
from audit.games.altered.rules import day_overview, free_for_all, multiplayer, phases, timing_of_play, two_against_two
from audit.games.altered.seats import advance_of, are_neighbours, characters_of, members, opponents, side_of
from audit.games.altered.state import EXPEDITIONS, HERO, Comparison, Done, Side, State, Tumult
from audit.games.altered.unread import doubts, explained, in_words, texts_about, told, uncertain
from audit.games.altered.vocabulary import Stats
from audit.games.altered.zones import less, sides_with


class ExpeditionTotalsRules(AlteredEventRules[ExpeditionTotals]):
    """What is compared: the sums of an expedition and of the one it faces, by type."""

    event = ExpeditionTotals
    may_be_unchecked = True
    rules: Citations = (day_overview.SUM_STATS, phases.DUSK_COMPARE_TYPES)
    at_any_time = True

    def criteria(self, state: State, event: ExpeditionTotals) -> Failures:
        if state.daily_effect != "progress":
            yield from not_in_daily_effect(state, "progress", "dusk.moment", day_overview.SUM_STATS)
        place = place_of(event.player, event.expedition)
        if state.facing.get(place) != event.against:
            yield from _not_against(state, place, event.against)
        if _is_other_region(state, place, event) and not _region_told_otherwise(state):
            yield fails(
                day_overview.STAT_OF_REGION, "totals.region", {"expected": sorted(compared_in(state, place) or ())}
            )
        if state.untold or _is_explained(state, place, event):
            return
        own, opposing = certain_stats(state, place), certain_stats(state, event.against)
        if own is not None and own != event.own:
            yield fails(day_overview.SUM_STATS, "totals.own", {"expected": _amounts(own)})
        if opposing is not None and opposing != event.opposing:
            yield fails(phases.DUSK_COMPARE_TYPES, "totals.opposing", {"expected": _amounts(opposing)})

    def is_relevant(self, state: State, event: ExpeditionTotals) -> bool:
        """Sums are told while expeditions are compared."""
        return state.daily_effect == "progress"

    def unread(self, state: State, event: ExpeditionTotals) -> Failures:
        place = place_of(event.player, event.expedition)
        if _is_other_region(state, place, event):
            yield from _region_told_otherwise(state)
        is_explained = _is_explained(state, place, event)
        note = (fails(day_overview.SUM_STATS, "unread.note"),) if is_explained else ()
        words = in_words(state.untold, day_overview.SUM_STATS)
        reasons = (*uncertain(state, place, event.against), *note, *words)
        if reasons and (event.own, event.opposing) != (known_stats(state, place), known_stats(state, event.against)):
            yield from reasons

    def citations(self, state: State, event: ExpeditionTotals) -> Citations:
        return (*self.rules, multiplayer.RACE_NEIGHBOURS) if state.game.mode == "ffa" else self.rules

    def happen(self, state: State, event: ExpeditionTotals) -> State:
        """Sums, region and facing, as far as they were not known."""
        place = place_of(event.player, event.expedition)
        regions, facing = state.regions, state.facing
        if place not in state.progress.advanced and (
            place not in regions or (_is_other_region(state, place, event) and _region_told_otherwise(state))
        ):
            regions = {**regions, place: region_types(event.region)}
        comparisons = {**state.progress.comparisons, place: Comparison(event.own, event.opposing)}
        both = {place: event.against, event.against: place}
        return replace(
            state,
            progress=replace(state.progress, comparisons=comparisons, is_told=True),
            regions=regions,
            facing=facing if place in facing and event.against in facing else {**both, **facing},
        )


def _is_explained(state: State, place: str, event: ExpeditionTotals) -> bool:
    """Whether a remark may explain sums: more than by the Characters that are added up."""
    if not event.note:
        return False
    compared = [*map(split_place, (place, event.against))]
    groups = [characters_of(side_of(state, seat), name) for seat, name in compared]
    return explained(state, event.note, *[one.id for group in groups for one in group or ()])


def _is_other_region(state: State, place: str, event: ExpeditionTotals) -> bool:
    types = compared_in(state, place)
    return types is not None and types != region_types(event.region)


def _region_told_otherwise(state: State) -> Violations:
    """What may have changed a region: words of this day, or a text in play."""
    rule = day_overview.STAT_OF_REGION
    words = (state.region_words,) if state.region_words else ()
    return in_words(words, rule) or texts_about(state, "region", rule, state.seats)


def _amounts(stats: Stats) -> list[int]:
    """Stats as a row of numbers: forest, mountain, water."""
    return [stats.forest, stats.mountain, stats.water]


def _not_against(state: State, place: str, against: str) -> Failures:
    """Why the expedition is not compared with that one."""
    seat, other = split_place(place)[0], split_place(against)[0]
    known = state.facing.get(place)
    by_mode = {"ffa": multiplayer.RACE_NEIGHBOURS, "2v2": two_against_two.FACING}
    rule = by_mode.get(state.game.mode, day_overview.SUM_STATS)
    if known is not None and known != against:
        yield fails(rule, "totals.against", {"place": place, "other": known})
    elif known is None and state.seats and other not in opponents(state, seat):
        yield fails(rule, "facing.mate", {"place": place, "other": against})
    elif known is None and state.game.mode == "ffa" and not are_neighbours(state, seat, other):
        yield fails(multiplayer.RACE_NEIGHBOURS, "facing.neighbour", {"player": seat, "other": other})


class ExpeditionAdvancedRules(AlteredEventRules[ExpeditionAdvanced]):
    """An expedition advances one space, once a dusk, by a stat that fulfils all three conditions.

    Effects may move it at other times.
    """

    event = ExpeditionAdvanced
    may_be_unchecked = True
    may_be_ambiguous = True
    rules: Citations = (day_overview.ONE_STAT_ENOUGH, phases.DUSK_ONCE)
    at_any_time = True

    def criteria(self, state: State, event: ExpeditionAdvanced) -> Failures:
        if _is_by_effect(state):
            yield from not_by_text(state, Done(None, event.player))
            return
        if event.spaces < 1:
            rule = phases.DUSK_ONE_SPACE if state.game.mode == "duel" else two_against_two.PATH
            yield fails(rule, "advance.back", {"n": event.spaces})
        place = place_of(event.player, event.expedition)
        if is_to_come := state.phase == "dusk" and "progress" in state.effects_left and not state.limbo:
            yield from _failed_conditions(state, place, event.stat)
        yield from _not_racing(state)
        if place in state.progress.advanced:
            yield fails(phases.DUSK_ONCE, "advance.again", {"place": place})
        if event.spaces > 1:
            yield fails(phases.DUSK_ONE_SPACE, "advance.spaces", {"n": event.spaces})
        if not is_to_come:
            yield from _failed_conditions(state, place, event.stat)

    def is_relevant(self, state: State, event: ExpeditionAdvanced) -> bool:
        """Expeditions advance while they are compared, also where none has won."""
        return state.daily_effect == "progress"

    def may_mean(self, event: ExpeditionAdvanced, other: Event) -> bool:
        """Another expedition advances all the same; what the night asks is no remedy."""
        if not isinstance(other, ExpeditionAdvanced):
            return not isinstance(other, CharacterRested | CleanupChoice)
        return (other.player, other.expedition) == (event.player, event.expedition)

    def unread(self, state: State, event: ExpeditionAdvanced) -> Failures:
        if _is_by_effect(state):
            return unread_text(state, Done(None, event.player))
        place = place_of(event.player, event.expedition)
        if event.stat not in (region(state, place) or (event.stat,)) and (reasons := _region_told_otherwise(state)):
            return reasons
        facing = state.facing.get(place)
        if not (reasons := uncertain(state, place, facing)):
            return ()
        known = [known_stats(state, one) if one else None for one in (place, facing)]
        ahead = stats_ahead(region(state, place), *known)
        return () if ahead and event.stat in ahead else reasons

    def citations(self, state: State, event: ExpeditionAdvanced) -> Citations:
        if _is_by_effect(state):
            return (timing_of_play.INTERNAL_ACTIONS if state.game.mode == "duel" else two_against_two.PATH,)
        return (
            day_overview.STAT_OF_REGION, day_overview.STAT_HIGHER, day_overview.STAT_POSITIVE, *self.rules,
            phases.DUSK_ONE_SPACE, *((two_against_two.PATH,) if state.game.mode != "duel" else ()),
        )  # fmt: skip

    def candidates(self, state: State) -> Iterator[ExpeditionAdvanced]:
        for seat, name, stat in movers(state):
            yield ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat)

    def is_ambiguous(self, state: State, event: ExpeditionAdvanced) -> bool:
        """Without a comparison that moves it, an effect that the log left out may have moved the expedition."""
        return not self.is_due(state)

    def happen(self, state: State, event: ExpeditionAdvanced) -> State:
        """A marker moves; the region it comes to is that of its path, or unknown."""
        place, progress = place_of(event.player, event.expedition), state.progress
        sides = sides_with(state, event.player, lambda side: _moved(side, event))
        now = None
        if event.player in state.seats:
            now = advance_of(sides[state.seats.index(event.player)], event.expedition)
        found = () if now is None else _tumult_at(state.tumult, event.player, event.expedition, now)
        reached = progress.tumult_reached
        if state.daily_effect == "progress":
            progress = replace(progress, advanced=(*progress.advanced, place), left=_left(state, place, event.stat))
        return replace(
            told(state) if _is_by_effect(state) else state,
            sides=sides,
            regions={other: types for other, types in state.regions.items() if other != place},
            progress=replace(
                progress,
                is_told=progress.is_told or event.seq > 0,
                tumult_reached=(*reached, *[spot for spot in found if spot not in reached]),
            ),
        )


def _left(state: State, place: str, stat: str) -> Mapping[str, frozenset[str]]:
    """The regions that expeditions have left at this dusk, once one has advanced by that stat.

    A region that has not the stat is left out: the advance is a finding, and its sums are not another.
    """
    left, types = state.progress.left, compared_in(state, place)
    return {**left, place: types} if types and stat in types else left


def _is_by_effect(state: State) -> bool:
    """Whether an advance now comes from an effect, not from the comparison at dusk."""
    if state.open_effects or state.phase != "dusk":
        return is_resolving(state)
    return state.daily_effect != "progress" and is_unread_resolving(state)


def _not_racing(state: State) -> Failures:
    """Why no expedition advances by comparison now."""
    if state.day_kind == "tiebreak" or state.tiebreak_players is not None:
        keep, extra = free_for_all.TIEBREAK_KEEP_POSITIONS, two_against_two.TIEBREAK_EXTRA_DAY
        yield fails(by_mode(state, phases.DUSK_ONE_SPACE, keep, extra), "advance.tiebreak")
    elif state.daily_effect != "progress":
        if state.phase == "dusk" and state.limbo:
            yield fails(phases.DUSK_AT_DUSK_FIRST, "limbo.at_dusk", {"n": len(state.limbo)})
        yield fails(day_overview.ONE_STAT_ENOUGH, "advance.moment")


def _failed_conditions(state: State, place: str, stat: str) -> Failures:
    """Which of the three conditions the stat fails: it is in the region, higher than that opposite, and positive."""
    types, own, opposing = region(state, place), own_stats(state, place), opposing_stats(state, place)
    ahead = stats_ahead(types, own, opposing)
    if ahead and stat in ahead:
        return
    has_advanced = place in state.progress.advanced
    is_elsewhere = types is not None and stat not in types
    if is_elsewhere and _region_told_otherwise(state):
        types, ahead = None, None
    elif types is not None and is_elsewhere and not has_advanced:
        yield fails(day_overview.STAT_OF_REGION, "advance.match", {"stat": stat, "expected": sorted(types)})
    if is_uncertain(state, place):
        return
    if own is not None and opposing is not None and getattr(own, stat) <= getattr(opposing, stat):
        numbers = {"own": getattr(own, stat), "other": getattr(opposing, stat), "stat": stat}
        yield fails(day_overview.STAT_HIGHER, "advance.strict", numbers)
    if own is not None and getattr(own, stat) <= 0:
        yield fails(day_overview.STAT_POSITIVE, "advance.positive", {"stat": stat})
    if ahead == () and not has_advanced:
        yield fails(day_overview.ONE_STAT_ENOUGH, "advance.none", {"place": place})


def _moved(side: Side, event: ExpeditionAdvanced) -> Side:
    now = advance_of(side, event.expedition)
    now = None if now is None else now + event.spaces
    return replace(side, hero_advance=now) if event.expedition == HERO else replace(side, companion_advance=now)


def _tumult_at(tumult: Mapping[str, Tumult], seat: str, expedition: str, space: int) -> Cards:
    """The places with face-down Tumult cards that an expedition comes to on that space."""
    own, centre = f"{seat} {expedition} {space}", tumult.get("centre")
    found = (own,) if own in tumult and not tumult[own].is_up else ()
    return (*found, "centre") if centre and not centre.is_up and centre.centre_advance == space else found


class ArenaTotalsRules(AlteredEventRules[ArenaTotals]):
    """On a tie-break day every side adds up all its Characters by region type."""

    event = ArenaTotals
    may_be_unchecked = True
    rules: Citations = (free_for_all.TIEBREAK_TOTALS,)
    rules_of_duel: Citations = (day_overview.SUM_STATS,)

    def criteria(self, state: State, event: ArenaTotals) -> Failures:
        rule = _arena_rule(state)
        if state.day_kind != "tiebreak":
            yield fails(extra_day(state), "arena.no_tiebreak")
        yield from not_in_daily_effect(state, "progress", "dusk.moment", rule)
        if state.daily_effect and event.side not in state.parts_left:
            yield fails(rule, "arena.side", {"player": event.side})
        known = None if _arena_doubts(state, event.side) else arena_total(state, event.side)
        if known is not None and known != Stats(event.forest, event.mountain, event.water):
            yield fails(rule, "totals.own", {"expected": _amounts(known)})

    def unread(self, state: State, event: ArenaTotals) -> Failures:
        if state.game.mode == "duel":
            yield fails(day_overview.SUM_STATS, "unread.tie")
        announced = Stats(event.forest, event.mountain, event.water)
        is_doubtful = any(next(doubts(state, place), None) for place in _places_of(state, event.side))
        if is_doubtful or arena_total(state, event.side) != announced:
            yield from _arena_doubts(state, event.side)

    def citations(self, state: State, event: ArenaTotals) -> Citations:
        return (_arena_rule(state),)

    def candidates(self, state: State) -> Iterator[ArenaTotals]:
        for side in state.parts_left:
            if not _arena_doubts(state, side) and (sums := arena_total(state, side)) is not None:
                yield ArenaTotals(seq=0, side=side, forest=sums.forest, mountain=sums.mountain, water=sums.water)

    def happen(self, state: State, event: ArenaTotals) -> State:
        totals = {**state.arena_totals, event.side: Stats(event.forest, event.mountain, event.water)}
        return replace(state, arena_totals=totals, parts_left=less(state.parts_left, event.side))


def _arena_doubts(state: State, side: str) -> Violations:
    """What makes the sums of a side uncertain."""
    return uncertain(state, *_places_of(state, side))


def _places_of(state: State, side: str) -> Cards:
    """All expeditions of a side."""
    return tuple([place_of(seat, name) for seat in members(state, side) for name in EXPEDITIONS])


def _arena_rule(state: State) -> Rule:
    """Who adds up: the players, or the teams."""
    teams = two_against_two.TIEBREAK_TEAM_TOTALS
    return by_mode(state, day_overview.SUM_STATS, free_for_all.TIEBREAK_TOTALS, teams)


RULES = (ExpeditionTotalsRules(), ExpeditionAdvancedRules(), ArenaTotalsRules())
