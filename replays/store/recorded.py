"""The one class of stored event. Its topic never changes; the events of the games are stored inside it.

A stored event is a line of a log as it stood in the file. Its bytes begin with the number of their format; older
formats are converted when they are read, and what is stored is never rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from eventsourcing.persistence import Mapper, StoredEvent
from eventsourcing.utils import register_topic
from msgspec import Struct

from audit.errors import AuditError

TOPIC = "audit:Recorded"
FORMAT = 1
HEADER = "header"


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


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, str, bytes]).decode
_head = msgspec.msgpack.Decoder(list[object]).decode


def _format(state: bytes) -> int:
    try:
        head = _head(state)[0]
    except (msgspec.MsgspecError, IndexError):
        return -1
    return head if isinstance(head, int) else -1
