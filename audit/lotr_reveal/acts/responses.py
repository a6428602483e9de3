"""Responses: who may use which effect in which window."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.lotr_reveal.acts.base import (
    Act,
    elsewhere,
    gone_by,
    overdue,
    replacement_due,
    runs_on,
    skipped,
    stopped,
)
from audit.lotr_reveal.cards import CANCEL_AND_REPLACE, CANCEL_CARD, CANCEL_EFFECT, NAME_TYPE, PERIL, READY, Source
from audit.lotr_reveal.events import ResponsePlayed
from audit.lotr_reveal.rules import (
    step_0,
    step_2,
    step_3,
    step_4,
    step_4_5,
    step_5_0,
    step_5_1,
    step_6,
    step_9,
    step_10,
    step_11,
)
from audit.lotr_reveal.state import Frame, State, find, first_task, forced_at, source_of, top
from audit.lotr_reveal.steps import (
    INDEX,
    ORDER,
    S3,
    S4_5,
    S5_0,
    S5_1,
    S6,
    S10,
    S11,
    S12,
    WINDOWS,
    name_of,
)
from audit.lotr_reveal.texts import TYPES
from audit.lotr_reveal.why import about
from audit.model import Event
from audit.ruleset import Obligation, Violation

_CANCELS = (CANCEL_EFFECT, CANCEL_AND_REPLACE)
_ON_THE_CARD = (CANCEL_CARD, *_CANCELS)
_WITH_A_MOMENT = (READY, "other")
_FREE = (S4_5, S5_0, S10, S11)
_FITS = {
    CANCEL_CARD: (S3,),
    CANCEL_EFFECT: (S6,),
    CANCEL_AND_REPLACE: (S6,),
    NAME_TYPE: tuple(range(S5_1, S12 + 1)),
    READY: _FREE,
    "other": _FREE,
}
"""The windows of each kind of effect."""

WINDOW_RULES = {
    S3: step_3.WINDOW,
    S4_5: step_4_5.WINDOW,
    S5_0: step_5_0.WINDOW,
    S6: step_6.WINDOW,
    S10: step_10.WINDOW,
    S11: step_11.WINDOW,
}
_AFTERWARDS: dict[int, tuple[Rule, ...]] = {
    S10: (step_10.AFTER_ENTERS_PLAY, step_10.FREE_ORDER_WITHIN),
    S11: (step_11.AFTER_REVEALED, step_11.FREE_ORDER_WITHIN, step_11.DISTINCT_FROM_10),
}
_FORCED_FIRST = {S10: step_10.FORCED_FIRST, S11: step_11.FORCED_FIRST}
_OWN_MOMENT = (step_4_5.WINGED_FEET, step_5_0.NO_HASTY_JUDGEMENT)
_OF_CANCELLING = (step_6.TEST_OF_WILL, step_6.ELEANOR_SKIPS_7)


class Respond(Act):
    """A player responds. It is a choice, and going without needs no word."""

    event = ResponsePlayed

    def __init__(self) -> None:
        super().__init__(None, Obligation.EXPIRES, step_0.RESPONSE_OPTIONAL, step_0.RESPONSE_WINDOWS_ONLY)

    def refused(self, state: State, event: ResponsePlayed) -> Violation | None:  # type: ignore[override]
        frame, at = top(state), INDEX[event.step]
        if frame is None or frame.id != event.frame:
            return elsewhere(state, event.frame)
        if state.replacement and state.replacement.due:
            return replacement_due(state)
        source = source_of(state, event.source)
        return (
            _no_window(frame, event, at)
            or _stopped(frame, at)
            or _wrong_window(event, source, at)
            or _out_of_turn(state, frame, at)
            or _not_for_this_card(state, frame, at)
            or _forced_first(state, frame, at)
            or _kept_out(state, frame, event, source, at)
            or _not_theirs(state, event, source)
            or _nothing_to_do(state, frame, event)
        )

    def candidates(self, state: State) -> Iterator[Event]:
        frame = top(state)
        if frame is None or frame.stop:
            return
        for name in (*state.table.sources, *state.active):
            source = source_of(state, name)
            if source and source.response and name not in frame.used:
                yield from self._ways(state, frame, name, source)

    def _ways(self, state: State, frame: Frame, name: str, source: Source) -> Iterator[Event]:
        first = first_task(state, frame)
        for at in _FITS.get(source.response or "", ()):
            if frame.at <= at <= (first.step if first else S12):
                for value in TYPES if source.response == NAME_TYPE else (None,):
                    event = _response(state, frame, name, source, at, value)
                    if self.refused(state, event) is None:
                        yield event
                if source.response == NAME_TYPE:
                    return

    def cited(self, state: State, frame: Frame, event: ResponsePlayed) -> tuple[Rule, ...]:  # type: ignore[override]
        return (*_cited(frame, event), *_peril_later(state, frame, event), *self.rules)


def _response(state: State, frame: Frame, name: str, source: Source, at: int, value: str | None) -> ResponsePlayed:
    target = source.attached_to if source.response == READY else frame.card
    return ResponsePlayed(
        seq=0, frame=frame.id, step=ORDER[at], player=source.owner or frame.player, source=name,
        effect=source.response, target=target, value=value,  # type: ignore[arg-type]
    )  # fmt: skip


def _cited(frame: Frame, event: ResponsePlayed) -> tuple[Rule, ...]:
    at = INDEX[event.step]
    if event.effect == NAME_TYPE:
        return (step_5_1.SURGE_REACTION_POINT,)
    if event.effect == CANCEL_CARD:
        return (step_3.WINDOW, step_3.EFFECT_DECIDES_WINDOW, *about((step_3.DOOR_IS_CLOSED,), event.source))
    if event.effect in _CANCELS:
        return (step_6.WINDOW, *about(_OF_CANCELLING, event.source), step_6.SKIPS_ONLY_7)
    return (*about(_OWN_MOMENT, event.source), WINDOW_RULES[at], *_AFTERWARDS.get(at, ()))


def _peril_later(state: State, frame: Frame, event: ResponsePlayed) -> tuple[Rule, ...]:
    """Before Peril has been dealt with, the other players may still respond; then only one player may."""
    if frame.peril:
        return (step_5_1.PERIL_BLOCKS_RESPONSES,)
    return (step_5_1.PERIL_FROM_HERE,) if event.player != frame.player and find(frame, "keyword", PERIL) else ()


def _no_window(frame: Frame, event: ResponsePlayed, at: int) -> Violation | None:
    if event.effect == NAME_TYPE:
        if frame.armed > frame.served and at >= S5_1:
            return None
        return Violation(step_5_1.SURGE_REACTION_POINT, "response.no_surge", {"card": frame.card})
    if at in WINDOWS:
        return None
    return Violation(step_0.RESPONSE_WINDOWS_ONLY, "response.no_window", {"step": event.step, "source": event.source})


def _out_of_turn(state: State, frame: Frame, at: int) -> Violation | None:
    return None if runs_on(frame, at) else gone_by(frame, at) or overdue(state, frame, at)


def _stopped(frame: Frame, at: int) -> Violation | None:
    if not frame.stop and not frame.placed:
        return None
    if frame.stop == "left" and at == S4_5:
        return Violation(step_4_5.NOT_IF_DEFEATED, "response.defeated", {"card": frame.card})
    return skipped(frame, at) or stopped(frame, at)


def _wrong_window(event: ResponsePlayed, source: Source | None, at: int) -> Violation | None:
    """An effect has the window its doing belongs to; an effect with a moment of its own has that one."""
    own = source.step if source and event.effect in _WITH_A_MOMENT else None
    if at in _FITS[event.effect] and (not own or INDEX[own] == at):
        return None
    data = {"source": event.source, "step": event.step}
    if own and INDEX[own] != at:
        return Violation(_moment(event, INDEX[own], at), "response.moment", {**data, "expected": own})
    if event.effect == CANCEL_CARD:
        named = about((step_3.DOOR_IS_CLOSED,), event.source)
        printed = step_3.EFFECT_DECIDES_WINDOW if source and source.step == event.step else step_3.WINDOW
        return Violation(named[0] if named else printed, "response.cancel_card", data)
    rule = step_6.WINDOW if event.effect in _CANCELS else WINDOW_RULES[at]
    return Violation(rule, f"response.{event.effect}", data)


def _moment(event: ResponsePlayed, own: int, at: int) -> Rule:
    if named := about(_OWN_MOMENT, event.source):
        return named[0]
    if {own, at} == {S10, S11}:
        return step_11.DISTINCT_FROM_10
    return (
        step_4.NOT_AFTER_REVEALED if own == S11 and at < S5_0 else WINDOW_RULES.get(own, step_0.RESPONSE_WINDOWS_ONLY)
    )


def _not_for_this_card(state: State, frame: Frame, at: int) -> Violation | None:
    if at not in (S10, S11):
        return None
    data = {"card": frame.card, "step": name_of(at)}
    if at == S11 and frame.placed:
        return Violation(step_11.NOT_FOR_PLACED, "placed.not_revealed", data)
    if at == S10 and not state.table.card(frame.card).enters_play:
        return Violation(step_9.TREACHERY_HAS_NONE, "treachery.not_in_play", data)
    return None


def _forced_first(state: State, frame: Frame, at: int) -> Violation | None:
    waiting = forced_at(frame, at)
    return Violation(_FORCED_FIRST[at], "response.forced", {"source": waiting.source}) if waiting else None


def _kept_out(state: State, frame: Frame, event: ResponsePlayed, source: Source | None, at: int) -> Violation | None:
    """Peril keeps the other players out, immunity all player cards."""
    if frame.peril and event.player != frame.player and at >= S5_1:
        data = {"player": event.player, "expected": frame.player}
        return Violation(step_5_1.PERIL_BLOCKS_RESPONSES, "response.peril", data)
    card = state.table.card(frame.card)
    if not card.immune:
        return None
    aims = event.target == frame.card or (event.target is None and event.effect in _ON_THE_CARD)
    if aims and event.effect != NAME_TYPE and (source is None or source.owner is not None):
        rule = step_2.IMMUNE_CONDITIONAL if card.conditional else step_2.IMMUNE_ALL_LATER_STEPS
        return Violation(rule, "immune", {"card": frame.card, "source": event.source})
    return None


def _not_theirs(state: State, event: ResponsePlayed, source: Source | None) -> Violation | None:
    """Only a response is a choice, and only its owner's."""
    is_owner = event.player in state.table.seats and (not source or source.owner in (None, event.player))
    if is_owner and (not source or source.response == event.effect):
        return None
    data = {"player": event.player, "source": event.source}
    if not is_owner:
        return Violation(step_0.RESPONSE_OPTIONAL, "response.owner", data)
    return Violation(step_0.RESPONSE_OPTIONAL, "response.other", {**data, "effect": event.effect})


def _nothing_to_do(state: State, frame: Frame, event: ResponsePlayed) -> Violation | None:
    rule, key = None, ""
    if event.effect in _CANCELS and not find(frame, "revealed"):
        rule, key = step_6.WINDOW, "response.nothing"
    elif event.effect == NAME_TYPE and event.value not in TYPES:
        rule, key = step_5_1.SURGE_REACTION_POINT, "response.type"
    elif event.effect == CANCEL_CARD and find(frame, "cancel"):
        rule, key = step_3.CANCEL_STOPS, "response.twice"
    return Violation(rule, key, {"card": frame.card, "source": event.source}) if rule else None
