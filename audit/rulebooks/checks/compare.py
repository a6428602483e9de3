"""Counts and places of markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from audit.rulebooks.checks.markers import MarkerMatch
from audit.rulebooks.findings import Span


def counted(marks: Iterable[MarkerMatch]) -> Counter[str]:
    """How often each marker occurs."""
    return Counter(mark.marker for mark in marks)


def spans(marks: Iterable[MarkerMatch], *markers: str) -> tuple[Span, ...]:
    """Where these markers stand; all of them if none is named."""
    return tuple((mark.start, mark.end) for mark in marks if not markers or mark.marker in markers)
