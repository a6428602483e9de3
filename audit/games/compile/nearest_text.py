"""The text that comes nearest to an event nothing calls for, and why that text does not act."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.card_rulings import clarification
from audit.games.compile.criteria import line_violation, pick_violation
from audit.games.compile.declarations import ALL, EACH, BoxName, CardInstruction
from audit.games.compile.events import Rearranged, StacksSwapped, cards_of
from audit.games.compile.parts import field_position, is_known, opponent, side_of
from audit.games.compile.state import SEATS, FieldPosition, State, Text
from audit.games.compile.texts import (
    CARD_INSTRUCTIONS,
    MIDDLE,
    PARTS_OF_TURN,
    WAITING,
    every_instruction,
    in_force,
    silencer,
    texts_with,
)
from audit.games.compile.totals import is_met

FARTHEST = 3
"""How far a text is from an event that has acted already."""

Near = tuple[str, FieldPosition, BoxName, int]
"""A text by its card, where that lies, the box and the entry."""


def nearest_text(state: State, verb: str, event: Event) -> Violations:
    """Why no text calls for the event while nothing is under way; () where no text in sight has such an instruction.

    A text that does this and nothing else comes before one that does it with other cards or in another number; those
    that have acted already come last. Of texts equally near first those that do nothing because of another, and one of
    a card that may just have been played face down, then those that wait for something that did not happen, and those
    that lie covered or face down.
    """
    if state.stack:
        return ()
    near = list(_with_verb(state, verb, event))
    played = [one for one in near if _begins_so(one, verb)] if state.acted == "played" else []
    found: list[tuple[int, Violation]] = []
    for reason, among in (
        (_silenced, near), (_ignored, near), (_covered_now, near), (_unmet, near), (_played_face_down, played),
        (_not_its_moment, near), (_covered, near), (_face_down, near),
    ):  # fmt: skip
        for one in among:
            if why := reason(state, *one):
                found.append((_difference(state, one, verb, event), why))
    for one in near:
        if why := _not_meant(state, verb, event, *one) or _acted(state, verb, *one):
            found.append((FARTHEST, why))
    return (min(found, key=lambda way: way[0])[1],) if found else _unseen(state, event)


def _difference(state: State, near: Near, verb: str, event: Event) -> int:
    """How far the text is from the event: it does this alone, among other things, or with others or another number."""
    card, place, box, entry = near
    text = Text(card, box, entry, place.seat, place.line)
    alike = [one for one in every_instruction(card, box, entry) if _fits(state, card, place, one, verb, event)]
    if not any(_would_do(state, text, one, event) for one in alike):
        return FARTHEST - 1
    return min(len(CARD_INSTRUCTIONS[card, box, entry]), FARTHEST - 1) - 1


def _would_do(state: State, text: Text, declared: CardInstruction, event: Event) -> bool:
    """Whether the instruction would do this very thing: with so many cards, and with these."""
    cards = [card for card in cards_of(event) if card]
    number = getattr(event, "count", None) or len(cards)
    if isinstance(declared.count, int) and number and number != declared.count:
        return False
    if declared.count == ALL and len(cards) == 1:
        return False
    on_field = [card for card in cards if field_position(state, card)]
    target = declared.target
    return target is None or not any(pick_violation(state, text, target, card) for card in on_field)


def _begins_so(near: Near, verb: str) -> bool:
    card, _, box, entry = near
    return CARD_INSTRUCTIONS[card, box, entry][0].verb == verb


def _unseen(state: State, event: Event) -> Violations:
    """That a card nobody has seen, perhaps taken for the reason, has no text while it lies face down."""
    actor = getattr(event, "player", None) or state.player
    tops = (stack[-1] for stack in state.side(actor).lines if stack)
    card = next((top.card for top in tops if not top.up and not is_known(top.card)), None)
    return () if card is None else (Violation(rules.field.FACE_DOWN_BLANK, "triggered.face_down", {"card": card}),)


def _with_verb(state: State, verb: str, event: Event) -> Iterator[Near]:
    """The texts on the field that would have such an event happen: of uncovered cards first, of the actor's first."""
    actor = getattr(event, "player", None) or state.player
    cards = [one.card for seat in SEATS for stack in state.side(seat).lines for one in stack if is_known(one.card)]
    known = [(card, place) for card in cards if (place := field_position(state, card)) is not None]
    known.sort(key=lambda one: (not one[1].uncovered, one[1].seat != actor, one[1].line != getattr(event, "line", 0)))
    for card, place in known:
        for box, entry in texts_with(card, verb):
            if any(_fits(state, card, place, one, verb, event) for one in every_instruction(card, box, entry)):
                yield card, place, box, entry


def _fits(state: State, card: str, place: FieldPosition, declared: CardInstruction, verb: str, event: Event) -> bool:
    """Whether the instruction has the player of the event do this, with the card of the event where it means itself."""
    if declared.verb != verb:
        return False
    if isinstance(event, Rearranged | StacksSwapped) and not _is_on(event.side, declared, place):
        return False
    player = getattr(event, "player", None)
    actor = opponent(place.seat) if declared.who == "opponent" else place.seat
    if player is not None and declared.who != "both" and player != actor:
        return False
    target = declared.target
    means_itself = target is not None and target.ref == "this"
    return not means_itself or getattr(event, "card", None) in (None, card)


def _is_on(side: str, declared: CardInstruction, place: FieldPosition) -> bool:
    """Whether the instruction is about that side of the table."""
    return side == (place.seat if declared.side == "you" else opponent(place.seat))


def _silenced(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    source = silencer(state, place.seat, place.line) if box == "middle" and place.up and place.uncovered else None
    return _kept_by(source, card)


def _ignored(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    """Of a middle text whose card may just have been turned over by a text that keeps it from acting."""
    if box != "middle" or state.acted != "played" or not (place.up and place.uncovered):
        return None
    tops = (stack[-1] for stack in side_of(state, state.player).lines if stack)
    source = next((top.card for top in tops if top.up and top.card != card and _turns_without_middle(top.card)), None)
    return _kept_by(source, card)


def _kept_by(source: str | None, card: str) -> Violation | None:
    """That a card keeps the middle text of another from acting; None where there is no such card."""
    if source is None:
        return None
    return Violation(rules.effects.CARDS_BEAT_RULES, "triggered.silenced", {"card": card, "source": source})


def _turns_without_middle(card: str) -> bool:
    return any(one.ignores_middle for one in CARD_INSTRUCTIONS.get((card, "middle", MIDDLE), ()))


def _covered_now(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    """Of a text for this very part of the turn that lies covered."""
    return _covered(state, card, place, box, entry) if _is_for_now(state, card, place, box, entry) else None


def _unmet(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    """Of a text for this very part of the turn whose condition is not met."""
    condition = CARD_INSTRUCTIONS[card, box, entry][0].condition
    if (
        condition is None
        or not in_force(box, place.up, place.uncovered)
        or not _is_for_now(state, card, place, box, entry)
    ):
        return None
    if is_met(state, Text(card, box, entry, place.seat, place.line), condition):
        return None
    return Violation(rules.effects.CONDITION_MUST_BE_MET, "triggered.unmet", {"card": card})


def _is_for_now(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> bool:
    """Whether the text is one for this very part of the turn."""
    part = "start" if state.phase == "start" else "end"
    return state.player == place.seat and WAITING[part].get(card) == (box, entry)


def _played_face_down(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    """Of a middle text that would have acted as the action of this turn, had its card been played face up."""
    may_be = place.seat == state.player and place.uncovered and box == "middle"
    return _face_down(state, card, place, box, entry) if may_be else None


def _not_its_moment(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    if box == "middle" or not in_force(box, place.up, place.uncovered):
        return None
    moments = (on for on, cards in WAITING.items() if on not in PARTS_OF_TURN and cards.get(card) == (box, entry))
    moment = next(moments, None)
    if moment is None:
        return None
    return Violation(rules.text.OUTER_BOXES_WHEN_THEY_SAY, f"uncalled.{moment}", {"card": card})


def _face_down(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    return None if place.up else Violation(rules.field.FACE_DOWN_BLANK, "triggered.face_down", {"card": card})


def _covered(state: State, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    if place.uncovered or not place.up or box == "top":
        return None
    return Violation(_box_rule(box), "triggered.covered", {"card": card})


def _box_rule(box: BoxName) -> Rule:
    return rules.field.MIDDLE_COMMAND if box == "middle" else rules.field.BOTTOM_COMMAND


def _not_meant(
    state: State, verb: str, event: Event, card: str, place: FieldPosition, box: BoxName, entry: int
) -> Violation | None:
    """Of a text that may just have acted in each line of a kind, or on every card of one: that this is none of them."""
    if box != "middle" or state.acted != "played" or place.seat != state.player or not (place.up and place.uncovered):
        return None
    text = Text(card, box, entry, place.seat, place.line)
    for declared in CARD_INSTRUCTIONS[card, box, entry]:
        if declared.verb == verb == "play":
            return line_violation(state, text, declared, getattr(event, "line", 0))
        if declared.verb == verb and declared.target and (declared.count in (ALL, EACH) or declared.in_lines):
            on_field = (one for one in cards_of(event) if field_position(state, one))
            return next(filter(None, (pick_violation(state, text, declared.target, one) for one in on_field)), None)
    return None


def _acted(state: State, verb: str, card: str, place: FieldPosition, box: BoxName, entry: int) -> Violation | None:
    if box != "middle" or entry != MIDDLE:
        return None
    return Violation(_used_up_on(state, verb) or rules.field.MIDDLE_COMMAND, "uncalled.acted", {"card": card})


def _used_up_on(state: State, verb: str) -> Rule | None:
    """The rule made for the card on top of a trash that answers being turned over, such as Metal 6."""
    tops = [side.trash[-1] for side in (state.a, state.b) if side.trash]
    answering = (clarification(card, "flipped") for card in tops if card in WAITING["flipped"])
    return next(filter(None, answering), None) if verb == "flip" else None
