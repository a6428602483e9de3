"""What the procedures of a turn ask: the draw of a refresh, the cards of a compiled line, the control component."""

from __future__ import annotations

from typing import Final

from audit.games.compile.following import with_due
from audit.games.compile.parts import opponent, popped, side_of
from audit.games.compile.readings import CONTROL_AFTER_COMPILE, OTHER_DECK_IS_NO_DRAW, STUCK_PLAYER_REFRESHES
from audit.games.compile.state import HAND_LIMIT, LINES, Compiling, Refreshing, State
from audit.games.compile.texts import CARD_INSTRUCTIONS, is_kept_from_drawing, passives, some_react, waiting
from audit.games.compile.untold import told_by_refresh

BAR_OUT_OF_SIGHT: Final = "before-2025-09"
"""On in editions by which a bar on compiling holds even when its text can no longer be seen."""

BARRING: Final = frozenset(
    card for (card, _, _), text in CARD_INSTRUCTIONS.items() if any(one.verb == "bar" for one in text)
)
"""The cards with a text that keeps a side from compiling."""


def to_draw(state: State, seat: str) -> int:
    """How many cards a refresh draws."""
    held = len(state.a.hand if seat == "A" else state.b.hand)
    return HAND_LIMIT - held if held < HAND_LIMIT else 0


def can_refresh(state: State, seat: str) -> bool:
    """Fewer than five in hand, and something to draw (topic refresh, rule turn.stuck-player)."""
    side = side_of(state, seat)
    something = side.deck or side.trash or STUCK_PLAYER_REFRESHES.name in state.switches
    return len(side.hand) < HAND_LIMIT and bool(something) and not is_kept_from_drawing(state, seat)


def is_draw_barred(state: State, seat: str, *, from_other_deck: bool) -> bool:
    """Whether a text in force keeps that player from a draw; by one reading a card of the other deck is no draw."""
    if from_other_deck and OTHER_DECK_IS_NO_DRAW.name in state.switches:
        return False
    return is_kept_from_drawing(state, seat)


def refresh_over(state: State, frame: Refreshing) -> State:
    """The position after a refresh, with the texts that wait for it."""
    state = told_by_refresh(state, frame) if state.untold else state
    if not some_react(state):
        return popped(state)
    seat, other = frame.seat, opponent(frame.seat)
    texts = (
        *waiting(state, seat, "after_you_refresh"),
        *waiting(state, other, "after_opponent_refreshes"),
        *waiting(state, seat, "after_any_refresh"),
        *waiting(state, other, "after_any_refresh"),
    )
    return with_due(popped(state), texts, frame.why)


def compile_over(state: State, frame: Compiling) -> State:
    """The position after a compile, with the texts that wait for it."""
    return with_due(popped(state), waiting(state, opponent(frame.seat), "after_opponent_compiles"), frame.why)


def lines_with_face_down_card(state: State) -> tuple[int, ...]:
    """The lines in which a card lies face down, on either side."""
    return tuple(
        line for line in LINES if any(not placed.up for side in (state.a, state.b) for placed in side.lines[line - 1])
    )


def line_cards(state: State, line: int) -> list[str]:
    """Every card of a line, both sides."""
    return [placed.card for side in (state.a, state.b) for placed in side.lines[line - 1]]


def control_is_up(state: State, frame: Compiling) -> bool:
    """Whether the control component is dealt with now: first, or by one reading once the line is empty."""
    if CONTROL_AFTER_COMPILE.name in state.switches and not frame.deleted:
        return False
    return frame.control or frame.choice


def is_barred(state: State, seat: str) -> bool:
    """Whether a text keeps that side from compiling this turn: one that can be seen, in the newest edition."""
    bars = state.barred and [by for barred, turn, by in state.barred if (barred, turn) == (seat, state.turn)]
    return bool(bars) and (BAR_OUT_OF_SIGHT in state.switches or barring_card(state, seat) is not None)


def barring_card(state: State, seat: str) -> str | None:
    """The card of the other side in sight whose text keeps that side from compiling, in a turn in which it may.

    That is the card whose text it was, as Mirror 1 may have copied it; if nobody said which, any with such a text.
    """
    tops = (stack[-1] for stack in side_of(state, opponent(seat)).lines if stack)
    by = {by for barred, _, by in state.barred if barred == seat and by} or BARRING
    return next((top.card for top in tops if top.up and top.card in by), None)


def skips_cache(state: State) -> bool:
    """Whether a text in force spares the turn player the check of the cache."""
    return any(seat == state.player for seat, _, _, _ in passives(state, "skip_cache_check"))
