"""The cards of Metal."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    NO_FACE_DOWN_PLAY,
    THIS,
    bar_compile,
    before_covered_or_flipped,
    card,
    delete,
    discard,
    draw,
    every,
    flip,
    line_total,
    protocol,
    uncovered,
)

METAL = protocol(
    "metal",
    "main-1",
    card(0, top=[line_total(-2, side="opponent")], middle=[flip(uncovered())]),
    # Playing and refreshing stay open to the barred player; an official English clarification of 2025
    # adds that this text must still be visible in that turn, the French list does not say so: open.
    card(1, middle=[draw(2), bar_compile("opponent")]),
    card(2, top=[NO_FACE_DOWN_PLAY]),
    card(3, middle=[draw(1), delete(every(line="chosen_other", line_at_least=8), count=ALL)]),
    card(5, middle=[discard(1)]),
    # A flip that sets this off is used up; the card goes to the trash face up.
    card(6, top=[before_covered_or_flipped(delete(THIS))]),
)
