"""The published record: an annotated game as one JSON document, and what can be read back from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.errors import AuditError
from replays.annotating.annotate import JUDGE
from replays.annotating.told import public_meta
from replays.log.strict_json import NotARecordError, parse
from replays.seals.seal import Seal
from web.games.library import Replay
from web.games.payload import known_setup
from web.publishing.sources import UNSEALED, Sealed, Source, source_from

VERSION = "audit-replay/1"
Json = dict[str, object]


class RecordError(AuditError):
    """A document that is no published record."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not a published record: {reason}")
        self.reason = reason


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published record. `log` is the header and the events as the viewer may know them."""

    replay: str
    game: str
    ruleset: str
    reading: str
    viewer: str
    language: str
    fidelity: str
    diverged_from: int | None
    verdicts: dict[str, int]
    seal: Json
    log: list[Json]
    findings: list[Json]
    steps: list[Json]
    printed: dict[str, list[Json]] | msgspec.UnsetType = msgspec.UNSET
    """By rule the printed words, or where they stand; files made before there was this have none."""


def document(source: Source, replay: Replay) -> Json:
    """What is published of a game as that viewer may know it."""
    header = replay.header
    return {
        "replay": VERSION, "game": source.header.game, "ruleset": replay.ruleset, "reading": header.reading,
        "viewer": replay.viewer, "language": replay.language, "fidelity": replay.fidelity,
        "diverged_from": replay.diverged_from, "verdicts": dict(replay.counts), "seal": _seal(source, replay.viewer),
        "log": _log(source, replay), "findings": [dict(each) for each in replay.findings],
        "steps": [dict(each) for each in replay.steps],
    }  # fmt: skip


def encoded(record: Mapping[str, object]) -> bytes:
    """The document as bytes: the same for the same game."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_record(data: bytes) -> Record:
    """A published record from its bytes; `encoded(msgspec.to_builtins(...))` gives the same bytes again."""
    try:
        found = msgspec.json.decode(data, type=Record)
    except msgspec.MsgspecError as error:
        raise RecordError(str(error)) from None
    if found.replay != VERSION:
        raise RecordError(f'expected "{VERSION}", found "{found.replay[:40]}"')
    return found


def source_of_record(record: Record) -> Source:
    """The game of a record, to be judged again; its header and events as the record's viewer knew them."""
    lines = [json.dumps(each, ensure_ascii=False, separators=(",", ":")).encode() for each in record.log]
    fields = {name: value for name, value in record.seal.items() if name != "original"}
    return replace(
        source_from(b"\n".join([*lines, b""])), seal=msgspec.convert(fields, Sealed), original=original_of(record)
    )


def original_of(record: Record) -> Seal | None:
    """The seal itself, where the record has it; raises `RecordError` where it is none."""
    if "original" not in record.seal:
        return None
    try:
        return msgspec.convert(record.seal["original"], Seal)
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from None


def _log(source: Source, replay: Replay) -> list[Json]:
    if replay.viewer == JUDGE and source.lines:
        return [_parsed(line) for line in source.lines]
    return [_header(source, replay), *map(dict, replay.log())]


def _parsed(line: bytes) -> Json:
    try:
        return parse(line)
    except NotARecordError as error:
        raise RecordError(str(error)) from None


def _header(source: Source, replay: Replay) -> Json:
    header = source.header
    if replay.viewer == JUDGE:
        return cast(Json, msgspec.to_builtins(header))
    return {
        "log": header.log, "ruleset": header.ruleset, "game": header.game, "edition": header.edition,
        "reading": header.reading, "players": [{"seat": p.seat, "name": p.name} for p in header.players],
        **({"first": header.first} if header.first else {}),
        "setup": known_setup(replay), "meta": public_meta(header),
    }  # fmt: skip


def _seal(source: Source, viewer: str) -> Json:
    """Only the head and the names, and all of it for a judge: hashes of lines would let hidden cards be guessed."""
    seal = source.seal
    if seal.standing == UNSEALED:
        return {"standing": UNSEALED}
    whole = {"original": source.original} if viewer == JUDGE and source.original else {}
    return cast(Json, msgspec.to_builtins({**msgspec.structs.asdict(seal), **whole}))


__all__ = ["VERSION", "Record", "RecordError", "document", "encoded", "read_record", "source_of_record"]
