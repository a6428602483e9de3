"""The published record: an annotated game as one JSON document, what can be read back from it, and its signatures.

The signatures stand in the record of the file, last. What is signed is the file as it is without them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replays.judging.sentences import JUDGE
from replays.judging.versions import engine, fingerprint
from replays.log.canonical import canonical_object
from replays.trust.seal import Signature, signature_by
from web.games.library import Replay
from web.games.payload import script_json
from web.publishing.disclosed import Proof, RecordError, disclosed_log, disclosed_steps
from web.publishing.sources import UNSEALED, PublishedNote, Sealed, Source, source_from
from web.rulebooks.quotes import Quote

VERSION = "audit-replay/2"
FORMER_VERSION = "audit-replay/1"
Json = dict[str, object]
STATEMENT_VERSION = "audit-publication/1"
BY = "by"


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published record. `log` is the header and the events as the viewer may know them.

    `engine` and `catalogue` say by what it was judged (`replays.judging.versions`). `proof` leads from the log to
    the tree head of its seal; `by` are the signatures of whoever published the file.
    """

    replay: str
    game: str
    engine: str
    catalogue: str
    ruleset: str
    edition: str
    reading: str
    viewer: str
    language: str
    languages: list[str] | msgspec.UnsetType = msgspec.UNSET
    fidelity: str
    diverged_from: int | None
    verdicts: dict[str, int]
    seal: Json
    log: list[Json]
    findings: list[Json]
    steps: list[Json]
    variations: list[str] | msgspec.UnsetType = msgspec.UNSET
    """The variations that a page shows beside the record, as text. They are made again from the log."""
    notes: list[PublishedNote] | msgspec.UnsetType = msgspec.UNSET
    """Notes on its events. They cannot be made again from the log."""
    printed: dict[str, list[Json]] | msgspec.UnsetType = msgspec.UNSET
    """By rule the printed words, or where they stand."""
    quoted: dict[str, list[Quote]] | msgspec.UnsetType = msgspec.UNSET
    """The passages of rulebooks from which the printed words were made, where the publisher asked for them."""
    proof: Proof | msgspec.UnsetType = msgspec.UNSET
    by: list[Signature] | msgspec.UnsetType = msgspec.UNSET


def document(source: Source, replay: Replay, languages: Sequence[str] = ()) -> Json:
    """What is published of a game as that viewer may know it; `languages` are those of a page."""
    header = replay.header
    return {
        "replay": VERSION, "game": source.header.game, "engine": engine(), "catalogue": fingerprint(replay.ruleset),
        "ruleset": replay.ruleset, "edition": header.edition, "reading": header.reading, "viewer": replay.viewer,
        "language": replay.language, **({"languages": list(languages)} if languages else {}),
        "fidelity": replay.fidelity, "diverged_from": replay.diverged_from, "verdicts": dict(replay.counts),
        "seal": _seal(source), "log": disclosed_log(source, replay),
        "findings": [dict(each) for each in replay.findings], "steps": disclosed_steps(source, replay),
        **({"variations": list(source.variations)} if source.variations and languages else {}),
        **({"notes": msgspec.to_builtins(notes)} if (notes := notes_for(source, replay.viewer)) else {}),
    }  # fmt: skip


def notes_for(source: Source, viewer: str) -> list[PublishedNote]:
    """The notes that a viewer may read."""
    return [note for note in source.notes if note.is_public or viewer == JUDGE]


def encoded(record: Mapping[str, object]) -> bytes:
    """The document as bytes: the same for the same game."""
    return msgspec.json.encode(record) + b"\n"


def read_record(data: bytes) -> Record:
    """A published record from its bytes; `encoded(msgspec.to_builtins(...))` gives the same bytes again."""
    try:
        version = msgspec.json.decode(data, type=_Version).replay
        if version == FORMER_VERSION:
            raise RecordError("made by a version whose files prove nothing; publish the game again")
        if version != VERSION:
            raise RecordError(f'expected "{VERSION}", found "{version[:40]}"')
        return msgspec.json.decode(data, type=Record)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise RecordError(str(error)) from None


class _Version(Struct):
    replay: str


def source_of_record(record: Record) -> Source:
    """The game of a record, to be judged again; its header and events as the record's viewer knew them.

    Raises `RecordError` where its seal is none, `LogError` where its log is none.
    """
    lines = [msgspec.json.encode(each) for each in record.log]
    try:
        found = msgspec.convert(record.seal, Sealed)
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from None
    source = source_from(b"\n".join([*lines, b""]))
    return replace(source, seal=found, notes=tuple(record.notes or ()), variations=tuple(record.variations or ()))


def _seal(source: Source) -> Json:
    """What is said of the seal: the root of its tree and the signers, nothing from which a card could be guessed."""
    seal = source.seal
    return {"standing": UNSEALED} if seal.standing == UNSEALED else cast(Json, msgspec.to_builtins(seal))


# Signatures


def signed_data(record: Mapping[str, object], file: bytes) -> bytes:
    """What a publisher signs: the file without signatures, and what its record says of the game and the judgement."""
    said = {name: record[name] for name in ("engine", "catalogue", "ruleset", "game", "edition", "reading", "viewer")}
    head = cast(Mapping[str, object], cast(Mapping[str, object], record.get("proof") or {}).get("head") or {})
    digests = {name: _digest(record[name]) for name in ("log", "findings")}
    told = {**said, **digests, "root": head.get("root", ""), "file": sha256(file).hexdigest()}
    return STATEMENT_VERSION.encode() + b"\n" + canonical_object(told)


def signed_file(record: Mapping[str, object], file: bytes, key: str) -> bytes:
    """A published file with a signature by one's own key of that name."""
    return put(file, record, {**record, BY: msgspec.to_builtins([signature_by(key, signed_data(record, file))])})


def unsigned(record: Mapping[str, object], file: bytes) -> bytes:
    """A published file without its signatures."""
    return put(file, record, {name: value for name, value in record.items() if name != BY})


def put(file: bytes, old: Mapping[str, object], new: Mapping[str, object]) -> bytes:
    """A file with another record in place of the one it has; unchanged if it does not have exactly this one."""
    if file == encoded(old):
        return encoded(new)
    embedded = script_json(old).encode()
    return file.replace(embedded, script_json(new).encode()) if file.count(embedded) == 1 else file


def _digest(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return sha256(text.encode()).hexdigest()
