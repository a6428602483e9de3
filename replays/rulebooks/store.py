"""The store of loaded rulebooks in the user's data folder: editions side by side, each written atomically."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Catalogue
from audit.core.writing import alone_in, write_whole
from audit.rulebooks.cutting import cut, known_documents
from audit.rulebooks.cutting.patches import Cut, Misfit, patched
from audit.rulebooks.errors import (
    DocumentIdError,
    NothingLinkedError,
    OtherDocumentError,
    RulebookError,
    TooLargeError,
    UnknownEditionError,
    UnknownPassageError,
    UnknownRulebookError,
)
from audit.rulebooks.known import known_edition
from audit.rulebooks.languages import Detected, settle_language
from audit.rulebooks.links import Candidate, Matched, Status, candidates, compare, compare_books
from audit.rulebooks.moving import moved_link
from audit.rulebooks.passages import Passage, Rulebook, slug
from audit.rulebooks.reading import MAX_BYTES, Read, read
from audit.rulebooks.recognising import rank_of, recognised
from replays.files import UnreadableFileError, read_whole
from replays.limited import TooCostlyError, limited
from replays.rulebooks.folder import rulebooks_folder

T = TypeVar("T")

SMALL = 60_000
"""Bytes of a text that is read at once, without a process of its own."""
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_LINKS = ".links.json"


class RulebookStoreError(RulebookError):
    """The folder of rulebooks cannot be read or written, or a file in it is damaged."""


class EditionChange(Struct, frozen=True):
    """A sentence that a translator changed: the unit of the file, the passage, and the words before and after."""

    unit: str
    passage: str
    before: str
    after: str


class StoredEdition(Struct, frozen=True):
    """One edition as it is kept: the passages, and how they came here.

    Of an edition that a translator sent back, `by` is who changed it and `changes` lists what. `cuts` are those a
    person made on the passages `uncut`, in order, and `misfits` those of them that do not fit; `inherited` are cuts
    that the words already had when they came.
    """

    rulebook: Rulebook
    source: str
    format: str
    encoding: str
    added: str
    by: str = ""
    changes: tuple[EditionChange, ...] = ()
    cuts: tuple[Cut, ...] = ()
    uncut: tuple[Passage, ...] = ()
    misfits: tuple[tuple[Cut, Misfit], ...] = ()
    inherited: tuple[Cut, ...] = ()

    @property
    def document(self) -> str:
        """The id of its document."""
        return self.rulebook.document

    def cut_by(self, cuts: Sequence[Cut]) -> StoredEdition:
        """The same edition with these cuts and no others."""
        base = self.uncut or self.rulebook.passages
        made = patched(replace(self.rulebook, passages=base), cuts)
        return replace(self, rulebook=made.book, cuts=tuple(cuts), uncut=base if cuts else (), misfits=made.misfits)


class ConfirmedLink(Struct, frozen=True):
    """What a person said: these passages say this rule, or no passage does.

    `look` tells what became of the passages in this edition, where the person said so of an earlier one and they are
    not word for word the same: edited, split, joined or gone.
    """

    passages: tuple[str, ...]
    by: str
    at: str
    look: str = ""


class Loading(Struct, frozen=True):
    """How to take a document in: its id, and what cannot be seen from the file.

    Without an id the document takes that of the known document it is an edition of, else one from the name of its
    file. `rank` says what it is to its game. `language` and `encoding` are detected when empty; `although_unlinked`
    takes a file in that has nothing in common with the known document of that id.
    """

    document: str = ""
    language: str = ""
    encoding: str = ""
    game: str = ""
    although_unlinked: bool = False
    rank: str = ""

    @property
    def known_language(self) -> str:
        """The language of a document known by that id, empty otherwise."""
        known = known_documents().get(self.document)
        return known.language if known else ""


class Added(Struct, frozen=True, kw_only=True):
    """What came of loading a document.

    `links` counts the passages by status against the edition the catalogue knows, empty for a document it
    does not know; `since` does so against the edition loaded before. `assumed`: the encoding was guessed.
    `recognised` is the known document it is an edition of, where its id is another. `cuts` counts the cuts taken over
    from the edition before, `misfits` tells those that do not fit.
    """

    document: str
    language: str
    edition: str
    passages: int
    rules: int
    corrections: int
    format: str
    encoding: str
    assumed: bool
    detected: Detected | None
    links: Mapping[str, int]
    since: Mapping[str, int]
    again: bool = False
    recognised: str = ""
    cuts: int = 0
    misfits: tuple[str, ...] = ()


class RulebookStore:
    """A folder with one folder for each document and one file for each edition of it."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or rulebooks_folder()

    def add(self, file: Path, loading: Loading) -> Added:
        """Load a file; raises a `RulebookError` that says what is wrong, and then nothing is stored."""
        try:
            if file.is_file() and (size := file.stat().st_size) > MAX_BYTES:
                raise TooLargeError(file.name, size, MAX_BYTES)
            data = read_whole(file, MAX_BYTES)
        except OSError as error:
            raise RulebookStoreError(file.name, f"cannot be read: {error.strerror or error}") from None
        except UnreadableFileError as error:
            raise RulebookStoreError(file.name, f"cannot be read: {error.reason}") from None
        return self.add_bytes(data, file.name, loading)

    def add_bytes(self, data: bytes, name: str, loading: Loading) -> Added:
        """Load a document from its bytes, as an upload brings them; one that may take long, in a process of its own."""
        if len(data) <= SMALL and not data.startswith(b"%PDF"):
            return self._add_bytes(data, name, loading)
        try:
            return limited(name, self._add_bytes, data, name, loading)
        except TooCostlyError as error:
            raise RulebookStoreError(name, "takes too long or too much memory to read; it was given up") from error

    def _add_bytes(self, data: bytes, name: str, loading: Loading) -> Added:
        if loading.document and not _ID.fullmatch(loading.document):
            raise DocumentIdError(loading.document)
        said = loading.language or loading.known_language
        text = read(data, name, loading.encoding, said)
        language, detected = settle_language(text.text, said, name)
        uncut = _recognised(text.text, language, name, loading)
        before = self._latest(uncut)
        made = StoredEdition(uncut, name, text.format, text.encoding, now())
        made = made.cut_by((*before.inherited, *before.cuts) if before else ())
        book = made.rulebook
        links = _statuses(_against_known(book))
        if not (loading.although_unlinked or _touches(links)):
            raise NothingLinkedError(name, book.document, len(book.passages))
        again = self._path(book.document, book.edition).exists()
        kept = self._better_cut(book) if again else None
        if kept:
            made, book, links = kept, kept.rulebook, _statuses(_against_known(kept.rulebook))
        matches = compare_books(before.rulebook, book) if before else ()
        since = _statuses(matches)
        if not kept:
            self.put(made)
        if before and not again:
            self._move_links(before.rulebook, book, matches)
        return _added(made, text, detected, links, since, again)

    def keep_changed(
        self, book: Rulebook, source: str, by: str, changes: Sequence[EditionChange]
    ) -> StoredEdition:  # fmt: skip
        """Keep an edition that was made from the latest one, with what was changed and by whom."""
        before = self.show(book.document)
        cuts = (*before.inherited, *before.cuts)
        made = StoredEdition(book, source, before.format, before.encoding, now(), by, tuple(changes), inherited=cuts)
        self.put(made)
        self._move_links(before.rulebook, book, compare_books(before.rulebook, book))
        return made

    def editions(self) -> list[StoredEdition]:
        """Everything loaded, by document, the older editions of a document first."""
        files = (file for file in self.folder.glob("*/*.json") if not file.name.endswith(_LINKS))
        return sorted((_load(file) for file in files), key=lambda one: (one.document, one.added))

    def history(self, document: str) -> list[StoredEdition]:
        """The editions of one document, the older ones first; none where it was never kept."""
        files = (file for file in (self.folder / document).glob("*.json") if not file.name.endswith(_LINKS))
        return sorted((_load(file) for file in files), key=lambda one: one.added)

    def show(self, document: str, edition: str = "") -> StoredEdition:
        """One edition, the latest when none is named; raises `UnknownRulebookError` or `UnknownEditionError`."""
        found = self._of(document, edition)
        if not found:
            if edition and (editions := self._of(document)):
                known_editions = tuple(one.rulebook.edition for one in editions)
                raise UnknownEditionError(document, edition, known_editions)
            known = dict.fromkeys(one.document for one in self.editions())
            raise UnknownRulebookError(document, tuple(known))
        return found[-1]

    def remove(self, document: str, edition: str = "") -> Sequence[str]:
        """Remove a document, or one edition of it; returns the removed editions."""
        self.show(document, edition)
        gone = [one.rulebook.edition for one in self._of(document, edition)]
        for name in gone:
            self._path(document, name).unlink()
            self._links_path(document, name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            (self.folder / document).rmdir()
        return gone

    def link(self, document: str, rule: str, passages: Iterable[str], by: str = "", edition: str = "") -> ConfirmedLink:
        """Keep that these passages say that rule; with none the link is taken away."""
        return self.answer(document, {rule: tuple(passages) or None}, by, edition)[rule]

    def answer(
        self, document: str, decided: Mapping[str, Iterable[str] | None], by: str = "", edition: str = ""
    ) -> dict[str, ConfirmedLink]:
        """Keep which passages say each of these rules: none where the document does not say it; None takes back."""
        stored = self.show(document, edition)
        with self.alone(stored.document):
            return self._confirmed(stored, decided, by)

    def _confirmed(
        self, stored: StoredEdition, decided: Mapping[str, Iterable[str] | None], by: str
    ) -> dict[str, ConfirmedLink]:
        document = stored.document
        made = {
            rule: ConfirmedLink(tuple(_full(stored.rulebook, one).id for one in passages or ()), by, now())
            for rule, passages in decided.items()
        }
        kept = {**self._links(document, stored.rulebook.edition), **made}
        kept = {rule: one for rule, one in kept.items() if decided.get(rule, ()) is not None}
        _write(self._links_path(document, stored.rulebook.edition), msgspec.json.encode(kept))
        return made

    @contextmanager
    def alone(self, document: str) -> Iterator[None]:
        """Keep others from changing a document meanwhile. Raises `RulebookStoreError` where that is not possible."""
        with ExitStack() as lock:
            try:
                lock.enter_context(alone_in(self.folder / document))
            except OSError as error:
                raise RulebookStoreError(document, f"cannot be written: {error.strerror}") from None
            yield

    def put(self, stored: StoredEdition, links: Mapping[str, ConfirmedLink] | None = None) -> None:
        """Keep an edition as it is given, with its links where they change with it."""
        _write(self._path(stored.document, stored.rulebook.edition), msgspec.json.encode(stored))
        if links is not None:
            _write(self._links_path(stored.document, stored.rulebook.edition), msgspec.json.encode(links))

    def passage(self, stored: StoredEdition, id: str) -> Passage:
        """A passage by its id, with or without the document's name before it; raises `UnknownPassageError`."""
        return _full(stored.rulebook, id)

    def books(self) -> Sequence[Rulebook]:
        """All editions of all documents, the older ones of a document first."""
        return [one.rulebook for one in self.editions()]

    def links(self, document: str, edition: str) -> Mapping[str, tuple[str, ...]]:
        """The passages a person linked to each rule; none where a person said that the document does not say it."""
        made = self._links(document, edition).items()
        return {rule: link.passages for rule, link in made if link.passages or not link.look}

    def made_links(self, document: str, edition: str) -> Mapping[str, ConfirmedLink]:
        """The same with who linked them, and what asks for a look; a rule that lost its passages is among them."""
        return self._links(document, edition)

    def proposals(
        self, document: str, catalogue: Catalogue, rules: Iterable[str] = (), most: int = 3, edition: str = ""
    ) -> list[Candidate]:  # fmt: skip
        """Passages that may say the rules nobody has linked yet, by common words, for a person to confirm."""
        book = self.show(document, edition).rulebook
        wanted = set(rules) or {rule.id for rule in catalogue} - set(self.links(document, book.edition))
        language = book.language if book.language in catalogue.documents else "en"
        statements = {
            rule.id: _statement(catalogue, rule.id, language) for rule in catalogue if rule.id in wanted
        }  # fmt: skip
        return candidates(statements, book, most) if statements else []

    def _of(self, document: str, edition: str = "") -> Sequence[StoredEdition]:
        kept = (one for one in self.editions() if one.document == document)
        return [one for one in kept if one.rulebook.edition.startswith(edition)]

    def _latest(self, book: Rulebook) -> StoredEdition | None:
        """The edition loaded last of the same document, whatever it is called."""
        same = (one for one in self.editions() if one.rulebook.known_as == book.known_as)
        found = [one for one in same if one.rulebook.edition != book.edition]
        return max(found, key=lambda one: one.added, default=None)

    def _move_links(self, before: Rulebook, after: Rulebook, matches: Sequence[Matched]) -> None:
        """Take the links of the edition before over to a new one."""
        by_id = {match.before.id: match for match in matches if match.before}
        links = self._links(before.document, before.edition)
        there = {rule: _moved(link, by_id) for rule, link in links.items()}
        if there:
            _write(self._links_path(after.document, after.edition), msgspec.json.encode(there))

    def _better_cut(self, book: Rulebook) -> StoredEdition | None:
        """The edition that is kept of the same words, where persons linked or cut it or more of it is known.

        A PDF has the words of a text file and not its paragraphs.
        """
        kept = self.show(book.document, book.edition)
        if kept.cuts or self._links(book.document, book.edition):
            return kept
        return kept if _fitting(kept.rulebook) > _fitting(book) else None

    def _links(self, document: str, edition: str) -> dict[str, ConfirmedLink]:
        path = self._links_path(document, edition)
        if not path.exists():
            return {}
        return _decoded(path, dict[str, ConfirmedLink])

    def _path(self, document: str, edition: str) -> Path:
        return self.folder / document / f"{edition}.json"

    def _links_path(self, document: str, edition: str) -> Path:
        return self.folder / document / f"{edition}{_LINKS}"


def _added(
    made: StoredEdition,
    text: Read,
    detected: Detected | None,
    links: Mapping[str, int],
    since: Mapping[str, int],
    again: bool,
) -> Added:
    book = made.rulebook
    return Added(
        document=book.document, language=book.language, edition=book.edition, passages=len(book.passages),
        rules=len(book.rules), corrections=sum(len(one.corrections) for one in book.passages),
        format=text.format, encoding=text.encoding, assumed=text.assumed, detected=detected,
        links=links, since=since, again=again, recognised=book.like, cuts=len(made.cuts) - len(made.misfits),
        misfits=tuple(f"{cut.kind} {cut.passage}: {why.said}" for cut, why in made.misfits),
    )  # fmt: skip


def _recognised(text: str, language: str, name: str, loading: Loading) -> Rulebook:
    """The document, cut as the known document whose sentences it has; raises `OtherDocumentError`."""
    like = "" if loading.although_unlinked else recognised(text, language)
    document = loading.document or like or slug(Path(name).stem).replace(".", "-") or "document"
    if like and document != like and document in known_documents():
        raise OtherDocumentError(name, document, like)
    book = cut(text, document, language, like)
    return replace(book, game=loading.game or book.game, rank=str(rank_of(loading.rank or book.rank)))


def _moved(link: ConfirmedLink, matches: Mapping[str, Matched]) -> ConfirmedLink:
    if not link.passages:
        return link
    there = moved_link(link.passages, matches)
    return ConfirmedLink(there.passages, link.by, link.at, there.look or link.look)


def _touches(links: Mapping[str, int]) -> bool:
    """Whether a document has any passage of the edition that is known by its id, if one is."""
    return not links or bool(set(links) - {Status.GONE.value, Status.NEW.value})


def _against_known(book: Rulebook) -> Iterator[Matched]:
    edition = known_edition(book.known_as)
    yield from compare(edition, book) if edition else ()


def _fitting(book: Rulebook) -> tuple[int, int]:
    """How many passages are those of the known edition, and how few are not."""
    counts = _statuses(_against_known(book))
    same = counts.get(Status.UNCHANGED.value, 0)
    return same, same - sum(counts.values())


def _statuses(matches: Iterable[Matched]) -> dict[str, int]:
    counts = Counter(match.status.value for match in matches)
    return {status.value: counts[status.value] for status in Status if counts[status.value]}


def _statement(catalogue: Catalogue, rule: str, language: str) -> str:
    try:
        return catalogue.statement(catalogue[rule], language)
    except (OSError, KeyError):
        return catalogue.statement(catalogue[rule])


def _full(book: Rulebook, passage: str) -> Passage:
    """A passage by its id, with or without the document's name before it."""
    for wanted in (passage, f"{book.document}/{passage}"):
        for one in book.passages:
            if one.id == wanted:
                return one
    raise UnknownPassageError(book.document, passage)


def _load(path: Path) -> StoredEdition:
    return _decoded(path, StoredEdition)


def _decoded(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(read_whole(path), type=kind)
    except (OSError, UnreadableFileError, msgspec.MsgspecError) as error:
        raise RulebookStoreError(str(path), f"is damaged, remove it and load the document again ({error})") from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise RulebookStoreError(str(path), f"cannot be written: {error.strerror or error}") from None


def now() -> str:
    """The time as it is kept with an edition."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
