"""All cards of a line that fit, and lines in which none does (topic all-vs-each)."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation
from audit.games.compile import rules
from audit.games.compile.criteria import pick_violation, placed_picks
from audit.games.compile.declarations import ALL, Target
from audit.games.compile.occasions import acting_text
from audit.games.compile.parts import field_position
from audit.games.compile.procedures import line_cards
from audit.games.compile.readings import LINE_MUST_HOLD_A_TARGET
from audit.games.compile.state import LINES, State, Text
from audit.games.compile.texts import card_instructions


def line_of(state: State, card: str) -> int:
    """The line a card lies in; 0 where it does not lie on the field."""
    place = field_position(state, card)
    return place.line if place else 0


def whole_sets(state: State, text: Text, target: Target) -> Iterator[tuple[str, ...]]:
    """For every line that may be chosen, all its cards that fit (topic all-vs-each)."""
    found = placed_picks(state, text, target)
    for line in _lines_for(state, text, target):
        if cards := tuple(card for card, place in found if place.line == line):
            yield cards


def empty_lines(state: State, text: Text) -> tuple[int, ...]:
    """The lines a text may settle on though none of their cards fits: then it does nothing."""
    declared = card_instructions(text)[text.next_index]
    target = declared.target
    if declared.count != ALL or target is None or target.line != "chosen" or text.remaining is not None:
        return ()
    if LINE_MUST_HOLD_A_TARGET.name in state.switches:
        return ()
    held = {place.line for _, place in placed_picks(state, text, target)}
    return tuple(line for line in LINES if line not in held)


def _lines_for(state: State, text: Text, target: Target) -> Iterator[int]:
    for line in LINES:
        if len(line_cards(state, line)) >= target.line_at_least and not _is_own(text, target, line):
            yield line


def _is_own(text: Text, target: Target, line: int) -> bool:
    return target.line == "chosen_other" and line == text.line


def whole_set_violations(state: State, target: Target, cards: tuple[str, ...]) -> tuple[Violation, ...]:
    """Why these cards are not all that fit in one line that may be chosen."""
    text = acting_text(state)
    for card in cards:
        if violation := pick_violation(state, text, target, card):
            return (violation,)
    lines = {line_of(state, card) for card in cards}
    if len(lines) != 1:
        return (Violation(rules.field.THREE_LINES, "all.line", {}),)
    (line,) = lines
    if _is_own(text, target, line):
        return (Violation(rules.field.LINE_TWO_PROTOCOLS, "pick.own_line", {"card": cards[0], "source": text.card}),)
    if (held := len(line_cards(state, line))) < target.line_at_least:
        told = {"line": line, "n": held, "least": target.line_at_least}
        return (Violation(rules.field.LINE_TWO_PROTOCOLS, "all.few_in_line", told),)
    wanted = {card for card, place in placed_picks(state, text, target) if place.line == line}
    missing = sorted(wanted.difference(cards))
    return (Violation(_missing_rule(state, target, missing), "all.missing", {"cards": missing}),) if missing else ()


def _missing_rule(state: State, target: Target, missing: list[str]) -> Rule:
    """Why cards left out belong to all of them."""
    left = [place for card in missing if (place := field_position(state, card))]
    if all(not place.uncovered for place in left):
        return rules.all_.INCLUDES_COVERED
    hidden = target.values and all(not place.up for place in left)
    return rules.field.FACE_DOWN_VALUE if hidden else rules.all_.AT_ONCE
