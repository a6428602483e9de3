"""Texts that are carried out: When Revealed at step 7, entering play at step 9, forced effects at 10 and 11."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.lotr_reveal.acts.base import Act, not_this_card, out_of_place, too_early
from audit.lotr_reveal.acts.keywords import too_soon
from audit.lotr_reveal.cards import AMBUSH, GUARDED, GUARDED_X
from audit.lotr_reveal.events import EnterPlayEffect, ForcedResolved, WhenRevealedResolved
from audit.lotr_reveal.plan import is_shut_out
from audit.lotr_reveal.rules import (
    step_2,
    step_4,
    step_4_5,
    step_5_1,
    step_6,
    step_7,
    step_9,
    step_10,
    step_11,
)
from audit.lotr_reveal.state import Frame, State, Task, find, forced_at, source_of, tasks_now, top
from audit.lotr_reveal.steps import INDEX, S4, S4_5, S9, S10, S11, name_of
from audit.lotr_reveal.why import about, entering_rules
from audit.model import Event
from audit.ruleset import Violation

_TRAPPING = frozenset({"attach", AMBUSH})
ENGAGED, NOT_ENGAGED = "engaged", "no engagement"


class Reveal(Act):
    """The When Revealed effect is carried out."""

    event = WhenRevealedResolved

    def refused(self, state: State, event: WhenRevealedResolved) -> Violation | None:  # type: ignore[override]
        if broken := too_soon(state, event, "when revealed") or out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        task = find(frame, "revealed")
        if task is None:
            return _nothing_to_reveal(frame)
        return (
            too_early(frame, INDEX[event.step], task, step_7.RESOLVE)
            or not_this_card(frame, event.card, step_7.RESOLVE)
            or self._reaches(state, event)
            or self._gains(state, event)
        )

    def _reaches(self, state: State, event: WhenRevealedResolved) -> Violation | None:
        meant = reached(state, event.card)
        if meant is None or event.affected is None or set(event.affected) == set(meant):
            return None
        return Violation(step_4_5.READY_BEFORE_STEP_7, "revealed.affected", {"card": event.card, "names": list(meant)})

    def _gains(self, state: State, event: WhenRevealedResolved) -> Violation | None:
        declared = state.table.card(event.card).gains
        if declared is None or event.gains is None or event.gains == declared:
            return None
        return Violation(step_7.GAINED_KEYWORDS_NOW, "revealed.gains", {"card": event.card, "names": list(declared)})

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        card = state.table.card(frame.card)
        yield WhenRevealedResolved(
            seq=0, frame=frame.id, step="7", card=frame.card, affected=reached(state, frame.card), gains=card.gains
        )

    def cited(self, state: State, frame: Frame, event: Event) -> tuple[Rule, ...]:
        looks = reached(state, frame.card) is not None
        return (step_7.RESOLVE, *((step_4_5.READY_BEFORE_STEP_7,) if frame.readied and looks else ()))


def reached(state: State, card: str) -> tuple[str, ...] | None:
    """The characters a When Revealed effect reaches, where its text says so."""
    does = state.table.card(card).does
    if not does.damage or does.who not in ("exhausted", "ready"):
        return None
    return tuple(name for name, one in state.characters.items() if one.ready == (does.who == "ready"))


def _nothing_to_reveal(frame: Frame) -> Violation:
    if not frame.canceller:
        return Violation(step_7.RESOLVE, "revealed.none", {"card": frame.card})
    named = about((step_6.TEST_OF_WILL, step_6.ELEANOR_SKIPS_7), frame.canceller)
    return Violation(
        (*named, step_6.SKIPS_ONLY_7)[0], "revealed.cancelled", {"card": frame.card, "source": frame.canceller}
    )


class Enter(Act):
    """An effect of entering play is carried out."""

    event = EnterPlayEffect

    def refused(self, state: State, event: EnterPlayEffect) -> Violation | None:  # type: ignore[override]
        frame = top(state)
        if frame and frame.id == event.frame and (broken := _never_enters(state, frame, event)):
            return broken
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        task = find(frame, "enter", event.effect, event.source)
        if task is None:
            return _not_entering(frame, event)
        return (
            too_early(frame, INDEX[event.step], task, step_9.ENTER_PLAY_EFFECTS)
            or _child_first(state, frame)
            or not_this_card(frame, event.card, step_9.ENTER_PLAY_EFFECTS)
            or _engages(state, frame, event)
        )

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        target: str | None = frame.card
        outcome: str | None = None
        if task.what == AMBUSH:
            target, outcome = frame.player, NOT_ENGAGED if state.attachments.get(frame.card) else ENGAGED
        elif task.what in (GUARDED, GUARDED_X):
            target = None
        yield EnterPlayEffect(
            seq=0, frame=frame.id, step="9", card=frame.card, source=task.source, effect=task.what, target=target,
            outcome=outcome,
        )  # fmt: skip

    def cited(self, state: State, frame: Frame, event: EnterPlayEffect) -> tuple[Rule, ...]:  # type: ignore[override]
        tasks = [task for task in frame.plan.tasks if task.kind == "enter"]
        several = (step_9.FREE_ORDER,) if len(tasks) > 1 else ()
        trap = event.effect in _TRAPPING and {task.what for task in tasks} >= _TRAPPING
        source = source_of(state, event.source) if frame.peril else None
        others = source is not None and source.owner not in (None, frame.player)
        return (
            *entering_rules(event.effect), *several, *((step_9.TRAP_OR_AMBUSH_FIRST,) if trap else ()),
            *((step_5_1.PERIL_PASSIVES_CONTINUE,) if others else ()),
        )  # fmt: skip


def _never_enters(state: State, frame: Frame, event: EnterPlayEffect) -> Violation | None:
    card, source = state.table.card(frame.card), source_of(state, event.source)
    if not card.enters_play and INDEX[event.step] >= S9:
        return Violation(step_9.TREACHERY_HAS_NONE, "treachery.not_in_play", {"card": frame.card, "step": event.step})
    if source and card.immune and is_shut_out(card, source):
        rule = step_2.IMMUNE_CONDITIONAL if card.conditional else step_2.IMMUNE_ALL_LATER_STEPS
        return Violation(rule, "immune", {"card": frame.card, "source": event.source})
    return None


def _not_entering(frame: Frame, event: EnterPlayEffect) -> Violation:
    data = {"card": frame.card, "source": event.source, "what": event.effect}
    if event.effect in (GUARDED, GUARDED_X) and frame.plan.tasks:
        other = {GUARDED: GUARDED_X, GUARDED_X: GUARDED}[event.effect]
        if any(task.what == other for task in frame.plan.tasks):
            return Violation(step_9.GUARDED_DISTINCT, f"guarded.{other}", data)
    return Violation(entering_rules(event.effect)[0], "enter.none", data)


def _child_first(state: State, frame: Frame) -> Violation | None:
    """What was called for comes before the rest of step 9."""
    if not find(frame, "child") or all(task.kind != "child" for task in tasks_now(state, frame)):
        return None
    if "nested-may-wait" in state.table.switches:
        return None
    return Violation(step_9.GUARDED_REVEALS, "due.child", {"card": frame.card})


def _engages(state: State, frame: Frame, event: EnterPlayEffect) -> Violation | None:
    if event.effect != AMBUSH or event.outcome not in (ENGAGED, NOT_ENGAGED):
        return None
    trapped = bool(state.attachments.get(frame.card))
    if trapped == (event.outcome == NOT_ENGAGED):
        return None
    key = "enter.trapped" if trapped else "enter.free"
    return Violation(step_9.TRAP_OR_AMBUSH_FIRST, key, {"card": frame.card})


class Force(Act):
    """A forced effect is carried out."""

    event = ForcedResolved

    def refused(self, state: State, event: ForcedResolved) -> Violation | None:  # type: ignore[override]
        frame, at = top(state), INDEX[event.step]
        if frame and frame.id == event.frame and (broken := _no_such_moment(state, frame, event, at)):
            return broken
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        if forced_at(frame, at, event.source):
            return None
        rule = {S10: step_10.AFTER_ENTERS_PLAY, S11: step_11.AFTER_REVEALED}.get(at, step_11.DISTINCT_FROM_10)
        return Violation(rule, "forced.none", _forced_when(frame, event))

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield ForcedResolved(
            seq=0,
            frame=frame.id,
            step=name_of(task.step),
            source=task.source,
            effect=task.what,
            target=frame.card,
        )

    def cited(self, state: State, frame: Frame, event: ForcedResolved) -> tuple[Rule, ...]:  # type: ignore[override]
        at = INDEX[event.step]
        several = len([task for task in frame.plan.tasks if task.step == at and task.kind == "forced"]) > 1
        if at == S10:
            free = (step_10.FREE_ORDER_WITHIN,) if several else ()
            return (step_10.AFTER_ENTERS_PLAY, step_10.FORCED_FIRST, *free, step_11.DISTINCT_FROM_10)
        free = (step_11.FREE_ORDER_WITHIN,) if several else ()
        return (
            step_11.AFTER_REVEALED, step_11.FORCED_FIRST, *free, step_11.DISTINCT_FROM_10,
            step_4.NOT_AFTER_REVEALED,
        )  # fmt: skip


def _no_such_moment(state: State, frame: Frame, event: ForcedResolved, at: int) -> Violation | None:
    """A forced effect belongs to the condition it names."""
    if at == S11 and frame.placed:
        return Violation(step_11.NOT_FOR_PLACED, "placed.not_revealed", _forced_when(frame, event))
    if at == S10 and not state.table.card(frame.card).enters_play:
        return Violation(step_9.TREACHERY_HAS_NONE, "treachery.not_in_play", _forced_when(frame, event))
    source = source_of(state, event.source) or state.table.card(event.source).source
    own = INDEX[source.forced.step] if source and source.forced else at
    if own == at:
        return None
    data = {**_forced_when(frame, event), "expected": name_of(own)}
    if own == S11 and at in (S4, S4_5):
        return Violation(step_4.NOT_AFTER_REVEALED, "forced.moment", data)
    return Violation(step_11.DISTINCT_FROM_10, "forced.moment", data)


def _forced_when(frame: Frame, event: ForcedResolved) -> dict[str, object]:
    return {"card": frame.card, "source": event.source, "step": event.step}
