"""A card of the field is announced for another line of its side."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.event_rules.picking import FieldCardRules, Pick, line_of
from audit.games.compile.events import Shifted
from audit.games.compile.following import carried_forward, led_to, waiting_text
from audit.games.compile.moves import lift
from audit.games.compile.occasions import acting_text, instructions
from audit.games.compile.parts import field_position, newest, opponent, pushed, side_of, swapped
from audit.games.compile.state import LINES, CardMovement, Compiling, Frame, Refreshing, State, Text
from audit.games.compile.texts import done_once, is_lost, next_instruction
from audit.games.compile.totals import highest_lines


class Shift(Pick[Shifted]):
    """Move a card to another line of its side."""

    verbs = ("shift",)
    event = Shifted

    def verb_rules(self) -> Citations:
        return (rules.acts.SHIFT_OTHER_LINE_SAME_SIDE, self.reach(), *self.scope())

    def violations(self, state: State, event: Shifted) -> Violations:
        if violation := self.target_violation(state, event.card):
            return (violation,)
        place = field_position(state, event.card)
        if place is None:
            return ()
        if event.from_ is not None and event.from_ != place.line:
            data = {"card": event.card, "line": place.line}
            return (Violation(rules.acts.SHIFT_OTHER_LINE_SAME_SIDE, "shift.from", data),)
        if event.to not in self.destinations(state, acting_text(state), place.line):
            rule = self.own_rule() if acting_text(state).chosen_line else None
            rule = rule or rules.acts.SHIFT_OTHER_LINE_SAME_SIDE
            if self.declared.to == "opponents_highest_total_line":
                lines = highest_lines(state, opponent(acting_text(state).seat))
                data = {"card": event.card, "asked": ", ".join(map(str, lines))}
                return (Violation(rule, "shift.highest", data),)
            return (Violation(rule, "shift.to", {"card": event.card, "line": event.to}),)
        if below := self._left_below(state, event.card):
            rule = self.own_rule() or rules.committed.QUEUE
            return (Violation(rule, "shift.order", {"card": event.card, "below": below}),)
        return ()

    def _left_below(self, state: State, card: str) -> str | None:
        """A card of the same stack that belongs to the group too, and comes before this one."""
        place = field_position(state, card)
        if place is None or not self.declared.together:
            return None
        stack = side_of(state, place.seat).lines[place.line - 1][: place.index]
        waiting = self.pickable(state, acting_text(state))
        return next((placed.card for placed in stack if placed.card in waiting), None)

    def destinations(self, state: State, text: Text, at: int) -> list[int]:
        """The lines a card lying in that line can be moved to."""
        if text.chosen_line:
            return [text.chosen_line]
        away = [line for line in LINES if line != at]
        if self.declared.to == "opponents_highest_total_line":
            return [line for line in highest_lines(state, opponent(text.seat)) if line in away]
        if self.declared.to == "this_line" or (self.declared.to == "to_or_from_this_line" and at != text.line):
            return [line for line in away if line == text.line]
        return away

    def ready(self, state: State, text: Text) -> bool:
        return any(self.destinations(state, text, line_of(state, card)) for card in self.pickable(state, text))

    def candidates(self, state: State) -> Iterator[Shifted]:
        text = acting_text(state)
        for card in self.pickable(state, text):
            if self._left_below(state, card):
                continue
            at = line_of(state, card)
            for line in self.destinations(state, text, at):
                yield Shifted(seq=0, card=card, from_=at, to=line)

    def single_candidate(self, state: State) -> Event | None:
        """The one shift, or the first of a group whose line is chosen: the group leaves as one."""
        if self.declared.together and acting_text(state).chosen_line:
            return next(self.candidates(state), None)
        return super().single_candidate(state)


def lines_for_group(state: State, text: Text) -> set[int]:
    """The lines that may be chosen for cards that are shifted together; none for another text, or once it is chosen."""
    if is_lost(state, text) or not next_instruction(text).together or text.chosen_line:
        return set()
    return {event.to for one in instructions(text) if isinstance(one, Shift) for event in one.candidates(state)}


class ShiftedRules(FieldCardRules[Shifted]):
    """The rules of shifting a card."""

    event = Shifted
    verb = "shift"
    may_be_ambiguous: bool = True

    def stays(self, state: State, card: str) -> Violations:
        if _is_rearranging(state):
            return (Violation(rules.acts.REARRANGE_CARDS_STAY, "shift.unasked", {"card": card}),)
        return ()

    def happen(self, state: State, event: Shifted) -> State:
        place = field_position(state, event.card)
        if place is None:
            return carried_forward(state, "shift", event.card)
        why = led_to(state, event)
        text = waiting_text(state, "shift")
        movement = CardMovement(event.card, place.up, place.seat, event.to, place.line, played=False, why=why)
        if text is None or not next_instruction(text).together:
            return pushed(carried_forward(state, "shift", event.card), movement)
        if text.chosen_line in (0, event.to):
            return _shifted_together(state, text, (*text.taken, event.card), event, why)
        return pushed(_shifted_together(state, text, text.taken, event, why), movement)


def _is_rearranging(state: State) -> bool:
    frame = newest(state)
    if isinstance(frame, Refreshing | Compiling):
        return frame.choice
    return type(frame) is Text and next_instruction(frame).verb in ("rearrange", "swap")


def _shifted_together(state: State, text: Text, group: tuple[str, ...], event: Shifted, why: tuple[int, ...]) -> State:
    """A group is announced card by card and then leaves as one (card.light-3); a card sent elsewhere goes by itself."""
    line = text.chosen_line or event.to
    after = done_once(replace(text, chosen_line=line), event.card, event.card)
    if after.remaining is not None:
        return swapped(state, replace(after, taken=group))
    state = swapped(state, after)
    places = [(card, place) for card in group if (place := field_position(state, card))]
    movements = [
        CardMovement(
            card, place.up, place.seat, line, place.line, played=False, committed=True, order=order,
            freed=not place.uncovered, why=why,
        )
        for order, (card, place) in enumerate(places)
    ]  # fmt: skip
    state, uncovered = lift(state, group, for_good=False)
    movements[0] = replace(movements[0], uncovered_cards=uncovered)
    return pushed(state, *reversed(movements))


def other_side_first(state: State) -> Iterator[State]:
    """The position in which, of a group on its way to a line, the next card of the other side lands first.

    The cards of one side keep their order (committed.queue); which side comes first is seen where they land, unless it
    was written down how the cards set out.
    """
    stack = state.stack
    for top in range(len(stack) - 1, 0, -1):
        first = stack[top]
        if type(first) is not CardMovement or not first.committed or first.played:
            continue
        other = next((at for at in range(top - 1, -1, -1) if not _is_of_side(stack[at], first)), -1)
        moved = stack[other] if other >= 0 else None
        if type(moved) is CardMovement and _left_together(moved, first):
            rest = (*stack[:other], *stack[other + 1 : top], replace(first, uncovered_cards=()))
            yield replace(
                state, stack=(*rest, replace(moved, uncovered_cards=first.uncovered_cards), *stack[top + 1 :])
            )
            return


def _is_of_side(frame: Frame, other: CardMovement) -> bool:
    return type(frame) is CardMovement and _left_together(frame, other) and frame.seat == other.seat


def _left_together(one: CardMovement, other: CardMovement) -> bool:
    return one.committed and not one.played and (one.origin, one.line, one.why) == (other.origin, other.line, other.why)


RULES = (ShiftedRules(),)
