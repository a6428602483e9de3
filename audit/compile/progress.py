"""How a text goes on: which instruction is next, what it has settled on, what is silently passed over."""

from __future__ import annotations

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import fitting
from audit.compile.state import LINES, Skipped, State, Text, field_position, popped, swapped
from audit.compile.texts import STEPS, is_visible, steps_of
from audit.compile.verbs import VERBS
from audit.compile.verbs.instruction import Instruction
from audit.compile.words import ALL, EACH, Count, Step

_Key = tuple[str, str, int]

INSTRUCTIONS: dict[_Key, tuple[Instruction | tuple[Instruction, ...], ...]] = {
    key: tuple(
        tuple(VERBS[branch[0].verb](key[0], branch[0]) for branch in step.options)
        if step.verb == "choose"
        else VERBS[step.verb](key[0], step)
        for step in steps
    )
    for key, steps in STEPS.items()
}
"""For each text its instructions as options; for a choice between several, the first of each branch."""


def step_of(text: Text) -> Step:
    """The instruction next in turn."""
    return steps_of(text)[text.step]


def instructions(text: Text) -> tuple[Instruction, ...]:
    """The ways to carry out the next instruction: one, or one a branch of a choice."""
    if text.option >= 0:
        step = step_of(text)
        return (VERBS[step.verb](text.card, step),)
    found = INSTRUCTIONS[text.card, text.box, text.entry][text.step]
    return found if isinstance(found, tuple) else (found,)


def opens_another(text: Text) -> bool:
    """Whether the instruction after the next is tied to that one, as a thing bought is to its price."""
    steps = steps_of(text)
    return len(steps) > text.step + 1 and steps[text.step + 1].if_did == "previous"


def is_lost(state: State, text: Text) -> bool:
    """Whether the text went out of sight. One that answers a flip of its own card is sure to be read."""
    if text.on == "flipped" and text.box != "middle":
        return field_position(state, text.card) is None
    return text.text_hidden or not is_visible(state, text.card, text.box)


def carried_out(text: Text, card: str | None, number: int = 1) -> Text:
    """The text with its next instruction done."""
    return replace(
        text, step=text.step + 1, done=number, labels=_labels(text, number), last_picked=card or text.last_picked,
        remaining=None, taken=(), chosen_line=0, chosen=(),
    )  # fmt: skip


def _labels(text: Text, number: int) -> tuple[str, ...]:
    label = step_of(text).label
    return (*text.labels, label) if label and number else text.labels


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


def advance_text(state: State, text: Text) -> State | None:
    """The position with everything passed over that needs no word; None if there was nothing of the kind."""
    steps = steps_of(text)
    if text.step >= len(steps):
        return popped(state)
    step = steps[text.step]
    if text.remaining is not None:
        return _finished(state, text)
    if rule := _unmet(state, text, step):
        skipped = (*state.skipped, Skipped(text.card, step.verb, rule.id))
        return replace(swapped(state, not_carried_out(text)), skipped=skipped)
    remaining = _noted_before(state, text, step)
    return None if remaining is None else swapped(state, replace(text, remaining=remaining))


def _finished(state: State, text: Text) -> State | None:
    """An instruction done several times is over when nothing of what is left can be done any more."""
    if not text.taken or is_lost(state, text) or instructions(text)[0].ready(state, text):
        return None
    return swapped(state, carried_out(text, None, len(text.taken)))


def _unmet(state: State, text: Text, step: Step) -> Rule | None:
    if step.if_did and not (text.done if step.if_did == "previous" else step.if_did in text.labels):
        return rules.effects.CONDITION_MUST_BE_MET
    if step.condition:
        place = field_position(state, text.card)
        met = place is not None and (place.index > 0 if step.condition == "this_covering" else not place.uncovered)
        return None if met else rules.effects.CONDITION_MUST_BE_MET
    return None


def _noted_before(state: State, text: Text, step: Step) -> tuple[str | int, ...] | None:
    """What is noted before an instruction is done several times; None for one done once."""
    if step.in_lines == "each_other_line":
        return tuple(line for line in LINES if line != text.line)
    if step.in_lines == "each_line_with_your_card":
        return tuple(line for line, stack in enumerate(state.side(text.seat).lines, 1) if stack)
    if isinstance(step.count, Count) and step.count.per:
        here = sum(len(side.lines[text.line - 1]) for side in (state.a, state.b))
        return ("",) * (here // step.count.per)
    several = step.count == EACH or (step.count == ALL and step.verb in ("flip", "shift"))
    if several and step.target:
        return tuple(card for card, _ in fitting(state, text, step.target))
    return None
