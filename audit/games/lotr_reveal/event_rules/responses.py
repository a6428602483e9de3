"""Responses: who may use which effect in which window, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Expectation, Obligation, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import (
    CANCEL_AND_REPLACE,
    CANCEL_CARD,
    CANCEL_EFFECT,
    DISCARD,
    EXHAUST,
    KNOWN,
    NAME_TYPE,
    PERIL,
    READY,
    Source,
    without_copy,
)
from audit.games.lotr_reveal.event_rules.base import FrameEventRules
from audit.games.lotr_reveal.event_rules.conditions import (
    FORCED_FIRST,
    forced_first,
    goes_on_to,
    immune,
    no_such_moment,
    not_acting,
    out_of_order,
    placed_skips,
    stopped,
)
from audit.games.lotr_reveal.events import ResponseEffect, ResponsePlayed, Value
from audit.games.lotr_reveal.frames import effect_cancelled, with_text
from audit.games.lotr_reveal.lookup import (
    card_of,
    encounter_sources,
    is_told,
    replacement_is_due,
    source_of,
    with_frame,
)
from audit.games.lotr_reveal.names import canonical
from audit.games.lotr_reveal.rules import (
    step_0,
    step_2,
    step_3,
    step_4,
    step_4_5,
    step_5_0,
    step_5_1,
    step_6,
    step_10,
    step_11,
)
from audit.games.lotr_reveal.state import Character, Frame, State, Task
from audit.games.lotr_reveal.steps import (
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
)
from audit.games.lotr_reveal.tasks import find_task, first_task, naming
from audit.games.lotr_reveal.texts import TYPES, type_said
from audit.games.lotr_reveal.zones import paid_for, ready_again, with_entry, with_quest_in_doubt

_CANCELS = (CANCEL_EFFECT, CANCEL_AND_REPLACE)
_ON_THE_CARD = (CANCEL_CARD, *_CANCELS)
_WITH_A_MOMENT = (READY, "other")
_FREE = (S4_5, S5_0, S10, S11)
_WINDOWS_OF = {
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
_AFTERWARDS: dict[int, Citations] = {
    S10: (step_10.AFTER_ENTERS_PLAY, step_10.FREE_ORDER_WITHIN),
    S11: (step_11.AFTER_REVEALED, step_11.FREE_ORDER_WITHIN, step_11.DISTINCT_FROM_10),
}
_OWN_MOMENT = (step_4_5.WINGED_FEET, step_5_0.NO_HASTY_JUDGEMENT)
_OF_CANCELLING = (step_6.TEST_OF_WILL, step_6.ELEANOR_SKIPS_7)
_ALWAYS = (step_0.RESPONSE_OPTIONAL, step_0.RESPONSE_WINDOWS_ONLY)


class ResponsePlayedRules(FrameEventRules[ResponsePlayed]):
    """A player responds. It is a choice, and nobody has to say that it was not made."""

    event = ResponsePlayed
    depends_on_text = True

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        return (ANY_RESPONSE,) if self.may_come(state) else ()

    def may_come(self, state: State) -> bool:
        return bool(state.frames) and not replacement_is_due(state)

    def violation(self, state: State, event: ResponsePlayed) -> Violation | None:
        failed = not_acting(state, event.frame)
        if failed:
            return failed
        frame, step, source = state.frames[-1], INDEX[event.step], source_of(state, event.source)
        return (
            _no_window(frame, event, step)
            or _not_taken_there(frame, step)
            or _other_window(event, source, step)
            or (None if goes_on_to(frame, step) else out_of_order(state, frame, step))
            or (no_such_moment(state, frame, step, {"card": frame.card, "step": event.step}))
            or forced_first(frame, step)
            or _kept_out(state, frame, event, source, step)
            or _not_theirs(state, event, source)
            or _used_up(state, event, source)
            or _nothing_to_do(state, frame, event)
        )

    def untold_card(self, state: State, frame: Frame, event: ResponsePlayed) -> str | None:
        """The card on its way, if nobody has told whether it has an effect to cancel."""
        return frame.card if card_of(state, frame.card).has_when_revealed is None else None

    def cited(self, state: State, frame: Frame, event: ResponsePlayed) -> Citations:
        return (*_window_rules(frame, event), *_peril_later(frame, event), *_ALWAYS, *_whose(state, event))

    def not_known(self, state: State, frame: Frame, event: ResponsePlayed) -> Violations:
        again = (Violation(step_0.USED_UP, "unchecked.again", {"source": event.source}),)
        reasons = again if _cost_is_open(state, event) else ()
        if event.effect in _EFFECTS and is_told(state, event.source):
            return reasons
        rule = WINDOW_RULES.get(INDEX[event.step], step_0.RESPONSE_WINDOWS_ONLY)
        return (*reasons, Violation(rule, "unchecked.text", {"card": event.source}))

    def apply_in(self, state: State, frame: Frame, event: ResponsePlayed) -> State:
        state = paid_for(state, event.source)
        at = frame.step if frame.step in FORCED_FIRST else frame.responded_at
        frame = replace(frame, used_sources=(*frame.used_sources, event.source), responded_at=at)
        act = _EFFECTS.get(event.effect)
        if act is None:
            named = None if event.target in (None, frame.card) else (event.target,)
            state = state if _is_of_document(event) else with_quest_in_doubt(state, named, event.player)
            return with_frame(state, with_text(replace(frame, last_cause=event.seq)))
        return act(state, frame, event)


class AnyResponse(Expectation[State]):
    """Any response that some card in play makes possible."""

    event = ResponsePlayed
    rules: Citations = _ALWAYS
    obligation = Obligation.EXPIRES

    def candidates(self, state: State) -> Iterator[Event]:
        frame = state.frames[-1]
        if frame.stop:
            return
        for name in (*state.sources, *encounter_sources(state)):
            source = source_of(state, name)
            if source and source.response and name not in frame.used_sources:
                yield from _responses_of(state, frame, name, source)


def _responses_of(state: State, frame: Frame, name: str, source: Source) -> Iterator[Event]:
    """The responses of one card, in every window from here on; a type is named at the first chance."""
    first = first_task(state, frame)
    for step in _WINDOWS_OF.get(source.response or "", ()):
        if not frame.step <= step <= (first.step if first else S12):
            continue
        for value in TYPES if source.response == NAME_TYPE else (None,):
            event = _response(frame, name, source, step, value)
            if RESPONSES.violation(state, event) is None:
                yield event
        if source.response == NAME_TYPE:
            return


def _response(frame: Frame, name: str, source: Source, step: int, value: str | None) -> ResponsePlayed:
    return ResponsePlayed(
        seq=0, frame=frame.id, step=ORDER[step], player=source.owner or frame.player, source=name,
        effect=cast(ResponseEffect, source.response), value=value,
        target=source.attached_to if source.response == READY else frame.card,
    )  # fmt: skip


RESPONSES = ResponsePlayedRules()
ANY_RESPONSE = AnyResponse()


def _window_rules(frame: Frame, event: ResponsePlayed) -> Citations:
    step = INDEX[event.step]
    if event.effect == NAME_TYPE:
        return (step_5_1.SURGE_REACTION_POINT,)
    if event.effect == CANCEL_CARD:
        return (step_3.WINDOW, step_3.EFFECT_DECIDES_WINDOW, *naming((step_3.DOOR_IS_CLOSED,), event.source))
    if event.effect in _CANCELS:
        return (step_6.WINDOW, *naming(_OF_CANCELLING, event.source), step_6.SKIPS_ONLY_7)
    return (*naming(_OWN_MOMENT, event.source), WINDOW_RULES[step], *_AFTERWARDS.get(step, ()))


def _peril_later(frame: Frame, event: ResponsePlayed) -> Citations:
    """Before Peril has been carried out, the other players may still respond; then only one player may."""
    if frame.peril:
        return (step_5_1.PERIL_BLOCKS_RESPONSES,)
    is_bystander = event.player != frame.player and find_task(frame, "keyword", PERIL)
    return (step_5_1.PERIL_FROM_HERE,) if is_bystander else ()


def _whose(state: State, event: ResponsePlayed) -> Citations:
    """That the response is the player's own, and that its card was there to be used."""
    source = source_of(state, event.source)
    if source is None or source.owner is None:
        return ()
    return (step_0.OWN_RESPONSES, step_0.USED_UP) if source.cost in (EXHAUST, DISCARD) else (step_0.OWN_RESPONSES,)


# The criteria


def _no_window(frame: Frame, event: ResponsePlayed, step: int) -> Violation | None:
    """Responses have their windows; a type is named as soon as a surge is armed."""
    if event.effect == NAME_TYPE:
        if frame.surges_armed > frame.surges_served and step >= S5_1:
            return None
        return Violation(step_5_1.SURGE_REACTION_POINT, "response.no_surge", {"card": frame.card})
    if step in WINDOWS:
        return None
    return Violation(step_0.RESPONSE_WINDOWS_ONLY, "response.no_window", {"step": event.step, "source": event.source})


def _not_taken_there(frame: Frame, step: int) -> Violation | None:
    """A card that was placed or stopped does not come to every step."""
    if not frame.stop and not frame.placed:
        return None
    if frame.stop == "left" and step == S4_5:
        return Violation(step_4_5.NOT_IF_DEFEATED, "response.defeated", {"card": frame.card})
    return placed_skips(frame, step) or stopped(frame, step)


def _other_window(event: ResponsePlayed, source: Source | None, step: int) -> Violation | None:
    """What an effect does decides its window; an effect with a moment of its own has that one."""
    own = INDEX[source.step] if source and source.step and event.effect in _WITH_A_MOMENT else step
    if step in _WINDOWS_OF[event.effect] and own == step:
        return None
    data = {"source": event.source, "step": event.step}
    if own != step:
        return Violation(_rule_of_moment(event, own, step), "response.moment", {**data, "expected": ORDER[own]})
    if event.effect == CANCEL_CARD:
        named = naming((step_3.DOOR_IS_CLOSED,), event.source)
        printed = step_3.EFFECT_DECIDES_WINDOW if source and source.step == event.step else step_3.WINDOW
        return Violation(named[0] if named else printed, "response.cancel_card", data)
    rule = step_6.WINDOW if event.effect in _CANCELS else WINDOW_RULES[step]
    return Violation(rule, f"response.{event.effect}", data)


def _rule_of_moment(event: ResponsePlayed, own: int, step: int) -> Rule:
    if named := naming(_OWN_MOMENT, event.source):
        return named[0]
    if {own, step} == {S10, S11}:
        return step_11.DISTINCT_FROM_10
    if own == S11 and step < S5_0:
        return step_4.NOT_AFTER_REVEALED
    return WINDOW_RULES.get(own, step_0.RESPONSE_WINDOWS_ONLY)


def _kept_out(state: State, frame: Frame, event: ResponsePlayed, source: Source | None, step: int) -> Violation | None:
    """Peril keeps the other players out, immunity all player cards."""
    if frame.peril and event.player != frame.player and step >= S5_1:
        data = {"player": event.player, "expected": frame.player}
        return Violation(step_5_1.PERIL_BLOCKS_RESPONSES, "response.peril", data)
    aims = event.target == frame.card or (event.target is None and event.effect in _ON_THE_CARD)
    if not aims or event.effect == NAME_TYPE:
        return None
    return immune(state, frame, event.source, source, step_2.IMMUNE_ALL_LATER_STEPS)


def _not_theirs(state: State, event: ResponsePlayed, source: Source | None) -> Violation | None:
    """Only the owner of a card decides on its response, and a card has no response but its own."""
    data: dict[str, object] = {"player": event.player, "source": event.source}
    if event.player not in state.setup.seats:
        return Violation(step_0.OWN_RESPONSES, "response.stranger", data)
    if source and source.owner not in (None, event.player):
        return Violation(step_0.OWN_RESPONSES, "response.owner", {**data, "expected": source.owner})
    if source and source.response != event.effect and is_told(state, event.source):
        return Violation(step_0.OWN_RESPONSES, "response.other", {**data, "effect": event.effect})
    return None


def _used_up(state: State, event: ResponsePlayed, source: Source | None) -> Violation | None:
    """A card that was used up for its response has no other."""
    if state.used.get(event.source) == DISCARD:
        return Violation(step_0.USED_UP, "response.used", {"source": event.source})
    if source and source.cost == EXHAUST and _is_exhausted(state, event.source):
        return Violation(step_0.USED_UP, "response.exhausted", {"source": event.source})
    return None


def _is_exhausted(state: State, card: str) -> bool:
    character = state.characters.get(card)
    return state.used.get(card) == EXHAUST or (character is not None and character.ready is False)


def _cost_is_open(state: State, event: ResponsePlayed) -> bool:
    """Whether the card may have been used up, and nobody has said what its response costs."""
    source = source_of(state, event.source)
    is_told = source is not None and source.cost is not None
    return not is_told and (event.source in state.used or _is_exhausted(state, event.source))


def _nothing_to_do(state: State, frame: Frame, event: ResponsePlayed) -> Violation | None:
    """There is something to cancel, and it is a type that is named."""
    data = {"card": frame.card, "source": event.source}
    if event.effect in _CANCELS and not find_task(frame, "revealed"):
        return Violation(step_6.WINDOW, "response.nothing", data)
    if event.effect in _CANCELS and not card_of(state, frame.card).text.can_be_cancelled:
        return Violation(step_6.WINDOW, "response.uncancellable", data)
    if event.effect == NAME_TYPE and not _is_type(state, event.value):
        return Violation(step_5_1.SURGE_REACTION_POINT, "response.type", data)
    if event.effect == CANCEL_CARD and find_task(frame, "cancel"):
        return Violation(step_3.CANCEL_STOPS, "response.twice", data)
    return None


def _is_type(state: State, value: Value | None) -> bool:
    """Whether it is a type the document mentions, or one of the cards of this game."""
    named = type_said(value) if isinstance(value, str) else None
    return named in TYPES or (named is not None and any(card.type == named for card in state.setup.cards.values()))


# What a response does


def _is_of_document(event: ResponsePlayed) -> bool:
    """Whether the document says what the response is about."""
    return canonical(without_copy(event.source)) in KNOWN


def _cancel_card(state: State, frame: Frame, event: ResponsePlayed) -> State:
    if find_task(frame, "cancel"):
        return with_frame(state, frame)
    cancel = Task("cancel", max(S3, frame.step), event.source)
    return with_frame(state, replace(frame, tasks=(cancel, *frame.tasks), last_cause=event.seq))


def _cancel_effect(state: State, frame: Frame, event: ResponsePlayed) -> State:
    frame = replace(frame, last_cause=event.seq)
    return with_frame(state, effect_cancelled(state, frame, event.source, event.effect == CANCEL_AND_REPLACE))


def _ready(state: State, frame: Frame, event: ResponsePlayed) -> State:
    state = with_frame(state, replace(frame, character_readied=True))
    if not event.target:
        return state
    character = replace(state.characters.get(event.target, Character()), ready=True)
    state = ready_again(state, (event.target,))
    return replace(state, characters=with_entry(state.characters, event.target, character))


def _name_type(state: State, frame: Frame, event: ResponsePlayed) -> State:
    return with_frame(state, replace(frame, named_type=type_said(str(event.value)), last_cause=event.seq))


_EFFECTS: dict[str, Callable[[State, Frame, ResponsePlayed], State]] = {
    CANCEL_CARD: _cancel_card,
    CANCEL_EFFECT: _cancel_effect,
    CANCEL_AND_REPLACE: _cancel_effect,
    READY: _ready,
    NAME_TYPE: _name_type,
}
