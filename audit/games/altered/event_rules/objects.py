"""Objects in play: boosts and statuses that Characters gain and lose, and how an object leaves its zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar, get_args

from msgspec.structs import replace

from audit.core.event_rules import Citations, Obligation, Violation, Violations
from audit.games.altered.carrying_out import (
    boosted,
    by_itself,
    carried_out,
    counted_already,
    is_accounted_for,
    is_told,
    not_by_text,
    of_effect,
    unread_text,
)
from audit.games.altered.event_rules.base import (
    AlteredEventRules,
    Due,
    Failures,
    blocked_by,
    fails,
)
from audit.games.altered.event_rules.night import CharacterRestedRules
from audit.games.altered.events import BoostsChanged, CharacterRested, ObjectLeft, StatusGained, StatusLost
from audit.games.altered.places import are_open_zones_known, character, in_expedition, owner_of, zones_of
from audit.games.altered.rules import day_overview, reactions, timing_of_play
from audit.games.altered.state import RESERVE, UNKNOWN, Character, DeedKind, Done, State
from audit.games.altered.texts import is_fleeting, status_meant
from audit.games.altered.triggers import with_arrival
from audit.games.altered.unread import explained, has_known_text, other_causes, told
from audit.games.altered.vocabulary import Status
from audit.games.altered.zones import (
    COMPANION_ZONE,
    HERO_ZONE,
    OPEN_ZONES,
    TOKEN_ZONES,
    characters_changed,
    end_of_spell,
    less,
    put,
    sides_with,
    spells_done,
    taken_out,
    usual_end,
    without,
    without_departure,
    without_owner,
)

C = TypeVar("C", BoostsChanged, StatusGained, StatusLost)


class ChangeRules(AlteredEventRules[C]):
    """A text changes a Character in an expedition."""

    may_be_unchecked = True
    rules: Citations = (timing_of_play.INTERNAL_ACTIONS,)
    at_any_time = True
    kind: DeedKind

    def criteria(self, state: State, event: C) -> Failures:
        data = {"card": event.card}
        if not (is_accounted_for(state, self.kind) or _by_own_text(state, event.card)):
            yield from blocked_by(state)
            yield fails(timing_of_play.INTERNAL_ACTIONS, "object.no_effect", data)
        known = all(group is not None for side in state.sides for group in (side.hero, side.companion))
        is_gone = in_expedition(state, event.card) is None and not counted_already(state, self.done(event))
        if known and not state.untold and is_gone:
            yield fails(timing_of_play.INTERNAL_ACTIONS, "change.nobody", data)
        yield from not_by_text(state, self.done(event))

    def unread(self, state: State, event: C) -> Failures:
        return unread_text(state, self.done(event), "stats" if has_known_text(state.game, event.card) else None)

    def done(self, event: C) -> Done:
        """What a text is to have done."""
        raise NotImplementedError

    def changed(self, event: C, one: Character) -> Character:
        """The Character afterwards."""
        raise NotImplementedError

    def happen(self, state: State, event: C) -> State:
        """The Character is as the log tells from now on."""

        def change(one: Character) -> Character:
            return self.changed(event, one) if one.id == event.card else one

        after = replace(state, sides=characters_changed(state, change))
        return told(carried_out(after, self.done(event)))


def _by_own_text(state: State, card: str) -> Violations:
    """That only a text of the Character itself, which the setup tells, decides whether it does this now."""
    return by_itself(state, card, "stats") if has_known_text(state.game, card) else ()


class BoostsChangedRules(ChangeRules[BoostsChanged]):
    """Boosts come and go."""

    event = BoostsChanged
    kind = "boost"

    def done(self, event: BoostsChanged) -> Done:
        """No text that is read here takes boosts away."""
        return Done("boost" if event.count > 0 else None, count=max(event.count, 1), card=event.card)

    def changed(self, event: BoostsChanged, one: Character) -> Character:
        if event.stats is not None:
            return replace(one, stats=event.stats, touched_by=0)
        return replace(one, stats=one.stats and boosted(one.stats, event.count))

    def happen(self, state: State, event: BoostsChanged) -> State:
        """What the position shows already is not counted twice."""
        known = counted_already(state, self.done(event))
        if not known or event.stats is not None or event.count < 1:
            return super().happen(state, event)
        more = replace(event, count=event.count - min(known, event.count))
        return told(carried_out(super().happen(state, more) if more.count else state, self.done(event)))


class StatusGainedRules(ChangeRules[StatusGained]):
    """A Character becomes Fleeting, Anchored, Asleep or something else."""

    event = StatusGained
    kind = "status"

    def done(self, event: StatusGained) -> Done:
        return Done(self.kind, card=event.card, status=status_meant(event.status))

    def otherwise(self, state: State, event: StatusGained) -> Iterator[StatusGained]:
        for status in get_args(Status):
            yield replace(event, seq=0, note=None, status=status)

    def criteria(self, state: State, event: StatusGained) -> Failures:
        return () if _is_from_reserve(state, event) else super().criteria(state, event)

    def unread(self, state: State, event: StatusGained) -> Failures:
        if _is_from_reserve(state, event):
            return (fails(day_overview.FLEETING, "unread.from_reserve", {"card": event.card}),)
        return super().unread(state, event)

    def changed(self, event: StatusGained, one: Character) -> Character:
        status, held = event.status.casefold(), one.statuses
        return one if held is None or status in held else replace(one, statuses=(*held, status))


def _is_from_reserve(state: State, event: StatusGained) -> bool:
    """Whether a Character is said to be Fleeting that was played from the Reserve: no text makes it so."""
    found = in_expedition(state, event.card)
    return found is not None and found[2].origin == "reserve" and is_fleeting((event.status,))


class StatusLostRules(ChangeRules[StatusLost]):
    """A Character is no longer Fleeting, Anchored, Asleep or something else."""

    event = StatusLost
    kind = "status"

    def done(self, event: StatusLost) -> Done:
        """No text that is read here takes a status away."""
        return Done(None, card=event.card)

    def changed(self, event: StatusLost, one: Character) -> Character:
        status, held = event.status.casefold(), one.statuses
        return one if held is None else replace(one, statuses=tuple([other for other in held if other != status]))


class ObjectLeftRules(AlteredEventRules[ObjectLeft]):
    """An effect moves an object, or Rest and Cleanup do; whatever it has in Limbo is played all the same."""

    event = ObjectLeft
    names_cards = True
    hides_cards = True
    may_be_unchecked = True
    rules: Citations = (reactions.SOURCE_MAY_BE_GONE,)
    obligation = Obligation.MARKER
    at_any_time = True

    def due_as(self, obligation: Obligation, rules: Citations | None = None) -> Due:
        return super().due_as(obligation, rules or (timing_of_play.INTERNAL_ACTIONS,))

    def due_now(self, state: State) -> Due:
        return self.due

    def candidates(self, state: State) -> Iterator[ObjectLeft]:
        """Spells that are done leave Limbo by themselves."""
        for card, to in spells_done(state):
            yield ObjectLeft(seq=0, object=card, from_="limbo", to=to)

    def apply(self, state: State, event: ObjectLeft) -> State:
        """Nothing is said to react to what nobody wrote down."""
        if event.seq:
            return super().apply(state, event)
        return replace(self.happen(state, event), last_seq=state.last_seq)

    def criteria(self, state: State, event: ObjectLeft) -> Failures:
        if not _may_leave(state, event):
            yield from blocked_by(state)
            yield fails(timing_of_play.INTERNAL_ACTIONS, "object.no_effect", {"card": event.object})
        if _is_by_text(state, event):
            yield from not_by_text(state, _done(state, event))
            yield from _not_discarded(state, event)
        if missing := self.missing(state, event):
            yield missing
        yield from _wrong_end(state, event)
        if rested := _rested(state, event):
            yield from REST.criteria(state, rested)

    def unread(self, state: State, event: ObjectLeft) -> Failures:
        if rested := _rested(state, event):
            return REST.unread(state, rested)
        if event.from_ == "limbo":
            return _not_as_usual(state, event)
        if _is_cost(state, event) or _is_paid(state, event) or state.daily_effect == "cleanup":
            return ()
        if not _is_by_text(state, event):
            return of_effect(state)
        found = in_expedition(state, event.object)
        if found and event.to == RESERVE and found[2].origin == "reserve":
            return (fails(day_overview.FLEETING, "unread.from_reserve", {"card": event.object}),)
        return unread_text(state, _done(state, event))

    def otherwise(self, state: State, event: ObjectLeft) -> Iterator[ObjectLeft]:
        for to in _KINDS:
            yield replace(event, seq=0, note=None, to=to)

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
        if lies := _lies_already(state, event):
            if lies[1] == event.to:
                return told(state)
            event = replace(event, from_=lies[1])
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
        departures = (
            without_departure(state, card) if is_there else {**state.departures, card: event.seq or state.last_seq}
        )
        owners = state.owners if is_there else without_owner(state, card)
        spells = less(state.spells_from_reserve, card) if event.from_ == "limbo" else state.spells_from_reserve
        after = replace(
            state, sides=sides, moment=moment, departures=departures, parts_left=parts_left, owners=owners,
            spells_from_reserve=spells,
        )  # fmt: skip
        if not event.seq:
            return after
        return told(carried_out(after, _done(state, event)) if _is_by_text(state, event) else after)


def _is_by_text(state: State, event: ObjectLeft) -> bool:
    """Whether only a text can move the object: not Rest or Cleanup, no Spell that is done, no card paid as a cost."""
    if state.daily_effect in ("rest", "cleanup") or event.from_ == "limbo":
        return False
    return not (_is_cost(state, event) or _is_paid(state, event))


def _is_cost(state: State, event: ObjectLeft) -> bool:
    """Whether a quick action from the Reserve is paid for by discarding its card, before or after what it does."""
    played = state.moment.resolving
    is_source = played is not None and event.object in played.names and state.moment.reason == "after_quick_action"
    return is_source and (event.from_, event.to) == ("reserve", "discard")


def _is_paid(state: State, event: ObjectLeft) -> bool:
    """Whether that cost has been paid with the quick action itself: the card lies in the discard pile already."""
    if (event.from_, event.to) != ("reserve", "discard") or event.object not in state.departures:
        return False
    zones = [zone for _, zone in zones_of(state, event.object)]
    return "discard" in zones and "reserve" not in zones


def _not_as_usual(state: State, event: ObjectLeft) -> Violations:
    """Why it is not known whether a Spell goes there from Limbo; () where that is where it goes, or has gone."""
    if event.to == _end(state, event):
        return ()
    if end_of_spell(state, event.object) is None:
        return (fails(timing_of_play.INTERNAL_ACTIONS, "unread.spell_text", {"card": event.object}),)
    if explained(state, event.note, event.object):
        return (fails(timing_of_play.INTERNAL_ACTIONS, "unread.note"),)
    return other_causes(state, _KINDS.get(event.to))


def _wrong_end(state: State, event: ObjectLeft) -> Failures:
    """That a Spell whose text is read does not go there from Limbo, and nothing else may have sent it there."""
    end = _end(state, event)
    if event.from_ == "limbo" and end is not None and event.to != end and not _not_as_usual(state, event):
        yield fails(timing_of_play.INTERNAL_ACTIONS, "text.spell_end", {"card": event.object, "zone": end})


def _end(state: State, event: ObjectLeft) -> str | None:
    """Where the Spell goes from Limbo, or has gone; None where nobody has told its text."""
    lies = _lies_already(state, event)
    return lies[1] if lies else usual_end(state, event.object)


def _lies_already(state: State, event: ObjectLeft) -> tuple[str, str] | None:
    """Whose and in which zone a Spell lies that is told late to leave Limbo; None where it has not left by itself."""
    if event.from_ != "limbo":
        return None
    places = list(zones_of(state, event.object))
    if any(zone == "limbo" for _, zone in places):
        return None
    return next((one for one in places if one[1] in ("reserve", "discard")), None)


def _done(state: State, event: ObjectLeft) -> Done:
    """What a text is to have done with a card that it brings to that zone.

    By the public glossary (2.4.6.c) a Fleeting Character that would go to the Reserve is discarded; and a token leaves
    the game wherever it would go.
    """
    done = Done(_KINDS.get(event.to), card=event.object)
    found = in_expedition(state, event.object)
    if found is None or event.to in OPEN_ZONES or is_told(state, done):
        return done
    one = found[2]
    is_discarded = event.to == "discard" and (one.statuses is None or _is_fleeting(one))
    kinds = _KINDS.values() if one.origin == "token" else ("reserve",) if is_discarded else ()
    ways = (replace(done, kind=kind) for kind in kinds)
    return next((way for way in ways if is_told(state, way)), done)


def _is_fleeting(one: Character) -> bool:
    return one.origin == "reserve" or "fleeting" in (one.statuses or ())


def _not_discarded(state: State, event: ObjectLeft) -> Failures:
    """That a Fleeting Character goes to the Reserve, although it is discarded."""
    found = in_expedition(state, event.object)
    if not found or event.to != RESERVE or explained(state, event.note, event.object):
        return
    if "fleeting" in (found[2].statuses or ()):
        yield fails(day_overview.FLEETING, "rest.discard", {"card": event.object})


_KINDS: dict[str, DeedKind] = {"reserve": "reserve", "discard": "discard", "hand": "hand"}


def _may_leave(state: State, event: ObjectLeft) -> bool:
    """Whether an effect, Rest or Cleanup can move the object now; a Spell leaves Limbo by itself."""
    if state.daily_effect in ("rest", "cleanup"):
        return True
    return is_accounted_for(state, _KINDS.get(event.to)) or event.from_ == "limbo" or _is_paid(state, event)


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


RULES = (ObjectLeftRules(), BoostsChangedRules(), StatusGainedRules(), StatusLostRules())
