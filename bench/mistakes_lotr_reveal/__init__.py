"""The mistakes of a real table while encounter cards are revealed, planted one at a time."""

from __future__ import annotations

from bench.mistakes import Plant
from bench.mistakes_lotr_reveal import cards, effects

POOLS = ()

KINDS: dict[str, Plant] = {**cards.KINDS, **effects.KINDS}
