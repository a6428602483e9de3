"""Signatures of published files: whoever publishes a file signs all of it, and by what it was judged.

The signatures stand in the record of the file, last. What is signed is the file as it is without them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import cast

import msgspec

from replays.log.canonical import canonical_object
from replays.trust.seal import signature_by
from web.games.payload import script_json
from web.publishing.record import encoded

STATEMENT_VERSION = "audit-publication/1"
BY = "by"
Json = Mapping[str, object]


def signed_data(record: Json, file: bytes) -> bytes:
    """What a publisher signs: the file without signatures, and what its record says of the game and the judgement."""
    said = {name: record[name] for name in ("engine", "catalogue", "ruleset", "game", "edition", "reading", "viewer")}
    head = cast(Json, cast(Json, record.get("proof") or {}).get("head") or {})
    digests = {name: _digest(record[name]) for name in ("log", "findings")}
    told = {**said, **digests, "root": head.get("root", ""), "file": sha256(file).hexdigest()}
    return STATEMENT_VERSION.encode() + b"\n" + canonical_object(told)


def signed_file(record: Json, file: bytes, key: str) -> bytes:
    """A published file with a signature by one's own key of that name."""
    return put(file, record, {**record, BY: msgspec.to_builtins([signature_by(key, signed_data(record, file))])})


def unsigned(record: Json, file: bytes) -> bytes:
    """A published file without its signatures."""
    return put(file, record, {name: value for name, value in record.items() if name != BY})


def put(file: bytes, old: Json, new: Json) -> bytes:
    """A file with another record in place of the one it has; unchanged if it does not have exactly this one."""
    if file == encoded(old):
        return encoded(new)
    embedded = script_json(old).encode()
    return file.replace(embedded, script_json(new).encode()) if file.count(embedded) == 1 else file


def _digest(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return sha256(text.encode()).hexdigest()
