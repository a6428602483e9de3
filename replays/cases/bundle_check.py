"""Checks the bundle of a case whole, with nothing but the file: page, case, log, files, opinions."""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Iterator, Sequence
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.cases.bundle import Bundle, bundle_in, page_of, rules_of, signed_data, told_steps
from replays.cases.case import Case, read_case
from replays.cases.events import Judged
from replays.cases.note import short_hash
from replays.cases.opening import judged_lines, opinion
from replays.cases.words import statements
from replays.judging.versions import engine, fingerprint
from replays.said import Said, in_language
from replays.trust.ledger import checked
from replays.trust.verify import SignatureCheck, Signers, verify


class BundleCheck(Struct, frozen=True, kw_only=True):
    """What was found. `problems` are what the page says otherwise than what is in it, `open` what nothing proves."""

    file: str
    case: str
    problems: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    made_by: str = ""
    """The version that made the file, where that is not this one."""
    signatures: tuple[SignatureCheck, ...] = ()
    log_signatures: tuple[SignatureCheck, ...] = ()
    is_vouched: bool = False

    @property
    def is_unaltered(self) -> bool:
        """Nothing contradicts anything else, and every signature holds."""
        every = (*self.signatures, *self.log_signatures)
        return not self.problems and all(each.is_valid for each in every)

    @property
    def is_intact(self) -> bool:
        """Unaltered, by this version, and signed by who was asked for."""
        return self.is_unaltered and self.is_vouched and not self.made_by

    @property
    def answer(self) -> str:
        """The result in a few words."""
        if not self.is_unaltered:
            return Said("altered")
        if self.is_intact:
            return Said("intact")
        if self.made_by:
            return Said("other_version")
        return Said("since_signed" if self.signatures else "unsigned")

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less."""
        return 0 if self.is_intact else 1

    def lines(self, language: str = "en") -> list[str]:
        """The result in words."""
        first = Said("of_file", file=self.file, said=Said("of_case", said=self.answer, case=self.case))
        made = [Said("case.made", made=self.made_by, own=engine())] if self.made_by else []
        signed = [*(Said("of_this_file", said=each.words) for each in self.signatures),
                  *(Said("of_log", said=each.words) for each in self.log_signatures)]  # fmt: skip
        unproven = [Said("not_proven", said=each) for each in self.open]
        return [in_language(each, language) for each in (first, *self.problems, *signed, *made, *unproven)]


def check_bundle(file: str, data: bytes, signers: Signers) -> BundleCheck:
    """Check the page of a bundle; raises `CaseError` where it is none."""
    found = bundle_in(data, file)
    plain = replace(found, by=())
    is_own = found.engine == engine()
    problems: list[str] = []
    try:
        if is_own and page_of(found) != data:
            problems.append(Said("case.page"))
        case = read_case([f"{line}\n".encode() for line in found.case], "case") if found.case else None
        problems += _problems(found, case, is_own)
        unsigned = page_of(plain) if is_own else _without_signatures(data)
    except AuditError as problem:
        return BundleCheck(file=file, case="", problems=(str(problem),))
    signatures = signers.check(found.by, signed_data(unsigned))
    log_signatures = signers.check(found.log_seal.signatures, found.log_seal.signed_data()) if found.log_seal else ()
    name = case.id if case else found.public.id if found.public else ""
    return BundleCheck(
        file=file, case=name, problems=tuple(problems), open=tuple(_unproven(found)), signatures=signatures,
        made_by="" if is_own else found.engine, log_signatures=log_signatures,
        is_vouched=signers.have_signed(signatures),
    )  # fmt: skip


def _without_signatures(data: bytes) -> bytes:
    """The page as it was signed; the signatures stand last in it."""
    head, mark, rest = data.rpartition(b',"by":[')
    return head + mark + b"]}</script>" + rest.partition(b"]}</script>")[2] if mark else data


def _unproven(found: Bundle) -> Iterator[str]:
    if found.case and found.log and found.log_seal is None:
        yield Said("case.log_unsealed")
    if found.public:
        yield Said("case.public")


def _problems(found: Bundle, case: Case | None, is_own: bool) -> Iterator[str]:
    if found.proof and (wrong := found.proof.problem()):
        yield Said("of_proof", said=wrong)
    if case is None:
        if found.public is None:
            yield Said("case.none")
        elif is_own and found.rules != statements(
            found.public.ruleset, [rule for each in found.public.rulings for rule in each.rules], found.languages
        ):
            yield Said("case.rules")
        return
    yield from _sealed(found)
    yield from _of_the_log(found, case)
    yield from _files(found, case)
    if is_own and fingerprint(case.opened.ruleset) == found.catalogue:
        yield from _judged_again(found, case)


def _sealed(found: Bundle) -> Iterator[str]:
    lines = [f"{line}\n".encode() for line in found.case]
    if found.case_seal is None or len(found.case_seal.lines) != len(lines):
        yield Said("case.unsealed")
    elif problem := checked("case", lines, found.case_seal, Signers()).problem:
        yield Said("of_the_case", said=problem)


def _of_the_log(found: Bundle, case: Case) -> Iterator[str]:
    """The log is as it was sealed, and the case is about it."""
    lines = [line.encode() for line in found.log]
    opened = case.opened
    if not lines:
        return
    if found.log_seal and (bad := verify(io.BytesIO(b"\n".join(lines)), found.log_seal).bad):
        yield Said("of_log", said=Said("bad_line_kind", line=bad.line, kind=Said(f"kind.{bad.kind}")))
    if opened.start and short_hash(lines[0]) != opened.start:
        yield Said("case.other_game")
    if opened.seq is not None and (opened.seq >= len(lines) or short_hash(lines[opened.seq]) != opened.line):
        yield Said("case.other_event", seq=opened.seq)


def _files(found: Bundle, case: Case) -> Iterator[str]:
    wanted = {each.sha256: each for each in case.evidence if each.sha256}
    for hash, each in wanted.items():
        kept = found.files.get(hash)
        if kept is None or sha256(b64decode(kept.data)).hexdigest() != hash:
            yield Said("case.other_file", name=repr(each.name))
    if extra := set(found.files) - set(wanted):
        yield Said("case.extra", n=len(extra))


def _same(said: Sequence[Judged], again: Sequence[Judged]) -> bool:
    """Whether the auditor says so again; a case of an earlier version has the words of one language alone."""
    return len(said) == len(again) and all(
        one in (other, replace(other, words={})) for one, other in zip(said, again, strict=True)
    )


def _judged_again(found: Bundle, case: Case) -> Iterator[str]:
    """What this very version said is said again."""
    opened = case.opened
    if found.rules != statements(opened.ruleset, rules_of(case), found.languages):
        yield Said("case.rules")
    if found.log and opened.seq is not None:
        log = "\n".join(found.log).encode()
        if found.steps != tuple(told_steps(log, opened.seq, found.languages)):
            yield Said("case.steps")
    said = case.opinion
    if said and (said.engine, said.catalogue) == (found.engine, found.catalogue):
        again = opinion(opened, opened.lang, said.by, said.role, said.at)
        if not _same(said.judged, again.judged) or (said.doubts and not _same(said.doubts, again.doubts)):
            yield Said("case.opinion")
        for claim in case.claims:
            if claim.sheet and not _same(claim.judged, judged_lines(opened, claim.sheet, opened.lang)):
                yield Said("case.claim", player=claim.player)
