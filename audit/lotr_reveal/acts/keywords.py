"""Keywords that work on being revealed, at step 5.1 or gained at step 7, and what they do to threat."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.lotr_reveal.acts.base import Act, after_a_text, not_this_card, out_of_place
from audit.lotr_reveal.cards import DOOMED, ENTER_KEYWORDS, PERIL, SURGE
from audit.lotr_reveal.events import KeywordResolved, SurgeArmed, ThreatChanged, Within
from audit.lotr_reveal.rules import step_2, step_4, step_5_1, step_7, step_9
from audit.lotr_reveal.state import Frame, State, Task, find, threat_of, top
from audit.lotr_reveal.steps import INDEX, S5_1, S7, name_of
from audit.lotr_reveal.why import OUTCOMES, about, keyword_rules, threat_rules
from audit.model import Event
from audit.ruleset import Violation


class Resolve(Act):
    """A keyword is carried out."""

    event = KeywordResolved

    def refused(self, state: State, event: KeywordResolved) -> Violation | None:  # type: ignore[override]
        if broken := too_soon(state, event, event.keyword) or out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        task = find(frame, "keyword", event.keyword)
        if task is None:
            return _no_keyword(frame, event)
        return (
            wrong_step(frame, task, event)
            or self._wrong_value(task, event)
            or not_this_card(frame, event.card, step_5_1.KEYWORDS)
        )

    def _wrong_value(self, task: Task, event: KeywordResolved) -> Violation | None:
        if event.value is None or event.value == task.amount or (event.keyword == PERIL and event.value == 1):
            return None
        return Violation(keyword_rules(task.what, S5_1)[0], "keyword.value", {"what": event.keyword, "n": task.amount})

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield KeywordResolved(
            seq=0, frame=frame.id, step=name_of(task.step), card=frame.card, keyword=task.what,
            value=task.amount or None,
        )  # fmt: skip

    def cited(self, state: State, frame: Frame, event: KeywordResolved) -> tuple[Rule, ...]:  # type: ignore[override]
        return (*keyword_rules(event.keyword, INDEX[event.step]), *_free_order(frame, event.step))


class Arm(Act):
    """A surge is armed. It shows only at step 12, so that a log need not say it."""

    event = SurgeArmed
    silent = True

    def refused(self, state: State, event: SurgeArmed) -> Violation | None:  # type: ignore[override]
        if broken := _lost(state, event) or too_soon(state, event, SURGE) or out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        task = find(frame, "surge", event.origin)
        if task is None:
            key = "surge.origin" if find(frame, "surge") else "surge.no_keyword"
            return Violation(step_5_1.SURGE, key, {"card": frame.card})
        return wrong_step(frame, task, event) or not_this_card(frame, event.card, step_5_1.SURGE)

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield SurgeArmed(seq=0, frame=frame.id, step=name_of(task.step), card=frame.card, origin=task.what)  # type: ignore[arg-type]

    def cited(self, state: State, frame: Frame, event: SurgeArmed) -> tuple[Rule, ...]:  # type: ignore[override]
        if INDEX[event.step] == S7:
            return (step_7.GAINED_KEYWORDS_NOW, step_7.GAINED_SURGE_DELAYED, step_5_1.SURGE_DELAYED)
        own = (step_5_1.SURGE, step_5_1.SURGE_DELAYED, step_5_1.KEYWORDS)
        return (*own, *_free_order(frame, event.step))


def _lost(state: State, event: SurgeArmed) -> Violation | None:
    """A surge that was given to a card goes with it."""
    frame = top(state)
    if frame is None or frame.id != event.frame or frame.stop != "left" or SURGE not in frame.granted:
        return None
    return Violation(step_4.BOLG_SURGE_LOST, "stop.left", {"card": frame.card, "step": event.step})


def _free_order(frame: Frame, step: str) -> tuple[Rule, ...]:
    """That the order is free, where several keywords were laid on the card or given to it."""
    if INDEX[step] != S5_1:
        return ()
    laid = [task for task in frame.plan.tasks if task.step == S5_1]
    return (step_5_1.FREE_ORDER,) if len(laid) + len(frame.granted) > 1 else ()


def too_soon(state: State, event: Within, what: str) -> Violation | None:
    """Triggered effects of the card wait for their own step."""
    at = INDEX[event.step]
    if at >= S5_1:
        return None
    frame = top(state)
    if frame is None or frame.id != event.frame or frame.placed or frame.stop:
        return None
    return Violation(step_2.TRIGGERED_WAIT, "order.wait", {"card": frame.card, "what": what, "step": name_of(at)})


def wrong_step(frame: Frame, task: Task, event: KeywordResolved | SurgeArmed) -> Violation | None:
    """A keyword has its own step: 5.1, or 7 where the When Revealed effect gave it."""
    if name_of(task.step) == event.step:
        return None
    rule = step_7.GAINED_KEYWORDS_NOW if S7 in (task.step, INDEX[event.step]) else step_5_1.KEYWORDS
    data = {"card": frame.card, "what": task.what, "step": event.step, "expected": name_of(task.step)}
    return Violation(rule, "order.step", data)


def _no_keyword(frame: Frame, event: KeywordResolved) -> Violation:
    data = {"card": frame.card, "what": event.keyword}
    if event.keyword == SURGE:
        return Violation(step_5_1.SURGE, "keyword.surge", data)
    if event.keyword in ENTER_KEYWORDS:
        return Violation(step_9.SCENARIO_KEYWORDS, "keyword.enters", data)
    return Violation(keyword_rules(event.keyword, S5_1)[0], "keyword.none", data)


class Rise(Act):
    """A player's threat moves."""

    event = ThreatChanged
    silent = True

    def refused(self, state: State, event: ThreatChanged) -> Violation | None:  # type: ignore[override]
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        tasks = [task for task in frame.tasks if task.kind == "threat" and name_of(task.step) == event.step]
        for task in tasks:
            if task.player == event.player and task.amount == event.delta:
                return None
        if after_a_text(frame, INDEX[event.step]) and not find(frame, "keyword", DOOMED):
            return None
        data = {"player": event.player, "card": frame.card}
        if not tasks:
            return Violation(step_5_1.DOOMED, "threat.unasked", data)
        return Violation(threat_rules(tasks[0])[0], "threat.amount", {**data, "n": tasks[0].amount})

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield ThreatChanged(
            seq=0, frame=frame.id, step=name_of(task.step), player=task.player, delta=task.amount,
            reason=task.what,
        )  # fmt: skip

    def cited(self, state: State, frame: Frame, event: ThreatChanged) -> tuple[Rule, ...]:  # type: ignore[override]
        if task := threat_of(frame, event.player):
            return threat_rules(task)
        return (
            (step_7.RESOLVE,) if INDEX[event.step] == S7 else (*about(OUTCOMES, frame.card, frame.killer), *self.rules)
        )
