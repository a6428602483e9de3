"""The boxes of the cards: the instructions of each text, and which cards wait for which moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from msgspec.structs import replace

from audit.games.compile.cards import CARDS, EARLIER
from audit.games.compile.declarations import BoxName, CardInstruction, Passive, Trigger
from audit.games.compile.parts import Lines, field_position, newest, side_of
from audit.games.compile.state import DueText, FieldPosition, PlacedCard, State, Text

BOXES: Final[tuple[BoxName, ...]] = ("top", "middle", "bottom")
OUTER_BOXES: Final[tuple[BoxName, ...]] = ("top", "bottom")
MIDDLE: Final = 0

PassiveInForce = tuple[str, int, Passive, str]
Passives = tuple[PassiveInForce, ...]
OuterText = tuple[BoxName, str, Passive | int]
"""A text of an outer box: the box, what a passive is about or which moment another waits for, the passive or entry."""
StackTexts = tuple[tuple[str, OuterText], ...]
"""The outer texts in force in a stack, each with its card."""
InForce = tuple[
    Lines,
    tuple[StackTexts, StackTexts, StackTexts],
    Mapping[str, Passives],
    Mapping[str, tuple[DueText, ...]],
    bool,
]
"""The stacks of a side, the outer texts in force in each, its passives by what they are about, other texts by moment,
and whether some of these wait for anything but the start or end of a turn."""

PARTS_OF_TURN: Final = frozenset(("start", "end"))
"""The moments that come in every turn, whatever is done."""

ABOUT_PLAYING: Final = ("any_protocol_play", "no_play", "no_face_down_play", "face_down_play_only")
"""The passives that say where a card may be played."""

CARD_INSTRUCTIONS: Final[dict[tuple[str, str, int], tuple[CardInstruction, ...]]] = {}
"""The instructions of a text by card, box and entry; a middle box is one text, an outer box one a trigger."""

WAITING: Final[dict[str, dict[str, tuple[BoxName, int]]]] = {}
"""For each kind of moment the cards with a text for it, and where on the card the text is."""

CHANGED: Final[dict[tuple[str, str, int], tuple[str, bool]]] = {}
"""Outer texts that an erratum brought or took away: the switch of the editions before it, and whether it turns on."""

PASSIVES: Final[dict[str, tuple[tuple[BoxName, Passive], ...]]] = {}
"""The rules in force as long as the card's text is."""

_NOTHING: Final[InForce] = (((), (), ()), ((), (), ()), {}, {}, False)
_IN_FORCE: Final[dict[str, InForce]] = {"A": _NOTHING, "B": _NOTHING}
"""For each seat what was last found to be in force. It is asked for after most events."""

VALUES: Final[dict[str, int]] = {card.id: card.value for card in CARDS.values()}


def _prepare() -> None:
    for id, card in CARDS.items():
        if instructions := tuple(item for item in card.middle if isinstance(item, CardInstruction)):
            CARD_INSTRUCTIONS[id, "middle", MIDDLE] = instructions
        for box in BOXES:
            for entry, item in enumerate(card.box(box)):
                if isinstance(item, Trigger):
                    CARD_INSTRUCTIONS[id, box, entry] = item.instructions
                    for moment in _moments(item.on):
                        WAITING.setdefault(moment, {})[id] = (box, entry)
        passives = tuple((box, item) for box in BOXES for item in card.box(box) if isinstance(item, Passive))
        if passives:
            PASSIVES[id] = passives


def _prepare_earlier() -> None:
    """Add the outer texts that only earlier editions have, and note which present ones they do not have."""
    for id, (edition, was) in EARLIER.items():
        for card, before in ((CARDS[id], False), (was, True)):
            for box in OUTER_BOXES:
                for entry, item in enumerate(card.box(box)):
                    if isinstance(item, Trigger):
                        CHANGED[id, box, entry] = (f"before-{edition}", before)
                        CARD_INSTRUCTIONS[id, box, entry] = item.instructions
                        WAITING.setdefault(item.on, {})[id] = (box, entry)


def _moments(on: str) -> tuple[str, ...]:
    return ("before_covered", "flipped") if on == "before_covered_or_flipped" else (on,)


_prepare()
_prepare_earlier()

ENTRIES: Final[dict[tuple[str, str], list[int]]] = {}
"""By card and box the entries that are texts which can be carried out."""

TEXTS_WITH: Final[dict[tuple[str, str], list[tuple[BoxName, int]]]] = {}
"""By card and verb the box and entry of every text that has such an instruction."""

OUTER_TEXTS: Final[dict[str, list[OuterText]]] = {}
"""For each card its outer texts."""

for _on, _cards in WAITING.items():
    for _card, (_box, _entry) in _cards.items():
        OUTER_TEXTS.setdefault(_card, []).append((_box, _on, _entry))
for _card, _passives in PASSIVES.items():
    for _box, _passive in _passives:
        _about = "playing" if _passive.rule in ABOUT_PLAYING else _passive.rule
        OUTER_TEXTS.setdefault(_card, []).append((_box, _about, _passive))


def is_printed(state: State, card: str, box: str, entry: int) -> bool:
    """Whether the card has that text in the edition that is played."""
    switch, before = CHANGED.get((card, box, entry), ("", False))
    return (switch in state.switches) == before


def entries_of(card: str, box: BoxName) -> Sequence[int]:
    """Which entries of a box of a card are texts that can be carried out."""
    return ENTRIES.get((card, box), ())


def texts_with(card: str, verb: str) -> Sequence[tuple[BoxName, int]]:
    """The texts of a card with such an instruction, in any branch, by box and entry in the order they are printed."""
    return TEXTS_WITH.get((card, verb), ())


def every_instruction(card: str, box: BoxName, entry: int) -> Iterator[CardInstruction]:
    """The instructions of a text, those of every branch of a choice included."""
    for declared in CARD_INSTRUCTIONS[card, box, entry]:
        yield from (declared, *chain(*declared.options))


def declared_instructions(text: Text) -> tuple[CardInstruction, ...]:
    """The instructions of a text as declared: its own, or those of the middle box it carries out as its own."""
    return CARD_INSTRUCTIONS[(text.of, "middle", MIDDLE) if text.of else (text.card, text.box, text.entry)]


def card_instructions(text: Text) -> tuple[CardInstruction, ...]:
    """The instructions of a text; those of the chosen branch once a choice is made."""
    if text.option < 0 and not text.of:
        return CARD_INSTRUCTIONS[text.card, text.box, text.entry]
    instructions = declared_instructions(text)
    if text.option >= 0:
        branches = (one.options[text.option] if one.options else (one,) for one in instructions)
        return tuple(chain.from_iterable(branches))
    return instructions


def branches_left(text: Text) -> tuple[tuple[str, ...], ...]:
    """The verbs of each branch of a choice that was not taken."""
    declared = (one for one in declared_instructions(text) if one.options)
    return tuple(
        tuple(step.verb for step in branch)
        for one in declared
        for at, branch in enumerate(one.options)
        if at != text.option
    )


def in_force(box: BoxName, up: bool, uncovered: bool) -> bool:
    """A box works while its card is face up; the middle and bottom boxes only while nothing lies on it."""
    return up and (uncovered or box == "top")


def passives(state: State, about: str) -> Passives:
    """The passives in force with that rule, or about "playing": seat and line of the card, the passive, the card."""
    of_a, of_b = _IN_FORCE["A"], _IN_FORCE["B"]
    if of_a[0] is not state.a.lines:
        of_a = _in_force("A", state.a.lines)
    if of_b[0] is not state.b.lines:
        of_b = _in_force("B", state.b.lines)
    return of_a[2].get(about, ()) + of_b[2].get(about, ()) if of_a[2] or of_b[2] else ()


def waiting(state: State, seat: str, on: str) -> tuple[DueText, ...]:
    """Texts of a seat that wait for this kind of moment and are in force."""
    lines = state.a.lines if seat == "A" else state.b.lines
    known = _IN_FORCE.get(seat, _NOTHING)
    if known[0] is not lines:
        known = _in_force(seat, lines)
    found = known[3].get(on)
    return tuple([due for due in found if is_printed(state, due.card, due.box, due.entry)]) if found else ()


def some_react(state: State) -> bool:
    """Whether some text in force waits for anything but the start or end of a turn."""
    of_a, of_b = _IN_FORCE["A"], _IN_FORCE["B"]
    if of_a[0] is not state.a.lines:
        of_a = _in_force("A", state.a.lines)
    if of_b[0] is not state.b.lines:
        of_b = _in_force("B", state.b.lines)
    return of_a[4] or of_b[4]


def _in_force(seat: str, lines: Lines) -> InForce:
    """What is in force on a side. Only stacks that are not as they were are looked at."""
    known = _IN_FORCE.get(seat, _NOTHING)
    (a, b, c), (was_a, was_b, was_c), (of_a, of_b, of_c) = lines, known[0], known[1]
    texts = (
        of_a if a is was_a else _outer_texts(a),
        of_b if b is was_b else _outer_texts(b),
        of_c if c is was_c else _outer_texts(c),
    )
    found = (lines, texts, *known[2:]) if texts == known[1] else _sorted_texts(seat, lines, texts)
    if seat in _IN_FORCE:
        _IN_FORCE[seat] = found
    return found


def _outer_texts(stack: tuple[PlacedCard, ...]) -> StackTexts:
    found: StackTexts = ()
    for placed in stack:
        if placed.up and placed.card in OUTER_TEXTS:
            texts = [text for text in OUTER_TEXTS[placed.card] if text[0] == "top" or placed is stack[-1]]
            found = (*found, *((placed.card, text) for text in texts))
    return found


def _sorted_texts(seat: str, lines: Lines, texts: tuple[StackTexts, StackTexts, StackTexts]) -> InForce:
    ruling: dict[str, Passives] = {}
    waiting: dict[str, tuple[DueText, ...]] = {}
    for line, found in enumerate(texts, 1):
        for card, (box, about, text) in found:
            if isinstance(text, Passive):
                ruling[about] = (*ruling.get(about, ()), (seat, line, text, card))
            else:
                waiting[about] = (*waiting.get(about, ()), DueText(card, box, text, about, seat))
    return lines, texts, ruling, waiting, not waiting.keys() <= PARTS_OF_TURN


def middle(state: State, card: str, place: FieldPosition | None, on: str) -> tuple[DueText, ...]:
    """The middle text of a card, if it has one and it works where the card lies; a tuple of one or none."""
    if place is None or not place.up or not place.uncovered or (card, "middle", MIDDLE) not in CARD_INSTRUCTIONS:
        return ()
    return () if silenced(state, place.seat, place.line) else (DueText(card, "middle", MIDDLE, on, place.seat),)


def silenced(state: State, seat: str, line: int) -> bool:
    """Whether the middle boxes of that side do nothing in that line."""
    return silencer(state, seat, line) is not None


def silencer(state: State, seat: str, line: int) -> str | None:
    """The card whose text keeps the middle boxes of that side from acting in that line, if there is one."""
    for owner, at, rule, card in passives(state, "no_middle_commands"):
        is_here = at == line or rule.scope == "whole_field"
        is_theirs = rule.side == "both" or (rule.side == "you") == (owner == seat)
        if is_here and is_theirs and is_active(state, owner, rule):
            return card
    return None


def is_active(state: State, owner: str, rule: Passive) -> bool:
    """Whether what a rule in force depends on is so: whose turn it is, or that the hand of its owner holds a card."""
    if rule.during == "your_turn" and state.player != owner:
        return False
    return rule.when != "your_hand_not_empty" or bool(side_of(state, owner).hand)


def is_kept_from_drawing(state: State, seat: str) -> bool:
    """Whether a text in force keeps that player from drawing."""
    ruling = passives(state, "no_draw")
    return bool(ruling) and any(owner == seat and is_active(state, owner, p) for owner, _, p, _ in ruling)


def has_own_rule(card: str, *names: str) -> bool:
    """Whether a card carries such a rule about itself alone."""
    return card in PASSIVES and any(p.scope == "this_card" and p.rule in names for _, p in PASSIVES[card])


def cannot_be_turned(card: str, place: FieldPosition) -> bool:
    """Whether a text in force on a card that lies there keeps it from being turned over."""
    return place.up and any(
        p.rule == "no_flip" and in_force(box, place.up, place.uncovered) for box, p in PASSIVES.get(card, ())
    )


def is_visible(state: State, card: str, box: BoxName) -> bool:
    """Whether a text on the field can be read and works."""
    place = field_position(state, card)
    if place is None or not in_force(box, place.up, place.uncovered):
        return False
    return box != "middle" or not silenced(state, place.seat, place.line)


def _prepare_texts() -> None:
    """Note which boxes have texts that can be carried out, and which of these have which instructions."""
    for name, place, number in CARD_INSTRUCTIONS:
        ENTRIES.setdefault((name, place), []).append(number)
    for card in CARDS:
        for box in BOXES:
            for entry in entries_of(card, box):
                for verb in dict.fromkeys(one.verb for one in every_instruction(card, box, entry)):
                    TEXTS_WITH.setdefault((card, verb), []).append((box, entry))


_prepare_texts()


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
