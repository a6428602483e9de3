"""Mistakes of the night: Rest, cleanup, and the next day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.model import Event
from audit.games.altered.event_rules.night import fate
from audit.games.altered.events import CharacterRested, CleanupChoice, CleanupDiscarded, DayStarted
from audit.games.altered.places import in_expedition, limit, place_of, split_place
from audit.games.altered.rules import day_overview, night
from audit.games.altered.state import LANDMARKS, Character
from bench.mistakes import Moment, Plant
from bench.mistakes_altered.planting import changing, table


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
    if moment.game.rules.forced(state):
        return
    for part in state.parts_left:
        seat, zone = split_place(part)
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
            for card in state.kept.get(place_of(seat, zone), ())[:1]:
                yield replace(thrown, discarded={**thrown.discarded, seat: (*cards, card)})


def another_day(moment: Moment, event: Event) -> Iterator[Event]:
    yield replace(event, day=cast(DayStarted, event).day + 1)


KINDS: dict[str, Plant] = {
    "Fleeting to the Reserve": resting(
        lambda one: "fleeting" in (one.statuses or ()), "reserve", day_overview.FLEETING
    ),
    "Anchored or Asleep to the Reserve": resting(is_held, "reserve", night.ANCHORED_ASLEEP_STAY),
    "Eternal to the Reserve": resting(
        lambda one: bool(one.eternal) and not is_held(one), "reserve", night.ETERNAL_STAYS
    ),
    "discarded at Rest": resting(lambda one: not one.statuses and not one.eternal, "discard", day_overview.REST),
    "stayed at Rest": resting(lambda one: not one.statuses and not one.eternal, "stays", day_overview.REST),
    "Anchored or Asleep not taken off": changing(CharacterRested, statuses_kept, day_overview.ANCHORED_ASLEEP),
    "kept beyond the limit": changing(
        CleanupChoice, kept_beyond, night.CLEANUP_RESERVE, night.CLEANUP_LANDMARKS
    ),
    "kept too few": changing(CleanupChoice, kept_too_few, night.KEEP_TO_LIMIT),
    "kept from elsewhere": changing(CleanupChoice, kept_from_elsewhere, night.CLEANUP_RESERVE, night.CLEANUP_LANDMARKS),
    "cleanup out of order": changing(CleanupChoice, choice_out_of_order, night.CHOICE_ORDER),
    "discarded by the wrong owner": changing(CleanupDiscarded, discarded_by_another, night.DISCARD_TOGETHER),
    "discarded in part": changing(CleanupDiscarded, discarded_in_part, night.DISCARD_TOGETHER),
    "discarded though kept": changing(CleanupDiscarded, kept_discarded, night.DISCARD_TOGETHER),
    "a day skipped": changing(DayStarted, another_day, day_overview.FIVE_PHASES),
}  # fmt: skip
