"""What all event types of the reveal share: they fulfil tasks, and most of them happen to a card on its way."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.event_rules import (
    UNEXPECTED,
    Citations,
    EventRules,
    Expectation,
    Obligation,
    Violation,
    Violations,
)
from audit.core.model import Event
from audit.games.lotr_reveal.cards import PERIL, Card
from audit.games.lotr_reveal.event_rules.conditions import is_past, replacement_due, source_named, task_due
from audit.games.lotr_reveal.events import RevealStarted, WhenRevealedResolved, Within
from audit.games.lotr_reveal.frames import arrived, unannounced, with_card_named
from audit.games.lotr_reveal.lookup import (
    acting_frame,
    card_of,
    closed_frame,
    frame_of,
    is_told,
    kinds_are_known,
    known_frame,
    replacement_is_due,
    source_of,
    text_leads_to,
)
from audit.games.lotr_reveal.rules import step_4, step_5_1, step_7, step_8, step_9, step_12
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S4, S9
from audit.games.lotr_reveal.tasks import (
    AUTOMATIC,
    CALLS_FOR_CARD,
    first_task,
    is_named_discard,
    passed_notes,
    rules_of,
    tasks_now,
    text_rules,
    uncertain_calls,
    with_obligations,
)

E = TypeVar("E", bound=Event)
W = TypeVar("W", bound=Within)

MAX_NESTED = 40
"""At most this many cards are under way at once; a further one that no event opened is ignored."""
OF_TEXT = frozenset({
    "surge.no_keyword", "surge.origin", "keyword.none", "keyword.enters", "keyword.value",
    "revealed.none", "response.nothing", "enter.none", "enter.kind", "passive.none", "passive.kind", "forced.none",
    "forced.kind", "move.not_named", "move.unnamed", "source.gone", "threat.unasked", "move.to", "defeat.unknown",
    "outcome.damaged", "outcome.defeated", "outcome.explored", "outcome.effect", "end.completed",
})  # fmt: skip
"""The sentences that say that the text of a card does not call for something."""


class TaskExpectation(Expectation[State]):
    """The events that fulfil one task of the acting card."""

    def __init__(self, event_rules: TaskEventRules[E], task: Task, obligation: Obligation) -> None:
        self.event = event_rules.event
        self.event_rules = event_rules
        self.task = task
        self.rules = rules_of(task)
        self.obligation = obligation

    def candidates(self, state: State) -> Iterator[Event]:
        return self.event_rules.fulfilling(state, state.frames[-1], self.task)

    def goes_first(self, state: State, event: Event) -> Rule | None:
        """A card that is called for comes before all that happens to it, and a surge waits for what its players do.

        Keywords come before a When Revealed effect that somebody decides, or of which nobody knows what it does.
        """
        acting, task = state.frames[-1], self.task
        if isinstance(event, RevealStarted) and event.cause == "surge" and event.parent in (None, acting.id):
            return step_5_1.SURGE_DELAYED if task.step < S9 else None
        if isinstance(event, WhenRevealedResolved) and event.frame == acting.id and task.kind == "keyword":
            is_free = task.what == PERIL or not card_of(state, acting.card).text.leaves_choice
            return None if is_free else self.rules[0]
        if isinstance(event, RevealStarted) and event.cause == "surge" == acting.cause:
            return step_12.ONE_AT_A_TIME
        frame = getattr(event, "frame", None)
        is_unknown = frame is not None and known_frame(state, frame) is None
        return self.rules[0] if is_unknown and task.kind in CALLS_FOR_CARD else None

    def may_be_told_after(self, event: Event) -> bool:
        """A card for a surge may be written at once; what nobody decides of the card that called for it stands next."""
        return isinstance(event, RevealStarted) and event.cause == "surge" and self.task.kind in AUTOMATIC

    def single_candidate(self, state: State) -> Event | None:
        """Only automatic tasks are inferred: if players had to do something themselves, it was forgotten."""
        return super().single_candidate(state) if self.task.kind in AUTOMATIC else None


class UnlistedExpectation(Expectation[State]):
    """What a text may do that the setup does not tell: accepted where it comes, and never listed."""

    obligation = Obligation.EXPIRES

    def __init__(self, event: type[Event], *rules: Rule) -> None:
        self.event = event
        self.rules = rules

    def candidates(self, state: State) -> Iterator[Event]:
        return iter(())


class TaskEventRules(EventRules[State, E]):
    """An event type that fulfils tasks of the acting card."""

    task_kind: ClassVar[str] = ""
    """The kind of task that such an event fulfils; empty where it fulfils none."""
    may_follow_text: ClassVar[bool] = False
    """Whether a text just carried out may cause such an event, although the setup does not tell."""

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if not state.frames or (state.replacement and state.replacement.is_due):
            return ()
        frame = state.frames[-1]
        follows_text = self.may_follow_text and text_leads_to(frame, self.event)
        return _expectations(self, tasks_now(state, frame), follows_text)

    def fulfils(self, task: Task) -> bool:
        """Whether an event of this type is what the task asks for."""
        return task.kind == self.task_kind

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        """Every event that fulfils the task, with seq 0."""
        return iter(())

    def violations(self, state: State, event: E) -> Violations:
        failed = self.violation(state, event)
        if self.may_come(state):
            return () if failed is None else (failed,)
        if failed is None and self.may_come_besides(state, event):
            return ()
        failed = failed or _comes_first(state)
        return UNEXPECTED if failed is None else (replace(failed, not_intended=True),)

    def accept(self, state: State, event: E) -> Citations | None:
        if self.violation(state, event) is not None:
            return None
        return self.citations(state, event) if self.may_come(state) or self.may_come_besides(state, event) else None

    @abstractmethod
    def violation(self, state: State, event: E) -> Violation | None:
        """The first criterion that the event fails."""

    @abstractmethod
    def citations(self, state: State, event: E) -> Citations:
        """As in the core; declared here as well, so that machine code finds it without a look-up."""

    @abstractmethod
    def apply(self, state: State, event: E) -> State:
        """The same."""

    def unchecked(self, state: State, event: E) -> Violations:
        """The same."""
        return ()

    def may_come_besides(self, state: State, event: E) -> bool:
        """Whether this event may come although nothing that is due asks for any of its type."""
        return False

    def may_come(self, state: State) -> bool:
        """Whether any event of this type may come now."""
        if not state.frames or (state.replacement and state.replacement.is_due):
            return False
        frame = state.frames[-1]
        if self.may_follow_text and text_leads_to(frame, self.event):
            return True
        return any(self.fulfils(task) for tasks in (tasks_now(state, frame), frame.possible) for task in tasks)


@lru_cache(maxsize=8192)
def _expectations(
    event_rules: TaskEventRules[E], tasks: tuple[Task, ...], follows_text: bool
) -> tuple[Expectation[State], ...]:
    """What of a type is expected where these tasks are due: the same few tasks are due again and again."""
    fulfilled = [(task, obligation) for task, obligation in with_obligations(tasks) if event_rules.fulfils(task)]
    found: list[Expectation[State]] = [TaskExpectation(event_rules, task, obligation) for task, obligation in fulfilled]
    if follows_text:
        found.append(UnlistedExpectation(event_rules.event, step_7.RESOLVE))
    return tuple(found)


def _comes_first(state: State) -> Violation | None:
    """What comes before anything else: a replacement, a cancellation, or a card called for."""
    if replacement_is_due(state):
        return replacement_due()
    frame = acting_frame(state)
    due = tasks_now(state, frame) if frame else ()
    return task_due(state, frame, due[0]) if frame and due else None


class FrameEventRules(TaskEventRules[W]):
    """An event type that happens to a card on its way through the steps."""

    may_be_unchecked = True
    of_text: ClassVar[frozenset[str]] = OF_TEXT
    """The sentences that say no more than that no text calls for the event."""
    depends_on_text: ClassVar[bool] = False
    """Whether the text of a card decides if such an event may come."""

    def __init__(self) -> None:
        self.accepted: tuple[State, W, Violation | None] | None = None
        """The last legal event, the position before it, and what it fails if a text that nobody told does not ask for
        it: of that very event it is asked next what is not known."""

    @abstractmethod
    def cited(self, state: State, frame: Frame, event: W) -> Citations:
        """The rules that make this legal event legal, the most telling first."""

    @abstractmethod
    def apply_in(self, state: State, frame: Frame, event: W) -> State:
        """The position after the event in a frame that is at the step of the event, or past it."""

    def violations(self, state: State, event: W) -> Violations:
        state = with_card_named(state, event)
        failed = self.violation(state, event)
        return () if failed and self._may_be_of_text(state, event, failed) else super().violations(state, event)

    def accept(self, state: State, event: W) -> Citations | None:
        if state.frames and not state.frames[-1].seq:
            state = with_card_named(state, event)
        failed = self.violation(state, event)
        if failed is None:
            may_be = self.may_come(state) or self.may_come_besides(state, event)
        else:
            may_be = self._may_be_of_text(state, event, failed)
        if not may_be:
            return None
        self.accepted = state, event, failed
        return self.citations(state, event)

    def _accepted(self, state: State, event: W) -> tuple[State, W, Violation | None] | None:
        known = self.accepted
        return known if known is not None and known[0] is state and known[1] is event else None

    def _may_be_of_text(self, state: State, event: W, failed: Violation) -> bool:
        """Whether what the event fails hangs on a text of which nobody has told what card it is on."""
        frame = state.frames[-1] if state.frames else None
        if frame is None or frame.id != event.frame or failed.key not in self.of_text:
            return False
        return self.untold_card(state, frame, event) is not None

    def untold_card(self, state: State, frame: Frame, event: W) -> str | None:
        """The card of which nobody has told what it is, or what it does: the one on its way, or the one that acts."""
        card, source = card_of(state, frame.card), source_named(event)
        if card.type is None:
            return frame.card
        return source if source and not (is_told(state, source) and kinds_are_known(state, source, card)) else None

    def citations(self, state: State, event: W) -> Citations:
        if not state.frames:
            return ()
        frame = state.frames[-1]
        cited = self.cited(state, frame, event)
        passed = passed_notes(frame, INDEX[event.step]) if frame.notes else ()
        return each_once((*cited, *passed)) if passed else cited

    def apply(self, state: State, event: W) -> State:
        frames = state.frames
        if frames and not frames[-1].seq:
            state = with_card_named(state, event)
            frames = state.frames
        frame = frames[-1] if frames and frames[-1].id == event.frame else frame_of(state, event.frame)
        if frame is None:
            return self._apply_outside(state, event)
        step = INDEX[event.step]
        told = self.may_be_unchecked and bool(event.seq)
        if state.doubts and told:
            state = replace(state, doubts=())
        if frame.step < step:
            if frame.tasks and frame.tasks[0].step < step:
                passed = [task for task in uncertain_calls(state, frame) if task.step < step]
                frame = replace(frame, possible=(*frame.possible, *passed)) if passed else frame
            frame = arrived(frame, step, told)
        return self.apply_in(state, frame, event)

    def _apply_outside(self, state: State, event: W) -> State:
        if closed_frame(state, event.frame) is None and len(state.frames) < MAX_NESTED:
            return self.apply(unannounced(state, event.frame, getattr(event, "card", None)), event)
        return self.apply_to_closed(state, event)

    def apply_to_closed(self, state: State, event: W) -> State:
        """The position after an event of a card that is through: only what everybody can see counts."""
        return state

    def apply_early(self, state: State, event: W) -> Iterator[State]:
        """The position if the event came too early, and what was due before it is still to come."""
        frame = frame_of(state, event.frame)
        if frame is not None and frame.tasks and frame.tasks[0].step < INDEX[event.step]:
            yield self.apply_in(state, frame, event)

    def is_relevant(self, state: State, event: W) -> bool:
        frame = acting_frame(state)
        if frame is None or event.frame != frame.id:
            return False
        first = first_task(state, frame)
        if first is None or is_named_discard(first) or not is_past(frame, first.step, event):
            return True
        return first.kind not in AUTOMATIC

    def unchecked(self, state: State, event: W) -> Violations:
        """What may have had to happen before the event, and what its text does, where nobody can tell."""
        frames = state.frames
        if frames and not frames[-1].seq:
            state = with_card_named(state, event)
            frames = state.frames
        if not frames or frames[-1].id != event.frame:
            return ()
        frame = frames[-1]
        known = self._accepted(state, event)
        reasons = self.not_known(state, frame, event)
        untold = self.untold_card(state, frame, event) if not reasons else None
        failed = (known[2] if known else self.violation(state, event)) if untold else None
        if failed and self._may_be_of_text(state, event, failed):
            reasons = (Violation(failed.rule, "unchecked.text", {"card": untold}),)
        if before := doubts(state, frame, INDEX[event.step]):
            reasons = (*before, *[one for one in reasons if one not in before])
        return reasons if reasons and (known or self.accept(state, event) is not None) else ()

    def not_known(self, state: State, frame: Frame, event: W) -> Violations:
        """What of this event rests on a text that is not known."""
        return ()

    def depends_on_hidden(self, state: State, event: W) -> bool:
        frame = acting_frame(state)
        if frame is None or event.frame != frame.id:
            return False
        return self.depends_on_text and _text_is_hidden(state, frame, event)


def doubts(state: State, frame: Frame | None, step: int) -> Violations:
    """What may have had to happen before that step of the card: nobody has told whether it applies."""
    possible = frame.possible if frame else ()
    if frame and (calls := uncertain_calls(state, frame)):
        possible += calls
    if not (possible or state.doubts):
        return ()
    return tuple([_doubt(state, task) for task in (*state.doubts, *[task for task in possible if task.step < step])])


def _doubt(state: State, task: Task) -> Violation:
    if task.kind == "unknown":
        return Violation(step_5_1.KEYWORDS, "unchecked.keyword", {"card": task.source, "what": task.what})
    if task.kind == "reveal":
        return Violation(step_7.RESOLVE, "unchecked.reveals", {"card": task.source})
    if task.kind == "child":
        return Violation(step_9.GUARDED_X_PLACES, "unchecked.called", {"card": task.source})
    if task.kind == "move":
        return place_unknown(state, task.source)
    source = source_of(state, task.source)
    if task.kind == "passive" and (source is None or source.committed is None):
        return Violation(step_4.PASSIVE_ON_REVEAL, "unchecked.commitment", {"source": task.source})
    rule = {S4: step_4.PASSIVE_ON_REVEAL, S9: step_9.ENTER_PLAY_EFFECTS}.get(task.step) or text_rules(task.step)[0]
    return Violation(rule, "unchecked.reaches", {"source": task.source})


def keywords_unknown(card: Card, name: str) -> Violations:
    """What the keywords of a card do of which the document says nothing."""
    return tuple([
        Violation(step_5_1.KEYWORDS, "unchecked.keyword", {"card": name, "what": keyword})
        for keyword in card.unknown_keywords
    ])  # fmt: skip


def place_unknown(state: State, card: str) -> Violation:
    """Nobody can tell where the card goes: its type has not been told, or the document does not mention it."""
    type = card_of(state, card).type
    if type is None:
        return Violation(step_8.ENTER_PLAY, "unchecked.place", {"card": card})
    return Violation(step_8.ENTER_PLAY, "unchecked.type", {"card": card, "type": type})


def _text_is_hidden(state: State, frame: Frame, event: Within) -> bool:
    """Whether nobody has said what the card is, whether it is immune, or what the card that acts can do."""
    card = card_of(state, frame.card)
    if card.type is None or card.destination is None or card.immune is None:
        return True
    source = source_named(event)
    return "in_play" in state.hidden and source is not None and source_of(state, source) is None
