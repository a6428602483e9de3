"""Seals: what a log said when it was sealed, and by whose word.

A seal holds the head of the log's chain (`replays.log.canonical`), the number of its events and a short hash of each
line as written. The head tells whether anything was changed, the short hashes tell where. It is a JSON file
beside the log. Whoever signs it signs all of it.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.errors import AuditError
from audit.model import LOG_VERSION
from replays.errors import LogError, Problem, whole_file_error
from replays.files import UnreadableFileError, read_whole
from replays.log.canonical import Chain, canonical_object
from replays.log.lines import Lines
from replays.log.strict_json import NotARecordError, parse
from replays.log.upcasts import UPCASTS
from replays.seals.keys import PublicKey, sign

SEAL_VERSION = "audit-seal/1"
MAX_BYTES = 256_000_000
"""The most bytes that a seal has."""
SHORT = 8
"""Bytes kept of the hash of each line."""


class SealError(AuditError):
    """A seal that cannot be read, or may not be made."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody's word for a seal: their name for themselves, their public key, and the signature (base64)."""

    name: str
    key: str
    signature: str

    @property
    def public(self) -> PublicKey:
        """The key; raises ValueError where it is none."""
        return PublicKey(self.name, b64decode(self.key, validate=True))


class Seal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a log said when it was sealed. `head` and the hashes of the `lines` (the header's first) are hexadecimal."""

    seal: str
    log: str
    ruleset: str
    game: str
    events: int
    head: str
    lines: tuple[str, ...]
    at: str = ""
    signatures: tuple[Signature, ...] = ()

    def signed_data(self) -> bytes:
        """What a signature is of: everything but the signatures."""
        said = msgspec.to_builtins(replace(self, signatures=()))
        return SEAL_VERSION.encode() + b"\n" + canonical_object(said)


class SealedLine(Struct, frozen=True):
    """A line of a log that is being gone through: its hash, or what is wrong with it."""

    line: int
    short: str
    bad: tuple[str, str] | None
    text: bytes


def seal(source: str | Path | BinaryIO, at: str = "") -> Seal:
    """Seal a log as it is now; raises `LogError` where it has a bad line. `at` is the time to write into it."""
    chain = Chain()
    lines = Lines(source)
    shorts: list[str] = []
    first: dict[str, object] = {}
    for link in links(lines, chain):
        if bad := link.bad or out_of_order(link):
            kind, detail = bad
            raise LogError(lines.name, (Problem(link.line, "", "a good line to seal", f"{kind}: {detail}"),))
        first = first or parse(link.text)
        shorts.append(link.short)
    if not shorts:
        raise whole_file_error(lines.name, "a log: a header, then events", "an empty file")
    log, ruleset, game = (str(first.get(name, "")) for name in ("log", "ruleset", "game"))
    return Seal(
        seal=SEAL_VERSION, log=log, ruleset=ruleset, game=game, events=len(shorts) - 1, head=chain.head.hex(),
        lines=tuple(shorts), at=at,
    )  # fmt: skip


def signed(unsigned: Seal, key: str) -> Seal:
    """The seal with one's own signature by the key of that name, in place of an earlier one by it."""
    public, signature = sign(key, unsigned.signed_data())
    mine = Signature(public.name, b64encode(public.raw).decode(), b64encode(signature).decode())
    others = tuple(each for each in unsigned.signatures if each.key != mine.key)
    return replace(unsigned, signatures=(*others, mine))


def beside(log: str | Path) -> Path:
    """Where the seal of a log lies: `game.jsonl.seal` beside `game.jsonl`."""
    return Path(f"{log}.seal")


def seal_file(log: str | Path, key: str | None = None, at: str = "") -> Seal:
    """Seal a log on disk, in the file beside it, and sign it where a key is named.

    A seal that is there already is kept where the log says the same still (a signature is added), replaced where
    the log has only grown, and raises `SealError` where they contradict each other.
    """
    path = beside(log)
    made = seal(log, at)
    if path.exists():
        old = read_seal(path)
        if made.lines[: len(old.lines)] != old.lines:
            raise SealError(str(path), "the log no longer says what was sealed; verify it, or move the seal away")
        made = old if old.head == made.head else made
    made = signed(made, key) if key else made
    write_seal(made, path)
    return made


def read_seal(path: str | Path) -> Seal:
    """The seal of a file; raises `SealError` where there is none or it is damaged."""
    try:
        found = parse(read_whole(path, MAX_BYTES).strip())
        made = msgspec.convert(found, Seal)
    except FileNotFoundError:
        raise SealError(str(path), "no such file") from None
    except OSError as problem:
        raise SealError(str(path), problem.strerror or str(problem)) from None
    except UnreadableFileError as problem:
        raise SealError(str(path), problem.reason) from None
    except (NotARecordError, msgspec.ValidationError) as problem:
        raise SealError(str(path), f"not a seal: {problem}") from None
    if made.seal != SEAL_VERSION:
        raise SealError(str(path), f'expected a seal of version "{SEAL_VERSION}", found "{made.seal}"')
    if len(made.lines) != made.events + 1:
        raise SealError(str(path), f"not a seal: {len(made.lines)} lines for {made.events} events")
    return made


def as_text(made: Seal) -> bytes:
    """A seal as its file has it."""
    return msgspec.json.encode(made) + b"\n"


def write_seal(made: Seal, path: Path) -> None:
    """Write a seal, whole or not at all; raises `SealError`."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(as_text(made))
        part.replace(path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise SealError(str(path), f"cannot be written: {problem.strerror}") from None


def links(lines: Lines, chain: Chain) -> Iterator[SealedLine]:
    """Every line of a log with its hash, hung on the chain while nothing is wrong."""
    number = 0
    is_whole = True
    for batch in lines.batches():
        ending = b"" if lines.unfinished else b"\n"
        for line in batch:
            number += 1
            bad = _bad(line, number, lines.unfinished, chain) if is_whole else None
            is_whole = is_whole and not bad
            yield SealedLine(number, short_hash(line + ending), bad, line)


def short_hash(line: bytes) -> str:
    """The short hash of a line as written, its end included."""
    return sha256(line).hexdigest()[: 2 * SHORT]


class _Placed(Struct):
    seq: int


_seq_of = msgspec.json.Decoder(_Placed).decode


def out_of_order(link: SealedLine) -> tuple[str, str] | None:
    """What a seq that does not follow tells, even without a seal: something is missing, or too much."""
    if link.line == 1 or link.bad:
        return None
    try:
        seq = _seq_of(link.text).seq
    except msgspec.MsgspecError:
        return "not a record", "an object without a seq"
    if seq > link.line - 1:
        return "removed", f"seq {link.line - 1} is missing before this line"
    return ("inserted", f"seq {seq} was said before") if seq < link.line - 1 else None


def _bad(line: bytes, number: int, unfinished: bool, chain: Chain) -> tuple[str, str] | None:
    try:
        if number == 1 and (strange := _strange_version(line)):
            return "unknown version", strange
        chain.add(line)
    except NotARecordError as error:
        return ("torn", "cut short") if unfinished and error.cut else ("not a record", error.found)
    return None


def _strange_version(header: bytes) -> str:
    version = parse(header).get("log")
    if not isinstance(version, str):
        raise NotARecordError("a header", "a line that names no version of the log")
    return "" if version in (LOG_VERSION, *UPCASTS) else f'found "{version}", expected "{LOG_VERSION}"'
