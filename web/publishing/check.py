"""Checks a published page or record with nothing but the file: it is made again from the log in it, and compared.

- **The log** is hashed and compared with the tree head of its seal, field by field where cards are hidden.
- **The judgement** of a judge's file is made again: every finding, step and byte of the page. What cannot be made
  again, because it rests on cards that the viewer may not see, is by the word of whoever signed the file.
- **Anything else** in the file, such as a second record, a comment or another script, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES
from audit.core.disclosure import PUBLIC
from audit.core.errors import AuditError, UnknownViewerError
from replays.files import read_whole
from replays.judging.sentences import JUDGE
from replays.judging.versions import engine, fingerprint
from replays.said import Said, in_language
from replays.trust.verify import NOBODY, SignatureCheck, Signers
from replays.trust.witness import StampCheck
from web.games.payload import script_json
from web.publishing.bundle import unpacked
from web.publishing.check_page import page_problems
from web.publishing.disclosed import RecordError, as_named, shown_lines
from web.publishing.files import Composed, PublishError, check_viewer, compose
from web.publishing.record import (
    Record,
    contradictions,
    encoded,
    miscounted,
    read_record,
    record_differences,
    signed_data,
    source_of_record,
    unsigned,
)
from web.publishing.sources import GROWN, SEALED, UNSEALED, Sealed, Source, signature_lines, source_at
from web.publishing.withheld import withheld

PROVEN, BY_WORD, DIFFERENT = "proven", "by word", "different"
MAX_DIFFERENCES = 5
MAX_BYTES = 256_000_000
_ANNOTATIONS = re.compile(rb'<script type="application/json" id="annotations">(.*?)</script>', re.S)
PAGE = b"<!doctype html>"


class PublishedCheck(Struct, frozen=True, kw_only=True):
    """What was found. `differences` are what the file says otherwise than its log, or has no business in it."""

    file: str
    viewer: str
    events: int
    root: str
    judgement: str
    """`proven`: this version makes exactly this file. `by word`: it rests on hidden cards. `different`."""
    hidden: int = 0
    """How many fields of the log are committed to and not shown."""
    withheld: tuple[str, ...] = ()
    """Those of them that the rules of the game do not hide from the viewer, each as `line 26: card`."""
    unsealed: str = ""
    """Why the log is not proven to be one that was sealed; empty if it is."""
    made_by: str = ""
    """The version that made the file, where that is not this one."""
    differences: tuple[str, ...] = ()
    sealed_events: int = 0
    """How many events were sealed."""
    is_forged: bool = False
    """A signature does not hold, a time stamp is of something else, or what is said of the log is not what was sealed:
    no version writes such a file."""
    sealed_by: tuple[SignatureCheck, ...] = ()
    published_by: tuple[SignatureCheck, ...] = ()
    is_log_vouched: bool = False
    is_file_vouched: bool = False
    """Whether the signers asked for have signed the seal of the log; and the file."""
    stamps: tuple[StampCheck, ...] = ()
    notes: int = 0
    """How many notes the file holds."""
    variations: int = 0
    """How many variations the file shows beside the game."""
    is_all_shown: bool = True
    """Whether nothing is hidden, or the whole log that was sealed shows that nothing is but what the viewer may not
    know."""
    quotes: int = 0
    """How many printed passages of rulebooks the file holds. They cannot be made again from the log."""

    @property
    def is_unaltered(self) -> bool:
        """Nothing in the file contradicts its log, its seal or a signature."""
        return not self.differences and not self.is_forged

    @property
    def is_intact(self) -> bool:
        """Unaltered, and all of it by the word of the signers asked for."""
        if not self.is_unaltered or self.made_by:
            return False
        return self.is_file_vouched or (self.is_by_log and self.is_log_vouched)

    @property
    def is_by_log(self) -> bool:
        """Whether all of the file follows from the sealed log, so that nobody needs to have signed the file."""
        added = self.quotes or self.notes or self.variations
        return self.judgement == PROVEN and self.is_all_shown and not (self.unsealed or added)

    @property
    def answer(self) -> str:
        """The result in a few words."""
        if self.is_forged or (self.differences and not self.made_by):
            return Said("cut" if self.events < self.sealed_events else "altered")
        if self.made_by:
            return Said("other_version")
        if self.is_intact:
            return Said("intact")
        is_log_signed = not self.unsealed and any(each.is_valid for each in self.sealed_by)
        is_signed = any(each.is_valid for each in self.published_by)
        if self.withheld and not is_signed:
            return Said("withheld_unsigned", n=len(self.withheld))
        if is_signed or (is_log_signed and self.is_by_log):
            return Said("since_signed")
        return Said("only_log" if is_log_signed else "unsigned")

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less."""
        return 0 if self.is_intact else 1

    def lines(self, language: str = "en") -> list[str]:
        """The result in words. The answer comes first."""
        signatures = [*_told("of_log", self.sealed_by), *_told("of_this_file", self.published_by)]
        answer = Said("of_file", file=self.file, said=self._as_told())
        rest = [*self.differences, *self._log(), *self._judgement(), *(each.words for each in self.stamps)]
        missing = () if self.is_intact else self._missing()
        return [in_language(each, language) for each in (answer, *missing, *signatures, *rest)]

    def _missing(self) -> Iterator[Said]:
        if not (self.sealed_by or self.published_by):
            yield Said("file_unsigned")
        elif not (self.is_log_vouched or self.is_file_vouched):
            yield Said("file_of_others")

    def _as_told(self) -> str:
        """The result; of an intact file that does not follow from its log alone also who tells it and what it hides."""
        if not self.is_intact or (self.is_by_log and self.is_log_vouched):
            return self.answer
        by = tuple(each.known_as for each in self.published_by if each.is_trusted)
        kept_back = len(self.withheld)
        by_rules = self.hidden - kept_back
        told: tuple[Said, ...] = (Said("hidden_by_rules", n=by_rules),) if by_rules else ()
        told += (Said("withheld_by", n=kept_back, by=by),) if kept_back else ()
        if told:
            return Said("as_published_hiding", said=self.answer, by=by, hidden=told)
        return Said("as_published", said=self.answer, by=by)

    def _log(self) -> Iterator[Said]:
        if self.unsealed:
            yield Said("of_log", said=self.unsealed)
            return
        hidden = Said("hidden_committed", n=self.hidden)
        key = "as_sealed_hiding" if self.hidden else "as_sealed"
        yield Said("of_log", said=Said(key, n=self.events, hidden=hidden, root=self.root))
        if self.withheld:
            more = ("…",) if len(self.withheld) > MAX_DIFFERENCES else ()
            yield Said("withheld", fields=(*self.withheld[:MAX_DIFFERENCES], *more))

    def _judgement(self) -> Iterator[Said]:
        if self.made_by:
            yield Said("versions", made=self.made_by, own=_version(engine(), None))
        elif self.judgement == PROVEN:
            yield Said("judgement_proven")
        elif self.judgement == BY_WORD and self.is_unaltered:
            key = "judgement_by_signer" if self.published_by else "judgement_by_nobody"
            yield Said(key, viewer=Said("public") if self.viewer == PUBLIC else self.viewer)
        counted = {"quotes": self.quotes, "variations": self.variations, "notes": self.notes}
        yield from (Said(what, n=n) for what, n in counted.items() if n)


def check_published(
    file: str | Path,
    signers: Signers = NOBODY,
    *,
    log: str | Path | None = None,
    stamps: Sequence[StampCheck] = (),
) -> PublishedCheck:
    """Check a published page or record; with the whole `log`, also what a viewer's file says of hidden cards.

    Raises `RecordError` where the file is none, `LogError` where its log or the other one cannot be read.
    """
    data = unpacked(read_whole(file, MAX_BYTES))
    return check_record(file, data, record_in(data), signers, log=log, stamps=stamps)


def check_record(
    file: str | Path, data: bytes, record: Record, signers: Signers, *, log: str | Path | None,
    stamps: Sequence[StampCheck],
) -> PublishedCheck:  # fmt: skip
    """The same of a file that is read and unpacked already, and of the one record in it."""
    found = _Checked(data, record, source_at(log) if log else None)
    said = msgspec.to_builtins(record)
    proof, plain = record.proof or None, unsigned(said, data)
    sealed_by = signers.check(proof.signatures, proof.head.signed_data()) if proof else ()
    published_by = signers.check(record.by or (), signed_data(said, plain))
    claims = tuple(_claims(record))
    kept_back = found.withheld() if proof and proof.hidden and not claims else ()
    differences = (*claims, *found.differences())
    signatures_hold = all(each.is_valid for each in (*sealed_by, *published_by))
    is_forged = bool(claims) or not signatures_hold or any(each.is_foreign for each in stamps)
    other = _version(record.engine, None if record.catalogue == fingerprint(record.ruleset) else record.catalogue)
    return PublishedCheck(
        file=str(file), viewer=record.viewer, events=_events(record), root=proof.head.root if proof else "",
        judgement=found.judgement, hidden=proof.hidden if proof else 0, unsealed=_unsealed(record),
        made_by=other if other != _version(engine(), None) else "",
        differences=(*differences[:MAX_DIFFERENCES], *_more(differences)), is_forged=is_forged, sealed_by=sealed_by,
        published_by=published_by, is_log_vouched=signers.have_signed(sealed_by),
        is_file_vouched=signers.have_signed(published_by), stamps=tuple(stamps),
        quotes=sum(map(len, record.quoted.values())) if record.quoted else 0, notes=len(record.notes or ()),
        variations=len(record.variations or ()), is_all_shown=found.is_all_shown,
        sealed_events=proof.head.events if proof else 0, withheld=kept_back,
    )  # fmt: skip


def record_in(data: bytes) -> Record:
    """The one record of an unpacked published file; raises `RecordError` where there is none, or more than one."""
    if not data.startswith(PAGE):
        return read_record(data)
    found = _ANNOTATIONS.findall(data)
    if len(found) != 1 or data.count(b'id="annotations"') != 1:
        raise RecordError(f"a page has one record, found {len(found)}")
    return read_record(found[0])


class _Checked:
    """A file beside what this version makes of its log."""

    def __init__(self, data: bytes, record: Record, whole: Source | None) -> None:
        self._said = cast("dict[str, object]", msgspec.to_builtins(record))
        self._plain = unsigned(self._said, data)
        self._data = data
        self._record = record
        self._form = "html" if data.startswith(PAGE) else "json"
        self.unreadable = "unreadable_log"
        self._problem = ""
        self.is_all_shown = not (record.proof and record.proof.hidden) or (
            whole is not None and _is_sealed(whole, record)
        )
        self._made = self._compose(whole)
        self._needs_cards = record.viewer != JUDGE and whole is None
        self.judgement = self._judgement()

    def _compose(self, whole: Source | None) -> Composed | None:
        """The file again, from the log in it or from the whole log; None where that cannot be judged."""
        record = self._record
        languages = record.languages or [record.language]
        if languages[0] != record.language or not set(languages) <= set(LANGUAGES):
            raise RecordError(f"no such languages: {', '.join(languages)[:40]}")
        quoted = record.quoted
        quotes = None if quoted is msgspec.UNSET else lambda _, rule: quoted.get(rule, ())
        try:
            inside = source_of_record(record)
            self.unreadable = ""
            check_viewer(inside, self._form, record.viewer)
            named = as_named(whole, inside) if whole else inside
            self.is_all_shown = self.is_all_shown and (named is whole or named is inside)
            source = replace(named, seal=inside.seal, notes=inside.notes, variations=inside.variations)
            return compose(source, self._form, record.viewer, languages, quotes, record.proof or None)
        except (RecordError, PublishError, UnknownViewerError):
            raise
        except (AuditError, RecursionError) as problem:
            self._problem = str(problem).splitlines()[0]
            return None
        except Exception as problem:  # whatever a forged log does to the program, the answer is no
            self._problem = type(problem).__name__
            return None

    def _judgement(self) -> str:
        if self._made and self._made.file == self._plain:
            return PROVEN
        return BY_WORD if self._needs_cards else DIFFERENT

    def differences(self) -> list[str]:
        """What the file says otherwise than this version does of its log, the gravest first."""
        if self.unreadable or (self._problem and not self._needs_cards):
            return [Said(self.unreadable or "unjudged_log", reason=self._problem)]
        if self.judgement == PROVEN:
            return []
        if not self._is_whole():
            return [Said("holds_more")]
        if self._needs_cards:
            page = page_problems(self._plain, self._record) if self._form == "html" else ()
            return [*_contradictions(self._record), *page]
        made = msgspec.json.decode(msgspec.json.encode(self._made.record)) if self._made else {}
        return list(record_differences(self._said, made)) or [Said("page_otherwise")]

    def withheld(self) -> tuple[str, ...]:
        """The fields that are hidden and not by the rules; a word of it where the game cannot be judged."""
        if self.is_all_shown:
            return ()
        record, proof = self._record, self._record.proof
        assert proof
        shown = shown_lines(record.log[0], record.steps)
        try:
            return tuple(withheld(record.viewer, source_of_record(record), proof.openings, shown))
        except Exception as problem:  # whatever a forged log does to the program, nothing is hidden by the rules
            return (Said("log_not_judged", reason=type(problem).__name__),)

    def _is_whole(self) -> bool:
        """Whether the record stands in the file as it is written, once, with nothing said twice."""
        if self._form == "json":
            return self._data == encoded(self._said)
        return self._data.count(script_json(self._said).encode()) == 1


def _is_sealed(whole: Source, record: Record) -> bool:
    """Whether a whole log is, by the seal beside it, the one from which the record was made."""
    seal, proof = whole.original, record.proof or None
    if seal is None or proof is None or not seal.secret or whole.seal.standing != SEALED:
        return False
    return seal.tree_head() == proof.head


def _claims(record: Record) -> Iterator[str]:
    """What the record says of its seal and its log, and that is not so."""
    proof = record.proof or None
    if proof and (problem := proof.problem(record.log, record.steps)):
        yield Said("of_log", said=problem)
    if proof and record.viewer != JUDGE and proof.secret:
        yield Said("secret_given")
    head = cast(Mapping[str, object], record.log[0]) if record.log else {}
    for name in ("ruleset", "game", "edition", "reading"):
        default = "standard" if name == "reading" else ""
        if getattr(record, name) != (head.get(name) or default):
            said, found = repr(getattr(record, name)), repr(head.get(name) or default)
            yield Said("record_says", field=name, said=said, found=found)
    if proof and msgspec.json.encode(record.seal) != msgspec.json.encode(_seal_of(record)):
        yield Said("seal_says")


def _contradictions(record: Record) -> Iterator[str]:
    """What a record says of its steps, and its steps do not."""
    try:
        yield from contradictions(record.ruleset, record.language, record.steps, record.findings, record.log)
        if miscounted(record.steps, record.verdicts, record.fidelity, record.diverged_from):
            yield Said("miscounted")
    except (AuditError, KeyError, TypeError, AttributeError, ValueError) as problem:
        yield Said("unreadable_steps", reason=type(problem).__name__)


def _seal_of(record: Record) -> Sealed:
    proof = record.proof
    assert proof
    head = proof.head
    standing = SEALED if _events(record) == head.events else GROWN
    lines = signature_lines(proof.signatures, head.signed_data())
    return Sealed(standing, head.root, head.events, head.at, lines)


def _events(record: Record) -> int:
    """How many events the game has. A viewer's own log has other numbers than the steps."""
    if record.viewer == JUDGE:
        return len(record.log) - 1
    return max((seq for step in record.steps if isinstance(seq := step.get("seq"), int)), default=0)


def _unsealed(record: Record) -> str:
    """Why the log is not proven to be a sealed one, as a whole."""
    if not record.proof:
        says = record.seal.get("standing")
        return Said("not_sealed") if says == UNSEALED else Said("said_sealed", standing=says)
    if record.proof.problem(record.log, record.steps):
        return Said("log_not_as_sealed")
    more = _events(record) - record.proof.head.events
    return Said("more_than_sealed", n=more) if more > 0 else ""


def _told(what: str, checks: Sequence[SignatureCheck]) -> list[Said]:
    return [Said(what, said=each.words) for each in checks]


def _version(engine: str, catalogue: str | None) -> str:
    return Said("version", engine=engine, catalogue=catalogue[:12]) if catalogue else engine


def _more(differences: Sequence[str]) -> tuple[str, ...]:
    more = len(differences) - MAX_DIFFERENCES
    return (Said("more_differences", n=more),) if more > 0 else ()
