"""What an audit says, one step at a time. Values only."""

from __future__ import annotations

from msgspec import Struct

from audit.catalogue import Rule
from audit.model import Event, Verdict
from audit.ruleset import Violation


class Step(Struct, frozen=True, gc=False):
    """One event and what is to be said of it. `seq` is None for a step the log left out.

    `because` are the seqs that led to it, nearest first; `before` and `state` the positions before and after it;
    `expected` what might have been done instead, where it is a finding; `candidates` the other ways an omission
    could be filled.
    """

    index: int
    seq: int | None
    event: Event | None
    verdict: Verdict
    rules: tuple[Rule, ...]
    because: tuple[int, ...]
    before: object
    state: object
    violations: tuple[Violation, ...] = ()
    expected: tuple[Event, ...] = ()
    candidates: tuple[Event, ...] = ()
    guessed: bool = False
    """The position before this step rests on another interpretation of an earlier finding than what was written."""


class InferredMove(Struct, frozen=True, gc=False):
    """An inferred event with its rules and the position it happens in; markers are no news and make no step."""

    event: Event
    rules: tuple[Rule, ...]
    before: object
    is_news: bool
    siblings: tuple[Event, ...] = ()


class Bookmark(Struct, frozen=True, gc=False):
    """Where an audit stands: all it needs to go on from there."""

    state: object
    others: tuple[object, ...]
    index: int
    search_budget: int
    replenished_at: int
    is_mistaken: bool = False
