"""What the procedures of a turn ask: the draw of a refresh, the cards of a compiled line, the control component."""

from __future__ import annotations

from audit.compile.readings import CONTROL_AFTER_COMPILE, STUCK_PLAYER_REFRESHES
from audit.compile.state import HAND_LIMIT, Compiling, State, opponent
from audit.compile.texts import CARD_INSTRUCTIONS, passives

BAR_OUT_OF_SIGHT = "before-2025-09"
"""On in editions by which a bar on compiling holds even when its text can no longer be seen."""

BARRING = frozenset(card for (card, _, _), text in CARD_INSTRUCTIONS.items() if any(one.verb == "bar" for one in text))
"""The cards with a text that keeps a side from compiling."""


def to_draw(state: State, seat: str) -> int:
    """How many cards a refresh draws."""
    return max(0, HAND_LIMIT - len(state.side(seat).hand))


def can_refresh(state: State, seat: str) -> bool:
    """Fewer than five in hand, and something to draw (topic refresh, rule turn.stuck-player)."""
    side = state.side(seat)
    something = side.deck or side.trash or STUCK_PLAYER_REFRESHES.name in state.switches
    return len(side.hand) < HAND_LIMIT and bool(something)


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
    if (seat, state.turn) not in state.barred:
        return False
    return BAR_OUT_OF_SIGHT in state.switches or barring_card(state, seat) is not None


def barring_card(state: State, seat: str) -> str | None:
    """The card of the other side in sight whose text keeps that side from compiling, in a turn in which it may."""
    tops = (stack[-1] for stack in state.side(opponent(seat)).lines if stack)
    return next((top.card for top in tops if top.up and top.card in BARRING), None)


def skips_cache(state: State) -> bool:
    """Whether a text in force spares the turn player the check of the cache."""
    return any(p.rule == "skip_cache_check" and seat == state.player for seat, _, p, _ in passives(state))
