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

from replays.errors import whole_file_error
from replays.log.lines import Lines
from replays.said import GameTitle, Said, in_language
from replays.trust.keys import PublicKey
from replays.trust.merkle import root
from replays.trust.seal import Chain, Seal, SealedLine, Signature, leaf, links, out_of_order, short_hash

ALTERED = "altered"
INSERTED = "inserted"
REMOVED = "removed"
TORN = "torn"
GROWN = "grown"


def grown(sealed: int, since: int) -> Said:
    """What is said of a file to which lines were added after it was sealed."""
    return Said("grown", line=sealed, n=since)


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
    def words(self) -> Said:
        """By whom it is, in words."""
        if not self.is_valid:
            return Said("signed.not", key=self.key or Said("none"), name=self.name)
        if self.is_trusted:
            return Said("signed.by", known=self.known_as, key=self.key)
        if self.known_as:
            return Said("signed.kept", key=self.key, known=self.known_as)
        return Said("signed.calls", key=self.key, name=self.name)


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
    ruleset: str = ""
    game: str = ""
    """The game by its ruleset and its name, as the first line has them."""

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
            return Said("intact" if self.is_vouched else "intact_by_head")
        if not self.is_unaltered or "seal" not in self.pinned_by:
            return self._less()
        signed = any(each.is_valid for each in self.signatures)
        return Said("since_signed" if signed else "since_sealed")

    def _less(self) -> str:
        if self.bad and self.bad.kind == GROWN:
            return self.bad.detail
        return Said("altered" if self.bad else "no_bad_line")

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less. (2 is for what cannot be read: `LogError`, `SealError`.)"""
        return 0 if self.is_intact else 1

    def lines(self, language: str = "en") -> list[str]:
        """The result in words, a line for each thing to know. The answer comes first."""
        signatures = [each.words for each in self.signatures]
        missing = () if self.is_vouched else self._unsigned()
        return [in_language(each, language) for each in (self._first(), *missing, *signatures, self._end())]

    def _unsigned(self) -> list[Said]:
        if "seal" not in self.pinned_by:
            return []
        named = any(each.is_valid and each.is_trusted for each in self.signatures)
        missing = "seal_of_some" if named else "seal_of_others"
        return [Said(missing if self.signatures else "unsigned_seal")]

    def _first(self) -> Said:
        return Said("of_file", file=self.file, said=self._wrong() or self.answer)

    def _wrong(self) -> Said | None:
        """Where the log is bad, how, and what is told of that."""
        if not self.bad or self.bad.kind == GROWN:
            return None
        kind = Said(f"kind.{self.bad.kind}")
        if not self.bad.line:
            return Said("bad_log", kind=kind, reason=self.bad.detail)
        return Said("bad_line", line=self.bad.line, kind=kind, reason=self.bad.detail)

    def _end(self) -> Said:
        pins = tuple(Said(f"pin.{each}") for each in self.pinned_by)
        tail = Said("end_pinned", pins=pins) if pins else Said("end_open")
        checked = Said("lines_checked", n=self.checked)
        return of_game(
            self.ruleset, self.game, Said("end", checked=checked, tail=tail, head=self.head or Said("unknown"))
        )


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
        ruleset=read.ruleset,
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
        self.ruleset = self.game = ""
        chain = Chain()
        for link in links(lines, chain):
            self._take(link, chain)

    def _take(self, link: SealedLine, chain: Chain) -> None:
        self.shorts.append(link.short)
        self.last = link.text
        if link.bad:
            self.broken = BadLine(link.line, *link.bad)
        elif not self.broken:
            if not self.heads:
                self.ruleset, self.game = _named(link.text)
            self.heads.append(chain.head.hex())
            if self.secret:
                self.leaves.append(leaf(json.decode(link.text), self.secret, len(self.leaves)))
            if not self.disorder and (found := out_of_order(link)):
                self.disorder = BadLine(link.line, *found)


def _named(first: bytes) -> tuple[str, str]:
    """The ruleset and the name of the game of a header."""
    said = json.decode(first)
    return str(said.get("ruleset") or ""), str(said.get("game") or "")


def of_game(ruleset: str, name: str, said: Said) -> Said:
    """What is said of a game, which is named by its title, so that no name reads as a word of the answer."""
    if ruleset and name:
        return Said("of_game", title=GameTitle(ruleset), game=name, said=said)
    if ruleset:
        return Said("of_ruleset", title=GameTitle(ruleset), said=said)
    return Said("of_game_alone", game=name, said=said) if name else said


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
            return BadLine(0, ALTERED, Said("head_of_seal"))
        if self.seal.secret and root(read.leaves[:sealed]).hex() != self.seal.root:
            return BadLine(0, ALTERED, Said("tree_of_seal"))
        since = len(read.shorts) - sealed
        return BadLine(sealed + 1, GROWN, grown(sealed, since)) if since else None

    def _count(self, events: int) -> BadLine | None:
        if self.count is None or events == self.count:
            return None
        told = {"expected": self.count, "found": events}
        if events < self.count:
            return BadLine(events + 2, REMOVED, Said("ends_here", **told))
        return BadLine(self.count + 2, INSERTED, Said("ends_before", **told))

    def _root(self, read: _Read) -> str:
        """The root of the seal, which stands in published files, where it is that of the log."""
        return self.seal.root if self.seal and self.seal.secret and not self._seal(read) else ""

    def _head(self, read: _Read, heads: Sequence[str]) -> BadLine | None:
        if self.head is None or self.head.lower() in (*heads[-1:], self._root(read)):
            return None
        if self.head.lower() in heads:
            return BadLine(heads.index(self.head.lower()) + 2, INSERTED, Said("expected_head_before"))
        return BadLine(0, ALTERED, Said("other_head"))


def _located(found: Sequence[str], wanted: Sequence[str], last: bytes) -> BadLine:
    at = next((n for n, (is_, was) in enumerate(zip(found, wanted, strict=False)) if is_ != was), None)
    if at is None:
        return _ended(len(found), wanted)
    if at == len(found) - 1 and short_hash(last + b"\n") == wanted[at]:
        return BadLine(at + 1, TORN, Said("end_of_line_missing"))
    rest = found[at:]
    if sorted(rest) == sorted(wanted[at:]):
        return BadLine(at + 1, ALTERED, Said("lines_moved", line=wanted.index(rest[0]) + 1))
    agreed = {
        ALTERED: _agreed(rest[1:], wanted[at + 1 :]),
        INSERTED: _agreed(rest[1:], wanted[at:]),
        REMOVED: _agreed(rest, wanted[at + 1 :]),
    }
    kind = max(agreed, key=agreed.__getitem__)
    return BadLine(at + 1, kind, Said(_DETAILS[kind]))


_DETAILS = {
    ALTERED: "not_as_sealed",
    INSERTED: "not_there_when_sealed",
    REMOVED: "sealed_line_missing",
}


def _ended(found: int, wanted: Sequence[str]) -> BadLine:
    return BadLine(found + 1, REMOVED, Said("more_sealed", n=len(wanted) - found))


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
            return BadLine(0, ALTERED, Said("not_what_was_signed", name=each.name, key=each.key or Said("no_key")))
    return None
