"""Logs and seals on their way into the store: read, checked and made ready before the database is locked for them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO

import msgspec
from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from audit.core.model import Event, type_name
from replays.log.canonical import canonical
from replays.log.reader import open_log
from replays.log.strict_reader import Resolve
from replays.store import appends
from replays.store.database import StoreError, Tables
from replays.store.ids import id_of_named
from replays.store.recorded import HEADER, TOPIC
from replays.store.recorded import stored as stored_states
from replays.trust.seal import Chain, Seal, SealError, beside, read_seal, seal, short_hash, signed

LogSource = str | Path | BinaryIO
"""A path, `-` for standard input, or a stream."""
AT_ONCE = 4 << 20
"""Logs of so many bytes are stored in one transaction, one log at least."""


# Seals


def seal_beside(log: object, bodies: Sequence[bytes]) -> Seal | None:
    """The seal beside a log that is being imported; raises `SealError` where it is of something else."""
    if not isinstance(log, str | Path) or not beside(log).exists():
        return None
    found = read_seal(beside(log))
    if not fits(found, bodies):
        raise SealError(str(beside(log)), "the log no longer says what was sealed; nothing was stored")
    return found


def fits(found: Seal, bodies: Sequence[bytes]) -> bool:
    """Whether lines begin with what was sealed, byte for byte."""
    first = bodies[: len(found.lines)]
    if tuple(map(short_hash, first)) != found.lines:
        return False
    chain = Chain()
    for body in first:
        chain.add(body.removesuffix(b"\n"))
    return chain.head.hex() == found.head


def kept_seal(tables: Tables, store: str, game: str) -> Seal | None:
    """The seal that is kept of a game; raises `StoreError` where it is damaged."""
    text = tables.seal(game)
    if text is None:
        return None
    try:
        return msgspec.json.decode(text, type=Seal)
    except msgspec.MsgspecError as problem:
        raise StoreError(store, f"the seal of game {game} is damaged: {problem}") from None


def keep_seal(tables: Tables, game: str, made: Seal) -> None:
    """Keep a seal of a game, in place of an earlier one."""
    tables.keep_seal(game, msgspec.json.encode(made).decode())


def renewed(old: Seal | None, bodies: Sequence[bytes], key: str | None, at: str) -> Seal:
    """A seal of all these lines: the old one where they are what it sealed, with a signature where a key is named.

    Raises `SealError` where they are no longer what was sealed.
    """
    if old and not fits(old, bodies):
        raise SealError(f"game {old.game}", "the store no longer says what was sealed")
    made = old if old and len(old.lines) == len(bodies) else seal(io.BytesIO(b"".join(bodies)), at, old)
    return signed(made, key) if key else made


# Logs


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
    number: int = 0
    """Its place among the logs that are imported with it, from 0."""

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
    sealed = seal_beside(source, bodies)
    torn = log.torn.line if log.torn else None
    return Incoming(id_of_named(log.header), kinds, bodies, forms, sum(map(len, bodies)), sealed, torn)


@cache
def _kind(event: type[Event]) -> str:
    return type_name(event)
