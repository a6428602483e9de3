"""What an audit says, one step at a time. Values only."""

from __future__ import annotations

from msgspec import Struct

from audit.event_rules import Citations, Violations
from audit.model import Event, Verdict


class Step(Struct, frozen=True, gc=False):
    """One event and what is to be said of it. `seq` is None for a step the log left out.

    `because` are the seqs that led to it, nearest first; `before` and `state` the positions before and after it;
    `violations` and `expected` what is wrong with it and what might have been done instead, where it is a finding;
    `candidates` the other ways an omission could be filled. `guessed` says that the position before it is not the one
    written down: an earlier event, which broke a rule, is taken to have been meant otherwise.
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


class InferredMove(Struct, frozen=True, gc=False):
    """An inferred event with its rules and the position it happens in; a marker is no news and makes no step."""

    event: Event
    rules: Citations
    before: object
    is_news: bool
    siblings: tuple[Event, ...] = ()


class Bookmark(Struct, frozen=True, gc=False):
    """Where an audit stands: all it needs to go on from there."""

    state: object
    alternatives: tuple[object, ...]
    index: int
    search_budget: int
    replenished_at: int
    is_mistaken: bool = False
