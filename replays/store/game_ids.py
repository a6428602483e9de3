"""The id of a stored game: short, opaque and for ever.

A game with a name has the same id everywhere. One without a name is known by its header alone, which may hold its
decks: its id is made with a secret of the store, so that nobody who sees the id can try headers until one fits.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from hashlib import sha256

from audit.core.model import Header
from replays.log.canonical import canonical, canonical_object
from replays.store.database import Tables

_TABLE = "CREATE TABLE IF NOT EXISTS store_secrets (name text PRIMARY KEY, value text NOT NULL)"
_MAKE = "INSERT INTO store_secrets (name, value) VALUES ('ids', ?) ON CONFLICT (name) DO NOTHING"


def id_of_named(header: Header) -> str:
    """The id of a game by its ruleset, name and event; empty for a game without a name."""
    if not header.game:
        return ""
    event = header.meta.get("event")
    named = {"ruleset": header.ruleset, "game": header.game, "event": event if isinstance(event, str) else ""}
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
