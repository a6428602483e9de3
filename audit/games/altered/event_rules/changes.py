"""Boosts and statuses that Characters gain and lose by texts."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violations
from audit.games.altered.carrying_out import (
    boosted,
    by_itself,
    carried_out,
    counted_already,
    is_accounted_for,
    not_by_text,
    unread_text,
)
from audit.games.altered.event_rules.base import AlteredEventRules, Failures, blocked_by, fails
from audit.games.altered.events import BoostsChanged, StatusGained, StatusLost
from audit.games.altered.places import in_expedition
from audit.games.altered.rules import day_overview, timing_of_play
from audit.games.altered.state import Character, DeedKind, Done, State
from audit.games.altered.texts import is_fleeting
from audit.games.altered.unread import has_known_text, told
from audit.games.altered.zones import characters_changed

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
        return Done(self.kind, count=self.amount(event), card=event.card)

    def amount(self, event: C) -> int:
        """How much of what the text does this is."""
        return 1

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

    def amount(self, event: BoostsChanged) -> int:
        return max(event.count, 1)

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

    def changed(self, event: StatusLost, one: Character) -> Character:
        status, held = event.status.casefold(), one.statuses
        return one if held is None else replace(one, statuses=tuple([other for other in held if other != status]))
