"""The store of loaded rulebooks in the user's data folder: editions side by side, each written atomically."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from audit.core.catalogue import Catalogue
from audit.core.files import alone_in, write_whole
from audit.rulebooks.cutting import cut, known_documents
from audit.rulebooks.errors import (
    DocumentIdError,
    NothingLinkedError,
    RulebookError,
    TooLargeError,
    UnknownEditionError,
    UnknownRulebookError,
)
from audit.rulebooks.languages import Detected
from audit.rulebooks.links import Candidate, Matched, Status, candidates, compare_books
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.reading import MAX_BYTES, Read
from replays.files import UnreadableFileError, read_whole
from replays.limited import TooCostlyError, limited
from replays.rulebooks.editions import ConfirmedLink, EditionChange, StoredEdition, moved, now
from replays.rulebooks.folder import rulebooks_folder
from replays.rulebooks.loading import (
    Added,
    Loading,
    added,
    against_known,
    document_by_words,
    fitting,
    recognised_book,
    statuses,
    with_game,
)

T = TypeVar("T")

SMALL = 60_000
"""Bytes of a text that is read at once, without a process of its own."""
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_LINKS = ".links.json"


class RulebookStoreError(RulebookError):
    """The folder of rulebooks cannot be read or written, or a file in it is damaged."""


class KeptEditions:
    """A folder with one folder for each document, one file for each edition of it, and the links that people made."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or rulebooks_folder()

    def editions(self) -> list[StoredEdition]:
        """Everything loaded, by document, the older editions of a document first."""
        files = (file for file in self.folder.glob("*/*.json") if not file.name.endswith(_LINKS))
        return sorted((_decoded(file, StoredEdition) for file in files), key=lambda one: (one.document, one.added))

    def history(self, document: str) -> list[StoredEdition]:
        """The editions of one document, the older ones first; none where it was never kept."""
        files = (file for file in (self.folder / document).glob("*.json") if not file.name.endswith(_LINKS))
        return sorted((_decoded(file, StoredEdition) for file in files), key=lambda one: one.added)

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

    def books(self) -> Sequence[Rulebook]:
        """All editions of all documents, the older ones of a document first."""
        return [one.rulebook for one in self.editions()]

    def put(self, stored: StoredEdition, links: Mapping[str, ConfirmedLink] | None = None) -> None:
        """Keep an edition as it is given, with its links where they change with it."""
        _write(self._path(stored.document, stored.rulebook.edition), stored)
        if links is not None:
            _write(self._links_path(stored.document, stored.rulebook.edition), links)

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

    @contextmanager
    def alone(self, document: str) -> Iterator[None]:
        """Keep others from changing a document meanwhile. Raises `RulebookStoreError` where that is not possible."""
        with ExitStack() as lock:
            try:
                lock.enter_context(alone_in(self.folder / document))
            except OSError as error:
                raise RulebookStoreError(document, f"cannot be written: {error.strerror}") from None
            yield

    def link(self, document: str, rule: str, passages: Iterable[str], by: str = "", edition: str = "") -> ConfirmedLink:
        """Keep that these passages say that rule; with none the link is taken away."""
        return self.answer(document, {rule: tuple(passages) or None}, by, edition)[rule]

    def answer(
        self, document: str, decided: Mapping[str, Iterable[str] | None], by: str = "", edition: str = ""
    ) -> dict[str, ConfirmedLink]:
        """Keep which passages say each of these rules: none where the document does not say it; None takes back."""
        stored = self.show(document, edition)
        with self.alone(stored.document):
            made = {
                rule: ConfirmedLink(tuple(stored.passage(one).id for one in passages or ()), by, now())
                for rule, passages in decided.items()
            }
            kept = {**self.made_links(stored.document, stored.rulebook.edition), **made}
            kept = {rule: one for rule, one in kept.items() if decided.get(rule, ()) is not None}
            _write(self._links_path(stored.document, stored.rulebook.edition), kept)
            return made

    def put_links_back(self, document: str, links: Mapping[str, ConfirmedLink | None], edition: str) -> None:
        """Keep the links of these rules as they were before an answer; None where there was none."""
        with self.alone(document):
            kept = {**self.made_links(document, edition), **links}
            _write(self._links_path(document, edition), {rule: one for rule, one in kept.items() if one})

    def links(self, document: str, edition: str) -> Mapping[str, tuple[str, ...]]:
        """The passages a person linked to each rule; none where a person said that the document does not say it."""
        made = self.made_links(document, edition).items()
        return {rule: link.passages for rule, link in made if link.passages or not link.look}

    def made_links(self, document: str, edition: str) -> Mapping[str, ConfirmedLink]:
        """The same with who linked them, and what asks for a look; a rule that lost its passages is among them."""
        path = self._links_path(document, edition)
        return _decoded(path, dict[str, ConfirmedLink]) if path.exists() else {}

    def _of(self, document: str, edition: str = "") -> Sequence[StoredEdition]:
        kept = (one for one in self.editions() if one.document == document)
        return [one for one in kept if one.rulebook.edition.startswith(edition)]

    def _move_links(self, before: Rulebook, after: Rulebook, matches: Sequence[Matched]) -> None:
        """Take the links of the edition before over to a new one."""
        by_id = {match.before.id: match for match in matches if match.before}
        links = self.made_links(before.document, before.edition)
        there = {rule: moved(link, by_id) for rule, link in links.items()}
        if there:
            _write(self._links_path(after.document, after.edition), there)

    def _path(self, document: str, edition: str) -> Path:
        return self.folder / document / f"{edition}.json"

    def _links_path(self, document: str, edition: str) -> Path:
        return self.folder / document / f"{edition}{_LINKS}"


class RulebookStore(KeptEditions):
    """The same folder, into which documents are loaded: read, cut, and compared with what is kept."""

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
        text, detected, uncut = recognised_book(data, name, loading)
        if not (loading.document or uncut.like or loading.although_unlinked) and (own := self._own_document(uncut)):
            named = cut(text.text, own, uncut.language)
            return replace(self._taken_in(named, text, detected, name, loading), recognised=own)
        return self._taken_in(uncut, text, detected, name, loading)

    def _taken_in(self, uncut: Rulebook, text: Read, detected: Detected | None, name: str, loading: Loading) -> Added:
        """Keep a document that has been read as an edition."""
        same, before = self._of(uncut.document, uncut.edition), self._latest(uncut)
        earlier = [one.rulebook for one in (*same, *filter(None, [before]))]
        uncut = with_game(uncut, loading, earlier)
        made = StoredEdition(uncut, name, text.format, text.encoding, now())
        links = against_known(uncut)
        if links and not loading.although_unlinked and links.keys() <= {Status.GONE.value, Status.NEW.value}:
            raise NothingLinkedError(name, uncut.document, len(uncut.passages))
        if same:
            made = self._loaded_again(made, same[-1])
            later = before.rulebook.edition if before and before.added > made.added else ""
            again = added(made, text, detected, against_known(made.rulebook), {}, again=True, current=later)
            return self._with_links(replace(again, had_game=same[-1].rulebook.game))
        made = made.cut_by((*before.inherited, *before.cuts) if before else ())
        matches = compare_books(before.rulebook, made.rulebook) if before else ()
        self.put(made)
        if before:
            self._move_links(before.rulebook, made.rulebook, matches)
        return self._with_links(added(made, text, detected, against_known(made.rulebook), statuses(matches)))

    def _with_links(self, found: Added) -> Added:
        return replace(found, linked=len(self.links(found.document, found.edition)))

    def _own_document(self, book: Rulebook) -> str:
        """The loaded document that the project does not know, of which this is an edition by its words."""
        names = {
            one.document: one.rulebook for one in self.editions() if one.rulebook.known_as not in known_documents()
        }
        return "" if book.document in names else document_by_words(book, names.values())

    def _loaded_again(self, made: StoredEdition, kept: StoredEdition) -> StoredEdition:
        """The edition of words that are loaded already, in the better cut; what is current stays so."""
        book = made.rulebook
        if self._is_better_cut(kept, book):
            made = replace(kept, rulebook=replace(kept.rulebook, game=book.game, rank=book.rank))
        else:
            made = replace(made, added=kept.added)
        if made != kept:
            self.put(made)
        return made

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

    def _latest(self, book: Rulebook) -> StoredEdition | None:
        """The edition loaded last of the same document, whatever it is called."""
        same = (one for one in self.editions() if one.rulebook.known_as == book.known_as)
        found = [one for one in same if one.rulebook.edition != book.edition]
        return max(found, key=lambda one: one.added, default=None)

    def _is_better_cut(self, kept: StoredEdition, book: Rulebook) -> bool:
        """Whether persons linked or cut the kept edition of the same words, or more of it is known.

        A PDF has the words of a text file and not its paragraphs.
        """
        is_worked_on = bool(kept.cuts or self.made_links(book.document, book.edition))
        return is_worked_on or fitting(kept.rulebook) > fitting(book)


def _statement(catalogue: Catalogue, rule: str, language: str) -> str:
    try:
        return catalogue.statement(catalogue[rule], language)
    except (OSError, KeyError):
        return catalogue.statement(catalogue[rule])


def _decoded(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(read_whole(path), type=kind)
    except (OSError, UnreadableFileError, msgspec.MsgspecError) as error:
        raise RulebookStoreError(str(path), f"is damaged, remove it and load the document again ({error})") from None


def _write(path: Path, kept: StoredEdition | Mapping[str, ConfirmedLink]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(kept))
    except OSError as error:
        raise RulebookStoreError(str(path), f"cannot be written: {error.strerror or error}") from None
