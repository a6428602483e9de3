"""The published record: an annotated game as one JSON document, and what in it has to agree with its steps.

The signatures stand in the record of the file, last. What is signed is the file as it is without them.

The events of the steps are proven against the seal. What can be told anew of them is, so that a file with hidden cards,
which nobody can judge again without them, says nothing else of what it shows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import UnknownRuleError
from audit.core.model import Header, Verdict, type_name
from audit.core.names import Players, player_names
from audit.core.record import words_in
from audit.core.record_events import Checkpoint, Flagged, Gap, PositionSet
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import tell
from replays.judging.sentences import JUDGE
from replays.judging.tally import DIVERGED, EXACT, FINDINGS, PARTIAL, is_finding
from replays.judging.versions import engine, fingerprint
from replays.log.canonical import canonical_object
from replays.log.schemas import decoder
from replays.said import Said
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


ReadJson = Mapping[str, object]
_ALSO_IN_STEP = ("seq", "verdict", "rules", "message", "expected", "expected_text", "expected_perhaps", "counts")
_NUMBERS = frozenset({"seq", "x-seq", "because"})
"""Fields of a log that are numbered anew for a viewer; so are those that end with `_seq`."""


def contradictions(
    name: str, language: str, steps: Sequence[ReadJson], findings: Sequence[ReadJson], log: Sequence[ReadJson]
) -> Iterator[str]:
    """Where findings, sentences and the viewer's own log say otherwise than the steps of the game of that name."""
    game, players = ruleset(name), _players(log)
    yield from _findings(game, language, [step for step in steps if is_finding(step)], findings)
    for step in steps:
        yield from _sentences(game, language, step, players)
    yield from _own_log(log[0] if log else {}, steps, log[1:])


def miscounted(steps: Sequence[ReadJson], verdicts: Mapping[str, int], fidelity: str, diverged: int | None) -> bool:
    """Whether the counts of a record are not those of its steps that stand."""
    standing = [step for step in steps if step.get("event") and not step.get("superseded_by")]
    counts = Counter(str(step["verdict"]) for step in standing)
    lost = next((step["seq"] for step in standing if step["verdict"] == Verdict.IMPOSSIBLE.value), None)
    grade = DIVERGED if lost is not None else PARTIAL if counts[Verdict.INFERRED.value] else EXACT
    wanted = {verdict.value: counts[verdict.value] for verdict in Verdict}
    return (dict(verdicts), fidelity, diverged) != (wanted, grade, lost)


def _findings(
    game: Ruleset[object], language: str, steps: Sequence[ReadJson], findings: Sequence[ReadJson]
) -> Iterator[str]:
    if len(steps) != len(findings):
        yield Said("findings_counted", said=len(findings), found=len(steps))
    for at, (step, finding) in enumerate(zip(steps, findings, strict=False)):
        same = all(finding.get(name) == step.get(name) for name in _ALSO_IN_STEP)
        told = (cast(ReadJson, step["event"]).get("type"), _statement(game, step, language))
        if not same or (finding.get("type"), finding.get("statement")) != told:
            yield Said("finding_otherwise", at=at, seq=step["seq"])


def _statement(game: Ruleset[object], step: ReadJson, language: str) -> str | None:
    rules = cast("list[str]", step.get("rules") or [])
    try:
        return game.catalogue.statement(game.catalogue[rules[0]], language) if rules else ""
    except UnknownRuleError:
        return None


def _sentences(game: Ruleset[object], language: str, step: ReadJson, players: Players) -> Iterator[str]:
    """Where the sentences of a step are not those of its events."""
    told = [(step.get("event"), step.get("sentence"))]
    if step["verdict"] in FINDINGS:
        expected, texts = (cast("list[object]", step.get(name) or []) for name in ("expected", "expected_text"))
        told += zip(expected, texts, strict=False) if len(expected) == len(texts) else [(None, "more")]
    places = cast("Mapping[str, str]", step.get("places") or {})
    for event, said in told:
        if (said or "") not in (_sentences_of(game, language, event, places, players) if event else ("",)):
            yield Said("step_words", step=step["step"])
            return


def _players(log: Sequence[ReadJson]) -> Players:
    return player_names(msgspec.convert(log[0], Header)) if log else {}


def _sentences_of(
    game: Ruleset[object], language: str, event: object, places: Mapping[str, str], players: Players
) -> list[str]:
    """The sentences that an event has in any position; none where it is no event."""
    try:
        found = decoder(game.rules.events).decode(msgspec.json.encode({"seq": 1, **cast(ReadJson, event)}))
        return [tell(game, found, language, places, players, key) for key in game.wording.every_key(found)]
    except (msgspec.MsgspecError, KeyError, ValueError, TypeError, AttributeError):
        return []


def _own_log(header: ReadJson, steps: Sequence[ReadJson], log: Sequence[ReadJson]) -> Iterator[str]:
    """Events of the viewer's log that the steps do not have, and the other way round.

    A card without a name may have any handle, and is named where the viewer comes to know it, by a word that the file
    says elsewhere. Cards of a hand that is shown as a whole stand in the log alone.
    """
    of_seq = {step["seq"]: cast(ReadJson, step["event"]) for step in steps if step.get("seq")}
    known = words_in(header, *map(_plain, steps)) | {"?"}
    told = set()
    for at, line in enumerate(log, 2):
        seq = line.get("x-seq", line.get("seq"))
        event = of_seq.get(seq, {})
        if _tells(line, event):
            told.add(seq)
        elif line.get("type") not in _RETOLD:
            yield Said("log_line_extra", line=at)
        elif not words_in(_plain(line)) - {line.get("type")} <= known:
            yield Said("log_line_names", line=at)
    missing = [seq for seq, event in of_seq.items() if seq not in told and event.get("type") not in _RETOLD]
    if missing:
        yield Said("log_event_missing", seq=missing[0])


_RETOLD = frozenset(type_name(kind) for kind in (PositionSet, Checkpoint, Gap, Flagged)) | {"identified"}
"""Events by which a viewer's log tells what the whole log tells in another way, or not at all."""


def _tells(line: ReadJson, event: ReadJson) -> bool:
    """Whether a line says all that an event does; a card may have a handle, or a name that comes later."""
    said = cast(ReadJson, _plain(line))
    return bool(event) and all(
        said.get(key) == value or "?" in words_in(value) or "?" in words_in(said.get(key))
        for key, value in cast(ReadJson, _plain(event)).items()
        if key not in _PLACES
    )


_PLACES = frozenset({"position", "from", "to"})
"""Where an event about the record leads is numbered anew as well, and a position has handles as keys."""


def _plain(value: object) -> object:
    """An event without its numbers, its unknown cards without their handles."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items() if key not in _NUMBERS and not key.endswith("_seq")}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return "?" if isinstance(value, str) and value.startswith("?") else value


def record_differences(said: Mapping[str, object], made: Mapping[str, object]) -> Iterator[str]:
    """Where a record says something else than the one that is made again; what a publisher signs is no part of it."""
    for name in sorted({*said, *made} - {BY}, key=lambda name: (name != "findings", name == "steps", name)):
        ours, theirs = made.get(name), said.get(name)
        if ours == theirs:
            continue
        if name in ("findings", "steps"):
            yield from _list_differences(name, cast("list[object]", theirs), cast("list[object]", ours or []))
        else:
            yield Said("said_otherwise", field=name, said=_short(theirs), found=_short(ours))


def _list_differences(name: str, said: Sequence[object], made: Sequence[object]) -> Iterator[str]:
    if len(said) != len(made):
        yield Said("counted_otherwise", field=name, said=len(said), found=len(made))
    for at, (theirs, ours) in enumerate(zip(said, made, strict=False)):
        fields, others = cast(Mapping[str, object], theirs), cast(Mapping[str, object], ours)
        for field in (*fields, *(each for each in others if each not in fields)):
            if fields.get(field) != others.get(field):
                where = f"{name[:-1]} {at} (seq {others.get('seq')}), {field}"
                told, again = _short(fields.get(field)), _short(others.get(field))
                yield Said("said_otherwise", field=where, said=told, found=again)


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:79]}…"
