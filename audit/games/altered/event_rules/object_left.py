"""An object leaves its zone: by an effect, by Rest or Cleanup, or as a Spell that is done."""

from __future__ import annotations

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation
from audit.games.altered.carrying_out import (
    carried_out,
    is_resolving,
    not_by_text,
    unread_text,
)
from audit.games.altered.event_rules.base import (
    AlteredEventRules,
    Failures,
    blocked_by,
    fails,
)
from audit.games.altered.event_rules.night import CharacterRestedRules
from audit.games.altered.events import CharacterRested, ObjectLeft
from audit.games.altered.moments import with_arrival
from audit.games.altered.places import (
    are_open_zones_known,
    character,
    in_expedition,
    owner_of,
    zones_of,
)
from audit.games.altered.rules import (
    reactions,
    timing_of_play,
)
from audit.games.altered.state import UNKNOWN, DeedKind, State
from audit.games.altered.texts import is_fleeting
from audit.games.altered.unread import is_late, of_effect, told
from audit.games.altered.zones import (
    COMPANION_ZONE,
    HERO_ZONE,
    OPEN_ZONES,
    TOKEN_ZONES,
    less,
    put,
    sides_with,
    taken_out,
    without,
    without_departure,
    without_owner,
)


class ObjectLeftRules(AlteredEventRules[ObjectLeft]):
    """An effect moves an object, or Rest and Cleanup do; whatever it has in Limbo is played all the same."""

    event = ObjectLeft
    names_cards = True
    hides_cards = True
    may_be_unchecked = True
    rules: Citations = (reactions.SOURCE_MAY_BE_GONE,)
    at_any_time = True

    def criteria(self, state: State, event: ObjectLeft) -> Failures:
        if not _may_leave(state, event):
            yield from blocked_by(state)
            yield fails(timing_of_play.INTERNAL_ACTIONS, "object.no_effect", {"card": event.object})
        if _is_by_text(state, event):
            yield from not_by_text(state, _kind(event.to), "")
        if missing := self.missing(state, event):
            yield missing
        if rested := _rested(state, event):
            yield from REST.criteria(state, rested)

    def unread(self, state: State, event: ObjectLeft) -> Failures:
        if rested := _rested(state, event):
            return REST.unread(state, rested)
        if event.from_ == "limbo":
            is_usual = event.to == end_of_spell(state, event.object)
            return () if is_usual else (fails(timing_of_play.INTERNAL_ACTIONS, "unread.spell", {"card": event.object}),)
        if _is_cost(state, event) or state.daily_effect == "cleanup":
            return ()
        return unread_text(state) if _is_by_text(state, event) else of_effect(state)

    def missing(self, state: State, event: ObjectLeft) -> Violation | None:
        """The violation if the object is not in the open zone that it leaves, as far as zones are known."""
        if event.from_ not in OPEN_ZONES or state.untold or _is_paid(state, event):
            return None
        places = list(zones_of(state, event.object))
        is_elsewhere = event.from_ not in [zone for _, zone in places] if places else are_open_zones_known(state)
        data = {"card": event.object, "zone": event.from_}
        return fails(reactions.SOURCE_MAY_BE_GONE, "object.missing", data) if is_elsewhere else None

    def happen(self, state: State, event: ObjectLeft) -> State:
        """An object is in another zone; its statuses are those it comes with."""
        if _is_paid(state, event):
            return told(state)
        card, owner = event.object, _owner(state, event)
        found = in_expedition(state, card)
        arrived = found[2] if found else character(state.game, card)
        if found and not {event.from_, event.to} <= {HERO_ZONE, COMPANION_ZONE}:
            arrived = character(state.game, card, found[2].origin)
        taken = replace(state, sides=sides_with(state, owner, lambda side: taken_out(side, event.from_, card)))
        keeper = owner if event.to in TOKEN_ZONES else owner_of(state, owner, card)
        sides = sides_with(taken, keeper, lambda side: put(side, event.to, arrived))
        moment = with_arrival(state, event, card) if event.to in OPEN_ZONES else state.moment
        parts_left = without(state.parts_left, card) if state.daily_effect == "rest" else state.parts_left
        is_there = event.to in TOKEN_ZONES
        departures = without_departure(state, card) if is_there else {**state.departures, card: event.seq}
        owners = state.owners if is_there else without_owner(state, card)
        spells = less(state.spells_from_reserve, card) if event.from_ == "limbo" else state.spells_from_reserve
        after = replace(
            state, sides=sides, moment=moment, departures=departures, parts_left=parts_left, owners=owners,
            spells_from_reserve=spells,
        )  # fmt: skip
        kind = _kind(event.to)
        return told(carried_out(after, kind) if kind and _is_by_text(state, event) else after)


def _is_by_text(state: State, event: ObjectLeft) -> bool:
    """Whether only a text can move the object: not Rest or Cleanup, no Spell that is done, no card paid as a cost."""
    return not (state.daily_effect in ("rest", "cleanup") or event.from_ == "limbo" or _is_cost(state, event))


def _is_cost(state: State, event: ObjectLeft) -> bool:
    """Whether a quick action from the Reserve is paid for by discarding its card, before or after what it does."""
    played = state.moment.resolving
    is_source = played is not None and event.object in played.names and state.moment.reason == "after_quick_action"
    return is_source and (event.from_, event.to) == ("reserve", "discard")


def _is_paid(state: State, event: ObjectLeft) -> bool:
    """Whether that cost has been paid with the quick action itself: the card is no longer in the Reserve."""
    return _is_cost(state, event) and state.departures.get(event.object) == state.moment.seq


def end_of_spell(state: State, card: str) -> str | None:
    """Where a Spell goes when it is done; None where its text is not known, which may say otherwise.

    The document does not say so. By the public glossary (2.4.6.d to f) it goes to the Reserve, and a Fleeting one, or
    one played from the Reserve, to the discard pile.
    """
    known = state.game.abilities.get(card)
    if known is None:
        return None
    traits = (*known, *state.game.statuses.get(card, ()))
    return "discard" if card in state.spells_from_reserve or is_fleeting(traits) else "reserve"


def _kind(zone: str) -> DeedKind | None:
    """What a text does with a card that it brings to that zone."""
    return _KINDS.get(zone)


_KINDS: dict[str, DeedKind] = {"reserve": "reserve", "discard": "discard", "hand": "hand"}


def _may_leave(state: State, event: ObjectLeft) -> bool:
    """Whether an effect, Rest or Cleanup can move the object now; a Spell leaves Limbo by itself."""
    if state.daily_effect in ("rest", "cleanup"):
        return True
    return is_resolving(state) or is_late(state) or event.from_ == "limbo"


REST = CharacterRestedRules()


def _rested(state: State, event: ObjectLeft) -> CharacterRested | None:
    """The same told as Rest, if that is what moves the object."""
    found = in_expedition(state, event.object) if state.daily_effect == "rest" else None
    if found is None or event.to not in ("reserve", "discard") or state.open_effects:
        return None
    return CharacterRested(seq=event.seq, note=event.note, player=found[0], card=event.object, to=event.to)


def _acting(state: State) -> str:
    """Whose effect is carried out."""
    played = state.moment.resolving
    return state.open_effects[-1].player if state.open_effects else played.player if played else state.turn_of or ""


def _owner(state: State, event: ObjectLeft) -> str:
    """Whose object it is: whoever has it in that zone, else in another, else whose effect is carried out."""
    acting = _acting(state)
    places = [] if event.object.startswith(UNKNOWN) else list(zones_of(state, event.object))
    there = [seat for seat, zone in places if zone == event.from_] or [seat for seat, _ in places]
    return acting if acting in there or not there else there[0]
