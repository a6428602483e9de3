"""Dusk: sums are compared, expeditions advance, Tumult cards are turned up."""

from __future__ import annotations

from audit.altered.events import (
    ArenaTotals,
    ExpeditionAdvanced,
    ExpeditionTotals,
    Stats,
    TumultEffectResolved,
    TumultRevealed,
)
from audit.altered.options.before import neighbours
from audit.altered.options.days import extra_day
from audit.altered.options.told import Listed, Offers, Refused, Rules, Told, elsewhere, fails, in_effect, is_resolving
from audit.altered.places import apart, arena_total, region, total, where
from audit.altered.rules import day, ffa, mp, s1_3_2, two_v_two
from audit.altered.seats import opponents
from audit.altered.stages import carrying, movers, opposing_stats, own_stats
from audit.altered.state import State, Tumult
from audit.catalogue import Rule
from audit.ruleset import Obligation


class Totals(Told):
    """What is compared: the sums of an expedition and of the one it faces, by type."""

    event = ExpeditionTotals
    rules = (s1_3_2.E_SUM, day.DUSK_COMPARE_TYPES)

    def broken(self, state: State, event: ExpeditionTotals) -> Refused:
        yield from in_effect(state, "progress", "dusk.moment", s1_3_2.E_SUM)
        place = where(event.player, event.expedition)
        yield from _against(state, place, event.against)
        if (types := region(state, place)) is not None and types != frozenset(event.region):
            yield fails(s1_3_2.E_MATCH, "totals.region", {"expected": sorted(types)})
        own = total(state.side(event.player).characters(event.expedition))
        if own is not None and own != event.own:
            yield fails(s1_3_2.E_SUM, "totals.own", {"expected": amounts(own)})
        seat, name = apart(event.against)
        opposing = total(state.side(seat).characters(name))
        if opposing is not None and opposing != event.opposing:
            yield fails(day.DUSK_COMPARE_TYPES, "totals.opposing", {"expected": amounts(opposing)})

    def citations(self, state: State, event: ExpeditionTotals) -> Rules:  # type: ignore[override]
        return (*self.rules, mp.RACE_NEIGHBOURS) if state.box.mode == "ffa" else self.rules


def amounts(stats: Stats) -> list[int]:
    """Stats as a row of numbers: forest, mountain, water."""
    return [stats.forest, stats.mountain, stats.water]


def _against(state: State, place: str, against: str) -> Refused:
    seat, other = apart(place)[0], apart(against)[0]
    known = state.faces.get(place)
    rule = {"ffa": mp.RACE_NEIGHBOURS, "2v2": two_v_two.FACING}.get(state.box.mode, s1_3_2.E_SUM)
    if known is not None and known != against:
        yield fails(rule, "totals.against", {"place": place, "other": known})
    elif known is None and state.seats and other not in opponents(state, seat):
        yield fails(rule, "facing.mate", {"place": place, "other": against})
    elif known is None and state.box.mode == "ffa" and not neighbours(state, seat, other):
        yield fails(mp.RACE_NEIGHBOURS, "facing.neighbour", {"player": seat, "other": other})


class Advance(Listed):
    """An expedition advances one space, once a dusk, by a stat that fulfils all three conditions."""

    event = ExpeditionAdvanced
    rules = (s1_3_2.E_ONE_STAT_ENOUGH, day.DUSK_ONCE)

    def broken(self, state: State, event: ExpeditionAdvanced) -> Refused:
        if event.spaces < 1:
            yield fails(two_v_two.PATH, "advance.back", {"n": event.spaces})
        if by_effect(state):
            return
        yield from _not_racing(state)
        place = where(event.player, event.expedition)
        if place in state.advanced:
            yield fails(day.DUSK_ONCE, "advance.again", {"place": place})
        if event.spaces > 1:
            yield fails(day.DUSK_ONE_SPACE, "advance.spaces", {"n": event.spaces})
        yield from _conditions(state, place, event.stat)

    def citations(self, state: State, event: ExpeditionAdvanced) -> Rules:  # type: ignore[override]
        if by_effect(state):
            return (two_v_two.PATH,)
        return (
            s1_3_2.E_MATCH, s1_3_2.E_STRICT, s1_3_2.E_POSITIVE, *self.rules, day.DUSK_ONE_SPACE,
            *((two_v_two.PATH,) if state.box.mode != "duel" else ()),
        )  # fmt: skip

    def candidates(self, state: State) -> Offers:
        for place, stat in movers(state):
            seat, name = apart(place)
            yield ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat)  # type: ignore[arg-type]


def by_effect(state: State) -> bool:
    """Whether an advance now is the doing of an effect, not of the comparison at dusk."""
    return bool(state.effects) or (state.phase != "dusk" and is_resolving(state))


def _not_racing(state: State) -> Refused:
    if state.kind == "tiebreak" or state.called is not None:
        rule = two_v_two.TIEBREAK_EXTRA_DAY if state.box.mode == "2v2" else ffa.TIEBREAK_KEEP_POSITIONS
        yield fails(rule, "advance.tiebreak")
    elif state.effect != "progress":
        if state.phase == "dusk" and state.limbo:
            yield fails(day.DUSK_AT_DUSK_FIRST, "limbo.at_dusk", {"n": len(state.limbo)})
        yield fails(s1_3_2.E_ONE_STAT_ENOUGH, "advance.moment")


def _conditions(state: State, place: str, stat: str) -> Refused:
    types, own, opposing = region(state, place), own_stats(state, place), opposing_stats(state, place)
    carried = carrying(types, own, opposing)
    if carried and stat in carried:
        return
    before = place in state.advanced
    if types is not None and stat not in types and not before:
        yield fails(s1_3_2.E_MATCH, "advance.match", {"stat": stat, "expected": sorted(types)})
    if own is not None and opposing is not None and getattr(own, stat) <= getattr(opposing, stat):
        numbers = {"own": getattr(own, stat), "other": getattr(opposing, stat), "stat": stat}
        yield fails(s1_3_2.E_STRICT, "advance.strict", numbers)
    if own is not None and getattr(own, stat) <= 0:
        yield fails(s1_3_2.E_POSITIVE, "advance.positive", {"stat": stat})
    if carried == () and not before:
        yield fails(s1_3_2.E_ONE_STAT_ENOUGH, "advance.none", {"place": place})


class Reveal(Listed):
    """Face-down Tumult cards that an expedition has come to; in the centre both, the second the other way round."""

    event = TumultRevealed
    rules = (day.DUSK_TUMULT_FLIP,)

    def broken(self, state: State, event: TumultRevealed) -> Refused:
        centre = event.place == "centre"
        known = state.tumult.get(event.place)
        if not _is_reached(state, event.place, known):
            yield elsewhere(day.DUSK_TUMULT_FLIP, "tumult.not_reached", {"place": event.place})
        if centre and (len(event.cards) != 2 or (known and set(known.cards) - set(event.cards))):
            yield fails(two_v_two.CENTRE_FLIP, "tumult.both")
        elif known and known.cards and set(known.cards) != set(event.cards):
            yield fails(day.DUSK_TUMULT_FLIP, "tumult.other_card", {"card": known.cards[0]})
        if centre and event.second_reversed is False:
            yield fails(two_v_two.CENTRE_ORIENT, "tumult.orient")

    def citations(self, state: State, event: TumultRevealed) -> Rules:  # type: ignore[override]
        more = (two_v_two.CENTRE_FLIP, two_v_two.CENTRE_ORIENT) if event.place == "centre" else ()
        return (*more, *self.rules)

    def candidates(self, state: State) -> Offers:
        for place in state.reached:
            turned = True if place == "centre" else None
            yield TumultRevealed(seq=0, cards=state.tumult[place].cards, place=place, second_reversed=turned)


def _is_reached(state: State, place: str, known: Tumult | None) -> bool:
    if place in state.reached:
        return True
    if known is not None and (known.up or place != "centre" or known.at is not None):
        return False
    return bool(state.advanced) or is_resolving(state)


class ResolveTumult(Told):
    """The effect of a card just turned up."""

    event = TumultEffectResolved
    rules = (day.DUSK_TUMULT_EFFECT,)

    def broken(self, state: State, event: TumultEffectResolved) -> Refused:
        if event.card not in state.flipped and event.card not in state.face_up:
            yield fails(day.DUSK_TUMULT_EFFECT, "tumult.still_down", {"card": event.card})
        known = next((one.effect for one in state.tumult.values() if event.card in one.cards and one.effect), None)
        if known and event.effect and known != event.effect:
            yield fails(day.DUSK_TUMULT_EFFECT, "tumult.effect", {"card": event.card})

    def candidates(self, state: State) -> Offers:
        for card in state.flipped:
            text = next((one.effect for one in state.tumult.values() if card in one.cards and one.effect), None)
            yield TumultEffectResolved(seq=0, card=card, effect=text or "")


class Arena(Listed):
    """On a tie-break day every side adds up all its Characters by region type."""

    event = ArenaTotals
    rules = (ffa.TIEBREAK_TOTALS,)

    def broken(self, state: State, event: ArenaTotals) -> Refused:
        rule = arena_rule(state)
        if state.kind != "tiebreak":
            yield fails(extra_day(state), "arena.no_tiebreak")
        yield from in_effect(state, "progress", "dusk.moment", rule)
        if state.effect and event.side not in state.pending:
            yield fails(rule, "arena.side", {"player": event.side})
        known = arena_total(state, event.side)
        if known is not None and known != Stats(event.forest, event.mountain, event.water):
            yield fails(rule, "totals.own", {"expected": amounts(known)})

    def citations(self, state: State, event: ArenaTotals) -> Rules:  # type: ignore[override]
        return (arena_rule(state),)

    def candidates(self, state: State) -> Offers:
        for side in state.pending:
            if (sums := arena_total(state, side)) is not None:
                yield ArenaTotals(seq=0, side=side, forest=sums.forest, mountain=sums.mountain, water=sums.water)


def arena_rule(state: State) -> Rule:
    """Who adds up: the players, or the teams."""
    return two_v_two.TIEBREAK_TEAM_TOTALS if state.box.mode == "2v2" else ffa.TIEBREAK_TOTALS


ADVANCE, MAYBE_ADVANCE = Advance(), Advance(Obligation.REDUNDANT, ambiguous=True)
REVEAL, MAYBE_REVEAL = Reveal(), Reveal(Obligation.REDUNDANT, ambiguous=True)
RESOLVE, MAYBE_RESOLVE = ResolveTumult(), ResolveTumult(Obligation.REDUNDANT)
ARENA = Arena()
TOTALS = Totals(Obligation.REDUNDANT)
DUSK = (TOTALS, MAYBE_ADVANCE, MAYBE_REVEAL, MAYBE_RESOLVE)
