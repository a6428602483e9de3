"""Texts are triggered: a text comes into force, or its moment comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.card_rulings import CARD_RULES
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import Triggered
from audit.games.compile.following import led_to
from audit.games.compile.occasions import Occasion, moment_rule
from audit.games.compile.parts import committed, field_position, is_idle, newest, popped, pushed, swapped
from audit.games.compile.readings import FACE_DOWN_METAL_6_STAYS
from audit.games.compile.state import Compiling, DueText, DueTexts, FieldPosition, State, Text
from audit.games.compile.texts import CARD_INSTRUCTIONS, WAITING, card_instructions, is_printed, live, silencer

_IN_A_PART: Final = (
    rules.start_end.OWN_VISIBLE_TEXT,
    rules.text.OUTER_BOXES_WHEN_THEY_SAY,
    rules.start_end.NO_LATECOMERS,
)
_MOMENTS: Final[dict[str, Citations]] = {
    "played": (rules.play.MIDDLE_TEXT_RESOLVED, rules.text.MIDDLE_AT_ONCE),
    "flipped": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.text.INTERRUPT_NEWEST_GOES_FIRST),
    "uncovered": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.text.INTERRUPT_NEWEST_GOES_FIRST),
    "before_covered": (rules.cover.COVER_TRIGGER_BEFORE_COVERING, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "start": _IN_A_PART,
    "end": _IN_A_PART,
    "before_covered_by_unity": (rules.cover.COVER_TRIGGER_BEFORE_COVERING, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "before_return_to_opponent": (rules.effects.CARDS_BEAT_RULES, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "after_opponent_compiles": (rules.edge.AFTER_WHOLE_COMPILE_FIRST, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "before_compile_delete": (rules.compile.SILENT_DELETION, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
}
_AFTER: Final = (rules.edge.AFTER_WAITS_FOR_THE_WHOLE_EVENT, rules.text.OUTER_BOXES_WHEN_THEY_SAY)
_DECK_COUNTS: Final = (rules.acts.DISCARD_DECK_COUNTS_TOO,)
DISCARD_MOMENTS: Final = ("after_you_discard", "after_you_discard_in_opponents_turn", "after_opponent_discards")
BOX_RULES: Final[dict[str, Citations]] = {
    "top": (rules.field.TOP_COMMAND, rules.play.OUTER_BOXES_PASSIVE),
    "middle": (rules.field.MIDDLE_COMMAND,),
    "bottom": (rules.field.BOTTOM_COMMAND, rules.play.OUTER_BOXES_PASSIVE),
}


@lru_cache(maxsize=1024)
def trigger_rules(on: str, box: str, card: str, why: Citations = (), order: Citations = ()) -> Citations:
    """Why a text takes effect at that moment: why it is due, the moment, its box, the order, the rules of its card."""
    return (*why, *_MOMENTS.get(on, _AFTER), *BOX_RULES[box], *order, *CARD_RULES.get(card, ()))


class Trigger(Occasion[Triggered]):
    """A text that is due. If several are due at one moment, their order is free."""

    event = Triggered
    any_order = True

    def __init__(self, due: DueText, why: Citations = (), order: Citations = ()) -> None:
        self.due = due
        self.rules = trigger_rules(due.on, due.box, due.card, why, order)

    def violations(self, state: State, event: Triggered) -> Violations:
        due = self.due
        if event.card == due.card and event.command == due.box:
            return ()
        rule = _has_to_wait(state, event) or self.rules[0]
        data = {"card": due.card, "box": due.box}
        return (Violation(rule, "triggered.other", data, not_intended=event.card != due.card),)

    def citations(self, state: State, event: Triggered) -> Citations:
        due = self.due
        place = field_position(state, due.card) if due.box == "top" else None
        more: Citations = ()
        if due.on == "after_you_draw" and _by_refresh(state):
            more = (rules.refresh.COUNTS_AS_DRAWING,)
        if place is not None and not place.uncovered:
            more = (*more, rules.target.TOP_COMMANDS_REACH_EACH_OTHER)
        return (*self.rules, *more) if more else self.rules

    def candidates(self, state: State) -> Iterator[Triggered]:
        due = self.due
        yield Triggered(seq=0, card=due.card, command=due.box, on=due.on)

    def precedence(self, state: State, event: Event) -> Iterator[Rule]:
        if state.stack:
            yield moment_rule(state, self.due.on)


def _has_to_wait(state: State, event: Triggered) -> Rule | None:
    """Why a text that is due has to wait for newer ones."""
    older = (due for frame in state.stack[:-1] if type(frame) is DueTexts for due in frame.texts)
    found = next((m for m in older if (m.card, m.box) == (event.card, event.command)), None)
    if found is None:
        waits = event.card in WAITING["after_opponent_compiles"] and any(type(one) is Compiling for one in state.stack)
        return rules.edge.AFTER_WHOLE_COMPILE_FIRST if waits else None
    after = found.on.startswith("after")
    return rules.edge.AFTER_WAITS_FOR_THE_WHOLE_EVENT if after else rules.text.INTERRUPT_NEWEST_GOES_FIRST


def _by_refresh(state: State) -> bool:
    """Whether the draw just made was that of the refresh taken in this turn."""
    return state.acted == "refreshed" and all(type(frame) is DueTexts for frame in state.stack)


def triggers(state: State, texts: tuple[DueText, ...]) -> tuple[Trigger, ...]:
    """The texts due at one moment; if there are several, the turn player sets the order."""
    if not texts:
        return ()
    why = _DECK_COUNTS if texts[0].on in DISCARD_MOMENTS and _by_discard_from_deck(state) else ()
    if len(texts) == 1:
        return (Trigger(texts[0], why),)
    free = rules.start_end.ORDER_IS_FREE if texts[0].on in ("start", "end") else rules.effects.TURN_PLAYER_SETS_ORDER
    return tuple([Trigger(due, why, (free,)) for due in texts])


def _by_discard_from_deck(state: State) -> bool:
    """Whether the text under the texts that are due has just discarded from a deck."""
    text = state.stack[-2] if len(state.stack) > 1 else None
    if type(text) is not Text or not text.next_index:
        return False
    done = card_instructions(text)[text.next_index - 1]
    return done.verb == "discard" and done.source.endswith("deck")


def due_in_phase(state: State) -> tuple[Trigger, ...]:
    """The start or end texts that are still to be carried out."""
    if state.due and state.phase in ("start", "end") and is_idle(state):
        return triggers(state, live(state, state.due))
    return ()


class TriggeredRules(CompileEventRules[Triggered]):
    """The rules of a text coming into force."""

    event = Triggered
    is_part: bool = True

    def occasions(self, state: State) -> Iterable[Trigger]:
        if state.stack:
            frame = state.stack[-1]
            return triggers(state, frame.texts) if type(frame) is DueTexts else ()
        return due_in_phase(state)

    def not_carried_out(self, state: State, event: Triggered) -> Violations:
        """A card that has just been revealed does not act, and a text that is due waits for newer ones."""
        if _just_shown(state, event.card):
            return (_not_due(state, event),)
        rule = _has_to_wait(state, event)
        return (Violation(rule, "overdue"),) if rule else ()

    def is_relevant(self, state: State, event: Triggered) -> bool:
        return False

    def forbidden(self, state: State, event: Triggered) -> Violations:
        return (_not_due(state, event),)

    def rejecting_switches(self, state: State, event: Triggered) -> tuple[str, ...]:
        """A text that answers the flip by which it came to light."""
        frame = newest(state)
        place = field_position(state, event.card)
        if type(frame) is not DueTexts or event.command == "middle" or place is None or not place.up:
            return ()
        due = any((t.card, t.box, t.on) == (event.card, event.command, "flipped") for t in frame.texts)
        return (FACE_DOWN_METAL_6_STAYS.name,) if due else ()

    def happen(self, state: State, event: Triggered) -> State:
        why = led_to(state, event)
        frame = state.stack[-1] if state.stack else None
        texts = frame.texts if type(frame) is DueTexts else () if frame else state.due
        for due in texts:
            if due.card == event.card and due.box == event.command:
                break
        else:
            return _begun_unasked(state, event, why)
        rest = tuple([one for one in texts if one is not due])
        if type(frame) is DueTexts:
            state = swapped(state, replace(frame, texts=rest)) if rest else popped(state)
        else:
            state = replace(state, due=rest)
        return _begun(state, due, why)


def _begun(state: State, due: DueText, why: tuple[int, ...]) -> State:
    place = field_position(state, due.card)
    line = place.line if place else 0
    return pushed(state, Text(due.card, due.box, due.entry, due.seat, line, on=due.on, why=why))


def _begun_unasked(state: State, event: Triggered, why: tuple[int, ...]) -> State:
    """The position after a text that was not due: what it does still follows."""
    entry = next((e for card, box, e in CARD_INSTRUCTIONS if (card, box) == (event.card, event.command)), None)
    place = field_position(state, event.card)
    if entry is None or place is None:
        return state
    return _begun(state, DueText(event.card, event.command, entry, event.on or "unasked", place.seat), why)


# Why a text is not due


def _not_due(state: State, event: Triggered) -> Violation:
    data = {"card": event.card, "box": event.command}
    place = field_position(state, event.card)
    if _just_shown(state, event.card):
        return Violation(rules.acts.REVEAL_WAKES_NOTHING, "triggered.unasked", data)
    if place is None:
        return Violation(_out_of_play(state, event.card), "triggered.not_in_play", data)
    if not place.up:
        return Violation(rules.field.FACE_DOWN_BLANK, "triggered.face_down", data)
    if event.command == "bottom" and not place.uncovered:
        return Violation(rules.field.BOTTOM_COMMAND, "triggered.covered", data)
    if event.command == "middle":
        return _middle_not_due(state, event, place, data)
    return _outer_not_due(state, event, place, data)


def _just_shown(state: State, card: str) -> bool:
    return _last_done(state, card) == "reveal"


def _last_done(state: State, card: str) -> str | None:
    """What the text under way has just done with that card."""
    text = newest(state)
    if type(text) is not Text or not text.next_index or text.last_picked != card:
        return None
    return card_instructions(text)[text.next_index - 1].verb


def _out_of_play(state: State, card: str) -> Rule:
    if card in committed(state):
        return rules.committed.OUT_OF_PLAY
    left_together = len(state.just_left) > 1 and card in state.just_left
    return rules.acts.DELETE_WHOLE_LINE_IS_SILENT if left_together else rules.target.FIELD_ONLY


def _outer_not_due(state: State, event: Triggered, place: FieldPosition, data: dict[str, str]) -> Violation:
    """Why a top or bottom text is not due: it has a moment of its own."""
    text = WAITING.get(state.phase, {}).get(event.card)
    now = text is not None and is_printed(state, event.card, *text)
    if now and place.seat == state.player:
        return Violation(rules.start_end.NO_LATECOMERS, "triggered.late", data)
    if now:
        return Violation(rules.start_end.OWN_VISIBLE_TEXT, "triggered.moment", data)
    if event.on == "played":
        return Violation(rules.play.OUTER_BOXES_PASSIVE, "triggered.moment", data)
    if state.acted == "compiled" and state.phase == "compile" and event.card in WAITING["after_you_delete"]:
        return Violation(rules.compile.SILENT_DELETION, "triggered.moment", data)
    return Violation(rules.text.OUTER_BOXES_WHEN_THEY_SAY, "triggered.moment", data)


def _middle_not_due(state: State, event: Triggered, place: FieldPosition, data: dict[str, str]) -> Violation:
    if not place.uncovered:
        return Violation(rules.text.COVERED_CARD_TURNED_UP, "triggered.covered", data)
    if (event.card, "middle", 0) not in CARD_INSTRUCTIONS:
        return Violation(rules.field.MIDDLE_COMMAND, "triggered.no_text", data)
    if source := silencer(state, place.seat, place.line):
        return Violation(rules.effects.CARDS_BEAT_RULES, "triggered.silenced", {**data, "source": source})
    if any(type(frame) is Text and frame.card == event.card for frame in state.stack):
        return Violation(rules.text.INTERRUPT_NEWEST_GOES_FIRST, "triggered.again", data)
    used = not state.stack and not _last_done(state, event.card)
    return Violation(rules.field.MIDDLE_COMMAND if used else rules.text.WAYS_IN, "triggered.unasked", data)


RULES = (TriggeredRules(),)
