"""Our own words that translators edit: the statements of the rules (PO) and the terms (TBX), language by language.

They are kept as documents are: the first edition is what the package says, and each file that comes back makes a new
one, with its change list and who changed it. What nobody changed follows the package.
"""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.rulebooks.passages import Passage, Rulebook, edition_of
from audit.rulebooks.terms import TermBase, term_base
from replays.rulebooks.store import RulebookStore

SORTS = {"po": "statements", "tbx": "terms"}
"""What a format holds of our own words."""
BETWEEN = "; "
"""What stands between the words of one concept."""


def own_document(game: str, form: str, language: str) -> str:
    """The id under which the editions are kept: `compile-terms-it`."""
    return f"{game}-{SORTS[form]}-{language}"


def own_words(game: str, form: str, language: str, packaged: Mapping[str, str]) -> dict[str, str]:
    """The words by rule or concept: those of the package, and what was changed in place of them."""
    words = dict(packaged)
    for stored in RulebookStore().history(own_document(game, form, language)):
        now = {passage.id: passage.text for passage in stored.rulebook.passages}
        words |= {one.unit: now[one.unit] for one in stored.changes if one.unit in now and one.unit in packaged}
    return words


def own_statements(game: str, catalogue: Catalogue, language: str) -> dict[str, str]:
    """Our statement of each rule, as it was edited last."""
    packaged = {rule.id: catalogue.statement(rule, language) for rule in catalogue}
    return own_words(game, "po", language, packaged)


def own_terms(game: str, package: str) -> TermBase:
    """The terms, as they were edited last."""
    base = term_base(package)
    for language in LANGUAGES:
        words = {id: BETWEEN.join(base.words(id, language)) for id in base.concepts}
        edited = own_words(game, "tbx", language, words)
        changed = {id: said.split(BETWEEN) for id, said in edited.items() if said != words[id]}
        base = base.with_words(language, changed)
    return base


def own_book(game: str, form: str, language: str, words: Mapping[str, str]) -> Rulebook:
    """The words as a document: a passage for each rule or concept."""
    document, edition = own_document(game, form, language), edition_of(words.values())
    passages = tuple(
        Passage(
            id=id, document=document, edition=edition, language=language, text=text, lines=(line, line),
            breaks=((0, line),),
        )
        for line, (id, text) in enumerate(words.items(), 1) if text
    )  # fmt: skip
    return Rulebook(document=document, language=language, edition=edition, passages=passages, lines=len(words))
