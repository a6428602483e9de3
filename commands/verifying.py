"""What `audit verify` looks at: a log with its seal, a published file, a proof of one line, a signed head."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.cases.bundle_mark import is_bundle
from replays.errors import whole_file_error
from replays.files import read_whole
from replays.said import Said, in_language
from replays.trust.keys import key, keys, public_key
from replays.trust.ledger import is_ledger, read_ledger_seal, verify_ledger
from replays.trust.proofs import LineProof, SignedHead, is_proof_of, read_head, read_proof
from replays.trust.seal import SEAL, Seal, SealError, TreeHead, alone_beside, beside, read_seal, write_seal
from replays.trust.verify import SignatureCheck, Signers, Verification, of_game, verify
from replays.trust.witness import SERVICE, StampCheck, StampError, certificates, check_stamps, service, take_stamp

if TYPE_CHECKING:
    from web.publishing.check import PublishedCheck

PUBLISHED = (".html", ".json", ".head", ".proof")
"""Endings of files that are not logs."""
DRAWN = (".pdf", ".png", ".svg", ".gif", ".webp", ".md")
"""Endings of files that show a game and have no log or seal in them."""
MAX_KEYS = 1_000_000
"""The most bytes that a file of public keys has."""


class NotForThisFileError(AuditError):
    """Something is to be checked that such a file does not have."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


class Answer(Protocol):
    """What every check can say."""

    @property
    def answer(self) -> str:
        """The result in a few words."""

    @property
    def is_intact(self) -> bool:
        """Whether nothing is less than it should be."""

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less."""

    def lines(self, language: str = "en") -> list[str]:
        """The result in words."""


class HeadCheck(Struct, frozen=True, kw_only=True):
    """A signed head, or the proof of one line under it: what is wrong with it, and who signed the head."""

    file: str
    head: TreeHead
    problem: str = ""
    shows: str = ""
    """What a proof shows."""
    signatures: tuple[SignatureCheck, ...] = ()
    stamps: tuple[StampCheck, ...] = ()
    is_vouched: bool = False
    hidden: int = 0
    """How many fields of the line stay hidden."""
    withheld: tuple[str, ...] = ()
    """Those of them that the rules hide from nobody, each as `line 26: player`."""

    @property
    def is_unaltered(self) -> bool:
        """The proof holds, and so does every signature; every time stamp is of this head."""
        return (
            not self.problem
            and all(each.is_valid for each in self.signatures)
            and not any(each.is_foreign for each in self.stamps)
        )

    @property
    def is_intact(self) -> bool:
        """Unaltered, signed by who was asked for, and nothing hidden that everybody may know."""
        return self.is_unaltered and self.is_vouched and not self.withheld

    @property
    def answer(self) -> str:
        """The result in a few words."""
        if not self.is_unaltered:
            return Said("altered")
        if self.withheld:
            return Said("withheld_unsigned", n=len(self.withheld))
        if self.is_intact:
            return Said("intact_hidden", n=self.hidden) if self.hidden else Said("intact")
        return Said("since_signed" if self.signatures else "unsigned")

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less."""
        return 0 if self.is_intact else 1

    def lines(self, language: str = "en") -> list[str]:
        """The result in words. The answer comes first."""
        signatures = [each.words for each in self.signatures]
        head = self.head
        sealed = Said("head_about", n=head.events, at=head.at or Said("no_time"), root=head.root)
        kept_back = Said("withheld", fields=self.withheld) if self.withheld else ""
        missing = "" if self.is_vouched else Said("head_of_others" if signatures else "head_unsigned")
        said = [
            Said("of_file", file=self.file, said=self.answer), missing, *signatures, self.problem, self.shows,
            kept_back, of_game(head.ruleset, head.game, sealed), *(each.words for each in self.stamps),
        ]  # fmt: skip
        return [in_language(each, language) for each in said if each]


def signers_named(names: Iterable[str], trust_file: Path | None, *, all_kept: bool) -> Signers:
    """Who is to have signed: each of the names, or any key of a file, or any key that is kept here."""
    known = keys()
    if trust_file:
        lines = read_whole(trust_file, MAX_KEYS).decode().splitlines()
        return Signers(tuple(public_key(line) for line in lines if line.strip() and line[0] != "#"), known=known)
    if all_kept:
        return Signers(known, known=known)
    return Signers(tuple(key(name) for name in names), every=True, known=known)


def verified(
    file: str, signers: Signers, *, count: int | None = None, head: str | None = None, log: str | None = None,
    roots: str | None = None,
) -> Answer:  # fmt: skip
    """The check that fits the file; raises an `AuditError` where it cannot be read, or asked about so."""
    if file.endswith(DRAWN) and Path(file).exists():
        raise NotForThisFileError(file, Said("not_in_it"))
    if file.endswith(SEAL):
        raise NotForThisFileError(file, _what_seals(Path(file)))
    is_log = not is_ledger(file) and not file.endswith(PUBLISHED)
    if not is_log and (count is not None or head is not None):
        raise NotForThisFileError(file, Said("for_logs"))
    if log is not None and not file.endswith((".html", ".json")):
        raise NotForThisFileError(file, Said("for_published"))
    if is_ledger(file):
        return verify_ledger(Path(file), signers)
    if not file.endswith(PUBLISHED):
        return _log(file, signers, count, head)
    from web.publishing.check import MAX_BYTES, PAGE
    from web.publishing.disclosed import RecordError

    try:
        data = read_whole(file, MAX_BYTES)
    except OSError as problem:
        raise whole_file_error(file, "a file", problem.strerror or str(problem)) from None
    if file.endswith(".html") and not data.startswith(PAGE):
        raise RecordError("a browser would show it as a page, and it does not begin as one of ours")
    if data.startswith(b'{"signed"'):
        return _head(file, read_head(data, file), signers, roots)
    if data.startswith(b'{"proof"'):
        return _proof(file, read_proof(data, file), signers, roots)
    if is_bundle(data):
        if log is not None:
            raise NotForThisFileError(file, Said("not_for_case"))
        from replays.cases.bundle_check import check_bundle

        return check_bundle(file, data, signers)
    return _published(file, data, signers, log, roots)


def _what_seals(path: Path) -> str:
    """What a seal is of, and how that is verified; raises `SealError` where it is none."""
    sealed = path.with_suffix("")
    seal = read_ledger_seal(path) if is_ledger(sealed) else read_seal(path)
    names, lines = tuple(one.name for one in seal.signatures), len(seal.lines)
    if names:
        return Said("seal_signed", n=lines, names=names, file=str(sealed))
    return Said("seal_unsigned", n=lines, file=str(sealed))


def _log(file: str, signers: Signers, count: int | None, head: str | None) -> Verification:
    path = beside(Path(file))
    seal = read_seal(path) if file != "-" and path.exists() else None
    return verify(file, seal, expect_count=count, expect_head=head, signers=signers)


def _published(file: str, data: bytes, signers: Signers, log: str | None, roots: str | None) -> PublishedCheck:
    from web.publishing.bundle import unpacked
    from web.publishing.check import check_record, record_in

    whole = unpacked(data)
    if file.endswith(".html") and b'id="annotations"' not in whole:
        raise NotForThisFileError(file, Said("not_in_it"))
    record = record_in(whole)
    proof = record.proof or None
    stamps = _stamps(proof.stamps, proof.head, roots) if proof else ()
    return check_record(file, whole, record, signers, log=log, stamps=stamps)


def _head(file: str, found: SignedHead, signers: Signers, roots: str | None) -> HeadCheck:
    since = found.since
    holds = not since or is_proof_of(since, found.head)
    shows = Said("continues", n=since.events, root=since.root) if since and holds else ""
    checks = signers.check(found.signatures, found.head.signed_data())
    return HeadCheck(
        file=file, head=found.head, problem="" if holds else Said("proof_fails"), shows=shows,
        signatures=checks, stamps=_stamps(found.stamps, found.head, roots), is_vouched=signers.have_signed(checks),
    )  # fmt: skip


def _proof(file: str, found: LineProof, signers: Signers, roots: str | None) -> HeadCheck:
    import json

    inside = _head(file, found.signed, signers, roots)
    problem = found.problem()
    said = "" if problem else Said("line_says", line=found.line + 1, said=json.dumps(found.shown, ensure_ascii=False))
    kept_back = () if problem or not found.hidden else _withheld(found)
    return replace(inside, problem=problem or inside.problem, shows=said, hidden=found.hidden, withheld=kept_back)


def _withheld(found: LineProof) -> tuple[str, ...]:
    """What a proof hides that everybody may know. Of a game that is not known here, nothing may be hidden."""
    from audit.core.ruleset import ruleset
    from web.publishing.withheld import withheld_of_line

    try:
        game = ruleset(found.signed.head.ruleset)
    except AuditError as unknown:
        return (Said("line_says", line=found.line + 1, said=str(unknown)),)
    return tuple(withheld_of_line(game, found.line, found.shown, found.opening))


def _stamps(stamps: tuple[str, ...], head: TreeHead, roots: str | None) -> tuple[StampCheck, ...]:
    return check_stamps(stamps, head, certificates(roots) if roots else ()) if stamps else ()


def added(log: str, seal: Seal, head: Path | None, *, stamp: bool) -> Seal:
    """The seal beside a log with the signatures of a head, or with a time stamp; raises `SealError`, `StampError`."""
    if head:
        found = read_head(read_whole(head), str(head))
        if found.head != seal.tree_head():
            raise SealError(str(head), "the head of another seal")
        seal = replace(seal, signatures=found.signatures, stamps=found.stamps)
    if stamp:
        if not service():
            raise StampError(f"no service is configured: set {SERVICE}")
        seal = replace(seal, stamps=(*seal.stamps, take_stamp(seal.tree_head(), service())))
    return _merged(seal, beside(log))


def _merged(more: Seal, place: Path) -> Seal:
    """The seal in its place with the signatures and stamps of another copy of it, which somebody may have added to."""
    with alone_beside(place):
        there = read_seal(place)
        if there.tree_head() != more.tree_head():
            raise SealError(str(place), "somebody else has sealed the log anew meanwhile; nothing was written")
        made = replace(
            there, signatures=tuple(dict.fromkeys((*there.signatures, *more.signatures))),
            stamps=tuple(dict.fromkeys((*there.stamps, *more.stamps))),
        )  # fmt: skip
        write_seal(made, place)
    return made
