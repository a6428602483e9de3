"""Events about the record itself, the same in every game: amendments, take-backs, positions, gaps, flags.

Lines of a log are never removed. An amendment or a take-back leads back to an earlier position, and the events between
stand no longer. `standing` gives the events that lead to the end of a record.
"""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, field

from audit.core.model import Event, Seat, Seq, type_name

Text = Annotated[str, Meta(max_length=1000)]
Position = Annotated[dict[str, object], Meta(description="A position, in the shape of the header's setup.position.")]


class RecordEvent(Event, frozen=True):
    """An event about the record, not about the game."""


class Amended(RecordEvent, frozen=True):
    """The record was wrong from that seq on; what follows replaces it. Nothing happened twice at the table."""

    from_: Seq = field(name="from")
    reason: Text | None = None
    by: Text | None = None


class TakenBack(RecordEvent, frozen=True):
    """The players went back to the position after that seq (0: to the start). What was seen stays seen."""

    to: Annotated[int, Meta(ge=0, le=10**12)]
    by: Seat | None = None
    agreed: bool | None = None
    ordered_by: Text | None = None


class PositionSet(RecordEvent, frozen=True):
    """The position was put right by a judge, or taken up again after a gap."""

    position: Position
    by: Text | None = None
    why: Text | None = None


class Gap(RecordEvent, frozen=True):
    """Something was not recorded here."""


class Flagged(RecordEvent, frozen=True):
    """Somebody wants this looked at. `unread`: the note could not be read as an event, so one may be missing here."""

    by: Text | None = None
    unread: bool | None = None


class Checkpoint(RecordEvent, frozen=True):
    """The recorder says how the table stands; it is compared with the position that the record leads to."""

    position: Position


RECORD_EVENTS: tuple[type[RecordEvent], ...] = (Amended, TakenBack, PositionSet, Gap, Flagged, Checkpoint)
_RECORD_TYPES = frozenset[type[Event]](RECORD_EVENTS)
MAX_PARTS = 6
"""At most this many words a name has."""
FREE_TEXTS = ("note", "reason", "why", "by", "ordered_by")
"""The fields of events in which people write what they like. They are kept from who may not know a card named there."""
_RECORD_NAMES = frozenset(map(type_name, RECORD_EVENTS))


def is_about_the_record(event: Mapping[str, object]) -> bool:
    """Whether an event as it stands in a log is about the record, not about the game."""
    return event.get("type") in _RECORD_NAMES


def free_texts(event: Event) -> Sequence[str]:
    """The fields of an event that hold free text."""
    return [name for name in FREE_TEXTS if isinstance(getattr(event, name, None), str)]


def words_named(texts: Iterable[str], words: Iterable[str]) -> frozenset[str]:
    """Those of the cards that a text names, however it is spelt: `Fire 1` is `fire-1`. A handle names nothing."""
    runs = {run for text in texts for run in _runs(_parts(text))}
    return frozenset(word for word in words if not word.startswith("?") and _squeezed(word) in runs)


def _runs(said: Sequence[str]) -> Iterator[str]:
    return ("".join(said[start : start + size]) for start in range(len(said)) for size in range(1, MAX_PARTS + 1))


@lru_cache(maxsize=10_000)
def _squeezed(word: str) -> str:
    return "".join(_parts(word))


def _parts(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def left_at(event: Event) -> int | None:
    """After which seq the record goes on from an amendment or a take-back; None for any other event."""
    if type(event) is Amended:
        return event.from_ - 1
    return event.to if type(event) is TakenBack else None


def standing(events: Sequence[Event]) -> Sequence[Event]:
    """The events of the game that lead to the end of a record, and the positions set among them.

    A checkpoint after a gap sets the position too. The events must begin with seq 1. Returns them as they are where
    nothing in them is about the record.
    """
    if _RECORD_TYPES.isdisjoint(map(type, events)):
        return events
    stand: list[Event] = []
    after_gap = False
    for number in _path(events):
        event = events[number - 1]
        if type(event) is Checkpoint and after_gap and event.position:
            event = PositionSet(seq=event.seq, position=event.position)
        if type(event) is Gap or (type(event) is PositionSet and event.position):
            after_gap = type(event) is Gap
        if type(event) is PositionSet or type(event) not in _RECORD_TYPES:
            stand.append(event)
    return stand


def _path(events: Sequence[Event]) -> list[int]:
    """The seqs that lead to the end, each from the one before it, from the first on."""
    parents = {event.seq: event.seq - 1 for event in events}
    parents.update((event.seq, after) for event in events if (after := _earlier(event)) is not None)
    path: list[int] = []
    at = events[-1].seq
    while at > 0:
        path.append(at)
        at = parents.get(at, at - 1)
    return path[::-1]


def _earlier(event: Event) -> int | None:
    """After which earlier seq the record goes on; None where the event does not lead back."""
    after = left_at(event)
    return after if after is not None and after < event.seq else None


def standing_ahead(events: Iterable[Event]) -> Sequence[Event]:
    """Those of the next events that stand; none where they lead back to before the first of them."""
    if _RECORD_TYPES.isdisjoint(map(type, events)):
        return list(events)
    stand: list[Event] = []
    start: int | None = None
    for event in events:
        start = event.seq if start is None else start
        after = left_at(event)
        if after is None:
            stand.append(event)
        elif after < start - 1:
            return ()
        else:
            stand = [one for one in stand if one.seq <= after]
    return stand


def superseded(events: Iterable[Event]) -> Mapping[int, int]:
    """The seqs that stand no longer, each with the seq of the amendment or take-back that says so first.

    What an amendment set aside stands again where the record goes back to before that amendment.
    """
    found: dict[int, int] = {}
    known = list(events)
    for event in known:
        if (after := _earlier(event)) is not None:
            for seq in range(after + 1, event.seq):
                found.setdefault(seq, event.seq)
    for seq in _path(known) if found else ():
        found.pop(seq, None)
    return found
