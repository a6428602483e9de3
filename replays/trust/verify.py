"""Verifies a log: the first bad line and its kind, how far it was checked, and by whose word.

Whoever verifies names the signers. A log is **intact** only if nothing is wrong and somebody named says so, or if the
expected head was given. A seal that somebody else signed, or nobody, shows that a log is unaltered since then; not by
whom it was sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, json

from audit.core.typed_setup import count_noun
from replays.errors import whole_file_error
from replays.log.lines import Lines
from replays.trust.keys import PublicKey
from replays.trust.merkle import root
from replays.trust.seal import Chain, Seal, SealedLine, Signature, leaf, links, out_of_order, short_hash

ALTERED = "altered"
INSERTED = "inserted"
REMOVED = "removed"
TORN = "torn"
GROWN = "grown"


def grown(sealed: int, since: int) -> str:
    """What is said of a file to which lines were added after it was sealed."""
    return f"sealed up to line {sealed:,}; {count_noun(since, 'line')} since, by nobody"


class BadLine(Struct, frozen=True):
    """The first line that is wrong (0: the log as a whole) and how: altered, inserted, removed, torn, grown (not
    sealed), not a record, or unknown version."""

    line: int
    kind: str
    detail: str


class SignatureCheck(Struct, frozen=True):
    """One signature: by which key, whether it holds, whether that key was asked for, and what we call it.

    `name` is what the signer calls itself; anybody can write any name there.
    """

    name: str
    key: str
    is_valid: bool
    is_trusted: bool
    known_as: str = ""

    @property
    def words(self) -> str:
        """By whom it is, in words."""
        if not self.is_valid:
            return f"NOT signed by the key {self.key or 'none'}, in the name of {self.name}"
        if self.is_trusted:
            return f"signed by {self.known_as} ({self.key})"
        known = f"which you keep as {self.known_as}" if self.known_as else f"which calls itself {self.name}"
        return f"signed by the key {self.key}, {known}; you did not ask for it"


class Signers(Struct, frozen=True):
    """Whose signatures the verifier asks for: any of these keys or, with `every`, all of them.

    `known` are other keys that have a name here.
    """

    keys: tuple[PublicKey, ...] = ()
    every: bool = False
    known: tuple[PublicKey, ...] = ()

    def check(self, signatures: Iterable[Signature], data: bytes) -> tuple[SignatureCheck, ...]:
        """Each signature of this data, one for each key: whoever signs twice is one signer."""
        found: dict[tuple[str, bool], SignatureCheck] = {}
        for check in (self._check(each, data) for each in signatures):
            found.setdefault((check.key, check.is_valid), check)
        return tuple(found.values())

    def _check(self, each: Signature, data: bytes) -> SignatureCheck:
        try:
            public = each.public
        except ValueError:
            return SignatureCheck(each.name, "", False, False)
        asked = {key.raw: key.name for key in self.keys}
        names = {**{key.raw: key.name for key in self.known}, **asked}
        return SignatureCheck(each.name, public.id, each.is_of(data), public.raw in asked, names.get(public.raw, ""))

    def have_signed(self, checks: Iterable[SignatureCheck]) -> bool:
        """Whether those asked for have signed; False where nobody was asked for."""
        found = {each.key for each in checks if each.is_valid and each.is_trusted}
        asked = {key.id for key in self.keys}
        return bool(found) and (not self.every or found == asked)


NOBODY = Signers()


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
    is_vouched: bool = False
    """The signers asked for have signed the seal."""
    is_asked: bool = False
    """Whether signers were asked for. Then the expected head alone is not enough."""
    game: str = ""
    """The game by its name and its ruleset, as the first line has them."""

    @property
    def is_tail_pinned(self) -> bool:
        """Something outside the log says where it ends."""
        return bool(self.pinned_by)

    @property
    def is_unaltered(self) -> bool:
        """Nothing is wrong, and nothing can be missing, as far as seal, head and count can tell."""
        return self.bad is None and self.is_tail_pinned

    @property
    def is_intact(self) -> bool:
        """Unaltered, by the word of the signers who were asked for; of nobody, by the head that was expected."""
        return self.is_unaltered and (self.is_vouched or self.is_by_head)

    @property
    def is_by_head(self) -> bool:
        """Whether the log ends with the head that was expected, and no signer was asked for."""
        return "head" in self.pinned_by and not self.is_asked

    @property
    def answer(self) -> str:
        """The result in a few words."""
        if self.is_intact:
            return "intact" if self.is_vouched else "intact by the head you gave"
        if not self.is_unaltered or "seal" not in self.pinned_by:
            return self._less()
        signed = any(each.is_valid for each in self.signatures)
        return "unaltered since somebody signed it" if signed else "unaltered since it was sealed, but nobody signed it"

    def _less(self) -> str:
        if self.bad and self.bad.kind == GROWN:
            return self.bad.detail
        return "altered" if self.bad else "no bad line found"

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less. (2 is for what cannot be read: `LogError`, `SealError`.)"""
        return 0 if self.is_intact else 1

    def lines(self) -> list[str]:
        """The result in words, a line for each thing to know. The answer comes first."""
        signatures = [each.words for each in self.signatures]
        missing = () if self.is_vouched else self._unsigned()
        return [self._first(), *missing, *signatures, self._end()]

    def _unsigned(self) -> list[str]:
        if "seal" not in self.pinned_by:
            return []
        named = any(each.is_valid and each.is_trusted for each in self.signatures)
        missing = "not everybody asked for has signed the seal" if named else "nobody you asked for has signed the seal"
        return [missing if self.signatures else "the seal is not signed: it may be anybody's"]

    def _first(self) -> str:
        if self.bad and self.bad.kind != GROWN:
            where = f"line {self.bad.line}" if self.bad.line else "the log"
            return f"{self.file}: {where}: {self.bad.kind}: {self.bad.detail}"
        return f"{self.file}: {self.answer}"

    def _end(self) -> str:
        pins = " and ".join(self.pinned_by)
        tail = f"pinned by its {pins}" if pins else "not pinned: lines may be missing"
        game = f"{self.game}: " if self.game else ""
        return f"{game}{count_noun(self.checked, 'line')} checked; the end is {tail}; head {self.head or 'unknown'}"


def verify(
    source: str | Path | BinaryIO,
    seal: Seal | None = None,
    *,
    expect_count: int | None = None,
    expect_head: str | None = None,
    signers: Signers = NOBODY,
) -> Verification:
    """Check a log against a seal, an expected number of events and an expected head, whichever are given.

    Raises `LogError` where there is no log to check: a missing file, a directory, an empty file.
    """
    lines = Lines(source)
    read = _Read(lines, seal.secret_bytes() if seal and seal.secret else b"")
    if not read.shorts:
        raise whole_file_error(lines.name, "a log: a header, then events", "an empty file")
    signatures = signatures_of(seal, signers)
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
        is_vouched=signers.have_signed(signatures),
        is_asked=bool(signers.keys),
        game=read.game,
    )


class _Read:
    """A log gone through once: the hashes of its lines, and the first line that is wrong by itself."""

    def __init__(self, lines: Lines, secret: bytes) -> None:
        self.secret = secret
        self.leaves: list[bytes] = []
        """The hashes of the lines in the tree, up to the first that is no record."""
        self.shorts: list[str] = []
        self.heads: list[str] = []
        """The head after each line, up to the first that is no record."""
        self.broken: BadLine | None = None
        self.disorder: BadLine | None = None
        self.last = b""
        self.game = ""
        chain = Chain()
        for link in links(lines, chain):
            self._take(link, chain)

    def _take(self, link: SealedLine, chain: Chain) -> None:
        self.shorts.append(link.short)
        self.last = link.text
        if link.bad:
            self.broken = BadLine(link.line, *link.bad)
        elif not self.broken:
            self.game = self.game or _named(link.text)
            self.heads.append(chain.head.hex())
            if self.secret:
                self.leaves.append(leaf(json.decode(link.text), self.secret, len(self.leaves)))
            if not self.disorder and (found := out_of_order(link)):
                self.disorder = BadLine(link.line, *found)


def _named(first: bytes) -> str:
    """The game of a header."""
    said = json.decode(first)
    return game_named(*(str(said.get(name) or "") for name in ("ruleset", "game")))


def game_named(ruleset: str, name: str) -> str:
    """A game by its name and its ruleset, so that neither reads as a word of the answer."""
    return " ".join(["the game", *filter(None, (name, ruleset and f"({ruleset})"))]) if name or ruleset else ""


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
        return [self._seal(read), self._count(len(read.shorts) - 1), self._head(read, read.heads)]

    def _seal(self, read: _Read) -> BadLine | None:
        if self.seal is None:
            return None
        sealed = len(self.seal.lines)
        if read.shorts[:sealed] != list(self.seal.lines):
            return _located(read.shorts, self.seal.lines, read.last)
        if read.heads[sealed - 1 : sealed] != [self.seal.head]:
            return BadLine(0, ALTERED, "the head of the seal is not that of its lines")
        if self.seal.secret and root(read.leaves[:sealed]).hex() != self.seal.root:
            return BadLine(0, ALTERED, "the tree of the seal is not that of its lines")
        since = len(read.shorts) - sealed
        return BadLine(sealed + 1, GROWN, grown(sealed, since)) if since else None

    def _count(self, events: int) -> BadLine | None:
        if self.count is None or events == self.count:
            return None
        told = f"{count_noun(self.count, 'event')} expected, {events:,} found"
        if events < self.count:
            return BadLine(events + 2, REMOVED, f"the log ends here; {told}")
        return BadLine(self.count + 2, INSERTED, f"the log should end before this line; {told}")

    def _root(self, read: _Read) -> str:
        """The root of the seal, which stands in published files, where it is that of the log."""
        return self.seal.root if self.seal and self.seal.secret and not self._seal(read) else ""

    def _head(self, read: _Read, heads: Sequence[str]) -> BadLine | None:
        if self.head is None or self.head.lower() in (*heads[-1:], self._root(read)):
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
    told = f"the log ends here; {count_noun(len(wanted) - found, 'line')} more were sealed"
    return BadLine(found + 1, REMOVED, told)


def _agreed(found: Sequence[str], wanted: Sequence[str]) -> int:
    """How many lines are the same from here on; where they end together, that counts for one more."""
    same = 0
    for is_, was in zip(found, wanted, strict=False):
        if is_ != was:
            return same
        same += 1
    return same + (len(found) == len(wanted))


def _first(bad: Sequence[BadLine | None]) -> BadLine | None:
    """The first bad line, of two accounts of one line the first given, and the log as a whole where no line is bad.

    That a line was not sealed is said of it last.
    """
    told = [each for each in bad if each]
    return min(told, key=lambda each: (each.line or 10**12, each.kind == GROWN), default=None)


def signatures_of(seal: Seal | None, signers: Signers = NOBODY) -> tuple[SignatureCheck, ...]:
    """The signatures of a seal: whether each holds, and whether its key was asked for."""
    return signers.check(seal.signatures, seal.signed_data()) if seal and seal.signatures else ()


def forged(signatures: Iterable[SignatureCheck]) -> BadLine | None:
    """What is wrong with a seal that somebody did not sign as it is."""
    for each in signatures:
        if not each.is_valid:
            return BadLine(0, ALTERED, f"the seal is not what {each.name} ({each.key or 'no key'}) signed")
    return None
