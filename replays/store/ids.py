"""The ids of a stored game and of its events.

The id of a game is short, opaque and for ever. A game with a name has the same id everywhere. One without a name is
known by its header alone, which may hold its decks: its id is made with a secret of the store, so that nobody who sees
the id can try headers until one fits.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.model import Event, Header
from replays.log.canonical import canonical, canonical_object
from replays.log.strict_json import parse
from replays.log.writer import BRANCH

if TYPE_CHECKING:
    from replays.store.database import Tables

_TABLE = "CREATE TABLE IF NOT EXISTS store_secrets (name text PRIMARY KEY, value text NOT NULL)"
_MAKE = "INSERT INTO store_secrets (name, value) VALUES ('ids', ?) ON CONFLICT (name) DO NOTHING"
MENTION = b'"id"'
"""What every line has whose event has an id."""


# Of games


def id_of_named(header: Header) -> str:
    """The id of a game by its ruleset, name and event; empty for a game without a name."""
    if not header.game:
        return ""
    return _id_of(header.ruleset, header.game, header.meta)


def origins_of(ruleset: str, meta: Mapping[str, object]) -> tuple[str, ...]:
    """The ids that the game may have which a branch left, from the ruleset and `meta` of its header.

    None for a game that is no branch. A branch names the game that it left, or the id of one without a name.
    """
    left = meta.get(BRANCH)
    name = left.get("game") if isinstance(left, Mapping) else None
    if not isinstance(name, str) or not name:
        return ()
    return (_id_of(ruleset, name, meta), *([] if ":" in name or "\0" in name else [name]))


def _id_of(ruleset: str, name: str, meta: Mapping[str, object]) -> str:
    event = meta.get("event")
    named = {"ruleset": ruleset, "game": name, "event": event if isinstance(event, str) else ""}
    return _short(sha256(b"audit-game/1\n" + canonical_object(dict(named))).digest())


def former_id_of_nameless(first: bytes) -> str:
    """The id that a game without a name had in stores before theirs had a secret: from its header as it is."""
    return _short(sha256(b"audit-game/1\n" + canonical(first)).digest())


def id_of_nameless(first: bytes, secret: bytes) -> str:
    """The id of a game without a name in the store with that secret, from its header."""
    return _short(hmac.digest(secret, b"audit-game/2\n" + canonical(first), "sha256"))


def secret_of(tables: Tables) -> bytes:
    """The secret of a store, made when it is first asked for."""
    tables.do(_TABLE)
    tables.do(_MAKE, (secrets.token_hex(32),))
    ((found,),) = tables.read("SELECT value FROM store_secrets WHERE name = 'ids'")
    return bytes.fromhex(str(found))


def _short(digest: bytes) -> str:
    return b32encode(digest[:10]).decode().lower()


# Of events


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
