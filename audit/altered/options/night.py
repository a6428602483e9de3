"""The night: Rest, then Cleanup, chosen in initiative order and discarded together."""

from __future__ import annotations

from itertools import combinations

from audit.altered.events import CharacterRested, CleanupChoice, CleanupDiscarded
from audit.altered.options.days import surplus_of
from audit.altered.options.told import Listed, Offers, Refused, Rules, Told, fails, in_effect
from audit.altered.places import apart, in_expedition, limit, where
from audit.altered.rules import s1_3_2, s4_2_5
from audit.altered.state import RESERVE, Cards, Character, State
from audit.catalogue import Rule
from audit.ruleset import Obligation, Violation

LOSES = ("anchored", "asleep")


class Rest(Listed):
    """Every Character leaves its expedition, unless a status or an ability says otherwise; in any order."""

    event = CharacterRested
    rules = (s4_2_5.B, s1_3_2.F_REST)

    def broken(self, state: State, event: CharacterRested) -> Refused:
        yield from in_effect(state, "rest", "rest.moment", s4_2_5.B)
        found = in_expedition(state, event.card)
        if found is None:
            if missing := nobody_there(state, event):
                yield missing
            yield from _consistent(event)
            return
        seat, _, one = found
        if seat != event.player:
            yield fails(s1_3_2.F_REST, "rest.owner", {"card": event.card, "player": seat})
        if state.effect == "rest" and event.card not in state.pending:
            yield fails(s4_2_5.B, "rest.again", {"card": event.card})
        yield from _consistent(event) if one.statuses is None else _fate(event, one)

    def citations(self, state: State, event: CharacterRested) -> Rules:  # type: ignore[override]
        if event.to == "discard":
            return (s1_3_2.F_FLEETING, s4_2_5.B_MODIFIERS)
        if event.to == RESERVE:
            return self.rules
        if event.statuses_removed:
            return (s4_2_5.B_ANCHORED_ASLEEP_STAY, s1_3_2.F_ANCHORED_ASLEEP, s4_2_5.B_MODIFIERS)
        return (s4_2_5.B_ETERNAL_STAYS, s4_2_5.B_MODIFIERS)

    def candidates(self, state: State) -> Offers:
        for card in state.pending:
            if found := in_expedition(state, card):
                to, lost = fate(found[2])
                yield CharacterRested(seq=0, player=found[0], card=card, to=to, statuses_removed=lost)  # type: ignore


def fate(one: Character) -> tuple[str, Cards]:
    """Where Rest brings a Character, and the statuses it loses; what is not known of it counts as not there."""
    lost = tuple([status for status in one.statuses or () if status in LOSES])
    if one.eternal or lost:
        return "stays", lost
    return ("discard" if "fleeting" in (one.statuses or ()) else RESERVE), ()


def nobody_there(state: State, event: CharacterRested) -> Violation | None:
    """That a Character is in no expedition of its player, where these are known."""
    side = state.side(event.player)
    if side.hero is None or side.companion is None:
        return None
    return fails(s4_2_5.B, "rest.missing", {"card": event.card})


def _fate(event: CharacterRested, one: Character) -> Refused:
    to, lost = fate(one)
    data = {"card": event.card}
    if event.to != to:
        yield fails(_why(one), f"rest.{to}", data)
        if to == RESERVE:
            yield fails(s4_2_5.B_MODIFIERS, f"rest.{to}", data)
    if to == "stays" and sorted(event.statuses_removed) != sorted(lost):
        yield fails(s1_3_2.F_ANCHORED_ASLEEP, "rest.statuses", data)
    elif to != "stays":
        yield from _consistent(event)


def _why(one: Character) -> Rule:
    if set(LOSES) & set(one.statuses or ()):
        return s4_2_5.B_ANCHORED_ASLEEP_STAY
    if one.eternal:
        return s4_2_5.B_ETERNAL_STAYS
    return s1_3_2.F_FLEETING if "fleeting" in (one.statuses or ()) else s1_3_2.F_REST


def _consistent(event: CharacterRested) -> Refused:
    if not event.statuses_removed:
        return ()
    if set(event.statuses_removed) - set(LOSES):
        return (fails(s1_3_2.F_ANCHORED_ASLEEP, "rest.statuses", {"card": event.card}),)
    stays = event.to == "stays"
    return () if stays else (fails(s4_2_5.B_ANCHORED_ASLEEP_STAY, "rest.stays", {"card": event.card}),)


class Choose(Told):
    """What a player keeps of a zone: as many as the limit, or everything."""

    event = CleanupChoice
    rules = (s4_2_5.C_CHOICE_ORDER, s4_2_5.C_KEEP_TO_LIMIT)

    def broken(self, state: State, event: CleanupChoice) -> Refused:
        yield from in_effect(state, "cleanup", "cleanup.moment", s4_2_5.A_ORDER)
        part = where(event.player, event.zone)
        if state.effect == "cleanup" and part not in state.pending:
            yield fails(s4_2_5.C_CHOICE_ORDER, "cleanup.again", {"player": event.player})
        elif state.effect == "cleanup" and apart(state.pending[0])[0] != event.player:
            yield fails(s4_2_5.C_CHOICE_ORDER, "cleanup.order", {"player": apart(state.pending[0])[0]})
        if missing := not_in_zone(state, event):
            yield missing
        yield from _number_kept(state, event, limit(state, event.player, event.zone))

    def citations(self, state: State, event: CleanupChoice) -> Rules:  # type: ignore[override]
        return (zone_rule(event), *self.rules, *limit_rules(state, event.player, event.zone))

    def candidates(self, state: State) -> Offers:
        for part in state.pending[:1]:
            seat, zone = apart(part)
            held = state.side(seat).zone(zone)
            if held is not None:
                number = min(limit(state, seat, zone), len(held))
                for kept in dict.fromkeys(combinations(held, number)):
                    yield CleanupChoice(seq=0, player=seat, zone=zone, kept=kept)  # type: ignore[arg-type]

    def single_candidate(self, state: State) -> CleanupChoice | None:
        found = [event for event, _ in zip(self.candidates(state), range(2), strict=False)]
        return found[0] if len(found) == 1 else None  # type: ignore[return-value]


def zone_rule(event: CleanupChoice) -> Rule:
    """The rule about this zone."""
    return s4_2_5.C_RESERVE if event.zone == RESERVE else s4_2_5.C_LANDMARK


def limit_rules(state: State, seat: str, zone: str) -> Rules:
    """Where the limit comes from: the Hero, no Hero, or the short form where nothing is told."""
    if zone in state.box.limits.get(seat, {}):
        return ()
    if seat in state.box.heroes and state.box.heroes[seat] is None:
        return (s4_2_5.D, s1_3_2.F_CLEANUP_TWO)
    return (s1_3_2.F_CLEANUP_TWO,)


def not_in_zone(state: State, event: CleanupChoice) -> Violation | None:
    """That something kept is not in the zone."""
    held = state.side(event.player).zone(event.zone)
    if held is None:
        return None
    strange = [card for card in event.kept if card not in held]
    return fails(zone_rule(event), "cleanup.missing", {"card": strange[0]}) if strange else None


def _number_kept(state: State, event: CleanupChoice, most: int) -> Refused:
    if len(event.kept) == most:
        return ()
    held = state.side(event.player).zone(event.zone)
    if len(event.kept) > most:
        broken = (zone_rule(event), *limit_rules(state, event.player, event.zone))
        return tuple(fails(rule, "cleanup.many", {"n": most}) for rule in broken)
    if held is not None and len(event.kept) < min(most, len(held)):
        return (fails(s4_2_5.C_KEEP_TO_LIMIT, "cleanup.few", {"n": min(most, len(held))}),)
    return ()


class Discard(Listed):
    """Everything that is not kept, of everybody, at once."""

    event = CleanupDiscarded
    rules = (s4_2_5.C_SIMULTANEOUS, s4_2_5.C_RESERVE, s4_2_5.C_LANDMARK)

    def broken(self, state: State, event: CleanupDiscarded) -> Refused:
        yield from in_effect(state, "cleanup", "cleanup.moment", s4_2_5.A_ORDER)
        if state.effect == "cleanup" and state.pending:
            yield fails(s4_2_5.C_SIMULTANEOUS, "cleanup.waiting", {"player": apart(state.pending[0])[0]})
            return
        expected = surplus_of(state)
        for seat in dict.fromkeys((*expected, *event.discarded)):
            side = state.side(seat)
            given = sorted(event.discarded.get(seat, ()))
            if side.reserve is not None and side.landmarks is not None and given != sorted(expected.get(seat, ())):
                yield fails(s4_2_5.C_SIMULTANEOUS, "cleanup.not_all", {"player": seat})

    def citations(self, state: State, event: CleanupDiscarded) -> Rules:  # type: ignore[override]
        return (s4_2_5.C_SIMULTANEOUS, s1_3_2.F_CLEANUP_TWO, s4_2_5.C_RESERVE, s4_2_5.C_LANDMARK)

    def candidates(self, state: State) -> Offers:
        if not state.pending:
            yield CleanupDiscarded(seq=0, discarded=surplus_of(state))


REST, MAYBE_REST = Rest(), Rest(Obligation.REDUNDANT)
CHOOSE, MAYBE_CHOOSE = Choose(), Choose(Obligation.REDUNDANT)
DISCARD, MAYBE_DISCARD = Discard(), Discard(Obligation.REDUNDANT)
