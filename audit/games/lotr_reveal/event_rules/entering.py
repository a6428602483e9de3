"""Effects of entering play at step 9, and Forced effects at steps 10 and 11."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import AMBUSH, ATTACH, ENTER_KEYWORDS, GUARDED, GUARDED_X, ITSELF, Text
from audit.games.lotr_reveal.event_rules.base import FrameEventRules
from audit.games.lotr_reveal.event_rules.conditions import (
    FORCED_FIRST,
    gone,
    immune,
    no_such_moment,
    not_in_play,
    other_card,
    other_step,
    out_of_place,
)
from audit.games.lotr_reveal.events import EnterPlayEffect, ForcedResolved
from audit.games.lotr_reveal.frames import done, let_go, text_done, with_text
from audit.games.lotr_reveal.lookup import acting_frame, card_of, source_of, with_frame
from audit.games.lotr_reveal.rules import step_2, step_4, step_5_1, step_9, step_10, step_11
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S4, S4_5, S9, S10, S11, name_of
from audit.games.lotr_reveal.tasks import entering_rules, find_task, tasks_now, text_rules
from audit.games.lotr_reveal.texts import read_text
from audit.games.lotr_reveal.zones import put, with_entry, with_quest_in_doubt, with_sources

_TRAPPING = frozenset({ATTACH, AMBUSH})
ENGAGED, NOT_ENGAGED = "engaged", "no engagement"


class EnterPlayEffectRules(FrameEventRules[EnterPlayEffect]):
    """An effect of entering play is carried out."""

    event = EnterPlayEffect
    depends_on_text = True

    def fulfils(self, task: Task) -> bool:
        return task.kind in ("enter", "unknown")

    def may_come(self, state: State) -> bool:
        return super().may_come(state) or (bool(state.frames) and any(one.is_bound for one in state.sources.values()))

    def may_come_besides(self, state: State, event: EnterPlayEffect) -> bool:
        return bool(state.frames) and _may_be_gained(state.frames[-1], event)

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        target: str | None = frame.card
        outcome: str | None = None
        if task.what == AMBUSH:
            target, outcome = frame.player, NOT_ENGAGED if _is_trapped(state, frame) else ENGAGED
        elif task.what in (GUARDED, GUARDED_X):
            target = None
        yield EnterPlayEffect(
            seq=0, frame=frame.id, step="9", card=frame.card, source=task.source, effect=task.what, target=target,
            outcome=outcome,
        )  # fmt: skip

    def violation(self, state: State, event: EnterPlayEffect) -> Violation | None:
        if failed := _never_comes(state, event) or out_of_place(state, event):
            return failed
        frame = state.frames[-1]
        task = find_task(frame, "enter", event.effect, event.source)
        if task is None:
            is_open = find_task(frame, "unknown", event.effect) or _attaches_again(state, event)
            is_open = is_open or _may_be_gained(frame, event)
            return None if is_open else _no_such_effect(state, frame, event)
        return (
            other_step(frame, INDEX[event.step], task, step_9.ENTER_PLAY_EFFECTS)
            or _card_called_for_first(state, frame)
            or other_card(frame, event.card, step_9.ENTER_PLAY_EFFECTS)
            or _other_outcome(state, frame, event)
        )

    def untold_card(self, state: State, frame: Frame, event: EnterPlayEffect) -> str | None:
        """The same; the keywords of a card are told, if anything of it is."""
        is_keyword = event.effect in ENTER_KEYWORDS and card_of(state, frame.card).type is not None
        return None if is_keyword else super().untold_card(state, frame, event)

    def cited(self, state: State, frame: Frame, event: EnterPlayEffect) -> Citations:
        effects = [task.what for task in frame.procedure.tasks if task.kind == "enter"]
        several = (step_9.FREE_ORDER,) if len(effects) > 1 else ()
        trap = event.effect in _TRAPPING and _TRAPPING.issubset(effects)
        source = source_of(state, event.source) if frame.peril else None
        others = source is not None and source.owner not in (None, frame.player)
        return (
            *entering_rules(event.effect), *several, *((step_9.TRAP_OR_AMBUSH_FIRST,) if trap else ()),
            *((step_5_1.PERIL_PASSIVES_CONTINUE,) if others else ()),
        )  # fmt: skip

    def not_known(self, state: State, frame: Frame, event: EnterPlayEffect) -> Violations:
        if _attaches_again(state, event):
            return (Violation(step_9.TRAPS_ATTACH, "unchecked.again", {"source": event.source}),)
        if _may_be_gained(frame, event) and not find_task(frame, "enter", event.effect, event.source):
            return (Violation(step_9.ENTER_PLAY_EFFECTS, "unchecked.follows", {"card": frame.card}),)
        if event.effect in _EFFECTS:
            return ()
        return (Violation(step_9.ENTER_PLAY_EFFECTS, "unchecked.text", {"card": event.source}),)

    def apply_in(self, state: State, frame: Frame, event: EnterPlayEffect) -> State:
        """Guarded calls for a card, Ambush engages, traps attach; any other text is free."""
        task = find_task(frame, "enter", event.effect, event.source) or find_task(frame, "unknown", event.effect)
        act = _EFFECTS.get(event.effect)
        if act is None:
            return with_frame(state, with_text(done(frame, task, seq=event.seq)))
        return act(state, done(frame, task, seq=event.seq), event, task)


def _is_trapped(state: State, frame: Frame) -> bool:
    """Whether something is attached to the card, which keeps Ambush from engaging it."""
    return bool(state.attachments.get(frame.card))


def _attaches_again(state: State, event: EnterPlayEffect) -> bool:
    """Whether a card that is attached already is told to attach: it is not due, and may have come free untold."""
    source = state.sources.get(event.source)
    return source is not None and source.is_bound and event.effect == ATTACH


def _may_be_gained(frame: Frame, event: EnterPlayEffect) -> bool:
    """Whether a text that is not understood may have given the card the keyword."""
    return frame.may_gain and event.effect in ENTER_KEYWORDS and event.source == frame.card


def _never_comes(state: State, event: EnterPlayEffect) -> Violation | None:
    """A treachery never enters play, and a card is not affected by cards it is immune to."""
    frame = acting_frame(state)
    if frame is None or frame.id != event.frame:
        return None
    if INDEX[event.step] >= S9 and (failed := not_in_play(state, frame, {"card": frame.card, "step": event.step})):
        return failed
    source = source_of(state, event.source)
    return immune(state, frame, event.source, source, step_2.IMMUNE_ALL_LATER_STEPS) if source else None


def _no_such_effect(state: State, frame: Frame, event: EnterPlayEffect) -> Violation:
    data = {"card": frame.card, "source": event.source, "what": event.effect}
    source = source_of(state, event.source)
    enters = source.enters_with if source else None
    other = {GUARDED: GUARDED_X, GUARDED_X: GUARDED}.get(event.effect)
    if other and any(task.what == other for task in frame.procedure.tasks):
        return Violation(step_9.GUARDED_DISTINCT, f"guarded.{other}", data)
    rule = entering_rules(event.effect)[0]
    if enters and enters.effect == event.effect and not card_of(state, frame.card).is_a(enters.to):
        return Violation(rule, "enter.kind", {**data, "expected": enters.to})
    return gone(state, event.source, rule) or Violation(rule, "enter.none", data)


def _card_called_for_first(state: State, frame: Frame) -> Violation | None:
    """What was called for comes before the rest of step 9, except by one reading."""
    if not find_task(frame, "child") or all(task.kind != "child" for task in tasks_now(state, frame)):
        return None
    if "nested-may-wait" in state.setup.switches:
        return None
    return Violation(step_9.GUARDED_REVEALS, "due.child", {"card": frame.card})


def _other_outcome(state: State, frame: Frame, event: EnterPlayEffect) -> Violation | None:
    """Ambush engages unless a trap is attached first."""
    if event.effect != AMBUSH or event.outcome not in (ENGAGED, NOT_ENGAGED):
        return None
    trapped = _is_trapped(state, frame)
    if trapped == (event.outcome == NOT_ENGAGED):
        return None
    key = "enter.trapped" if trapped else "enter.free"
    return Violation(step_9.TRAP_OR_AMBUSH_FIRST, key, {"card": frame.card})


# What an effect does


def _calls_for_card(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    child = Task("child", S9, frame.card, event.effect, detail=task.detail if task else "")
    return with_frame(state, done(frame, None, [child]))


def _ambushes(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    is_recorded = event.outcome in (ENGAGED, NOT_ENGAGED)
    engages = event.outcome == ENGAGED if is_recorded else not _is_trapped(state, frame)
    return _engages(state, frame, event, task) if engages else with_frame(state, frame)


def _engages(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    player = event.target if event.target in state.setup.seats else frame.player
    state = put(let_go(state, frame), frame.card, "engaged", player)
    return with_frame(state, replace(frame, zone="engaged", held=False))


def _attaches(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    attached = (*state.attachments.get(frame.card, ()), event.source)
    state = replace(state, attachments=with_entry(state.attachments, frame.card, attached))
    if source := state.sources.get(event.source):
        state = with_sources(state, with_entry(state.sources, event.source, replace(source, attached_to=frame.card)))
    return with_frame(state, frame)


def _has_no_threat(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    return with_frame(replace(state, strength=with_entry(state.strength, frame.card, 0)), frame)


_EFFECTS: dict[str, Callable[[State, Frame, EnterPlayEffect, Task | None], State]] = {
    GUARDED: _calls_for_card,
    GUARDED_X: _calls_for_card,
    AMBUSH: _ambushes,
    ATTACH: _attaches,
    "engage": _engages,
    "zero_threat": _has_no_threat,
}


class ForcedResolvedRules(FrameEventRules[ForcedResolved]):
    """A forced effect is carried out."""

    event = ForcedResolved
    task_kind = "forced"

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield ForcedResolved(
            seq=0, frame=frame.id, step=name_of(task.step), source=task.source, effect=task.what, target=frame.card
        )  # fmt: skip

    def violation(self, state: State, event: ForcedResolved) -> Violation | None:
        if failed := _other_moment(state, event) or out_of_place(state, event):
            return failed
        frame, step = state.frames[-1], INDEX[event.step]
        task = find_task(frame, "forced", source=event.source)
        if task is not None and task.step == step:
            return None
        if task is None and frame.responded_at == step:
            return Violation(FORCED_FIRST[step], "response.forced", {"source": event.source})
        rule = {S10: step_10.AFTER_ENTERS_PLAY, S11: step_11.AFTER_REVEALED}.get(step, step_11.DISTINCT_FROM_10)
        return _no_forced_effect(state, frame, event, rule)

    def cited(self, state: State, frame: Frame, event: ForcedResolved) -> Citations:
        step = INDEX[event.step]
        several = sum(task.step == step and task.kind == "forced" for task in frame.procedure.tasks) > 1
        if step == S10:
            free = (step_10.FREE_ORDER_WITHIN,) if several else ()
            return (step_10.AFTER_ENTERS_PLAY, step_10.FORCED_FIRST, *free, step_11.DISTINCT_FROM_10)
        free = (step_11.FREE_ORDER_WITHIN,) if several else ()
        return (
            step_11.AFTER_REVEALED, step_11.FORCED_FIRST, *free, step_11.DISTINCT_FROM_10, step_4.NOT_AFTER_REVEALED
        )  # fmt: skip

    def not_known(self, state: State, frame: Frame, event: ForcedResolved) -> Violations:
        if _text(state, event.source).is_understood:
            return ()
        return (Violation(text_rules(INDEX[event.step])[0], "unchecked.text", {"card": event.source}),)

    def apply_in(self, state: State, frame: Frame, event: ForcedResolved) -> State:
        task, text = find_task(frame, "forced", source=event.source), _text(state, event.source)
        if text.reaches_quest:
            named = None if event.target in (None, frame.card) else (event.target,)
            state = with_quest_in_doubt(state, named)
        return with_frame(state, text_done(state, frame, task, text, event.seq))


def _no_forced_effect(state: State, frame: Frame, event: ForcedResolved, rule: Rule) -> Violation:
    """Why the forced effect is not due: the card is not in play, or reacts to others."""
    data = {"card": frame.card, "source": event.source, "step": event.step}
    source = source_of(state, event.source)
    forced = source.forced if source else None
    if forced and not card_of(state, frame.card).is_a(forced.to):
        return Violation(rule, "forced.kind", {**data, "expected": event.source if forced.to == ITSELF else forced.to})
    return gone(state, event.source, rule) or Violation(rule, "forced.none", data)


def _text(state: State, source: str) -> Text:
    """What the forced effect of a card comes to; damage to all of a kind is not told by any event."""
    found = source_of(state, source) or card_of(state, source).source
    text = read_text(found.forced.effect) if found and found.forced else Text()
    return text if not (text.does.damage or text.gains) else Text()


def _other_moment(state: State, event: ForcedResolved) -> Violation | None:
    """A forced effect belongs to the condition it names."""
    frame, step = acting_frame(state), INDEX[event.step]
    if frame is None or frame.id != event.frame:
        return None
    data: dict[str, object] = {"card": frame.card, "source": event.source, "step": event.step}
    if failed := no_such_moment(state, frame, step, data):
        return failed
    source = source_of(state, event.source) or card_of(state, event.source).source
    own = INDEX[source.forced.step] if source and source.forced else step
    if own == step:
        return None
    rule = step_4.NOT_AFTER_REVEALED if own == S11 and step in (S4, S4_5) else step_11.DISTINCT_FROM_10
    return Violation(rule, "forced.moment", {**data, "expected": name_of(own)})
