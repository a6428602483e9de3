"""Reduces a log to its decisions: what a score sheet says of it. What leaves no choice is not written."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header, Verdict
from audit.core.record_events import Amended, TakenBack
from audit.core.ruleset import Ruleset
from audit.core.steps import Step


def decisions(game: Ruleset[object], header: Header, events: Iterable[Event]) -> list[Event]:
    """The events of a log that were not the one thing that could happen, numbered anew.

    An event with a remark of the recorder, or a name, is kept.
    """
    written = list(events)
    unsaid = {step.seq for step in audit(game, header, written) if _leaves_no_choice(game, step)}
    kept = [event for event in written if event.seq not in unsaid]
    return [replace(_pointing(event, [one.seq for one in kept]), seq=seq) for seq, event in enumerate(kept, 1)]


def _leaves_no_choice(game: Ruleset[object], step: Step) -> bool:
    if step.event is None or step.seq is None or step.verdict is not Verdict.LEGAL:
        return False
    forced = game.rules.forced(step.before)
    return forced is not None and numbered(forced[1], 0) == replace(step.event, seq=0, because=None)


def _pointing(event: Event, kept: Sequence[int]) -> Event:
    """The event with the new places of those it speaks of."""
    if event.because is not None:
        at = bisect_left(kept, event.because)
        event = replace(event, because=at + 1 if kept[at : at + 1] == [event.because] else None)
    if isinstance(event, Amended):
        return replace(event, from_=bisect_left(kept, event.from_) + 1)
    return replace(event, to=bisect_right(kept, event.to)) if isinstance(event, TakenBack) else event
