"""Whether a plan for going back leads where it says, and who has learned what.

A plan is checked against what was made apart from it: the position after a `taken_back` event, the position at the end
of the branch, and a replay of each viewer's views.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.core.auditor import audit
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.core.record_events import TakenBack
from replays.judging.replay import replay
from replays.table.backing_up import Plan, branch


def wrong_with(found: Plan, header: Header, events: Sequence[Event]) -> Iterator[str]:
    """What is wrong with a plan for going back in these events, in words."""
    game, to = found.game, found.to
    back = [*events, TakenBack(seq=len(events) + 1, to=to)]
    if [*audit(game, header, back)][-1].state != found.then:
        yield "taking back leads to another position"
    if [*audit(game, *branch(header, events, to))][-1].state != found.then:
        yield "the branch begins in another position"
    for viewer, cards in found.learned.items():
        if set(cards) != _seen_since(header, events, to, viewer):
            yield f"{viewer} has learned something else"
    yield from _wrong_list(found, events[to:])


def _seen_since(header: Header, events: Sequence[Event], to: int, viewer: str) -> set[str]:
    """The cards in what the viewer is shown of the steps since, that were in the judge's table and not in theirs."""
    shown, judge = (replay((header, events), viewer=who).steps for who in (viewer, "judge"))
    at = shown.of_seq.get(to, 0)
    since = [step for step in shown[at + 1 :] if step["event"]]
    seen = words_in(*(step[part] for step in since for part in ("event", "state")))
    hidden = words_in(judge[at]["state"]) - words_in(shown[at]["state"])
    return {card for card in seen & hidden if not card.startswith("?")}


def _wrong_list(found: Plan, since: Sequence[Event]) -> Iterator[str]:
    told = [step.seq for step in found.undone if step.seq]
    if told != [event.seq for event in reversed(since)]:
        yield "an event is missing in what is undone"
