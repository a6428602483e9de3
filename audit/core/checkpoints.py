"""What a checkpoint is compared with: the places of the record before it, and other accounts of them. Values only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from audit.core.model import Event
from audit.core.record import differences
from audit.core.steps import Bookmark, Step

S = TypeVar("S")

Difference = tuple[str, object, object]
"""A place in which two positions differ, with both values."""


class Told(Struct, Generic[S], frozen=True):
    """A position that somebody wrote down, and what it says as plain data; some lists of it have no order."""

    position: S
    data: object
    unordered: frozenset[str] = frozenset()

    def differences(self, data: object) -> Iterator[Difference]:
        """The places in which another position differs from it, each with both values."""
        return differences(self.data, data, unordered=self.unordered)

    def differing(self, data: object, path: str) -> str | None:
        """What another position has in this place; None where it may be the same."""
        return next((str(found) for at, _, found in self.differences(data) if at == path), None)


class Place(Struct, Generic[S], frozen=True):
    """An event of the record, with where the audit stood before it and its steps."""

    mark: Bookmark
    event: Event
    steps: Sequence[Step]

    @property
    def before(self) -> S:
        """The position in which the event came."""
        return self.steps[-1].before  # type: ignore[return-value]

    @property
    def is_finding(self) -> bool:
        """Whether something is wrong with the event."""
        return any(step.verdict.is_finding for step in self.steps)


class Account(Struct, frozen=True):
    """What may have happened instead of what the record tells: the kind of difference, and the event where it lies.

    `meant` was not recorded; `onward` are the events that follow from the position of the mark.
    """

    kind: str
    seq: int
    meant: tuple[Event, ...]
    mark: Bookmark
    onward: Sequence[Event]


class Parting(Struct, frozen=True):
    """From which event on a record leads elsewhere: the sentence, and what was most probably not recorded."""

    key: str
    seq: int
    meant: tuple[Event, ...] = ()


def with_one_more(seq: int, mark: Bookmark, onward: Sequence[Event], done: Iterable[tuple[Event, S]]) -> list[Account]:
    """What may be missing before the event of that seq: what was done, with the position after it."""
    return [Account("left_out", seq, (missing,), _in_position(mark, after), onward) for missing, after in done]


def without_or_otherwise(place: Place[S], onward: Sequence[Event], meant: Iterable[tuple[Event, S]]) -> list[Account]:
    """That an event was another, each with the position after it, or did not happen at all."""
    seq = place.event.seq
    otherwise = (Account("otherwise", seq, (one,), _in_position(place.mark, after), onward) for one, after in meant)
    return [*otherwise, Account("without", seq, (), place.mark, onward)]


def last_change(places: Sequence[Place[S]], told: Told[S], path: str, data: Callable[[Any], object]) -> Parting | None:
    """The event from which on the record no longer fits in that field; else the last one that changed it."""
    changed: int | None = None
    for step, seq in _backwards(places):
        before, after = (told.differing(data(at), path) for at in (step.before, step.state))
        if before != after:
            cause = step.seq or next(iter(step.because), seq)
            if before is None:
                return Parting("checkpoint.parted", cause)
            changed = changed or cause
    return Parting("checkpoint.changed", changed) if changed else None


def _backwards(places: Sequence[Place[S]]) -> Iterator[tuple[Step, int]]:
    """The steps, the last first, each with the seq of the event that it belongs to."""
    return chain.from_iterable(
        ((step, place.event.seq) for step in reversed(place.steps)) for place in reversed(places)
    )


def _in_position(mark: Bookmark, state: object) -> Bookmark:
    return replace(mark, state=state, alternatives=(), trusted_for=())
