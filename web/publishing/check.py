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
from audit.core.errors import AuditError
from audit.core.typed_setup import count_noun
from replays.files import read_whole
from replays.judging.sentences import JUDGE
from replays.judging.versions import engine, fingerprint
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
            return "cut" if self.events < self.sealed_events else "altered"
        if self.made_by:
            return "made by another version"
        if self.is_intact:
            return "intact"
        is_log_signed = not self.unsealed and any(each.is_valid for each in self.sealed_by)
        is_signed = any(each.is_valid for each in self.published_by)
        if self.withheld and not is_signed:
            return f"{count_noun(len(self.withheld), 'field')} withheld, and nobody signed that"
        if is_signed or (is_log_signed and self.is_by_log):
            return "unaltered since somebody signed it"
        return "as its publisher tells it; nobody signed it, only its log" if is_log_signed else "nobody signed it"

    @property
    def exit_code(self) -> int:
        """0 for intact, 1 for anything less."""
        return 0 if self.is_intact else 1

    def lines(self) -> list[str]:
        """The result in words. The answer comes first."""
        signatures = [*_told("the log", self.sealed_by), *_told("this file", self.published_by)]
        answer = f"{self.file}: {self.answer}{self._as_told()}"
        rest = [*self.differences, *self._log(), *self._judgement(), *(each.words for each in self.stamps)]
        missing = () if self.is_intact else self._missing()
        return [answer, *missing, *signatures, *rest]

    def _missing(self) -> Iterator[str]:
        if not (self.sealed_by or self.published_by):
            yield "no signature: this file may be anybody's"
        elif not (self.is_log_vouched or self.is_file_vouched):
            yield "nobody you asked for has signed this file or its log"

    def _as_told(self) -> str:
        """By whom an intact file is told that does not follow from its log alone, and how much it hides."""
        if not self.is_intact or (self.is_by_log and self.is_log_vouched):
            return ""
        by = " and ".join(each.known_as for each in self.published_by if each.is_trusted)
        kept_back = len(self.withheld)
        by_rules = self.hidden - kept_back
        told = [f"{count_noun(by_rules, 'field')} hidden by the rules"] if by_rules else []
        told += [f"{count_noun(kept_back, 'field')} withheld by {by}"] if kept_back else []
        return f", as {by} published it{'; ' if told else ''}{' and '.join(told)}"

    def _log(self) -> Iterator[str]:
        if self.unsealed:
            yield f"the log: {self.unsealed}"
            return
        fields = f"; {count_noun(self.hidden, 'field')} hidden, each committed to" if self.hidden else ""
        yield f"the log: {count_noun(self.events, 'event')} as they were sealed{fields}; root {self.root}"
        if self.withheld:
            more = ", …" if len(self.withheld) > MAX_DIFFERENCES else ""
            first = ", ".join(self.withheld[:MAX_DIFFERENCES])
            yield f"not hidden by the rules, and withheld: {first}{more}"

    def _judgement(self) -> Iterator[str]:
        if self.made_by:
            yield f"made by version {self.made_by}, compared with version {_version(engine(), None)}"
        elif self.judgement == PROVEN:
            yield "the judgement: this version makes exactly this file of the log in it"
        elif self.judgement == BY_WORD and self.is_unaltered:
            by = "by the word of whoever signed this file" if self.published_by else "by nobody's word"
            yield f"the judgement: rests on cards that {self.viewer} may not see, {by}; --log LOG makes it again"
        if self.quotes:
            yield f"{count_noun(self.quotes, 'printed passage')} of rulebooks: not part of the log, not compared"
        if self.variations:
            yield f"{count_noun(self.variations, 'variation')}: chosen by whoever made this file"
        if self.notes:
            yield f"{count_noun(self.notes, 'note')}: not part of the log, by the word of whoever signed this file"


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
    record = _record_in(data)
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


def record_of(data: bytes) -> Record:
    """The one record of a published file; raises `RecordError` where there is none, or more than one."""
    return _record_in(unpacked(data))


def _record_in(data: bytes) -> Record:
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
        self.unreadable = "its log cannot be read"
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
        except (RecordError, PublishError):
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
            return [f"{self.unreadable or 'its log cannot be judged'}: {self._problem}"]
        if self.judgement == PROVEN:
            return []
        if not self._is_whole():
            return ["the file holds more than a page and its record"]
        if self._needs_cards:
            page = page_problems(self._plain, self._record) if self._form == "html" else ()
            return [*_contradictions(self._record), *page]
        made = msgspec.json.decode(msgspec.json.encode(self._made.record)) if self._made else {}
        return list(record_differences(self._said, made)) or [
            "the page shows other words, another style or another script than this version makes of the record"
        ]

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
            return (f"the log cannot be judged ({type(problem).__name__})",)

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
        yield f"the log: {problem}"
    if proof and record.viewer != JUDGE and proof.secret:
        yield "the secret of the seal is in a file that is not for a judge"
    head = cast(Mapping[str, object], record.log[0]) if record.log else {}
    for name in ("ruleset", "game", "edition", "reading"):
        default = "standard" if name == "reading" else ""
        if getattr(record, name) != (head.get(name) or default):
            yield f"{name}: the record says {getattr(record, name)!r}, its log {head.get(name) or default!r}"
    if proof and msgspec.json.encode(record.seal) != msgspec.json.encode(_seal_of(record)):
        yield "what is said of the seal is not what the seal proves"


def _contradictions(record: Record) -> Iterator[str]:
    """What a record says of its steps, and its steps do not."""
    try:
        yield from contradictions(record.ruleset, record.language, record.steps, record.findings, record.log)
        if miscounted(record.steps, record.verdicts, record.fidelity, record.diverged_from):
            yield "the counts are not those of the steps"
    except (AuditError, KeyError, TypeError, AttributeError, ValueError) as problem:
        yield f"the steps cannot be read: {type(problem).__name__}"


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
        return "not sealed" if says == UNSEALED else f"said to be {says}, but the file holds no seal to check that by"
    if record.proof.problem(record.log, record.steps):
        return "not as it was sealed"
    more = _events(record) - record.proof.head.events
    return f"{count_noun(more, 'event')} more than were sealed" if more > 0 else ""


def _told(what: str, checks: Sequence[SignatureCheck]) -> list[str]:
    return [f"{what}: {each.words}" for each in checks]


def _version(engine: str, catalogue: str | None) -> str:
    return f"{engine} with the catalogue {catalogue[:12]}" if catalogue else engine


def _more(differences: Sequence[str]) -> tuple[str, ...]:
    more = len(differences) - MAX_DIFFERENCES
    return (f"and {count_noun(more, 'difference')} more",) if more > 0 else ()
