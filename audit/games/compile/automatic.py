"""What happens without an event: everything under way goes on until an event is needed.

Texts skip instructions that are not carried out, cards that left arrive, a compile turns its protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from audit.games.compile.criteria import fitting
from audit.games.compile.declarations import ALL, EACH, CardInstruction, Count
from audit.games.compile.moves import arrived, leave
from audit.games.compile.occasions import instructions
from audit.games.compile.parts import field_position, opponent, popped, pushed, side_of, swapped, winner, with_side
from audit.games.compile.procedures import (
    compile_over,
    control_is_up,
    is_draw_barred,
    line_cards,
    lines_with_face_down_card,
    refresh_over,
    to_draw,
)
from audit.games.compile.readings import LANDS_BEFORE_EXPOSED
from audit.games.compile.state import (
    LINES,
    CardMovement,
    CardsLeaving,
    Clearing,
    Compiling,
    DueTexts,
    Frame,
    Refreshing,
    Returning,
    Skipped,
    State,
    Text,
)
from audit.games.compile.texts import (
    branches_left,
    cannot_be_turned,
    card_instructions,
    carried_out,
    is_lost,
    live,
    not_carried_out,
    waiting,
)
from audit.games.compile.totals import is_met


def resolve_automatic(state: State) -> State:
    """The position after everything that happens without an event."""
    while state.stack:
        frame = state.stack[-1]
        after = _AUTOMATIC[type(frame)](state, frame)
        if after is None:
            return state
        state = after
    return state


def _resolve_due(state: State, due: DueTexts) -> State | None:
    texts = live(state, due.texts)
    if not texts:
        return popped(state)
    return None if len(texts) == len(due.texts) else swapped(state, replace(due, texts=texts))


def _resolve_leaving(state: State, leaving: CardsLeaving) -> State | None:
    if leaving.uncovered_cards:
        return None
    return arrived(popped(state), leaving.cards, leaving.to) if leaving.cards else popped(state)


def _resolve_trip(state: State, movement: CardMovement) -> State | None:
    """A card committed later to the same stack waits until the earlier one has landed (committed.queue)."""
    if len(state.stack) == 1 or not movement.committed:
        return None
    if movement.uncovered_cards and LANDS_BEFORE_EXPOSED.name not in state.switches:
        return None
    for index, frame in enumerate(state.stack[:-1]):
        if (
            type(frame) is CardMovement
            and frame.committed
            and (frame.seat, frame.line) == (movement.seat, movement.line)
            and frame.order < movement.order
        ):
            rest = state.stack[:-1]
            return replace(state, stack=(*rest[:index], movement, *rest[index:]))
    return None


def _resolve_returning(state: State, frame: Returning) -> State:
    """What no text has put elsewhere goes to hand."""
    left = tuple(card for card in frame.cards if field_position(state, card))
    return leave(popped(state), left, "hand", frame.why, None)


def _resolve_refresh(state: State, frame: Refreshing) -> State | None:
    if frame.control or frame.choice:
        return None
    side = side_of(state, frame.seat)
    return None if to_draw(state, frame.seat) and (side.deck or side.trash) else refresh_over(state, frame)


def _resolve_compile(state: State, frame: Compiling) -> State | None:
    if control_is_up(state, frame):
        return None
    if not frame.asked:
        return _ask_to_escape(state, frame)
    if not frame.deleted:
        return None if line_cards(state, frame.line) else swapped(state, replace(frame, deleted=True))
    return _turn_protocol(state, frame)


def _ask_to_escape(state: State, frame: Compiling) -> State:
    """Texts that stand in for the deletion come before it."""
    here = set(line_cards(state, frame.line))
    texts = tuple(
        due
        for seat in (frame.seat, opponent(frame.seat))
        for due in waiting(state, seat, "before_compile_delete")
        if due.card in here
    )
    asked = swapped(state, replace(frame, asked=True))
    return pushed(asked, DueTexts(texts, frame.why)) if texts else asked


def _turn_protocol(state: State, frame: Compiling) -> State | None:
    side = side_of(state, frame.seat)
    protocol = side.protocols[frame.line - 1]
    if protocol not in side.compiled and not frame.again:
        turned = with_side(state, frame.seat, replace(side, compiled=side.compiled | {protocol}))
        return popped(turned) if winner(turned) else compile_over(turned, frame)
    theirs = side_of(state, opponent(frame.seat))
    can_draw = bool(theirs.deck or theirs.trash) and not is_draw_barred(state, frame.seat, from_other_deck=True)
    return None if can_draw else compile_over(state, frame)


# Texts


def _advance_text(state: State, text: Text) -> State | None:
    """The position after skipping what needs no event; None if there is nothing to skip."""
    instructions = card_instructions(text)
    if text.next_index >= len(instructions):
        return _text_over(state, text)
    declared = instructions[text.next_index]
    if text.remaining is not None:
        return _finished(state, text)
    if _is_unmet(state, text, declared):
        skipped = (*state.skipped, Skipped(text.card, declared.verb, "skipped", text.box))
        return replace(swapped(state, not_carried_out(text)), skipped=skipped)
    remaining = _noted_before(state, text, declared)
    return None if remaining is None else swapped(state, replace(text, remaining=remaining))


def _text_over(state: State, text: Text) -> State:
    """Of several things one was done: the others are not to be done as well."""
    if text.option < 0:
        return popped(state)
    others = {verb for branch in branches_left(text) for verb in branch}
    return replace(popped(state), skipped=tuple(Skipped(text.card, verb, "option.taken") for verb in sorted(others)))


def _finished(state: State, text: Text) -> State | None:
    """An instruction done several times is over when nothing of what is left can be done any more."""
    if not text.taken or is_lost(state, text) or instructions(text)[0].ready(state, text):
        return None
    return swapped(state, carried_out(text, None, len(text.taken)))


def _is_unmet(state: State, text: Text, declared: CardInstruction) -> bool:
    if declared.if_did and not (text.done if declared.if_did == "previous" else declared.if_did in text.labels):
        return True
    return declared.condition is not None and not is_met(state, text, declared.condition)


def _noted_before(state: State, text: Text, declared: CardInstruction) -> tuple[str | int, ...] | None:
    """What an instruction that is done several times still has to do; None if it is done once."""
    if declared.count == 1 and not declared.in_lines and declared.who != "both":
        return None
    if declared.in_lines == "each_other_line":
        return tuple(line for line in LINES if line != text.line)
    if declared.in_lines == "each_line":
        assert declared.target is not None
        held = {place.line for _, place in fitting(state, text, declared.target)}
        return tuple(line for line in LINES if line in held)
    if declared.in_lines == "each_line_with_face_down_card":
        return lines_with_face_down_card(state)
    if declared.who == "both":
        return instructions(text)[0].able_players(state)
    if declared.in_lines == "each_line_with_your_card":
        return tuple(line for line, stack in enumerate(side_of(state, text.seat).lines, 1) if stack)
    if isinstance(declared.count, Count) and declared.count.per:
        here = sum(len(side.lines[text.line - 1]) for side in (state.a, state.b))
        return ("",) * (here // declared.count.per)
    several = declared.count == EACH or (declared.count == ALL and declared.verb in ("flip", "shift"))
    if several and declared.target:
        found = fitting(state, text, declared.target)
        return tuple(c for c, place in found if declared.verb != "flip" or not cannot_be_turned(c, place))
    return None


_AUTOMATIC: Final[dict[type[Frame], Callable[..., State | None]]] = {
    Text: _advance_text,
    DueTexts: _resolve_due,
    CardsLeaving: _resolve_leaving,
    Returning: _resolve_returning,
    CardMovement: _resolve_trip,
    Refreshing: _resolve_refresh,
    Compiling: _resolve_compile,
    Clearing: lambda state, frame: None,
}
