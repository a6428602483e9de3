"""The When Revealed effect is carried out at step 7."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import SURGE, Text
from audit.games.lotr_reveal.event_rules.base import FrameEventRules
from audit.games.lotr_reveal.event_rules.conditions import before_keywords, other_card, other_step, out_of_place
from audit.games.lotr_reveal.events import SurgeArmed, ThreatChanged, WhenRevealedResolved
from audit.games.lotr_reveal.frames import done, text_done
from audit.games.lotr_reveal.lookup import card_of, with_frame
from audit.games.lotr_reveal.procedure import keyword_tasks, unknown_keyword
from audit.games.lotr_reveal.rules import step_4_5, step_6, step_7
from audit.games.lotr_reveal.state import Character, Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX
from audit.games.lotr_reveal.tasks import find_task, naming
from audit.games.lotr_reveal.texts import OF_TEXTS, keyword_and_value, read_text
from audit.games.lotr_reveal.zones import with_quest_in_doubt


class WhenRevealedResolvedRules(FrameEventRules[WhenRevealedResolved]):
    """The When Revealed effect is carried out."""

    event = WhenRevealedResolved
    announces: frozenset[type[Event]] = frozenset((ThreatChanged, SurgeArmed, *OF_TEXTS))
    task_kind = "revealed"
    depends_on_text = True

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield WhenRevealedResolved(
            seq=0, frame=frame.id, step="7", card=frame.card, affected=_characters_reached(state, frame.card),
            gains=card_of(state, frame.card).text.gains,
        )  # fmt: skip

    def violation(self, state: State, event: WhenRevealedResolved) -> Violation | None:
        if failed := before_keywords(state, event, "when revealed") or out_of_place(state, event):
            return failed
        frame = state.frames[-1]
        task = find_task(frame, "revealed")
        if task is None:
            return _no_effect(state, frame)
        return (
            other_step(frame, INDEX[event.step], task, step_7.RESOLVE)
            or other_card(frame, event.card, step_7.RESOLVE)
            or _other_number(state, event)
            or _other_characters(state, event)
            or _other_keywords(state, event)
        )

    def untold_card(self, state: State, frame: Frame, event: WhenRevealedResolved) -> str | None:
        return frame.card if card_of(state, frame.card).has_when_revealed is None else None

    def cited(self, state: State, frame: Frame, event: WhenRevealedResolved) -> Citations:
        if frame.character_readied and _characters_reached(state, frame.card) is not None:
            return (step_7.RESOLVE, step_4_5.READY_BEFORE_STEP_7)
        return (step_7.RESOLVE,)

    def not_known(self, state: State, frame: Frame, event: WhenRevealedResolved) -> Violations:
        text = card_of(state, frame.card).text
        if not text.is_understood:
            return (Violation(step_7.RESOLVE, "unchecked.text", {"card": frame.card}),)
        if text.does.damage and _characters_reached(state, frame.card) is None:
            return (Violation(step_7.RESOLVE, "unchecked.characters", {"card": frame.card}),)
        return ()

    def apply_in(self, state: State, frame: Frame, event: WhenRevealedResolved) -> State:
        """Keywords gained are due at once; damage is dealt; the rest of the text is free."""
        text = _as_told(state, event)
        gains, may_gain = event.gains if event.gains is not None else text.gains, frame.may_gain
        frame = text_done(state, frame, find_task(frame, "revealed"), text, event.seq)
        if gains is not None:
            frame = _with_keywords_gained(replace(frame, may_gain=may_gain), gains)
        names = event.affected if event.affected is not None else _characters_reached(state, frame.card)
        if text.does.damage and names:
            frame = replace(frame, hurt=names)
            state = _damaged(state, names, text.does.damage)
        if text.reaches_quest:
            state = with_quest_in_doubt(state, event.affected)
        return with_frame(state, frame)


def _with_keywords_gained(frame: Frame, gains: Iterable[str]) -> Frame:
    """The frame with what the keywords ask for that its card has gained."""
    granted, possible = frame.granted_keywords, frame.possible
    tasks: list[Task] = []
    for gained in gains:
        keyword, value = keyword_and_value(gained)
        tasks += keyword_tasks(frame.card, keyword, value, frame.step, "gained")
        possible += unknown_keyword(frame.card, keyword, frame.step)
    if any(gained.startswith(SURGE) for gained in gains):
        granted = (*granted, "gained")
    return done(frame, None, tasks, possible=possible, granted_keywords=granted)


def _characters_reached(state: State, card: str) -> tuple[str, ...] | None:
    """The characters a When Revealed effect reaches, where its text says so."""
    does = card_of(state, card).text.does
    characters = state.characters.values()
    if not does.damage or not characters or any(one.ready is None for one in characters):
        return None
    return tuple(name for name, one in state.characters.items() if one.ready == (does.who == "ready"))


def _no_effect(state: State, frame: Frame) -> Violation:
    if not frame.cancelled_by:
        key = "revealed.done" if card_of(state, frame.card).has_when_revealed else "revealed.none"
        return Violation(step_7.RESOLVE, key, {"card": frame.card})
    named = naming((step_6.TEST_OF_WILL, step_6.ELEANOR_SKIPS_7), frame.cancelled_by)
    data = {"card": frame.card, "source": frame.cancelled_by}
    return Violation((*named, step_6.SKIPS_ONLY_7)[0], "revealed.cancelled", data)


def _number_told(state: State, event: WhenRevealedResolved) -> int | None:
    """The number in the words of an event where those of the card have another; None where the two agree."""
    if not event.effect:
        return None
    text, told = card_of(state, event.card).text, read_text(event.effect, event.card)
    numbers = [(one.does.threat, one.does.damage) for one in (text, told) if one.is_understood]
    if len(numbers) < 2 or numbers[0] == numbers[1] or [bool(n) for n in numbers[0]] != [bool(n) for n in numbers[1]]:
        return None
    return max(numbers[1])


def _other_number(state: State, event: WhenRevealedResolved) -> Violation | None:
    if _number_told(state, event) is None:
        return None
    does = card_of(state, event.card).text.does
    return Violation(step_7.RESOLVE, "revealed.number", {"card": event.card, "n": does.threat or does.damage})


def _as_told(state: State, event: WhenRevealedResolved) -> Text:
    """What the text of the card comes to, with the number that the event gives it."""
    text = card_of(state, event.card).text
    if (told := _number_told(state, event)) is None:
        return text
    does = replace(text.does, threat=told) if text.does.threat else replace(text.does, damage=told)
    return replace(text, does=does)


def _other_characters(state: State, event: WhenRevealedResolved) -> Violation | None:
    meant = _characters_reached(state, event.card)
    if meant is None or event.affected is None or set(event.affected) == set(meant):
        return None
    spared = [name for name in event.affected if name not in meant]
    if not spared:
        left = [name for name in meant if name not in event.affected]
        return Violation(step_7.RESOLVE, "revealed.left_out", {"card": event.card, "names": left})
    who = card_of(state, event.card).text.does.who
    data = {"card": event.card, "names": spared}
    rule = step_4_5.READY_BEFORE_STEP_7 if state.frames[-1].character_readied else step_7.RESOLVE
    return Violation(rule, f"revealed.only_{who}", data)


def _other_keywords(state: State, event: WhenRevealedResolved) -> Violation | None:
    text = card_of(state, event.card).text
    declared = () if text.is_understood and text.gains is None else text.gains
    if declared is None or event.gains is None or event.gains == declared:
        return None
    return Violation(step_7.GAINED_KEYWORDS_NOW, "revealed.gains", {"card": event.card, "names": list(declared)})


def _damaged(state: State, names: Iterable[str], damage: int) -> State:
    characters = dict(state.characters)
    for name in names:
        found = characters.get(name, Character())
        characters[name] = replace(found, damage=found.damage + damage)
    return replace(state, characters=characters)
