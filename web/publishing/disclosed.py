"""What a published file shows of the log, without the names of players where asked, and the proof of it.

The names are left out of the header, and so is every remark that holds one. What was sealed is still proven: the file
commits to what is left out, as it does to hidden cards. Where the game is called by a player, its seal is left out too.

A judge's file holds the whole log, and the secret of the seal. Any other file holds, beside the log as its viewer could
have kept it, an opening for each line of the sealed log (`replays.trust.commitments`): the event of each step is proven
as far as it is shown, and what is hidden is committed to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.model import Player
from replays.errors import NoSuchEventError
from replays.judging.seen import public_meta
from replays.judging.sentences import JUDGE, event_json
from replays.log.strict_json import NotARecordError, parse
from replays.said import Said
from replays.trust.commitments import (
    ABSENT,
    SECRET_BYTES,
    OpeningError,
    bytes_of,
    committed_line,
    hidden_fields,
    line_salt,
    opening,
    without_summary,
    without_unproven,
)
from replays.trust.merkle import leaf_hash, root
from replays.trust.proofs import LineProof, prove_line
from replays.trust.seal import Seal, Signature, Stamp, TreeHead, leaf
from web.games.library import Replay
from web.publishing.sources import BROKEN, Source, source_from

ReadJson = Mapping[str, object]


class AnonymousError(AuditError):
    """A game that cannot be published without names: why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"without names: {reason}")
        self.reason = reason


def anonymous(source: Source) -> Source:
    """The game without the names of its players, and without notes.

    Raises `AnonymousError` where its events are full of names.
    """
    if source.notes:
        source = replace(source, notes=())
    names = [player.name for player in source.header.players if player.name]
    if not names:
        return source
    if not source.lines:
        raise AnonymousError("only a log can be published so")
    seats = {player.seat.casefold() for player in source.header.players}
    if named := sorted(name for name in names if name.casefold() in seats):
        raise AnonymousError(f"the seats are called by the names ({', '.join(named)}), and every event names its seat")
    name = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in names), re.I)
    lines = [_unnamed(parse(line), name) for line in source.lines]
    without = source_from(b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines))
    without = replace(without, variations=source.variations)
    if name.search(source.header.game):
        return without  # its seal says the name of the game, and so that of a player
    return replace(without, seal=source.seal, original=source.original, sealed_lines=source.lines)


def as_named(whole: Source, inside: Source) -> Source:
    """A whole log without names, where the game in a published file has none."""
    return whole if any(player.name for player in inside.header.players) else anonymous(whole)


def _unnamed(line: ReadJson, name: re.Pattern[str]) -> ReadJson:
    return {key: _within(value, name) for key, value in line.items() if not _is_remark(value, name)}


def _within(value: object, name: re.Pattern[str]) -> object:
    if isinstance(value, Mapping):
        return _unnamed(value, name)
    return [_within(each, name) for each in value] if isinstance(value, list) else value


def _is_remark(value: object, name: re.Pattern[str]) -> bool:
    """Whether a field says a name, by itself or in a list of words."""
    words = value if isinstance(value, list) else [value]
    return any(isinstance(each, str) and name.search(each) for each in words)


Json = dict[str, object]


class RecordError(AuditError):
    """A document that is no published record."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not a published record: {reason}")
        self.reason = reason


class Proof(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The way from a published log to a signed tree head: the secret of the seal, or an opening for each line."""

    head: TreeHead
    signatures: tuple[Signature, ...] = ()
    stamps: tuple[Stamp, ...] = ()
    secret: str = ""
    openings: tuple[object, ...] = ()

    @property
    def hidden(self) -> int:
        """How many fields stay hidden."""
        return sum(map(hidden_fields, self.openings))

    def problem(self, log: Sequence[Json], steps: Sequence[Mapping[str, object]]) -> str:
        """Why the log and the steps are not those that were sealed; empty if they are, as far as the seal goes."""
        try:
            leaves = self._whole(log) if self.secret else self._opened(shown_lines(log[0] if log else {}, steps))
        except OpeningError as wrong:
            return wrong.words
        except (NotARecordError, RecursionError, ValueError) as wrong:
            return Said("unhashed_log", reason=str(wrong))
        size = self.head.events + 1
        if len(leaves) != size:
            return Said("other_length", size=size, found=len(leaves))
        return "" if root(leaves).hex() == self.head.root else Said("other_log")

    def _whole(self, log: Sequence[Json]) -> list[bytes]:
        secret = bytes_of(self.secret, SECRET_BYTES, "secret")
        return [leaf(line, secret, at) for at, line in enumerate(log[: self.head.events + 1])]

    def _opened(self, shown: Mapping[int, Json]) -> list[bytes]:
        leaves = []
        for at, how in enumerate(self.openings):
            try:
                leaves.append(leaf_hash(committed_line(without_unproven(shown.get(at, ABSENT), how), how, at)))
            except OpeningError as wrong:
                where = Said("line_says", line=at + 1, said=wrong.path) if wrong.path else Said("line", line=at + 1)
                raise OpeningError(where, wrong.reason) from None
        return leaves


def proof_of(source: Source, replay: Replay) -> Proof | None:
    """The proof of what `disclosed_log` shows; None where there is no seal that holds, or a former one."""
    seal = source.original
    if seal is None or not seal.secret or source.seal.standing == BROKEN:
        return None
    head = seal.tree_head()
    if replay.viewer == JUDGE and not source.sealed_lines:
        return Proof(head=head, signatures=seal.signatures, stamps=seal.stamps, secret=seal.secret)
    openings = _openings(source, seal, shown_lines(_header(source, replay), disclosed_steps(source, replay)))
    return Proof(head=head, signatures=seal.signatures, stamps=seal.stamps, openings=openings)


def _openings(source: Source, seal: Seal, shown: Mapping[int, Json]) -> tuple[object, ...]:
    secret = seal.secret_bytes()
    lines = enumerate((source.sealed_lines or source.lines)[: seal.events + 1])
    parsed = ((at, _parsed(line)) for at, line in lines)
    return tuple(
        opening(line, without_summary(line, shown.get(at, ABSENT)), line_salt(secret, at)) for at, line in parsed
    )


def shown_lines(header: Json, steps: Sequence[Mapping[str, object]]) -> dict[int, Json]:
    """What is shown of the sealed lines, by their place; raises `OpeningError` where two steps claim one place."""
    found: dict[int, Json] = {0: header}
    for step in steps:
        seq, event = step.get("seq"), step.get("event")
        if not seq or not isinstance(event, Mapping):
            continue
        if type(seq) is not int or seq in found or event.get("seq") != seq:
            raise OpeningError(f"step {step.get('step')}", "not the event of its place in the log")
        found[seq] = dict(event)
    return found


def disclosed_log(source: Source, replay: Replay) -> list[Json]:
    """The log for a record: all of it for a judge, for others as they could have kept it."""
    if replay.viewer == JUDGE and source.lines:
        return [_parsed(line) for line in source.lines]
    told = (_as_written(source, each.get("x-seq", each["seq"]), dict(each)) for each in replay.log())
    return [_header(source, replay), *told]


def disclosed_steps(source: Source, replay: Replay) -> list[Json]:
    """The steps for a record, each with its event as the viewer may know it."""
    if replay.viewer == JUDGE:
        return [dict(step) for step in replay.steps]
    return [
        {**step, "event": _as_written(source, step["seq"], cast(Json, step["event"]))} if step["seq"] else dict(step)
        for step in replay.steps
    ]


def _as_written(source: Source, seq: object, told: Json) -> Json:
    """An event with the fields that its line spells out although they go without saying.

    Left out they would be hidden fields, and nobody could tell them from others.
    """
    if type(seq) is not int or not 0 < seq < len(source.lines):
        return told
    event, line = source.events[seq - 1], _parsed(source.lines[seq])
    if line["type"] != told["type"]:
        return told
    without_saying = {*event.__struct_encode_fields__} - {*event_json(event), *told}
    return {**told, **{key: value for key, value in line.items() if key in without_saying}}


def whole_line(source: Source, seq: int) -> Json:
    """A line as it was written: an event by its seq, the header at 0."""
    return _parsed(source.lines[seq])


def shown_line(source: Source, replay: Replay, seq: int) -> Json:
    """A line as the viewer of the replay may know it: an event by its seq, the header at 0."""
    if not seq:
        return _header(source, replay)
    told = next((step["event"] for step in replay.steps if step["seq"] == seq), None)
    return dict(_as_written(source, seq, cast(Json, told))) if told else {}


def _header(source: Source, replay: Replay) -> Json:
    header = source.header
    if replay.viewer == JUDGE:
        return _parsed(source.lines[0]) if source.sealed_lines else cast(Json, msgspec.to_builtins(header))
    told: Json = {
        "log": header.log, "ruleset": header.ruleset, "game": header.game, "edition": header.edition,
        "reading": header.reading, "players": [_named(player) for player in header.players],
        "first": header.first, "complete": header.complete, "setup": dict(replay.header.setup),
        "meta": public_meta(header),
    }  # fmt: skip
    if source.lines:
        written = _parsed(source.lines[0])
        return {key: told[key] for key in written if key in told}
    return {key: value for key, value in told.items() if value or key not in ("first", "complete")}


def _named(player: Player) -> Json:
    return {"seat": player.seat, "name": player.name} if player.name else {"seat": player.seat}


def _parsed(line: bytes) -> Json:
    try:
        return parse(line)
    except NotARecordError as error:
        raise RecordError(str(error)) from None


__all__ = [
    "Proof", "RecordError", "disclosed_log", "disclosed_steps", "proof_of", "shown_line", "shown_lines", "whole_line",
]  # fmt: skip


def step_proof(log: bytes, seal: Seal | None, seq: int | None) -> LineProof | None:
    """The proof of an event; None where the log has no seal with a tree, or where there is no event.

    Raises `NoSuchEventError`.
    """
    if seal is None or not seal.secret or seq is None:
        return None
    source = source_from(log, seal)
    if not 0 <= seq <= seal.events or seq >= len(source.lines):
        raise NoSuchEventError("the sealed log", seq, seal.events)
    secret = seal.secret_bytes()
    lines = log.split(b"\n")[: seal.events + 1]
    leaves = [leaf(parse(line), secret, at) for at, line in enumerate(lines)]
    shown = shown_line(source, source.replay("public", "en"), seq)
    return prove_line(seal, leaves, seq, whole_line(source, seq), shown)
