"""The mistakes of a real table of Compile, planted one at a time."""

from __future__ import annotations

from bench.mistakes import Plant
from bench.mistakes_compile import hands, lines_and_control, targets, texts

POOLS = (("fire", "speed", "light", "plague", "life", "love"),)
"""Protocols with many Start and End texts."""

KINDS: dict[str, Plant] = {**targets.KINDS, **texts.KINDS, **lines_and_control.KINDS, **hands.KINDS}
