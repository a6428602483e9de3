"""The one class of stored event, and the eventsourcing application behind the store.

A stored event is a line of a log as it stood in the file, or a block of many lines that were appended at once, made
smaller; its version is the number of its last line. Its bytes begin with the number of their format; older formats are
converted when they are read, and what is stored is never rewritten.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import cast

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory, Mapper, StoredEvent
from eventsourcing.utils import Environment, register_topic
from msgspec import Struct

from audit.core.errors import AuditError
from replays.store.database import Address, StoreError, Tables

TOPIC = "audit:Recorded"
FORMAT = 1
BLOCK_FORMAT = 2
HEADER = "header"

BLOCK_FROM = 32
"""So many lines that are appended at once become blocks; of fewer, each is stored by itself."""
BLOCK_LINES = 512
BLOCK_BYTES = 1 << 21
"""A block has at most so many lines, and no more when it has so many bytes."""
MOST = BLOCK_BYTES + (1 << 22)
"""The most bytes that a block is ever made to yield."""


class Recorded(Struct, frozen=True):
    """A line of a game: `kind` is `header` or the type of the event, `body` the line with its end."""

    originator_id: str
    originator_version: int
    kind: str
    body: bytes


register_topic(TOPIC, Recorded)

KindAndBody = tuple[str, bytes]
"""A kind and a body."""
Upgrade = Callable[[bytes], bytes]
"""From the bytes of one format to those of the next."""

UPGRADES: Mapping[int, Upgrade] = {}
"""Steps up by the format they start from. Format 1 is the first, so there are none yet."""


class FormatError(AuditError):
    """Stored bytes in a format that this program cannot read."""

    def __init__(self, game: str, version: int, found: str) -> None:
        super().__init__(f"game {game}, line {version}: stored in {found}; this program reads format {FORMAT}")
        self.game = game
        self.version = version
        self.found = found


class RecordedMapper(Mapper[str]):
    """Between lines and stored bytes: MessagePack of format, kind and body."""

    def __init__(self, upgrades: Mapping[int, Upgrade] = UPGRADES) -> None:
        self.upgrades = upgrades

    def to_stored_event(self, domain_event: Recorded) -> StoredEvent:  # type: ignore[override]
        """The bytes of a line, in the present format."""
        state = encode(domain_event.kind, domain_event.body)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, TOPIC, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Recorded:
        """The line of stored bytes of any format; raises `FormatError`."""
        game, version = str(stored_event.originator_id), stored_event.originator_version
        kind, body = self.kind_and_body(game, version, stored_event.state)
        return Recorded(game, version, kind, body)

    def kind_and_body(self, game: str, version: int, state: bytes) -> KindAndBody:
        """Kind and body of stored bytes; raises `FormatError`."""
        try:
            number, kind, body = _decode(state)
        except msgspec.MsgspecError:
            return self._upgraded(game, version, state)
        return (kind, body) if number == FORMAT else self._upgraded(game, version, state)

    def lines(self, game: str, version: int, state: bytes) -> list[tuple[int, str, bytes]]:
        """The lines of stored bytes, each with its number, kind and body. In a block, no kind is kept.

        Raises `FormatError`.
        """
        if not state.startswith(_BLOCK_SIGN):
            return [(version, *self.kind_and_body(game, version, state))]
        first, bodies = block(game, version, state)
        if first != version - len(bodies) + 1:
            raise FormatError(game, version, "a block of other lines")
        return [(number, "", body) for number, body in enumerate(bodies, first)]

    def bodies(self, game: str, after: int, states: Sequence[bytes]) -> Iterator[bytes]:
        """The lines of stored bytes that follow each other, from after that line on; raises `FormatError`."""
        number = after
        for state in states:
            if not state.startswith(_BLOCK_SIGN):
                number += 1
                yield self.kind_and_body(game, number, state)[1]
                continue
            first, bodies = block(game, number + 1, state)
            yield from bodies[max(0, after + 1 - first) :]
            number = first + len(bodies) - 1

    def _upgraded(self, game: str, version: int, state: bytes) -> KindAndBody:
        at = _format(state)
        while at in self.upgrades:
            state = self.upgrades[at](state)
            at = _format(state)
        try:
            number, kind, body = _decode(state)
        except msgspec.MsgspecError:
            number = -1
        if number != FORMAT:
            raise FormatError(game, version, f"format {at}" if at >= 0 else "no format it knows")
        return kind, body


def encode(kind: str, body: bytes) -> bytes:
    """Stored bytes in the present format."""
    return _encode((FORMAT, kind, body))


def block(game: str, version: int, state: bytes) -> tuple[int, list[bytes]]:
    """The number of the first line of a block, and its lines; raises `FormatError`."""
    try:
        number, first, packed = _decode(state)
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, MOST)
        if number != BLOCK_FORMAT or not unpacking.eof:
            raise FormatError(game, version, "a damaged block")
        return int(first), _decode_bodies(data)
    except (msgspec.MsgspecError, zlib.error, ValueError):
        raise FormatError(game, version, "a damaged block") from None


def stored(first: int, kinds: Sequence[str], bodies: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Stored bytes of lines from that number on, with the version of each: blocks where there are many lines.

    A header is always stored by itself, because it is read more often than the rest.
    """
    at = 0
    if len(bodies) < BLOCK_FROM or first == 1:
        at = 1 if len(bodies) >= BLOCK_FROM else len(bodies)
        yield from ((first + n, encode(kinds[n], bodies[n])) for n in range(at))
    ends = list(accumulate(map(len, bodies), initial=0))
    while at < len(bodies):
        until = bisect_left(ends, ends[at] + BLOCK_BYTES, at + 1, min(len(bodies), at + BLOCK_LINES))
        packed = zlib.compress(_encode(bodies[at:until]), LEVEL)
        yield first + until - 1, _encode((BLOCK_FORMAT, str(first + at), packed))
        at = until


LEVEL = 1
"""Level 6 takes three times as long, for a quarter less room."""
_BLOCK_SIGN = bytes([0x93, BLOCK_FORMAT])
_decode_bodies = msgspec.msgpack.Decoder(list[bytes]).decode
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, str, bytes]).decode
_head = msgspec.msgpack.Decoder(list[object]).decode


def _format(state: bytes) -> int:
    try:
        head = _head(state)[0]
    except (msgspec.MsgspecError, IndexError):
        return -1
    return head if isinstance(head, int) else -1


Complete = Callable[[InfrastructureFactory], None]


class EventStoreApp(Application[str]):
    """The eventsourcing application that stores the events."""

    name = "Audit"
    is_snapshotting_enabled = False

    def __init__(self, settings: dict[str, str], complete: Complete = lambda factory: None) -> None:
        """`complete` adjusts the factory before it connects."""
        self._complete = complete
        super().__init__({**settings, "ORIGINATOR_ID_TYPE": "text"})

    def construct_factory(self, env: Environment) -> InfrastructureFactory:
        """The database, with connections as the address says."""
        factory = super().construct_factory(env)
        self._complete(factory)
        return factory

    def construct_mapper(self) -> RecordedMapper:
        """Our own: one class, one topic, our own formats."""
        return RecordedMapper()


def open_event_store(place: Address, lock_timeout: int, patience: float) -> tuple[EventStoreApp, Tables]:
    """The application at an address, and the tables beside its events; raises `StoreError` where that cannot be."""
    return _on_postgres(place, lock_timeout, patience) if place.is_postgres else _on_sqlite(place, lock_timeout)


def _on_sqlite(place: Address, lock_timeout: int) -> tuple[EventStoreApp, Tables]:
    from replays.store.sqlite import SqliteTables, environment, keep_private, retry_while_locked

    keep_private(place)

    def open_it() -> tuple[EventStoreApp, Tables]:
        games = EventStoreApp(environment(place, lock_timeout))
        return games, cast(SqliteTables, games.factory.tracking_recorder(SqliteTables))

    return retry_while_locked(open_it, lock_timeout)


def _on_postgres(place: Address, lock_timeout: int, patience: float) -> tuple[EventStoreApp, Tables]:
    try:
        from replays.store.postgres import PostgresTables, complete, environment, exclusive_setup
    except ImportError:
        raise StoreError(place.name, "needs the package psycopg: install audit[postgres]") from None
    with exclusive_setup(place, patience) as has_tables:
        settings = environment(place, lock_timeout, has_tables)
        games = EventStoreApp(settings, lambda factory: complete(factory, place, patience))
        return games, cast(PostgresTables, games.factory.tracking_recorder(PostgresTables))
