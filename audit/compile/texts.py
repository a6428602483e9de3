"""The boxes of the cards: the instructions of each text, and which cards wait for which moment."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from audit.compile.cards import CARDS
from audit.compile.cards.earlier import EARLIER
from audit.compile.state import DueText, FieldPosition, PlacedCard, State, Text, field_position
from audit.compile.words import BoxName, CardInstruction, Passive, Trigger

BOXES: tuple[BoxName, ...] = ("top", "middle", "bottom")
OUTER_BOXES: tuple[BoxName, ...] = ("top", "bottom")
MIDDLE = 0

PassiveInForce = tuple[str, int, Passive, str]

CARD_INSTRUCTIONS: dict[tuple[str, str, int], tuple[CardInstruction, ...]] = {}
"""The instructions of a text by card, box and entry; a middle box is one text, an outer box one a trigger."""

WAITING: dict[str, dict[str, tuple[BoxName, int]]] = {}
"""For each kind of moment the cards with a text for it, and where on the card the text is."""

CHANGED: dict[tuple[str, str, int], tuple[str, bool]] = {}
"""Outer texts that an erratum brought or took away: the switch of the editions before it, and whether it turns on."""

PASSIVES: dict[str, tuple[tuple[BoxName, Passive], ...]] = {}
"""The rules in force as long as the card's text is."""

VALUES: dict[str, int] = {card.id: card.value for card in CARDS.values()}


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


def is_printed(state: State, card: str, box: str, entry: int) -> bool:
    """Whether the card has that text in the edition that is played."""
    switch, before = CHANGED.get((card, box, entry), ("", False))
    return (switch in state.switches) == before


def entries_of(card: str, box: BoxName) -> list[int]:
    """Which entries of a box of a card are texts that can be carried out."""
    return [entry for name, place, entry in CARD_INSTRUCTIONS if name == card and place == box]


def declared_instructions(text: Text) -> tuple[CardInstruction, ...]:
    """The instructions of a text as declared: its own, or those of the middle box it carries out as its own."""
    return CARD_INSTRUCTIONS[(text.of, "middle", MIDDLE) if text.of else (text.card, text.box, text.entry)]


def card_instructions(text: Text) -> tuple[CardInstruction, ...]:
    """The instructions of a text; those of the chosen branch once a choice is made."""
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


def passives(state: State) -> tuple[PassiveInForce, ...]:
    """Every passive in force now: seat and line of its card, the passive, the card."""
    return _standing("A", state.a.lines) + _standing("B", state.b.lines)


@lru_cache(maxsize=1024)
def _standing(seat: str, lines: tuple[tuple[PlacedCard, ...], ...]) -> tuple[PassiveInForce, ...]:
    """The passives of one side, cached: they are asked for every place of every card in hand."""
    return tuple(
        (seat, number, passive, placed.card)
        for number, stack in enumerate(lines, 1)
        for index, placed in enumerate(stack)
        if placed.up and placed.card in PASSIVES
        for box, passive in PASSIVES[placed.card]
        if box == "top" or index == len(stack) - 1
    )


def waiting(state: State, seat: str, on: str) -> tuple[DueText, ...]:
    """Texts of a seat that wait for this kind of moment and are in force."""
    cards = WAITING.get(on, {})
    found = [
        (placed, stack) for stack in state.side(seat).lines for placed in stack if placed.card in cards and placed.up
    ]
    if not found:
        return ()
    return tuple(
        DueText(placed.card, *cards[placed.card], on, seat)
        for placed, stack in found
        if (cards[placed.card][0] == "top" or placed is stack[-1])
        and is_printed(state, placed.card, *cards[placed.card])
    )


def middle(state: State, card: str, place: FieldPosition | None, on: str) -> tuple[DueText, ...]:
    """The middle text of a card, if it has one and it works where the card lies; a tuple of one or none."""
    if place is None or not place.up or not place.uncovered or (card, "middle", MIDDLE) not in CARD_INSTRUCTIONS:
        return ()
    return () if silenced(state, place.seat, place.line) else (DueText(card, "middle", MIDDLE, on, place.seat),)


def silenced(state: State, seat: str, line: int) -> bool:
    """Whether the middle boxes of that side do nothing in that line."""
    return any(
        rule.rule == "no_middle_commands"
        and (at == line or rule.scope == "whole_field")
        and (rule.side == "both" or (rule.side == "you") == (owner == seat))
        and is_active(state, owner, rule)
        for owner, at, rule, _ in passives(state)
    )


def is_active(state: State, owner: str, rule: Passive) -> bool:
    """Whether what a rule in force depends on is so: whose turn it is, or that the hand of its owner holds a card."""
    if rule.during == "your_turn" and state.player != owner:
        return False
    return rule.when != "your_hand_not_empty" or bool(state.side(owner).hand)


def is_kept_from_drawing(state: State, seat: str) -> bool:
    """Whether a text in force keeps that player from drawing."""
    return any(
        p.rule == "no_draw" and owner == seat and is_active(state, owner, p) for owner, _, p, _ in passives(state)
    )


def has_own_rule(card: str, *names: str) -> bool:
    """Whether a card carries such a rule about itself alone."""
    return any(p.scope == "this_card" and p.rule in names for _, p in PASSIVES.get(card, ()))


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
