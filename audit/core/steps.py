"""The steps of an audit. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event, Verdict

LEGAL: Final = Verdict.LEGAL


class Step(Struct, frozen=True, gc=False):
    """One event with its verdict. `seq` is None for an inferred step.

    `because` are the seqs that led to it, nearest first. `before` and `state` are the positions before and after it. A
    finding has `violations`, and `expected`: the events that could have come instead. `candidates` are the other events
    that an inferred step could be. `guessed` says that the step rests on an alternative: an earlier mistake is taken to
    have been meant otherwise than it was written. The `violations` of an unchecked step say why it was not judged.

    `late` belongs to two steps: an inferred step that is recorded later names the seq of that record, and the record
    names its own seq. `provisional` says that events still to be written may explain the step otherwise.
    """

    index: int
    seq: int | None
    event: Event | None
    verdict: Verdict
    rules: Citations
    because: tuple[int, ...]
    before: object
    state: object
    violations: Violations = ()
    expected: tuple[Event, ...] = ()
    candidates: tuple[Event, ...] = ()
    guessed: bool = False
    late: int | None = None
    provisional: bool = False


class InferredMove(Struct, frozen=True, gc=False):
    """An inferred event with the positions before and after it. A marker is not news and gives no step.

    `is_unrecorded` says that it stands for a choice that somebody made and nobody wrote down, `declines` that it says
    no to a permission. `expectation` is what called for it.
    """

    event: Event
    before: object
    after: object
    is_news: bool
    siblings: tuple[Event, ...] = ()
    is_unrecorded: bool = False
    declines: bool = False
    expectation: object = None


class LostThread(Struct, frozen=True, gc=False):
    """A record that does not fit the position: since which event, and how many events have fitted again in a row."""

    seq: int
    fitting: int = 0


class Order(Struct, frozen=True):
    """The rule by which one thing comes before another; whether the record leaves open that it did."""

    rule: Rule
    is_open: bool = False


class MistakeWithCard(Struct, frozen=True):
    """A mistake with a card, by its seq: what it failed, and the last event that failed the same."""

    seq: int
    last: int
    failed: Violation


class Bookmark(Struct, frozen=True, gc=False):
    """All that an audit needs to go on from a place in a log."""

    state: object
    alternatives: tuple[object, ...]
    index: int
    search_budget: int
    replenished_at: int
    is_mistaken: bool = False
    late: Mapping[int, Citations] = {}
    early: Mapping[int, tuple[Order, Event]] = {}
    after_gap: bool = False
    trusted_for: tuple[tuple[object, int], ...] = ()
    mistaken: tuple[int, frozenset[type[Event]]] | None = None
    lost: LostThread | None = None
    last_mistake: MistakeWithCard | None = None
    unread: LostThread | None = None
    left_out: frozenset[type[Event]] = frozenset()


def unchecked_step(step: Step, why: Violations) -> Step:
    """The same step as one that was not judged; what was inferred and what is about the record stays what it is."""
    if step.verdict is Verdict.INFERRED or step.verdict is Verdict.RECORDED:
        return step
    return replace(step, verdict=Verdict.UNCHECKED, violations=why, expected=())
