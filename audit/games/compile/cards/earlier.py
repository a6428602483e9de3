"""Cards as they were printed before an erratum, where that changes what happens."""

from __future__ import annotations

from audit.games.compile.declarations import CardFacts
from audit.games.compile.words import THIS, before_covered, card, delete, play

EARLIER: dict[str, tuple[str, CardFacts]] = {
    "life-0": (
        "2024-10",
        card(
            0,
            middle=[play(source="deck", in_lines="each_line_with_your_card")],
            bottom=[before_covered(delete(THIS))],
        ),
    ),
}
"""By card the edition that changed it, and its boxes before."""
