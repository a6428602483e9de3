"""Events that are known by an id of their own: one that is stored already is answered as done, not stored again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.model import Event
from replays.log.canonical import canonical_object
from replays.log.strict_json import parse

MENTION = b'"id"'
"""What every line has whose event has an id."""


class EventIdError(AuditError):
    """An id that stands for another event already: the seq of the stored event, and that of the given one."""

    def __init__(self, game: str, id: str, stored: int, given: int) -> None:
        super().__init__(
            f"game {game}: event {given} has the id {id!r} of event {stored}, which says something else; "
            "nothing was stored"
        )
        self.game = game
        self.id = id
        self.stored = stored
        self.given = given


class Appended(Struct, frozen=True):
    """What became of events: the version of the game now, and the seq and the line of each, stored now or before."""

    version: int
    seqs: tuple[int, ...] = ()
    lines: tuple[bytes, ...] = ()


class StoredEvents(Struct, frozen=True):
    """The events of a game that have an id: the seq and the content of each, by its id."""

    by_id: Mapping[str, tuple[int, bytes]]

    def seq_of(self, game: str, event: Event, line: bytes) -> int | None:
        """The seq under which an event is stored; None for a new one. Raises `EventIdError`."""
        if event.id is None or event.id not in self.by_id:
            return None
        seq, content = self.by_id[event.id]
        if content != content_of(line):
            raise EventIdError(game, event.id, seq, event.seq)
        return seq


def stored_events(bodies: Iterable[bytes]) -> StoredEvents:
    """Those among the lines of a game, the header left out."""
    found: dict[str, tuple[int, bytes]] = {}
    for seq, body in enumerate(bodies, 1):
        if MENTION in body and isinstance(id := parse(body.removesuffix(b"\n")).get("id"), str):
            found[id] = seq, content_of(body)
    return StoredEvents(found)


def content_of(line: bytes) -> bytes:
    """What a line says, whatever its place in the log."""
    said = parse(line.removesuffix(b"\n"))
    return canonical_object({key: value for key, value in said.items() if key != "seq"})


def follows(rest: Sequence[Event], given: Sequence[Event], done: Sequence[int | None], version: int) -> bool:
    """Whether the events that are not stored yet come next, and those before them are the ones that are stored."""
    return rest[0].seq == version + 1 and all(seq in (None, event.seq) for event, seq in zip(given, done, strict=True))
