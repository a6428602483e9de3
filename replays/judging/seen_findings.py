"""What one viewer may be told of a mistake: what follows from the log that this viewer could have kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import to_builtins

from audit.core.auditor import audit
from audit.core.event_rules import own_fields
from audit.core.model import Event, Header, Verdict
from audit.core.record import words_in
from audit.core.ruleset import JUDGE, Ruleset
from audit.core.steps import Step
from replays.judging.seen_log import seen_events

UNKNOWN = "?"


def seen_findings(game: Ruleset[object], header: Header, steps: Sequence[Step], viewer: str) -> dict[int, Step]:
    """The findings of a game by the seq of their events, each as the viewer's own log is judged.

    `header` is the one of the viewer's log. What this log does not show to be a mistake has no step here.
    """
    found = [step.seq for step in steps if step.verdict.is_finding and step.seq]
    if viewer == JUDGE or not found:
        return {}
    told = list(seen_events(game, steps, viewer))
    seqs = {event.seq: seq for event, seq in told if seq in found}
    own = audit(game, header, [event for event, _ in told])
    return {seqs[step.seq]: step for step in own if step.seq in seqs and step.verdict.is_finding}


def seen_alternatives(game: Ruleset[object], step: Step) -> list[Event]:
    """What was expected in a position with unknown cards: first what a card that the event itself shows could do."""
    shown = _with_shown_card(game, step) if step.verdict is Verdict.ILLEGAL else iter(())
    return [*shown, *step.expected]


def is_handle(word: str) -> bool:
    """Whether a word stands for one card without a name."""
    return len(word) > 1 and word.startswith(UNKNOWN)


def names_unknown(events: Sequence[Event]) -> bool:
    """Whether one of the events is of a card that has no name: which it is may open or close other ways."""
    return any(word.startswith(UNKNOWN) for event in events for word in words_in(to_builtins(event)))


def _with_shown_card(game: Ruleset[object], step: Step) -> Iterator[Event]:
    """The event with one field as expected, where that is legal."""
    event = step.event
    if event is None or not names_unknown(step.expected):
        return
    fields = {name: getattr(event, name) for name in own_fields(type(event))}
    for other in step.expected:
        for name in fields if type(other) is type(event) else ():
            one = type(event)(seq=0, **{**fields, name: getattr(other, name)})
            if not names_unknown([one]) and not game.rules.violations(step.before, one):
                yield one
