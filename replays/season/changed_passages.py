"""The passages of rules that a new edition of a rulebook changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from audit.core.catalogue import Catalogue
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.quoting import Quotation, Quoter, QuoteStatus
from replays.rulebooks.store import RulebookStore, RulebookStoreError


class RulebookSet(Struct, frozen=True):
    """The rulebooks loaded at one time, with the links that people confirmed."""

    kept: tuple[Rulebook, ...]
    linked: Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}

    def books(self) -> Sequence[Rulebook]:
        """All editions, the older ones of a document first."""
        return self.kept

    def links(self, document: str, edition: str) -> Mapping[str, tuple[str, ...]]:
        """The passages a person linked to each rule."""
        return self.linked.get((document, edition), {})


def editions_around(rulebook_store: RulebookStore, document: str) -> tuple[RulebookSet, RulebookSet]:
    """The rulebooks before and after the newest edition of a document; raises `UnknownRulebookError`, or `ShelfError`
    where only one edition of it is loaded."""
    newest = rulebook_store.show(document).rulebook
    now = tuple(rulebook_store.books())
    before = tuple(book for book in now if (book.document, book.edition) != (document, newest.edition))
    if not any(book.document == document for book in before):
        raise RulebookStoreError(document, "only one edition is loaded, there is none to compare it with")
    linked = {(book.document, book.edition): rulebook_store.links(book.document, book.edition) for book in now}
    return RulebookSet(before, linked), RulebookSet(now, linked)


class PassageChange(Struct, frozen=True):
    """A rule whose passage changed in one language: the quotation before, and the one now."""

    rule: str
    language: str
    before: Quotation
    after: Quotation


def changed_passages(catalogue: Catalogue, before: RulebookSet, after: RulebookSet) -> list[PassageChange]:
    """The rules whose passages changed, by the latest edition of each document."""
    languages = tuple(catalogue.documents)
    old, new = Quoter(catalogue, before, languages), Quoter(catalogue, after, languages)
    found = []
    for rule in catalogue:
        were, are = _latest(old.of(rule)), _latest(new.of(rule))
        for key in dict.fromkeys([*were, *are]):
            was, now = were.get(key) or _absent(*key), are.get(key) or _absent(*key)
            if (was.text or now.text) and (was.text, was.standing) != (now.text, now.standing):
                found.append(PassageChange(rule.id, key[0], was, now))
    return found


def _latest(quotations: Iterable[Quotation]) -> dict[tuple[str, str], Quotation]:
    """By language and document; the editions of a document come with the latest last."""
    return {(quotation.language, quotation.document): quotation for quotation in quotations}


def _absent(language: str, document: str) -> Quotation:
    return Quotation(language=language, document=document, standing=QuoteStatus.NOT_LOADED)
