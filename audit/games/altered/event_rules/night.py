"""The night: Rest, then Cleanup, chosen in initiative order and discarded together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Literal

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation
from audit.core.model import Event
from audit.games.altered.daily_effects import brought_forward, not_kept
from audit.games.altered.event_rules.base import AlteredEventRules, Failures, fails, not_in_daily_effect
from audit.games.altered.events import CharacterRested, CleanupChoice, CleanupDiscarded
from audit.games.altered.game_data import Cards
from audit.games.altered.places import character, in_expedition, limit, owner_of, place_of, split_place
from audit.games.altered.rules import day_overview, night
from audit.games.altered.seats import held_in, side_of
from audit.games.altered.state import LANDMARKS, RESERVE, Character, Side, State
from audit.games.altered.triggers import begun, with_arrival
from audit.games.altered.unread import explained, in_words, rest_of, unknown_status
from audit.games.altered.vocabulary import Status
from audit.games.altered.zones import (
    COMPANION_ZONE,
    HERO_ZONE,
    characters_changed,
    less,
    put,
    sides_with,
    taken_from,
    with_side,
    without,
    without_owner,
)

LOSES: tuple[Status, ...] = ("anchored", "asleep")
Destination = Literal["reserve", "discard", "stays"]
Zone = Literal["reserve", "landmark_zone"]


def _not_at_night(state: State, effect: str, key: str, rule: Rule) -> Failures:
    """The violations if this part of the night is not under way.

    The night before a tie-break day may be played or left out, as the documents do not say, and so may its heading.
    """
    is_before_tiebreak = state.phase == "dusk" and state.tiebreak_players is not None
    return () if is_before_tiebreak else not_in_daily_effect(state, effect, key, rule)


class CharacterRestedRules(AlteredEventRules[CharacterRested]):
    """Every Character leaves its expedition, unless a status or an ability says otherwise; in any order."""

    event = CharacterRested
    may_be_unchecked = True
    rules: Citations = (night.REST, day_overview.REST)
    at_any_time = True

    def criteria(self, state: State, event: CharacterRested) -> Failures:
        is_over = state.phase == "night" and state.daily_effect != "rest" and "rest" not in state.effects_left
        yield from _not_at_night(state, "rest", "rest.over" if is_over else "rest.moment", night.REST)
        found = in_expedition(state, event.card)
        if found is None:
            yield from _nobody_there(state, event)
            yield from _inconsistent(event)
            return
        seat, _, one = found
        owner = owner_of(state, seat, event.card)
        if event.card in state.game.permanents:
            if event.to != "stays":
                yield fails(night.REST, "rest.permanent", {"card": event.card})
            return
        by_either = event.to == "stays" or one.origin == "token"
        if event.player not in ((owner, seat) if by_either else (owner,)):
            yield fails(day_overview.REST, "rest.owner", {"card": event.card, "player": owner})
        if state.daily_effect == "rest" and event.card not in state.parts_left:
            yield fails(night.REST, "rest.again", {"card": event.card})
        is_told = bool(state.untold) or explained(state, event.note, event.card)
        is_unread = one.statuses is None or is_told or rest_of(one)
        yield from _inconsistent(event) if is_unread else _wrong_fate(event, one)

    def unread(self, state: State, event: CharacterRested) -> Failures:
        found = in_expedition(state, event.card)
        if found is None:
            return
        one = found[2]
        to, lost = fate(one)
        is_usual = one.statuses is not None and event.to == to and event.statuses_removed in (None, lost)
        reason = rest_of(one)
        if reason and not (is_usual and one.origin != "token" and not unknown_status(one)):
            yield reason
        elif not is_usual and explained(state, event.note, event.card):
            yield fails(night.REST_MODIFIERS, "unread.note")
        elif not is_usual:
            yield from in_words(state.untold, night.REST_MODIFIERS)

    def citations(self, state: State, event: CharacterRested) -> Citations:
        found = in_expedition(state, event.card)
        if event.to == RESERVE or (found is not None and found[2].origin == "token"):
            return self.rules
        if event.to == "discard":
            return (day_overview.FLEETING, night.REST_MODIFIERS)
        if _told_lost(event, found[2]) if found else event.statuses_removed:
            return (night.ANCHORED_ASLEEP_STAY, day_overview.ANCHORED_ASLEEP, night.REST_MODIFIERS)
        return (night.ETERNAL_STAYS, night.REST_MODIFIERS)

    def goes_first(self, state: State, event: Event) -> Rule | None:
        """Cleanup comes after it."""
        is_of_cleanup = isinstance(event, CleanupChoice | CleanupDiscarded)
        return night.REST_BEFORE_CLEANUP if is_of_cleanup else super().goes_first(state, event)

    def candidates(self, state: State) -> Iterator[CharacterRested]:
        for card in state.parts_left:
            if found := in_expedition(state, card):
                to, lost = fate(found[2])
                owner = owner_of(state, found[0], card)
                yield CharacterRested(seq=0, player=owner, card=card, to=to, statuses_removed=lost or None)

    def otherwise(self, state: State, event: CharacterRested) -> Iterator[CharacterRested]:
        """What Rest does to that very object: a Permanent stays."""
        if found := in_expedition(state, event.card):
            is_permanent = event.card in state.game.permanents
            to, lost = ("stays", ()) if is_permanent else fate(found[2])
            owner = owner_of(state, found[0], event.card)
            yield CharacterRested(seq=0, player=owner, card=event.card, to=to, statuses_removed=lost or None)

    def happen(self, state: State, event: CharacterRested) -> State:
        """A Character is in the Reserve, in the discard, or where it was with fewer statuses."""
        parts_left = without(state.parts_left, event.card)
        found = in_expedition(state, event.card)
        if event.to == "stays":
            sides = _relieved(state, event) if found else _appeared(state, event)
            return replace(state, parts_left=parts_left, sides=sides)
        seat = found[0] if found else event.player
        taken = sides_with(state, seat, lambda side: taken_from(side, event.card))
        arrived = character(state.game, event.card, found[2].origin if found else "")
        return replace(
            state,
            parts_left=parts_left,
            sides=with_side(state, taken, owner_of(state, seat, event.card), lambda side: put(side, event.to, arrived)),
            owners=without_owner(state, event.card),
            moment=with_arrival(state, event, event.card) if event.to == RESERVE else state.moment,
            departures={**state.departures, event.card: event.seq},
        )


def fate(one: Character) -> tuple[Destination, tuple[Status, ...]]:
    """Where Rest brings a Character, and the statuses it loses; unknown statuses count as absent.

    A token leaves the game. What was played from the Reserve is Fleeting: the document does not say so, every table
    plays so.
    """
    statuses = one.statuses or ()
    lost = tuple([status for status in LOSES if status in statuses])
    if lost or "eternal" in (one.abilities or ()):
        return "stays", lost
    return ("discard" if "fleeting" in statuses or one.origin else RESERVE), ()


def _told_lost(event: CharacterRested, one: Character) -> tuple[Status, ...]:
    """The statuses that a Character loses, as the event says; those of the rules where it does not say."""
    return fate(one)[1] if event.statuses_removed is None else event.statuses_removed


def _nobody_there(state: State, event: CharacterRested) -> Failures:
    """That the Character is in no expedition of its player, where these are known."""
    side = side_of(state, event.player)
    if side.hero is not None and side.companion is not None:
        yield fails(night.REST, "rest.missing", {"card": event.card})


def _wrong_fate(event: CharacterRested, one: Character) -> Failures:
    to, lost = fate(one)
    data: dict[str, object] = {"card": event.card}
    if event.to != to and to == "stays":
        status = lost[0] if lost else "eternal"
        yield fails(_rule_of_fate(one), "rest.stays_by", data | {"status": status})
    elif event.to != to:
        yield fails(_rule_of_fate(one), f"rest.{to}", data)
        if to == RESERVE:
            yield fails(night.REST_MODIFIERS, f"rest.{to}", data)
    if to == "stays" and sorted(_told_lost(event, one)) != sorted(lost):
        yield fails(day_overview.ANCHORED_ASLEEP, "rest.statuses", data)
    elif to != "stays":
        yield from _inconsistent(event)


def _rule_of_fate(one: Character) -> Rule:
    if set(LOSES) & set(one.statuses or ()):
        return night.ANCHORED_ASLEEP_STAY
    if one.eternal:
        return night.ETERNAL_STAYS
    return day_overview.FLEETING if "fleeting" in (one.statuses or ()) else day_overview.REST


def _inconsistent(event: CharacterRested) -> Failures:
    """That the event contradicts itself: it takes a status off that Rest does not, or off a Character that leaves."""
    if not event.statuses_removed:
        return ()
    data = {"card": event.card}
    if set(event.statuses_removed) - set(LOSES):
        return (fails(day_overview.ANCHORED_ASLEEP, "rest.statuses", data),)
    return () if event.to == "stays" else (fails(night.ANCHORED_ASLEEP_STAY, "rest.stays", data),)


def _appeared(state: State, event: CharacterRested) -> tuple[Side, ...]:
    """A Character that was unknown: it may be in either expedition, so the sums of both are unknown."""
    unknown = Character(event.card)
    return sides_with(
        state, event.player, lambda side: put(put(side, HERO_ZONE, unknown), COMPANION_ZONE, unknown)
    )  # fmt: skip


def _relieved(state: State, event: CharacterRested) -> tuple[Side, ...]:
    def change(one: Character) -> Character:
        if one.id != event.card:
            return one
        lost = _told_lost(event, one)
        return replace(one, statuses=tuple([status for status in one.statuses or () if status not in lost]))

    return characters_changed(state, change)


class CleanupChoiceRules(AlteredEventRules[CleanupChoice]):
    """What a player keeps of a zone: as many as the limit, or everything."""

    event = CleanupChoice
    may_be_unchecked = True
    rules: Citations = (night.CHOICE_ORDER, night.KEEP_TO_LIMIT)
    at_any_time = True

    def criteria(self, state: State, event: CleanupChoice) -> Failures:
        yield from _not_at_night(state, "cleanup", "cleanup.moment", night.REST_BEFORE_CLEANUP)
        part = place_of(event.player, event.zone)
        if state.daily_effect == "cleanup" and part not in state.parts_left:
            yield fails(night.CHOICE_ORDER, "cleanup.again", {"player": event.player})
        elif state.daily_effect == "cleanup" and _is_ahead(state, event):
            yield fails(night.CHOICE_ORDER, "cleanup.order", {"player": split_place(state.parts_left[0])[0]})
        if missing := self.missing(state, event):
            yield missing
        yield from _wrong_number_kept(state, event)

    def citations(self, state: State, event: CleanupChoice) -> Citations:
        return (_zone_rule(event), *self.rules, *_limit_rules(state, event.player, event.zone))

    def candidates(self, state: State) -> Iterator[CleanupChoice]:
        zones: tuple[Zone, ...] = (RESERVE, LANDMARKS)
        for part in state.parts_left[:1]:
            seat, name = split_place(part)
            for zone in zones:
                if zone == name:
                    yield from _choices(state, seat, zone)

    def otherwise(self, state: State, event: CleanupChoice) -> Iterator[CleanupChoice]:
        """What the same player may keep of the same zone."""
        return _choices(state, event.player, event.zone)

    def inferred(self, state: State) -> CleanupChoice | None:
        found = list(islice(self.candidates(state), 2))
        return found[0] if len(found) == 1 else None

    def goes_first(self, state: State, event: Event) -> Rule | None:
        """The first player commits before the next one decides."""
        is_ahead = isinstance(event, CleanupChoice) and _is_ahead(state, event)
        return night.CHOICE_ORDER if is_ahead else super().goes_first(state, event)

    def unread(self, state: State, event: CleanupChoice) -> Failures:
        side = side_of(state, event.player)
        held = held_in(side, event.zone)
        if not (state.untold or side.spells or state.game.heroes):
            return
        if _is_limit_unread(state, event) and len(event.kept) > limit(state, event.player, event.zone):
            yield fails(_zone_rule(event), "unread.limit", {"player": event.player})
        if held is None:
            return
        most = min(limit(state, event.player, event.zone), len(held))
        if _not_among(event.kept, held) or len(event.kept) != most:
            yield from in_words(state.untold, _zone_rule(event))
            yield from (fails(_zone_rule(event), "unread.spell_text", {"card": card}) for card in side.spells)

    def missing(self, state: State, event: CleanupChoice) -> Violation | None:
        side = side_of(state, event.player)
        held = held_in(side, event.zone)
        if held is None or state.untold:
            return None
        strange = _not_among(event.kept, (*held, *side.spells))
        return fails(_zone_rule(event), "cleanup.missing", {"card": strange[0]}) if strange else None

    def happen(self, state: State, event: CleanupChoice) -> State:
        state = _cleanup_begun(state, event)
        part = place_of(event.player, event.zone)
        kept, side, sides = {**state.kept, part: event.kept}, side_of(state, event.player), state.sides
        if side.spells or held_in(side, event.zone) is None:
            sides = sides_with(state, event.player, lambda side: _with_kept(side, event))
        return replace(state, sides=sides, kept=kept, parts_left=less(state.parts_left, part))


def _choices(state: State, seat: str, zone: Zone) -> Iterator[CleanupChoice]:
    """What a player may keep of a zone, where it is known what lies there."""
    held = held_in(side_of(state, seat), zone)
    if held is not None:
        for kept in dict.fromkeys(combinations(held, min(limit(state, seat, zone), len(held)))):
            yield CleanupChoice(seq=0, player=seat, zone=zone, kept=kept)


def _cleanup_begun(state: State, event: Event) -> State:
    """The position in which Cleanup has begun, although something of the night comes before it."""
    is_early = state.phase == "night" and state.daily_effect != "cleanup" and "cleanup" in state.effects_left
    return brought_forward(state, "cleanup", begun(state, event, None)) if is_early else state


def _is_ahead(state: State, event: CleanupChoice) -> bool:
    """Whether a player chooses before it is their turn to, for the first of their zones."""
    if split_place(state.parts_left[0])[0] == event.player:
        return False
    return not any(place_of(event.player, zone) in state.kept for zone in (RESERVE, LANDMARKS))


def _with_kept(side: Side, event: CleanupChoice) -> Side:
    """What is kept lies in that zone: a Spell that had not been said to come there, or all of an unknown zone."""
    held = held_in(side, event.zone)
    if held is None:
        return replace(side, reserve=event.kept) if event.zone == RESERVE else replace(side, landmarks=event.kept)
    if not side.spells or event.zone != RESERVE:
        return side
    come = tuple([card for card in event.kept if card not in held and card in side.spells])
    return replace(side, reserve=(*held, *come), spells=tuple([card for card in side.spells if card not in come]))


def _not_among(cards: Cards, held: Cards) -> Cards:
    """The cards that are not there, each copy counted."""
    if len(cards) < 2 or len(set(cards)) == len(cards):
        return tuple([card for card in cards if card not in held])
    for card in cards:
        if card not in held:
            return (card,)
        held = without(held, card)
    return ()


def _zone_rule(event: CleanupChoice) -> Rule:
    return night.CLEANUP_RESERVE if event.zone == RESERVE else night.CLEANUP_LANDMARKS


def _is_limit_unread(state: State, event: CleanupChoice) -> bool:
    """Whether the limit is that of a Hero whose limits nobody has given."""
    has_hero = state.game.heroes.get(event.player) is not None
    return has_hero and event.zone not in state.game.limits.get(event.player, {})


def _limit_rules(state: State, seat: str, zone: str) -> Citations:
    """Where the limit comes from: the Hero, no Hero, or the short form where the Hero is unknown."""
    if zone in state.game.limits.get(seat, {}):
        return ()
    if seat in state.game.heroes and state.game.heroes[seat] is None:
        return (night.LIMIT_WITHOUT_HERO, day_overview.CLEANUP_TWO)
    return (day_overview.CLEANUP_TWO,)


def _wrong_number_kept(state: State, event: CleanupChoice) -> Failures:
    most, kept = limit(state, event.player, event.zone), len(event.kept)
    if kept > most and not _is_limit_unread(state, event):
        broken = (_zone_rule(event), *_limit_rules(state, event.player, event.zone))
        return tuple(fails(rule, "cleanup.many", {"n": most}) for rule in broken)
    held = held_in(side_of(state, event.player), event.zone)
    if held is not None and not state.untold and kept < min(most, len(held)):
        return (fails(night.KEEP_TO_LIMIT, "cleanup.few", {"n": min(most, len(held))}),)
    return ()


class CleanupDiscardedRules(AlteredEventRules[CleanupDiscarded]):
    """All players discard what they do not keep, at once."""

    event = CleanupDiscarded
    rules: Citations = (night.DISCARD_TOGETHER, night.CLEANUP_RESERVE, night.CLEANUP_LANDMARKS)
    at_any_time = True

    def criteria(self, state: State, event: CleanupDiscarded) -> Failures:
        yield from _not_at_night(state, "cleanup", "cleanup.moment", night.REST_BEFORE_CLEANUP)
        if state.daily_effect == "cleanup" and state.parts_left:
            yield fails(night.DISCARD_TOGETHER, "cleanup.waiting", {"player": split_place(state.parts_left[0])[0]})
            return
        if state.is_cleaned_up and not state.is_discard_told and event.discarded != {}:
            yield fails(night.DISCARD_TOGETHER, "cleanup.not_all", {"player": next(iter(event.discarded))})
            return
        expected = not_kept(state)
        for seat in dict.fromkeys((*expected, *event.discarded)):
            side = side_of(state, seat)
            given = sorted(event.discarded.get(seat, ()))
            known = side.reserve is not None and side.landmarks is not None and not (side.spells or state.untold)
            if known and given != sorted(expected.get(seat, ())):
                yield fails(night.DISCARD_TOGETHER, "cleanup.not_all", {"player": seat})

    def citations(self, state: State, event: CleanupDiscarded) -> Citations:
        return (night.DISCARD_TOGETHER, day_overview.CLEANUP_TWO, night.CLEANUP_RESERVE, night.CLEANUP_LANDMARKS)

    def candidates(self, state: State) -> Iterator[CleanupDiscarded]:
        if not state.parts_left:
            yield CleanupDiscarded(seq=0, discarded=not_kept(state))

    def happen(self, state: State, event: CleanupDiscarded) -> State:
        state = _cleanup_begun(state, event)
        thrown = [(seat, card) for seat, cards in event.discarded.items() for card in cards]
        for seat, card in thrown:
            owner = owner_of(state, seat, card)
            state = replace(state, sides=sides_with(state, seat, lambda side: taken_from(side, card)))  # noqa: B023
            state = replace(state, sides=sides_with(state, owner, lambda side: put(side, "discard", Character(card))))  # noqa: B023
        gone = {card: event.seq for _, card in thrown}
        return replace(
            state, is_cleaned_up=True, is_discard_told=state.is_discard_told or event.seq > 0,
            departures={**state.departures, **gone},
        )  # fmt: skip


RULES = (CharacterRestedRules(), CleanupChoiceRules(), CleanupDiscardedRules())
