"""Verifies a log: the first bad line and its kind, how far it was checked, and whether its end is pinned."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from audit.schema_text import count_noun
from replays.errors import whole_file_error
from replays.log.canonical import Chain
from replays.log.lines import Lines
from replays.seals.keys import PublicKey
from replays.seals.seal import Seal, SealedLine, Signature, links, out_of_order, short_hash

ALTERED = "altered"
INSERTED = "inserted"
REMOVED = "removed"
TORN = "torn"


class BadLine(Struct, frozen=True):
    """The first line that is wrong (0: the log as a whole) and how: altered, inserted, removed, torn, not a
    record, or unknown version."""

    line: int
    kind: str
    detail: str


class SignatureCheck(Struct, frozen=True):
    """One signature of the seal: by which key, whether it holds, and whether that key is one we trust."""

    name: str
    key: str
    is_valid: bool
    is_trusted: bool


class Verification(Struct, frozen=True, kw_only=True):
    """What was found. `checked` lines, the header among them, stand before the first bad one."""

    file: str
    checked: int
    events: int
    head: str
    pinned_by: tuple[str, ...]
    """What says where the log ends: `seal`, `count`, `head`."""
    bad: BadLine | None = None
    signatures: tuple[SignatureCheck, ...] = ()
    unsigned: bool = False
    """A signature was asked for, and none that holds is by a key that is trusted."""

    @property
    def is_tail_pinned(self) -> bool:
        """Something outside the log says where it ends."""
        return bool(self.pinned_by)

    @property
    def is_intact(self) -> bool:
        """Nothing is wrong, and nothing can be missing."""
        return self.bad is None and self.is_tail_pinned and not self.unsigned

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less. (2 is for what cannot be read: `LogError`, `SealError`.)"""
        return 0 if self.is_intact else 1

    def lines(self) -> list[str]:
        """The result in words, a line for each thing to know."""
        return [self._first(), self._end(), *map(_words, self.signatures), *self._wanting()]

    def _first(self) -> str:
        if self.bad:
            where = f"line {self.bad.line}" if self.bad.line else "the log"
            return f"{self.file}: {where}: {self.bad.kind}: {self.bad.detail}"
        return f"{self.file}: {'intact' if self.is_intact else 'no bad line found'}"

    def _end(self) -> str:
        pins = " and ".join(self.pinned_by)
        tail = f"pinned by its {pins}" if pins else "not pinned: lines may be missing"
        return f"{count_noun(self.checked, 'line')} checked; the end is {tail}; head {self.head or 'unknown'}"

    def _wanting(self) -> list[str]:
        return ["no signature that holds is by a key that is trusted"] if self.unsigned else []


def verify(
    source: str | Path | BinaryIO,
    seal: Seal | None = None,
    *,
    expect_count: int | None = None,
    expect_head: str | None = None,
    trusted: Iterable[PublicKey] = (),
    needs_trust: bool = False,
) -> Verification:
    """Check a log against a seal, an expected number of events and an expected head, whichever are given.

    With `needs_trust`, a seal that nobody in `trusted` has signed does not pass. Raises `LogError` where there is no
    log to check: a missing file, a directory, an empty file.
    """
    lines = Lines(source)
    read = _Read(lines)
    if not read.shorts:
        raise whole_file_error(lines.name, "a log: a header, then events", "an empty file")
    signatures = signatures_of(seal, trusted)
    expected = _Expected(seal, expect_count, expect_head)
    bad = forged(signatures) or _first([read.broken, *expected.differences(read), read.disorder])
    return Verification(
        file=lines.name,
        checked=bad.line - 1 if bad and bad.line else len(read.shorts),
        events=len(read.shorts) - 1,
        head=read.heads[-1] if len(read.heads) == len(read.shorts) else "",
        pinned_by=expected.pins,
        bad=bad,
        signatures=signatures,
        unsigned=needs_trust and not any(each.is_valid and each.is_trusted for each in signatures),
    )


class _Read:
    """A log gone through once: the hashes of its lines, and the first line that is wrong by itself."""

    def __init__(self, lines: Lines) -> None:
        self.shorts: list[str] = []
        self.heads: list[str] = []
        """The head after each line, up to the first that is no record."""
        self.broken: BadLine | None = None
        self.disorder: BadLine | None = None
        self.last = b""
        chain = Chain()
        for link in links(lines, chain):
            self._take(link, chain)

    def _take(self, link: SealedLine, chain: Chain) -> None:
        self.shorts.append(link.short)
        self.last = link.text
        if link.bad:
            self.broken = BadLine(link.line, *link.bad)
        elif not self.broken:
            self.heads.append(chain.head.hex())
            if not self.disorder and (found := out_of_order(link)):
                self.disorder = BadLine(link.line, *found)


class _Expected(Struct, frozen=True):
    seal: Seal | None
    count: int | None
    head: str | None

    @property
    def pins(self) -> tuple[str, ...]:
        given = {"seal": self.seal, "count": self.count, "head": self.head}
        return tuple(name for name, value in given.items() if value is not None)

    def differences(self, read: _Read) -> list[BadLine | None]:
        """What differs from each thing expected."""
        return [self._seal(read), self._count(len(read.shorts) - 1), self._head(read.heads)]

    def _seal(self, read: _Read) -> BadLine | None:
        if self.seal is None:
            return None
        if read.shorts != list(self.seal.lines):
            return _located(read.shorts, self.seal.lines, read.last)
        if read.heads[-1:] != [self.seal.head]:
            return BadLine(0, ALTERED, "the head of the seal is not that of its lines")
        return None

    def _count(self, events: int) -> BadLine | None:
        if self.count is None or events == self.count:
            return None
        told = f"{count_noun(self.count, 'event')} expected, {events:,} found"
        if events < self.count:
            return BadLine(events + 2, REMOVED, f"the log ends here; {told}")
        return BadLine(self.count + 2, INSERTED, f"the log should end before this line; {told}")

    def _head(self, heads: Sequence[str]) -> BadLine | None:
        if self.head is None or heads[-1:] == [self.head.lower()]:
            return None
        if self.head.lower() in heads:
            return BadLine(heads.index(self.head.lower()) + 2, INSERTED, "the line before has the expected head")
        return BadLine(0, ALTERED, "the head is not the expected one; only a seal can tell which line it is")


def _located(found: Sequence[str], wanted: Sequence[str], last: bytes) -> BadLine:
    at = next((n for n, (is_, was) in enumerate(zip(found, wanted, strict=False)) if is_ != was), None)
    if at is None:
        return _ended(len(found), wanted)
    if at == len(found) - 1 and short_hash(last + b"\n") == wanted[at]:
        return BadLine(at + 1, TORN, "the end of the line is missing")
    rest = found[at:]
    if sorted(rest) == sorted(wanted[at:]):
        return BadLine(at + 1, ALTERED, f"lines changed places: here stands what was line {wanted.index(rest[0]) + 1}")
    agreed = {
        ALTERED: _agreed(rest[1:], wanted[at + 1 :]),
        INSERTED: _agreed(rest[1:], wanted[at:]),
        REMOVED: _agreed(rest, wanted[at + 1 :]),
    }
    kind = max(agreed, key=agreed.__getitem__)
    return BadLine(at + 1, kind, _DETAILS[kind])


_DETAILS = {
    ALTERED: "not as it was sealed",
    INSERTED: "was not there when the log was sealed",
    REMOVED: "a line that was sealed is missing here",
}


def _ended(found: int, wanted: Sequence[str]) -> BadLine:
    if found < len(wanted):
        told = f"the log ends here; {count_noun(len(wanted) - found, 'line')} more were sealed"
        return BadLine(found + 1, REMOVED, told)
    return BadLine(len(wanted) + 1, INSERTED, f"{count_noun(found - len(wanted), 'line')} more than were sealed")


def _agreed(found: Sequence[str], wanted: Sequence[str]) -> int:
    """How many lines are the same from here on; where they end together, that counts for one more."""
    same = 0
    for is_, was in zip(found, wanted, strict=False):
        if is_ != was:
            return same
        same += 1
    return same + (len(found) == len(wanted))


def _first(bad: Sequence[BadLine | None]) -> BadLine | None:
    """The first bad line, of two accounts of one line the first given; the log as a whole where no line is bad."""
    told = [each for each in bad if each]
    return min(told, key=lambda each: each.line or 10**12, default=None)


def signatures_of(seal: Seal | None, trusted: Iterable[PublicKey] = ()) -> tuple[SignatureCheck, ...]:
    """The signatures of a seal: whether each holds, and whether its key is one of the trusted."""
    return tuple(_signatures(seal, {key.raw: key.name for key in trusted}))


def _signatures(seal: Seal | None, known: Mapping[bytes, str]) -> Iterator[SignatureCheck]:
    data = seal.signed_data() if seal and seal.signatures else b""
    for each in seal.signatures if seal else ():
        yield _signed(each, data, known)


def _signed(each: Signature, data: bytes, known: Mapping[bytes, str]) -> SignatureCheck:
    try:
        public = each.public
        is_valid = public.has_signed(b64decode(each.signature, validate=True), data)
    except ValueError:
        return SignatureCheck(each.name, "", False, False)
    return SignatureCheck(known.get(public.raw, each.name), public.id, is_valid, public.raw in known)


def forged(signatures: Iterable[SignatureCheck]) -> BadLine | None:
    """What is wrong with a seal that somebody did not sign as it is."""
    for each in signatures:
        if not each.is_valid:
            return BadLine(0, ALTERED, f"the seal is not what {each.name} ({each.key or 'no key'}) signed")
    return None


def _words(each: SignatureCheck) -> str:
    holds = "signed" if each.is_valid else "NOT signed"
    return f"{holds} by {each.name} ({each.key or 'no key'}){'' if each.is_trusted else ', a key not known here'}"
