"""Ledgers, lists of JSON lines that only grow, and their seals: how many lines, the head, who signed.

The version is the number of lines. The first line is the header: its first key says what kind of ledger it is.

A seal lies beside its ledger. Lines added later are said to be unsealed; a sealed line that says something else is
named.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.files import alone_in, append_whole, write_whole
from replays.errors import LogError, Problem, UnwritableError
from replays.files import LEDGERS, UnreadableFileError, read_whole
from replays.log.canonical import canonical_object
from replays.log.lines import MAX_LINE_BYTES
from replays.log.strict_json import NotARecordError, check_written_once, parse
from replays.said import Said, in_language
from replays.trust.seal import Chain, SealError, Signature, alone_beside, beside, short_hash, signature_by
from replays.trust.verify import SignatureCheck, Signers, grown

MAX_BYTES = 64_000_000
"""The most bytes that a ledger in a file has."""

T = TypeVar("T")


class LedgerConflictError(AuditError):
    """Somebody else has added to a ledger: the version that was expected, and the one that there is."""

    def __init__(self, name: str, expected: int, found: int) -> None:
        super().__init__(f"{name}: expected version {expected}, found version {found}; nothing was written")
        self.name = name
        self.expected = expected
        self.found = found


class UnknownLedgerError(AuditError):
    """There is no ledger of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no {name}")
        self.name = name


class Ledger(Protocol):
    """Lines that only grow."""

    name: str

    def lines(self) -> list[bytes]:
        """Every line with its end; none where nothing was written yet."""

    def append(self, lines: Sequence[bytes], expected: int, by: str) -> None:
        """Add lines to a ledger of so many; raises `LedgerConflictError`. `by` is whose word they are."""


class FileLedger:
    """A ledger in a file of its own."""

    def __init__(self, path: Path, name: str = "") -> None:
        """`name` is how messages call it, where its readers are not told of the path."""
        self.path = path
        self.name = name or str(path)

    def lines(self) -> list[bytes]:
        """Every line; raises `LogError` where the file cannot be read."""
        try:
            data = read_whole(self.path, MAX_BYTES)
        except FileNotFoundError:
            return []
        except UnreadableFileError as problem:
            raise misread(self.name, 0, "a file of lines", problem.reason) from None
        except OSError as problem:
            raise misread(self.name, 0, "a readable file", problem.strerror or str(problem)) from None
        return lines_of(data, self.name)

    def append(self, lines: Sequence[bytes], expected: int, by: str = "") -> None:
        """Add lines at the end of the file, all of them or none, while nobody else does; its folder is made first."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_in(self.path.parent):
                found = len(self.lines())
                if found != expected:
                    raise LedgerConflictError(self.name, expected, found)
                append_whole(self.path, b"".join(lines))
        except OSError as problem:
            raise UnwritableError(self.name, problem.strerror or str(problem)) from None


def misread(name: str, line: int, expected: str, found: str, field: str = "") -> LogError:
    """The error of a ledger that cannot be read: one clear line."""
    return LogError(name, (Problem(line, field, expected, found),))


def lines_of(data: bytes, name: str) -> list[bytes]:
    """The lines of a file, each with its end; raises `LogError` where the last is cut short."""
    lines = data.splitlines(keepends=True) if b"\r" not in data else []
    if data and (not lines or not data.endswith(b"\n")):
        raise misread(name, len(lines), "lines that end in LF", "one that does not")
    return lines


def line_with(value: dict[str, object]) -> bytes:
    """A value as a line: canonical JSON, so that the same value is the same bytes. Raises `LogError`."""
    try:
        line = canonical_object(value) + b"\n"
    except NotARecordError as problem:
        raise misread("the entry", 0, problem.expected, problem.found) from None
    if len(line) > MAX_LINE_BYTES:
        raise misread("the entry", 0, f"at most {MAX_LINE_BYTES:,} bytes", f"{len(line):,}")
    return line


def read_line(line: bytes, kind: type[T], name: str, number: int) -> T:
    """The value of a line; raises `LogError` with the field that is wrong."""
    try:
        return msgspec.convert(parse(line.removesuffix(b"\n")), kind)
    except NotARecordError as problem:
        raise misread(name, number, problem.expected, problem.found) from None
    except msgspec.ValidationError as problem:
        said, _, field = str(problem).partition(" - at `$")
        raise misread(name, number, "what the entry may hold", said, field.strip("`.")) from None


VERSION = "audit-ledger-seal/1"
MAX_SEAL_BYTES = 16_000_000


class LedgerSeal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a ledger said when it was sealed: a short hash of each line, and the head of the chain over all of them."""

    seal: str
    kind: str
    head: str
    lines: tuple[str, ...]
    at: str = ""
    signatures: tuple[Signature, ...] = ()

    def signed_data(self) -> bytes:
        """What a signature is of: everything but the signatures."""
        said = {key: value for key, value in msgspec.to_builtins(self).items() if key != "signatures"}
        return VERSION.encode() + b"\n" + canonical_object(said)


class LedgerCheck(Struct, frozen=True, kw_only=True):
    """What the seal of a ledger says of it."""

    file: str
    lines_sealed: int
    lines_since: int
    problem: str = ""
    head: str = ""
    signatures: tuple[SignatureCheck, ...] = ()
    is_vouched: bool = False
    has_seal: bool = True

    @property
    def is_unaltered(self) -> bool:
        """Every sealed line is as it was, and every signature holds."""
        return self.has_seal and not self.problem and all(each.is_valid for each in self.signatures)

    @property
    def is_intact(self) -> bool:
        """Unaltered to its last line, and signed by who was asked for."""
        return self.is_unaltered and self.is_vouched and not self.lines_since

    @property
    def answer(self) -> str:
        """The result in a few words."""
        if not self.has_seal:
            return Said("altered" if self.problem else "no_seal")
        if not self.is_unaltered:
            return Said("altered")
        if self.lines_since:
            return grown(self.lines_sealed, self.lines_since)
        if self.is_intact:
            return Said("intact")
        return Said("since_signed" if self.signatures else "sealed_unsigned")

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less."""
        return 0 if self.is_intact else 1

    def lines(self, language: str = "en") -> list[str]:
        """The result in words."""
        first = Said("of_file", file=self.file, said=self.answer)
        about = [Said("ledger_about", n=self.lines_sealed, head=self.head)] if self.has_seal else []
        signatures = [each.words for each in self.signatures]
        said = [first, *filter(None, [self.problem]), *signatures, *about]
        return [in_language(each, language) for each in said]


def is_ledger(path: str | Path) -> bool:
    """Whether a file calls itself a ledger by its name."""
    return str(path).endswith(LEDGERS)


def head_of(lines: Sequence[bytes], name: str) -> str:
    """The head of the chain over lines; raises `SealError` where one is no record."""
    chain = Chain()
    for number, line in enumerate(lines, 1):
        try:
            chain.add(line.removesuffix(b"\n"))
        except NotARecordError as problem:
            raise SealError(name, Said("line_says", line=number, said=str(problem))) from None
    return chain.head.hex()


def seal_of(lines: Sequence[bytes], name: str, at: str = "") -> LedgerSeal:
    """A seal of these lines; raises `SealError`."""
    if not lines:
        raise SealError(name, "there is nothing to seal")
    kind = str(msgspec.json.decode(lines[0]).get("ledger", "")) if head_of(lines[:1], name) else ""
    return LedgerSeal(
        seal=VERSION, kind=kind, head=head_of(lines, name), lines=tuple(map(short_hash, lines)), at=at,
    )  # fmt: skip


def seal_ledger(path: Path, key: str | None = None, at: str = "") -> LedgerSeal:
    """Seal a ledger in the file beside it, and sign it where a key is named.

    Raises `SealError` where a line that was sealed says something else by now.
    """
    place = beside(path)
    with alone_beside(place):
        made = _continued(path, place, at)
        if key:
            mine = signature_by(key, made.signed_data())
            made = replace(made, signatures=(*(each for each in made.signatures if each.key != mine.key), mine))
        try:
            write_whole(place, msgspec.json.encode(made) + b"\n")
        except OSError as problem:
            raise SealError(str(place), f"cannot be written: {problem.strerror}") from None
    return made


def _continued(path: Path, place: Path, at: str) -> LedgerSeal:
    """The seal of a ledger as it is now, or the one that it has where no line was added since."""
    made = seal_of(FileLedger(path).lines(), str(path), at)
    old = read_ledger_seal(place) if place.exists() else None
    if old and made.lines[: len(old.lines)] != old.lines:
        raise SealError(str(place), "the file no longer says what was sealed; verify it, or move the seal away")
    return old if old and old.head == made.head else made


def read_ledger_seal(path: Path) -> LedgerSeal:
    """The seal of a file; raises `SealError`."""
    try:
        data = read_whole(path, MAX_SEAL_BYTES)
        check_written_once(data)
        found = msgspec.json.decode(data, type=LedgerSeal)
    except OSError as problem:
        raise SealError(str(path), problem.strerror or str(problem)) from None
    except UnreadableFileError as problem:
        raise SealError(str(path), problem.reason) from None
    except ValueError as problem:
        raise SealError(str(path), f"not a seal: {problem}") from None
    if found.seal != VERSION:
        raise SealError(str(path), f'expected a seal of version "{VERSION}"')
    return found


def verify_ledger(path: Path, signers: Signers) -> LedgerCheck:
    """What the seal beside a ledger says of it; raises `LogError` where there is no such ledger."""
    lines = FileLedger(path).lines()
    place = beside(path)
    if not lines:
        raise SealError(str(path), "no such file, or nothing in it")
    if not place.exists():
        try:
            head_of(lines, str(path))
        except SealError as problem:
            return LedgerCheck(
                file=str(path), lines_sealed=0, lines_since=len(lines), has_seal=False, problem=problem.reason
            )
        return LedgerCheck(file=str(path), lines_sealed=0, lines_since=len(lines), has_seal=False)
    return checked(str(path), lines, read_ledger_seal(place), signers)


def checked(name: str, lines: Sequence[bytes], seal: LedgerSeal, signers: Signers) -> LedgerCheck:
    """Whether lines begin with what was sealed, and who signed that."""
    signatures = signers.check(seal.signatures, seal.signed_data())
    return LedgerCheck(
        file=name, lines_sealed=len(seal.lines), lines_since=max(0, len(lines) - len(seal.lines)),
        problem=_problem(name, lines, seal), head=seal.head, signatures=signatures,
        is_vouched=signers.have_signed(signatures),
    )  # fmt: skip


def _problem(name: str, lines: Sequence[bytes], seal: LedgerSeal) -> str:
    for number, short in enumerate(seal.lines, 1):
        if number > len(lines):
            return Said("line_missing", line=number)
        if short_hash(lines[number - 1]) != short:
            return Said("line_not_sealed", line=number)
    return "" if head_of(lines[: len(seal.lines)], name) == seal.head else Said("other_chain")
