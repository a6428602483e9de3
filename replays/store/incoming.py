"""Logs on their way into the store: read, checked, and made ready before the database is locked for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO

from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from audit.core.model import Event, type_name
from replays.log.canonical import canonical
from replays.log.reader import open_log
from replays.log.strict_reader import Resolve
from replays.store import appends, seals
from replays.store.ids import id_of_named
from replays.store.recorded import HEADER, TOPIC
from replays.store.recorded import stored as stored_states
from replays.trust.seal import Seal

LogSource = str | Path | BinaryIO
"""A path, `-` for standard input, or a stream."""
AT_ONCE = 4 << 20
"""Logs of so many bytes are stored in one transaction, one log at least."""


class Incoming(Struct, frozen=True):
    """A log to be stored, the header being its first line; `agreed` lines of it are stored already."""

    game: str
    """The id of the game; empty for one without a name, until its store gives it one."""
    kinds: Sequence[str]
    bodies: Sequence[bytes]
    forms: Sequence[bytes]
    """The canonical form of each line."""
    size: int
    """Bytes of the lines."""
    sealed: Seal | None
    torn: int | None
    agreed: int = 0

    @property
    def added(self) -> int:
        """How many lines are new."""
        return max(0, len(self.bodies) - self.agreed)

    def lines(self, by: str) -> NewLines:
        """The new lines, ready to be stored; `by` is whose word they are."""
        new = slice(self.agreed, None)
        return ready(self.game, self.agreed + 1, self.kinds[new], self.bodies[new], by, self.forms[new])


class NewLines(Struct, frozen=True):
    """Lines that follow each other in one game, as rows, and what is written down of their append."""

    rows: Sequence[StoredEvent]
    draft: appends.Draft


def ready(
    game: str,
    first: int,
    kinds: Sequence[str],
    bodies: Sequence[bytes],
    by: str,
    forms: Sequence[bytes] | None = None,
) -> NewLines:
    """Lines of a game from that number on, ready to be stored."""
    rows = [StoredEvent(game, number, TOPIC, state) for number, state in stored_states(first, kinds, bodies)]
    return NewLines(rows, appends.draft(game, first, bodies, by, rows=len(rows), forms=forms))


def read_incoming(source: LogSource, resolve: Resolve) -> Incoming:
    """A log, read and checked; raises `LogError`, and `SealError` where the seal beside it is of something else."""
    log = open_log(source, resolve=resolve)
    log.start()
    kinds, bodies, forms = [HEADER], [log.first + b"\n"], [canonical(log.first)]
    for batch in log.batches():
        kinds += map(_kind, map(type, batch.events))
        bodies += [line + b"\n" for line in batch.lines]
        forms += batch.forms()
    if not log.finished and not log.torn:
        bodies[-1] = bodies[-1].removesuffix(b"\n")
    sealed = seals.seal_beside(source, bodies)
    torn = log.torn.line if log.torn else None
    return Incoming(id_of_named(log.header), kinds, bodies, forms, sum(map(len, bodies)), sealed, torn)


@cache
def _kind(event: type[Event]) -> str:
    return type_name(event)
