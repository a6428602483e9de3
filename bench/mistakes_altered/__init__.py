"""The mistakes of a real table of Altered, planted one at a time, in the order of a day."""

from __future__ import annotations

from bench.mistakes import Plant
from bench.mistakes_altered import afternoon, dusk, ending, morning, night, reactions

POOLS = ()

KINDS: dict[str, Plant] = {
    **morning.KINDS, **afternoon.KINDS, **reactions.KINDS, **dusk.KINDS, **night.KINDS, **ending.KINDS,
}  # fmt: skip
