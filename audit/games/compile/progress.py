"""How far a text is: which instruction is next, what it has settled on, whether it can still be read."""

from __future__ import annotations

from msgspec.structs import replace

from audit.games.compile.declarations import CardInstruction
from audit.games.compile.parts import field_position, newest
from audit.games.compile.state import DueText, State, Text
from audit.games.compile.texts import card_instructions, is_visible


def next_instruction(text: Text) -> CardInstruction:
    """The instruction next in turn."""
    return card_instructions(text)[text.next_index]


def opens_another(text: Text) -> bool:
    """Whether the instruction after the next is tied to that one, by "if you do"."""
    instructions = card_instructions(text)
    return len(instructions) > text.next_index + 1 and instructions[text.next_index + 1].if_did == "previous"


def is_lost(state: State, text: Text | DueText) -> bool:
    """Whether the text is no longer visible. A text that answers a flip of its own card is always carried out."""
    if text.on == "flipped" and text.box != "middle":
        return field_position(state, text.card) is None
    return (type(text) is Text and text.text_hidden) or not is_visible(state, text.card, text.box)


def carried_out(text: Text, card: str | None, number: int = 1) -> Text:
    """The text with its next instruction done."""
    return replace(
        text, next_index=text.next_index + 1, done=number, labels=_labels(text, number), remaining=None, taken=(),
        last_picked=card or text.last_picked, chosen_line=0, chosen=(), number=-1,
    )  # fmt: skip


def _labels(text: Text, number: int) -> tuple[str, ...]:
    label = next_instruction(text).label if number else ""
    return (*text.labels, label) if label else text.labels


def not_carried_out(text: Text) -> Text:
    """The text with its next instruction left undone."""
    return carried_out(text, None, 0)


def done_once(text: Text, what: str | int, card: str) -> Text:
    """The text with one more of the things done that its instruction has to do several times."""
    remaining = list(text.remaining or ())
    if what in remaining:
        remaining.remove(what)
    taken = (*text.taken, card)
    if remaining:
        return replace(text, remaining=tuple(remaining), taken=taken, chosen=(), last_picked=card)
    return carried_out(text, card, len(taken))


def readable_text(state: State) -> Text | None:
    """The text that acts now, as long as it can be read."""
    text = newest(state)
    return text if type(text) is Text and not is_lost(state, text) else None


def live(state: State, texts: tuple[DueText, ...]) -> tuple[DueText, ...]:
    """Those of the texts due that can still be read."""
    return tuple([due for due in texts if not is_lost(state, due)])
