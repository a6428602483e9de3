"""Keywords that work on being revealed, at step 5.1 or gained at step 7, and what they do to threat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import DOOMED, ENTER_KEYWORDS, PERIL, SURGE
from audit.games.lotr_reveal.event_rules.base import OF_TEXT, FrameEventRules
from audit.games.lotr_reveal.event_rules.conditions import (
    before_keywords,
    follows_text,
    gained_out_of_place,
    may_be_gained,
    other_card,
    other_step,
    out_of_place,
)
from audit.games.lotr_reveal.events import KeywordResolved, SurgeArmed, SurgeOrigin, ThreatChanged
from audit.games.lotr_reveal.frames import done, threat_rises, with_text
from audit.games.lotr_reveal.lookup import acting_frame, card_of, may_gain_keywords, with_frame
from audit.games.lotr_reveal.rules import step_4, step_5_1, step_6, step_7, step_9
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S5_1, S7, S12, name_of
from audit.games.lotr_reveal.tasks import (
    OUTCOMES,
    find_task,
    keyword_rules,
    naming,
    text_rules,
    threat_rules,
    threat_task,
)
from audit.games.lotr_reveal.zones import is_out, shifted_threat, still_in


class KeywordResolvedRules(FrameEventRules[KeywordResolved]):
    """A keyword is carried out."""

    event = KeywordResolved
    is_settled = True
    announces: frozenset[type[Event]] = frozenset((ThreatChanged,))
    depends_on_text = True

    def fulfils(self, task: Task) -> bool:
        return task.kind in ("keyword", "unknown")

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield KeywordResolved(
            seq=0, frame=frame.id, step=name_of(task.step), card=frame.card, keyword=task.what,
            value=task.amount or None,
        )  # fmt: skip

    def violation(self, state: State, event: KeywordResolved) -> Violation | None:
        if failed := before_keywords(state, event, event.keyword) or gained_out_of_place(state, event):
            return failed
        frame = state.frames[-1]
        task = find_task(frame, "surge" if event.keyword == SURGE else "keyword", _what(event))
        if task is None:
            return None if self._may_have(frame, event) else _no_keyword(frame, event)
        return (
            other_step(frame, INDEX[event.step], task, _rule_of_step(task, event))
            or (None if event.keyword == SURGE else _other_value(task, event))
            or other_card(frame, event.card, step_5_1.KEYWORDS)
        )

    def may_come_besides(self, state: State, event: KeywordResolved) -> bool:
        return may_gain_keywords(state) or (event.keyword == SURGE and _may_arm(state))

    @staticmethod
    def _may_have(frame: Frame, event: KeywordResolved) -> bool:
        """Whether the card may have the keyword, by its own or by a text that is not understood."""
        if find_task(frame, "unknown", event.keyword):
            return True
        is_of_this_step = event.keyword != SURGE and event.keyword not in ENTER_KEYWORDS
        return is_of_this_step and may_be_gained(frame, INDEX[event.step], event)

    def cited(self, state: State, frame: Frame, event: KeywordResolved) -> Citations:
        return (*keyword_rules(event.keyword, INDEX[event.step]), *_free_order(frame, event.step))

    def not_known(self, state: State, frame: Frame, event: KeywordResolved) -> Violations:
        if event.keyword == SURGE:
            return ()
        if event.keyword in (PERIL, DOOMED):
            return () if find_task(frame, "keyword", event.keyword) else gained_untold(frame)
        return (Violation(step_5_1.KEYWORDS, "unchecked.keyword", {"card": frame.card, "what": event.keyword}),)

    def apply_in(self, state: State, frame: Frame, event: KeywordResolved) -> State:
        """Peril binds from here on; Doomed makes everybody's threat rise; a surge is armed."""
        if event.keyword == SURGE:
            return with_frame(state, _armed(frame, find_task(frame, "surge"), event.seq))
        task = find_task(frame, "keyword", event.keyword) or find_task(frame, "unknown", event.keyword)
        task = task or find_task(frame, "enter", event.keyword)
        rises: tuple[Task, ...] = ()
        if event.keyword == DOOMED and not frame.placed:
            value = event.value if isinstance(event.value, int) else (task.amount if task else 0)
            players = still_in(state, state.setup.seats)
            rises = threat_rises(players, frame.step, value, frame.card, DOOMED) if value else ()
        peril = frame.peril or event.keyword == PERIL
        frame = done(frame, task, rises, event.seq, peril=peril)
        return with_frame(state, frame if event.keyword in (PERIL, DOOMED) else with_text(frame))


def _no_keyword(frame: Frame, event: KeywordResolved) -> Violation:
    data = {"card": frame.card, "what": event.keyword}
    if event.keyword == SURGE:
        return Violation(step_5_1.SURGE, "surge.no_keyword", data)
    if event.keyword in ENTER_KEYWORDS:
        return Violation(step_9.SCENARIO_KEYWORDS, "keyword.enters", data)
    is_done = any(task.kind == "keyword" and task.what == event.keyword for task in frame.procedure.tasks)
    key = "keyword.done" if is_done and not frame.stop else "keyword.none"
    return Violation(keyword_rules(event.keyword, S5_1)[0], key, data)


def _other_value(task: Task, event: KeywordResolved) -> Violation | None:
    if event.value is None or event.value == task.amount or (event.keyword == PERIL and event.value == 1):
        return None
    return Violation(keyword_rules(task.what, S5_1)[0], "keyword.value", {"what": event.keyword, "n": task.amount})


def _rule_of_step(task: Task, event: KeywordResolved | SurgeArmed) -> Rule:
    """A keyword has its own step: 5.1, or 7 where the When Revealed effect gave it."""
    return step_7.GAINED_KEYWORDS_NOW if S7 in (task.step, INDEX[event.step]) else step_5_1.KEYWORDS


def _free_order(frame: Frame, step: str) -> Citations:
    """That the order is free, where several keywords are printed on the card or were given to it."""
    if INDEX[step] != S5_1:
        return ()
    printed = [task for task in frame.procedure.tasks if task.step == S5_1]
    return (step_5_1.FREE_ORDER,) if len(printed) + len(frame.granted_keywords) > 1 else ()


class SurgeArmedRules(FrameEventRules[SurgeArmed]):
    """A surge is armed. It shows only at step 12, so that a log need not say it."""

    event = SurgeArmed
    is_settled = True
    of_text = OF_TEXT | {"order.back"}
    task_kind = "surge"
    depends_on_text = True

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        origin = cast(SurgeOrigin, task.what)
        yield SurgeArmed(seq=0, frame=frame.id, step=name_of(task.step), card=frame.card, origin=origin)

    def violation(self, state: State, event: SurgeArmed) -> Violation | None:
        if failed := _lost(state, event) or before_keywords(state, event, SURGE) or gained_out_of_place(state, event):
            return failed
        frame = state.frames[-1]
        task = find_task(frame, "surge", event.origin)
        if task is None and event.origin != "printed" and may_be_gained(frame, INDEX[event.step], event):
            return None
        if task is None:
            key = "surge.origin" if find_task(frame, "surge") else "surge.no_keyword"
            return Violation(_rule_of_own_step(event), key, {"card": frame.card})
        rule = _rule_of_step(task, event)
        return other_step(frame, INDEX[event.step], task, rule) or other_card(frame, event.card, step_5_1.SURGE)

    def cited(self, state: State, frame: Frame, event: SurgeArmed) -> Citations:
        if INDEX[event.step] == S7:
            return (step_7.GAINED_KEYWORDS_NOW, step_7.GAINED_SURGE_DELAYED, step_5_1.SURGE_DELAYED)
        own = (step_5_1.SURGE, step_5_1.SURGE_DELAYED, step_5_1.KEYWORDS)
        return (*own, *_free_order(frame, event.step))

    def may_come_besides(self, state: State, event: SurgeArmed) -> bool:
        return may_gain_keywords(state)

    def not_known(self, state: State, frame: Frame, event: SurgeArmed) -> Violations:
        return () if find_task(frame, "surge", event.origin) else gained_untold(frame)

    def apply_in(self, state: State, frame: Frame, event: SurgeArmed) -> State:
        task = find_task(frame, "surge", event.origin) or find_task(frame, "surge")
        return with_frame(state, _armed(frame, task, event.seq))


def _armed(frame: Frame, task: Task | None, seq: int) -> Frame:
    """The frame with one more card due at step 12."""
    serve = Task("serve", S12, frame.card)
    return done(frame, task, [serve], seq, surges_armed=frame.surges_armed + 1)


def _what(event: KeywordResolved) -> str | None:
    """What the task of a keyword names: the keyword, or the origin of a surge, which may be any."""
    return None if event.keyword == SURGE else event.keyword


def _may_arm(state: State) -> bool:
    """Whether a surge of the card on its way is to be armed: people tell it as a keyword that is carried out."""
    return bool(state.frames) and find_task(state.frames[-1], "surge") is not None


def gained_untold(frame: Frame) -> Violations:
    """Whether the card has gained the keyword hangs on a text that is not understood."""
    return (Violation(step_7.GAINED_KEYWORDS_NOW, "unchecked.follows", {"card": frame.card}),) if frame.may_gain else ()


def _rule_of_own_step(event: SurgeArmed) -> Rule:
    """A surge is armed at step 5.1, or as soon as the card gains it."""
    return step_7.GAINED_KEYWORDS_NOW if event.origin == "gained" else step_5_1.SURGE


def _lost(state: State, event: SurgeArmed) -> Violation | None:
    """A surge that was given to a card is gone with the card."""
    frame = acting_frame(state)
    if frame is None or frame.id != event.frame or frame.stop != "left" or SURGE not in frame.granted_keywords:
        return None
    return Violation(step_4.BOLG_SURGE_LOST, "stop.left", {"card": frame.card, "step": event.step})


class ThreatChangedRules(FrameEventRules[ThreatChanged]):
    """A player's threat moves."""

    event = ThreatChanged
    is_settled = True
    task_kind = "threat"
    may_follow_text = True

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield ThreatChanged(
            seq=0, frame=frame.id, step=name_of(task.step), player=task.player, delta=task.amount, reason=task.what
        )  # fmt: skip

    def violation(self, state: State, event: ThreatChanged) -> Violation | None:
        if failed := out_of_place(state, event):
            return failed
        frame, step = state.frames[-1], INDEX[event.step]
        if _may_be_told(state, frame, event.player):
            return None
        tasks = [task for task in frame.tasks if task.kind == "threat" and task.step == step]
        if any((task.player, task.amount) == (event.player, event.delta) for task in tasks):
            return None
        data = {"player": event.player, "card": frame.card}
        if follows_text(frame, step, event) and not find_task(frame, "keyword", DOOMED):
            if frame.text_threat in (0, event.delta):
                return None
            return Violation(text_rules(step)[0], "threat.amount", {**data, "n": frame.text_threat})
        if not tasks:
            rule = step_5_1.DOOMED if step == S5_1 else text_rules(step)[0]
            return _of_cancelled_text(state, frame, event) or Violation(rule, "threat.unasked", data)
        rule, players = threat_rules(tasks[0])[0], {task.player: None for task in tasks}
        if event.player not in players:
            return Violation(rule, "threat.player", {**data, "players": tuple(players)})
        return Violation(rule, "threat.amount", {**data, "n": tasks[0].amount})

    def may_come_besides(self, state: State, event: ThreatChanged) -> bool:
        return is_out(state, event.player)

    def cited(self, state: State, frame: Frame, event: ThreatChanged) -> Citations:
        if task := threat_task(frame, event.player):
            return threat_rules(task)
        if is_out(state, event.player):
            return (step_5_1.DOOMED,)
        named = () if INDEX[event.step] == S7 else naming(OUTCOMES, frame.card, frame.removed_by)
        return (*named, step_7.RESOLVE)

    def not_known(self, state: State, frame: Frame, event: ThreatChanged) -> Violations:
        if threat_task(frame, event.player) or frame.text_threat:
            return ()
        if is_out(state, event.player):
            return (Violation(step_5_1.DOOMED, "unchecked.out", {"player": event.player}),)
        return (Violation(text_rules(INDEX[event.step])[0], "unchecked.follows", {"card": frame.card}),)

    def apply_in(self, state: State, frame: Frame, event: ThreatChanged) -> State:
        if task := threat_task(frame, event.player):
            untold = frame.untold_rises if event.seq else (*frame.untold_rises, event.player)
            frame = done(frame, task, untold_rises=untold)
        return with_frame(shifted_threat(state, event.player, event.delta), frame)

    def apply_to_closed(self, state: State, event: ThreatChanged) -> State:
        return shifted_threat(state, event.player, event.delta)


def _may_be_told(state: State, frame: Frame, player: str) -> bool:
    """Whether the player may be out of the game, so that any rise of their threat may be told."""
    is_free = not threat_task(frame, player) and player not in frame.untold_rises
    return is_free and is_out(state, player)


def _of_cancelled_text(state: State, frame: Frame, event: ThreatChanged) -> Violation | None:
    """The threat is what a When Revealed effect would have brought that was cancelled."""
    is_its_threat = event.delta == card_of(state, frame.card).text.does.threat
    if not (frame.cancelled_by and is_its_threat and INDEX[event.step] == S7):
        return None
    named = naming((step_6.TEST_OF_WILL, step_6.ELEANOR_SKIPS_7), frame.cancelled_by)
    data = {"card": frame.card, "source": frame.cancelled_by}
    return Violation((*named, step_6.SKIPS_ONLY_7)[0], "revealed.cancelled", data)
