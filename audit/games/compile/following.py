"""What follows from an event: the text that waited for it goes on, and other texts become due."""

from __future__ import annotations

from msgspec.structs import replace

from audit.core.event_rules import Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.parts import field_position, pushed, side_of, swapped
from audit.games.compile.state import MAX_FRAMES, DueText, DueTexts, State, Text
from audit.games.compile.texts import carried_out, done_once, next_instruction


def waiting_text(state: State, *verbs: str) -> Text | None:
    """The text acting now, if its next instruction is one of these; a choice counts by its branches."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text:
        return None
    declared = next_instruction(frame)
    if declared.verb in verbs or any(branch[0].verb in verbs for branch in declared.options):
        return frame
    return None


def _branch(text: Text, verb: str) -> Text:
    """The text with the branch chosen that begins with this verb, if there is a choice to make."""
    for index, branch in enumerate(next_instruction(text).options):
        if branch[0].verb == verb:
            return replace(text, option=index)
    return text


def drawn_at_random(state: State, verb: str, holder: str) -> Violations:
    """That a log cannot show how the card was picked, where a text has it drawn at random out of several in hand."""
    text = waiting_text(state, verb)
    if text is None or not next_instruction(text).at_random or len(side_of(state, holder).hand) < 2:
        return ()
    return (Violation(rules.effects.CARDS_BEAT_RULES, "random", {"card": text.card}),)


def carried_forward(state: State, verb: str, card: str | None, number: int = 1) -> State:
    """The text that waited for this, carried forward."""
    text = waiting_text(state, verb)
    if text is None:
        return state
    text = _branch(text, verb)
    place = field_position(state, card) if card else None
    if place is not None:
        text = replace(text, last_line=place.line)
    if text.remaining is None:
        return swapped(state, carried_out(text, card, number))
    what: str | int = place.line if place and next_instruction(text).in_lines else card or ""
    return swapped(state, done_once(text, what, card or ""))


def carried_forward_by(
    state: State, player: str, cards: tuple[str, ...], verb: str, card: str | None, number: int
) -> State:
    """As `carried_forward`; an instruction that both players carry out is done by this player, with these cards."""
    text = waiting_text(state, verb)
    if text is not None and next_instruction(text).who == "both" and text.remaining is not None:
        return swapped(state, done_once(text, player, (*cards, "")[0]))
    return carried_forward(state, verb, card, number)


def led_to(state: State, event: Event) -> tuple[int, ...]:
    """The causes of what the event triggers: its own seq, then those of what is under way."""
    if not state.stack:
        return (event.seq,) if event.seq else ()
    under = state.stack[-1].why
    return (event.seq, *under[:MAX_FRAMES]) if event.seq else under


def with_due(state: State, texts: tuple[DueText, ...], why: tuple[int, ...]) -> State:
    """The position with these texts due, if there are any."""
    return pushed(state, DueTexts(texts, why)) if texts else state
